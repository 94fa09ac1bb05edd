"""Is what a short search shows of its moves right? Judged by a search twenty times as long.

    python -m scripts.check.shown_values --games train-9x9.tar.gz --positions 60

For the moves that both searches have looked at: how far the share of roll-outs won, the mean margin
of these roll-outs, and what is shown instead, the posterior means, are from the long search's. Left
out is the calibration, which holds win rates against results of games instead.
"""

import argparse
import sys
from collections.abc import Sequence
from math import sqrt

import numpy as np
from tqdm import tqdm

from engine import RULESETS, Game, IllegalMove, MoveBelief, Player, PlayerOptions, YomiError
from patterns_db.games import DecodedGame, GameReader
from patterns_db.shipped import load_knowledge
from scripts.tables import Row, print_table

SHARES = (0.25, 0.45, 0.65, 0.85)  # of a game's moves before its position, in turn
JUDGED = 150  # roll-outs of the long search from which on it judges a move
FEW = 20  # roll-outs of the short search
HEADER = ("moves", "number", "won", "win rate", "mean margin", "margin")


def position_of(record: DecodedGame, share: float) -> Game:
    """Return a game's position after a share of its moves; what is illegal ends it."""
    game = Game(record.size, RULESETS["chinese"])
    moves = list(zip(record.colors.tolist(), record.moves.tolist(), strict=True))
    for color, point in moves[: int(len(moves) * share)]:
        try:
            game.play(color, point)
        except IllegalMove:
            break
    return game


def look(game: Game, playouts: int, seed: int) -> dict[int, MoveBelief]:
    """Return what a search of a position believes of its moves; nothing where none is needed."""
    options = PlayerOptions(playouts=playouts, threads=1, seed=seed, tactics=False, sums=False)
    knowledge = load_knowledge()._replace(calibration=None)
    thoughts = Player(options, knowledge).deliberate(game, game.to_play)
    *_, report = thoughts
    return {move.point: move for move in report.moves} if len(report.moves) > 1 else {}


def errors_of(game: Game, playouts: int) -> list[list[float]]:
    """Return, by move: roll-outs of the short search, then the errors of the four figures."""
    short, long = look(game, playouts, 1), look(game, 20 * playouts, 2)
    return [
        [
            float(move.playouts),
            move.won - long[point].won,
            move.win_rate - long[point].won,
            move.won_by - long[point].won_by,
            move.margin - long[point].won_by,
        ]
        for point, move in short.items()
        if move.playouts > 0 and point in long and long[point].playouts >= JUDGED
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Search the positions twice and print root mean squared errors."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", nargs="+", required=True, metavar="PATH")
    parser.add_argument("--positions", type=int, default=60, help="one a game, at most so many")
    parser.add_argument("--playouts", type=int, default=150, help="of the short search")
    options = parser.parse_args(arguments)
    rows: list[list[float]] = []
    try:
        with tqdm(total=options.positions, unit="position", file=sys.stderr) as bar:
            for number, record in enumerate(GameReader(options.games)):
                if number == options.positions:
                    break
                game = position_of(record, SHARES[number % len(SHARES)])
                rows += errors_of(game, options.playouts)
                bar.update()
    except YomiError as error:
        print(f"shown_values: {error}", file=sys.stderr)
        return 2
    found = np.array(rows).reshape(-1, len(HEADER) - 1)
    table: list[Row] = []
    for name, chosen in (("all", found[:, 0] > 0), (f"under {FEW} roll-outs", found[:, 0] < FEW)):
        errors = found[chosen, 1:]
        squares = (errors**2).mean(axis=0) if len(errors) else np.zeros(errors.shape[1])
        table.append([name, len(errors), *(sqrt(square) for square in squares)])
    print_table(HEADER, table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
