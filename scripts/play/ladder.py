r"""Play each level against one some places below it, or against a program.

    python -m scripts.play.ladder --size 9 --games 40 --out FILE
    python -m scripts.play.ladder --size 9 --games 20 --levels 12k 8k 4k --out FILE \
        --against "gnugo --mode gtp --level 10 --chinese-rules --seed %S"

All of yomi plays in this process. Every pair plays its first game, then its second, and so on. The
same command continues a run that was stopped, or adds games. ``%S`` in a command becomes the number
of the game. Dead stones are judged as by ``final_score``; if a program's own score differs, the
game does not count. The same seed plays the same games. ``--also FILE ...`` counts the games of
earlier runs, too. ``--results TABLE COLUMN`` also writes the shares into that column of
``scripts/results/levels.json``.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import NamedTuple

from engine import (
    RULESETS,
    BadSetup,
    Game,
    Knowledge,
    Player,
    PlayerOptions,
    YomiError,
    level_options,
)
from engine.thinkers.levels import LEVELS
from patterns_db.shipped import load_knowledge
from scripts.controller import Controller
from scripts.kept_rows import KeptRows, Row
from scripts.play.arena import (
    ScoresDisagree,
    SideReply,
    ThreadBackend,
    margin_of,
    play_game,
    play_match,
    progress,
    score_of,
)
from scripts.play.gtp_side import GtpSide
from scripts.result_cells import put_cells
from scripts.tables import TableRow, print_table

HEADER = ("level", "against", "won", "games", "%", "from", "to", "moves", "resigned", "no result")


class LevelSide(NamedTuple):
    """A player at a level as one side of a game."""

    player: Player

    def choose(self, game: Game) -> SideReply:
        """Return the player's move."""
        decision = self.player.choose(game, game.to_play)
        return SideReply(decision.point, decision.resign, decision.win_rate, decision.reason)


class Ladder(NamedTuple):
    """The conditions that all games share; ``pairs`` are (level, level or command)."""

    pairs: tuple[tuple[str, str], ...]
    size: int
    komi: float
    rules: str
    seed: int

    def play(self, number: int, knowledge: Knowledge) -> Row:
        """Play a game, by its number over all pairs, and return its row."""
        turn, index = divmod(number, len(self.pairs))
        level, other = self.pairs[index]
        game = Game(self.size, RULESETS[self.rules], self.komi)
        # Every game has its own seeds, so that it does not depend on earlier games.
        seed = self.seed + 2 * number
        first = level_side(level, seed, knowledge)
        command = other.replace("%S", str(turn + 1))
        with nullcontext() if other in LEVELS else Controller(command) as program:
            asked = None if program is None else GtpSide(program, self.size, self.komi)
            second = asked or level_side(other, seed + 1, knowledge)
            # No game between sensible players takes twice as many.
            outcome = play_game(
                turn,
                game,
                (first, second),
                3 * self.size**2,
                partial(margin_of_end, first.player, asked),
            )
        return outcome._asdict() | {"game": number, "level": level, "against": other}


def level_side(level: str, seed: int, knowledge: Knowledge) -> LevelSide:
    """Return a player at a level, without any memory."""
    return LevelSide(Player(PlayerOptions(level=level_options(level), seed=seed), knowledge))


def margin_of_end(judge: Player, program: GtpSide | None, game: Game) -> float:
    """Return Black's margin by our own judgment; the program's score has to agree.

    judge  a player, which has mostly judged the position for its pass

    Raises YomiError where the game has no end, ScoresDisagree where the scores differ.
    """
    if game.passes < 2:
        raise YomiError(f"no end after {len(game.moves)} moves")
    margin = judge.final_score(game)
    if program is not None:
        said = program.final_score(game)
        if margin_of(said) != margin:
            raise ScoresDisagree(f"{margin:+g} / {said}")
    return margin


def pairs_of(levels: Sequence[str], distance: int, against: str | None) -> list[tuple[str, str]]:
    """Return the pairings. Raises BadSetup for an unknown level, or one with no level below it.

    levels  names; none: all that have a level at this distance below
    """
    names = [level_options(name).name for name in levels] or list(LEVELS)
    if against is not None:
        return [(name, against) for name in names]
    places = [LEVELS.index(name) for name in names]
    if levels and min(places) < distance:
        raise BadSetup(f"no level is {distance} below {LEVELS[min(places)]}")
    return [(LEVELS[i], LEVELS[i - distance]) for i in places if i >= distance]


def table(rows: list[Row], pairs: Sequence[tuple[str, str]]) -> list[TableRow]:
    """Return HEADER's figures of every pair that has played."""
    lines: list[TableRow] = []
    for level, other in pairs:
        played = [row for row in rows if (row["level"], row["against"]) == (level, other)]
        if not played:
            continue
        score = score_of(played)
        low, high = score.interval
        lines.append([
            level, other.split("%S")[0][:60], f"{score.wins:g}", score.games,
            round(100 * score.wins / max(score.games, 1), 1),
            round(100 * low, 1), round(100 * high, 1),
            round(sum(row["moves"] for row in played) / len(played)),
            sum(row["result"].endswith("R") for row in played),
            len(played) - score.games,
        ])  # fmt: skip
    return lines


def shares(rows: list[Row], pairs: Sequence[tuple[str, str]]) -> dict[str, dict[str, float]]:
    """Return the games won, and the games that count, of each level that has played."""
    found: dict[str, dict[str, float]] = {}
    for level, other in pairs:
        score = score_of([row for row in rows if (row["level"], row["against"]) == (level, other)])
        if score.games:
            wins = int(score.wins) if score.wins.is_integer() else score.wins
            found[level] = {"won": wins, "of": score.games}
    return found


def earlier_rows(path: Path, ladder: Ladder) -> list[Row]:
    """Return the games of another run. Raises BadSetup for another board or the same seed.

    path  written by this program
    """
    try:
        stored = json.loads(path.read_text("utf-8"))
        rows: list[Row] = stored["games"]
        same = all(stored[key] == getattr(ladder, key) for key in ("size", "komi", "rules"))
        seed = stored["seed"]
    except (ValueError, KeyError, TypeError):
        raise BadSetup(f"{path}: no games of a ladder") from None
    if not same or seed == ladder.seed:
        raise BadSetup(f"{path}: a ladder on another board or with the same seed")
    return rows


def main(arguments: Sequence[str] | None = None) -> int:
    """Play the games that are still missing, then print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--levels", nargs="+", default=[], metavar="LEVEL", help="(all)")
    parser.add_argument("--below", type=int, default=2, help="how far below the other level is")
    parser.add_argument("--against", metavar="COMMAND", help="a GTP program, instead of levels")
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--komi", type=float, default=7.5)
    parser.add_argument("--rules", default="chinese", choices=tuple(RULESETS))
    parser.add_argument("--games", type=int, default=20, help="of each pair")
    parser.add_argument("--jobs", type=int, default=1, help="games played side by side")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--also", nargs="+", type=Path, default=[], metavar="FILE")
    parser.add_argument("--results", nargs=2, metavar=("TABLE", "COLUMN"), help="of the page")
    parser.add_argument("--out", type=Path, help="the games, JSON, so that a stopped run goes on")
    options = parser.parse_args(arguments)
    try:
        pairs = pairs_of(options.levels, options.below, options.against)
        ladder = Ladder(tuple(pairs), options.size, options.komi, options.rules, options.seed)
        kept = KeptRows(options.out, ladder._asdict(), "games", "another ladder")
        total = options.games * len(pairs)
        play = partial(ladder.play, knowledge=load_knowledge())
        with progress(total) as watch:
            play_match(play, total, kept, watch, ThreadBackend(options.jobs))
        rows = kept.rows + [row for path in options.also for row in earlier_rows(path, ladder)]
        if options.results is not None:
            name, column = options.results
            put_cells("levels", name, column, shares(rows, pairs))
    except (YomiError, OSError) as error:
        print(f"ladder: {error}", file=sys.stderr)
        return 2
    print_table(HEADER, table(rows, pairs))
    for row in kept.rows:
        if row["error"] or not row["agreed"]:
            what = row["error"] or f"scores disagree: {row['result']}"
            print(f"game {row['game']} ({row['level']}): {what}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
