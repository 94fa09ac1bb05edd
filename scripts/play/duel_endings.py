"""What solving endings as sums of fights is worth: games with it and without it.

    python -m scripts.play.duel_endings --seconds 0.1 --games 60 --out FILE.json
    python -m scripts.play.duel_endings --forks --playouts 200 --games 40 --out FILE.json

Full games: one side solves, the other does not; equal time or roll-outs, colors alternating.
Nobody resigns, or close endings would be hidden. Forks: games without it are played up to the
first position that is solved; komi is set so that the side to move just wins with best play; then
the game goes on from there with neither side, only Black, only White solving, same seeds.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from statistics import mean

from tqdm import tqdm

from engine import BLACK, RULESETS, WHITE, Game, Player, PlayerOptions
from engine.endings.advice import advise
from engine.endings.fights import SumAdvice
from patterns_db.shipped import load_knowledge
from scripts.significance import wilson_interval

CLOSE = 3.5  # points
Row = dict[str, float | int | str | bool]


def play_out(players: dict[int, Player], game: Game) -> int:
    """Play a game to its end; return how many moves were chosen as parts of a sum."""
    solved = 0
    while game.passes < 2 and len(game.moves) < 3 * game.size**2:
        decision = players[game.to_play].choose(game, game.to_play)
        solved += " fight" in decision.reason
        game.play(game.to_play, decision.point)
    return solved


def full_game(number: int, options: argparse.Namespace, base: Player) -> list[Row]:
    """Return one full game's outcome for the side that solves."""
    color = BLACK if number % 2 == 0 else WHITE
    players = {c: _player(base, options, number, c, c == color) for c in (BLACK, WHITE)}
    game = Game(options.size, RULESETS["chinese"], options.komi)
    solved = play_out(players, game)
    margin = base.final_score(game) * (1 if color == BLACK else -1)
    return [{"game": number, "black": color == BLACK, "margin": margin, "solved": solved}]


def forked_game(number: int, options: argparse.Namespace, base: Player) -> list[Row]:
    """Return how a game's ending went for each color that solves; nothing if none is solved."""
    game = Game(options.size, RULESETS["chinese"], options.komi)
    players = {c: _player(base, options, number, c, False) for c in (BLACK, WHITE)}
    advice = None
    while game.passes < 2 and len(game.moves) < 3 * game.size**2:
        advice = advise(game, game.to_play, base.status(game).ownership)
        if isinstance(advice, SumAdvice):  # only these tell the margin
            break
        game.play(game.to_play, players[game.to_play].choose(game, game.to_play).point)
    if not isinstance(advice, SumAdvice):
        return []
    game.komi = advice.margin - (0.5 if game.to_play == BLACK else -0.5)
    margins: dict[int, float] = {}
    for solver in (0, BLACK, WHITE):
        fork = game.copy()
        fork_players = {c: _player(base, options, number, c, c == solver) for c in (BLACK, WHITE)}
        play_out(fork_players, fork)
        margins[solver] = base.final_score(fork)
    rows: list[Row] = []
    for solver, sign in ((BLACK, 1), (WHITE, -1)):
        to_move = game.to_play == solver
        rows.append({
            "game": number, "move": len(game.moves), "fights": advice.fights, "to_move": to_move,
            "margin": sign * margins[solver], "margin_without": sign * margins[0],
        })  # fmt: skip
    return rows


def _player(
    base: Player, options: argparse.Namespace, number: int, color: int, solves: bool
) -> Player:
    seed = options.seed + 2 * number + (color == WHITE)
    return Player(replace(base.options, seed=seed, sums=solves), base.knowledge)


def summary(rows: list[Row], forks: bool) -> dict[str, object]:
    """Return what the games say."""
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
    player = PlayerOptions(
        playouts=options.playouts, seconds=options.seconds, threads=1, seed=options.seed,
        resign_percent=None, memory_mib=64,
    )  # fmt: skip
    base = Player(player, load_knowledge())
    rows: list[Row] = []
    play = forked_game if options.forks else full_game
    asked = {name: value for name, value in vars(options).items() if name != "out"}
    for number in tqdm(range(options.games), file=sys.stderr):
        rows += play(number, options, base)
        told = {"asked": asked | {"games": number + 1}, "summary": summary(rows, options.forks)}
        lines = ",\n".join(json.dumps(row) for row in rows)
        options.out.write_text(f'{json.dumps(told)[:-1]}, "rows": [\n{lines}\n]}}\n')
    for name, value in summary(rows, options.forks).items():
        print(f"{name:24} {value}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
