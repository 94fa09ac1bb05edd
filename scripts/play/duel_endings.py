"""Measure the worth of solving endings as sums of fights: games with it and without it.

    python -m scripts.play.duel_endings --seconds 0.1 --games 60 --out FILE.json
    python -m scripts.play.duel_endings --forks --playouts 200 --games 40 --out FILE.json

Full games: one side solves, the other does not; equal time or roll-outs, colors alternating. Nobody
resigns, or close endings would be hidden. Forks: games without it are played up to the first
position that is solved. Komi is set so that the side to move just wins with best play. Then the
game goes on from there with neither side, only Black, or only White solving, with the same seeds.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from statistics import mean

from tqdm import tqdm

from engine import BLACK, RULESETS, WHITE, Game, Player, PlayerOptions, YomiError
from engine.endings.fights import SumAdvice
from engine.endings.sums import SURVEY_NODES, advise
from engine.facts.position_facts import Facts, ReadingBudget
from patterns_db.shipped import load_knowledge
from scripts.kept_rows import KeptRows, Row
from scripts.play.arena import (
    SideReply,
    first_color,
    margin_of,
    play_game,
    play_match,
    progress,
    turns,
)
from scripts.significance import wilson_interval

CLOSE = 3.5  # points


class PlayerSide:
    """A player; ``fights`` counts its moves that came from a sum."""

    def __init__(self, player: Player) -> None:
        self._player = player
        self.fights = 0

    def choose(self, game: Game) -> SideReply:
        """Return the player's move."""
        decision = self._player.choose(game, game.to_play)
        # Only the reason of a decision says that it came from a sum.
        self.fights += " fight" in decision.reason
        return SideReply(decision.point, decision.resign, reason=decision.reason)


def full_game(number: int, options: argparse.Namespace, base: Player) -> Row:
    """Return one full game's outcome; the first side is the one that solves."""
    color = first_color(number)
    pair = tuple(new_side(base, options, number, c, c == color) for c in (color, 3 - color))
    game = Game(options.size, RULESETS["chinese"], options.komi)
    outcome = play_game(number, game, (pair[0], pair[1]), 3 * game.size**2, base.final_score)
    margin = (margin_of(outcome.result) or 0.0) * (1 if color == BLACK else -1)
    solved = pair[0].fights + pair[1].fights
    return {**outcome._asdict(), "black": color == BLACK, "margin": margin, "solved": solved}


def forked_game(number: int, options: argparse.Namespace, base: Player) -> list[Row]:
    """Return the end of a game for each color that solves; nothing if no position is solved."""
    game = Game(options.size, RULESETS["chinese"], options.komi)
    most_moves = 3 * game.size**2
    advice, facts, budget = None, Facts(), ReadingBudget(SURVEY_NODES)
    for _ in turns(game, new_sides(base, options, number, solver=0), most_moves):
        advice = advise(game, game.to_play, base.status(game).ownership, facts, budget)
        if isinstance(advice, SumAdvice):  # only these give the margin
            break
    if not isinstance(advice, SumAdvice):
        return []
    # If the side to move loses no point, it wins by half a point: the first slip decides the game.
    game.komi = advice.margin - (0.5 if game.to_play == BLACK else -0.5)
    margins: dict[int, float] = {}
    # The game without solving comes first, because it is the base of the other two.
    for solver in (0, BLACK, WHITE):
        fork = game.copy()
        for _ in turns(fork, new_sides(base, options, number, solver), most_moves):
            pass
        margins[solver] = base.final_score(fork)
    rows: list[Row] = []
    for solver, sign in ((BLACK, 1), (WHITE, -1)):
        to_move = game.to_play == solver
        rows.append({
            "game": number, "move": len(game.moves), "fights": advice.fights, "to_move": to_move,
            "margin": sign * margins[solver], "margin_without": sign * margins[0],
        })  # fmt: skip
    return rows


def new_sides(
    base: Player, options: argparse.Namespace, number: int, solver: int
) -> dict[int, PlayerSide]:
    """Return both colors' sides of a game; ``solver`` is the color that solves, 0 for nobody."""
    return {c: new_side(base, options, number, c, c == solver) for c in (BLACK, WHITE)}


def new_side(
    base: Player, options: argparse.Namespace, number: int, color: int, solves: bool
) -> PlayerSide:
    """Return a color's side of a game; its seed does not depend on whether it solves."""
    seed = options.seed + 2 * number + (color == WHITE)
    return PlayerSide(Player(replace(base.options, seed=seed, sums=solves), base.knowledge))


def summary(rows: list[Row], forks: bool) -> dict[str, object]:
    """Return the summary of the games."""
    found: dict[str, object] = {"games": len(rows)}
    _count(found, "", rows)
    if forks:
        for name, to_move in (("to move", True), ("not to move", False)):
            _count(found, f"{name}: ", [row for row in rows if row["to_move"] == to_move])
        gains = [float(row["margin"]) - float(row["margin_without"]) for row in rows]
        found["mean points gained"] = round(mean(gains), 3) if gains else 0
        found["better, same, worse"] = [
            sum(g > 0 for g in gains), sum(g == 0 for g in gains), sum(g < 0 for g in gains),
        ]  # fmt: skip
    else:
        _count(found, "close: ", [row for row in rows if abs(float(row["margin"])) <= CLOSE])
        _count(found, "solved: ", [row for row in rows if row["solved"]])
    return found


def _count(found: dict[str, object], name: str, rows: list[Row]) -> None:
    wins = sum(float(row["margin"]) > 0 for row in rows)
    low, high = wilson_interval(wins, len(rows))
    found[f"{name}won"] = f"{wins} of {len(rows)} ({low:.1%} to {high:.1%})"
    if rows and "margin_without" in rows[0]:
        before = sum(float(row["margin_without"]) > 0 for row in rows)
        found[f"{name}won without"] = f"{before} of {len(rows)}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Play, write and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--forks", action="store_true", help="only endings, from the same position")
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--komi", type=float, default=7.5)
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--playouts", type=int, help="a move")
    parser.add_argument("--seconds", type=float, default=0.1, help="a move, without --playouts")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True, help="the games, JSON")
    options = parser.parse_args(arguments)
    named = ("forks", "size", "komi", "playouts", "seconds", "seed")
    setting = {name: getattr(options, name) for name in named}
    told = told_forks if options.forks else told_games
    try:
        kept = KeptRows(options.out, setting, "games", "other games", told)
        play_all(options, kept)
    except (YomiError, OSError) as error:
        print(f"duel_endings: {error}", file=sys.stderr)
        return 2
    for name, value in told(kept.rows).items():
        print(f"{name:24} {value}")
    return 0


def told_games(games: list[Row]) -> dict[str, object]:
    """Return the summary of full games."""
    return summary(games, forks=False)


def told_forks(games: list[Row]) -> dict[str, object]:
    """Return the summary of all games' endings."""
    return summary([row for game in games for row in game["endings"]], forks=True)


def play_all(options: argparse.Namespace, kept: KeptRows) -> None:
    """Play the games that are missing."""
    player = PlayerOptions(
        playouts=options.playouts, seconds=options.seconds, threads=1, seed=options.seed,
        resign_percent=None, memory_mib=64,
    )  # fmt: skip
    # The judge also divides positions into fights. It plays in no game, so that both sides' random
    # numbers are their own.
    base = Player(player, load_knowledge())
    if not options.forks:
        with progress(options.games) as watch:
            play_match(lambda number: full_game(number, options, base), options.games, kept, watch)
        return
    for number in tqdm(range(len(kept.rows), options.games), file=sys.stderr):
        kept.add({"game": number, "endings": forked_game(number, options, base)})


if __name__ == "__main__":
    sys.exit(main())
