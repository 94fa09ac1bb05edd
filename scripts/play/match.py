r"""Play matches, with alternating colors, and print confidence intervals.

    python -m scripts.play.match --first "yomi --playouts 1000" --second "gnugo --mode gtp" \
        --size 9 --games 20 --out match.json
    python -m scripts.play.match --first yomi --second yomi:informed=0 rave:b2=0.001 --playouts 400
    python -m scripts.play.match --first 12k 8k --second 14k 10k --games 40

A side is a GTP program, or a player in this process: a level, or a search with other constants
(``scripts.play.baselines``). Several sides are several matches with equal seeds: every pair plays
its first game, then its second. The same command continues a run that was stopped, or adds games.

``%S`` in a program's command becomes the number of the game, counted from ``--seed``. Every move is
checked by our own rules, which the programs' commands must set. The programs' scores of a game have
to agree, and so has that of a player. The same seed plays the same games with players of this
process.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple

from engine import BLACK, RULESETS, BadSetup, Game, Player
from scripts.controller import Controller, ProgramFailed
from scripts.failures import reported
from scripts.kept_rows import KeptRows, Row
from scripts.play.arena import (
    LETTERS,
    Outcome,
    SideReply,
    first_color,
    play_game,
    play_match,
    progress,
    score_of,
)
from scripts.play.baselines import is_player, parse_contestant
from scripts.play.gtp_side import GtpSide, agreed_margin, score_text
from scripts.significance import log_likelihood_ratio
from scripts.tables import TableRow, print_table

SETTING = ("first", "second", "size", "komi", "rules", "playouts", "plain", "clock", "seed")
HEADER = ("first", "second", "won", "of", "%", "from", "to", "as Black", "LLR", "moves",
          "resigned", "on time", "disagreed", "errors")  # fmt: skip
WIDTH = 32  # letters of a side in the table


class PlayerSide(NamedTuple):
    """A player of this process as one side of a game."""

    player: Player

    def choose(self, game: Game) -> SideReply:
        """Return the player's move."""
        decision = self.player.choose(game, game.to_play)
        return SideReply(decision.point, decision.resign)

    def final_score(self, game: Game) -> str:
        """Return the player's score of a finished game, as a result in words."""
        return score_text(self.player.final_score(game))


@contextmanager
def open_side(
    text: str, options: argparse.Namespace, turn: int, second: bool
) -> Iterator[PlayerSide | GtpSide]:
    """Open a side for one game: nothing is carried over from one game to the next."""
    if is_player(text):
        seed = options.seed + 2 * turn + second
        contestant = parse_contestant(text, options.playouts, seed, options.plain)
        yield PlayerSide(Player(contestant.options, contestant.knowledge(options.plain)))
        return
    command = text.replace("%S", str(options.seed + turn))
    with Controller(command, options.timeout) as program:
        yield GtpSide(program, options.size, options.komi, options.clock)


def play_number(number: int, options: argparse.Namespace) -> Row:
    """Play one game, by its number over all pairs, and return its row."""
    turn, index = divmod(number, len(options.first))
    texts = options.first[index], options.second[index]
    game = Game(options.size, RULESETS[options.rules], options.komi)
    try:
        with ExitStack() as stack:
            first, second = (
                stack.enter_context(open_side(text, options, turn, place == 1))
                for place, text in enumerate(texts)
            )
            # A score is Black's side's where they disagree. Two players count alike.
            judges = (first, second) if first_color(turn) == BLACK else (second, first)
            if all(map(is_player, texts)):
                judges = (first,)
            judge = partial(agreed_margin, sides=judges)
            outcome = play_game(turn, game, (first, second), options.max_moves, judge)
    except ProgramFailed as failure:  # one of them did not even begin
        color = LETTERS[first_color(turn)]
        outcome = Outcome(turn, color, None, "?", 0, True, str(failure), (0.0, 0.0), "")
    return {**outcome._asdict(), "game": number, "sides": list(texts)}


def table_of(rows: Sequence[Row]) -> list[TableRow]:
    """Return HEADER's figures of every pair that has played."""
    pairs: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        pairs.setdefault(tuple(row["sides"]), []).append(row)
    lines: list[TableRow] = []
    for sides, played in pairs.items():
        score = score_of(played)
        black = score_of([row for row in played if row["first_color"] == "B"])
        low, high = score.interval
        lines.append([
            *(side.split("%S")[0][:WIDTH] for side in sides), f"{score.wins:g}", score.games,
            *(f"{100 * x:.1f}" for x in (score.wins / max(score.games, 1), low, high)),
            f"{black.wins:g} of {black.games}",
            f"{log_likelihood_ratio(score.wins, score.games):.2f}",
            round(sum(row["moves"] for row in played) / len(played)),
            sum(row["result"].endswith("R") for row in played),
            sum(row["result"].endswith("T") for row in played),
            sum(not row["agreed"] for row in played), sum(bool(row["error"]) for row in played),
        ])  # fmt: skip
    return lines


def complete(options: argparse.Namespace) -> None:
    """Set the defaults that depend on other options. Raises BadSetup for sides without a pair."""
    for one, other in (("first", "second"), ("second", "first")):
        if len(getattr(options, one)) == 1:
            setattr(options, one, getattr(options, one) * len(getattr(options, other)))
    if len(options.first) != len(options.second):
        raise BadSetup(f"{len(options.first)} first sides and {len(options.second)} second ones")
    if options.sprt and len(options.first) > 1:
        raise BadSetup("a sequential test is about one pair")
    players = [text for text in (*options.first, *options.second) if is_player(text)]
    for text in players:
        # Parsed first, so that errors appear before any game.
        parse_contestant(text, options.playouts, options.seed)
    if options.rules is None:
        # Positional superko and no dead stones: GNU Go's options on the pages ask for it.
        options.rules = "chinese" if players else "tromp-taylor"
    if options.max_moves is None:
        options.max_moves = 4 * options.size**2


def build_parser() -> argparse.ArgumentParser:
    """Return the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    for name in ("first", "second"):
        parser.add_argument(f"--{name}", nargs="+", required=True, metavar="SIDE")
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--komi", type=float, default=7.5)
    parser.add_argument("--rules", choices=tuple(RULESETS), help="(chinese, or tromp-taylor)")
    parser.add_argument("--games", type=int, default=20, help="of each pair")
    parser.add_argument("--playouts", type=int, default=1000, help="a move, of searches")
    parser.add_argument("--plain", action="store_true", help="searches without learned tables")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="games played side by side")
    parser.add_argument("--max-moves", type=int, help="(four for each point)")
    parser.add_argument("--clock", type=int, metavar="SECONDS", help="for all moves of a program")
    parser.add_argument("--timeout", type=float, help="most seconds of one answer of a program")
    parser.add_argument("--sprt", action="store_true", help="stop when 35 Elo are (un)likely")
    parser.add_argument("--out", type=Path, help="the games, JSON, so that a stopped run goes on")
    return parser


@reported
def main(arguments: Sequence[str] | None = None) -> int:
    """Play the games that are still missing, then print the table."""
    options = build_parser().parse_args(arguments)
    complete(options)
    setting = {name: getattr(options, name) for name in SETTING}
    kept = KeptRows(options.out, setting, "games", "another match")
    total = options.games * len(options.first)
    play = partial(play_number, options=options)
    with progress(total, options.sprt) as watch:
        play_match(play, total, kept, watch, options.jobs)
    print_table(HEADER, table_of(kept.rows))
    for row in kept.rows:
        if row["error"] or not row["agreed"]:
            what = row["error"] or f"scores disagree: {row['result']}"
            print(f"game {row['game']}, {row['sides'][0]}: {what}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
