"""Is the win rate that is shown right? Positions of real games, and who won them in the end.

    python -m scripts.check.outcome --games test-4400.tar.gz --max-games 60 --out FILE

At some moves of every game a search says how probable it is that Black wins: by the share of its
roll-outs that Black won, and as it is shown, by belief. Both are held against the results: log
loss and Brier score with standard errors, the expected calibration error (in ten bins), and how
often the side that is ahead won. Games without a result are left out.
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from tqdm import tqdm

from engine import BLACK, RULESETS, Game, IllegalMove, Player, PlayerOptions, YomiError
from patterns_db.games import DecodedGame, GameReader
from patterns_db.shipped import load_knowledge
from scripts.kept_rows import KeptRows
from scripts.tables import Row, print_table

Floats = npt.NDArray[np.float64]

MOVES = (60, 120, 180)
SURE = 1e-3  # nearer to 0 and 1 nothing counts: one upset would outweigh all the rest
BINS = 10
SOURCES = {"roll-outs won": "won", "shown": "shown"}
HEADER = ("moves", "chances", "positions", "log loss", "+-", "Brier", "+-", "calibration", "right")


def positions_of(record: DecodedGame, moves: Sequence[int]) -> Iterator[Game]:
    """Yield a game's positions after some numbers of moves, as far as it goes."""
    komi = 7.5 if record.komi is None else record.komi
    game = Game(record.size, RULESETS["chinese"], komi)
    for color, point in zip(record.colors.tolist(), record.moves.tolist(), strict=True):
        try:
            game.play(color, point)
        except IllegalMove:
            return
        if len(game.moves) in moves:
            yield game.copy()


def black_chances(game: Game, player: Player) -> dict[str, float]:
    """Return Black's chance to win, by shares of roll-outs and as it is shown."""
    *_, report = player.deliberate(game, game.to_play)
    total = max(sum(move.playouts for move in report.moves), 1)
    won = sum(move.won * move.playouts for move in report.moves) / total
    chances = {"won": won, "shown": report.moves[0].win_rate}
    return chances if game.to_play == BLACK else {k: 1.0 - v for k, v in chances.items()}


def figures_of(chance: Floats, result: Floats) -> list[float]:
    """Return log loss and its error, Brier score and its error, calibration error, hits."""
    sure = np.clip(chance, SURE, 1.0 - SURE)
    loss = -np.log(np.where(result > 0.5, sure, 1.0 - sure))
    brier = (chance - result) ** 2
    bins = np.minimum((chance * BINS).astype(int), BINS - 1)
    gaps = [abs((chance - result)[bins == i].sum()) for i in range(BINS)]
    root = np.sqrt(len(chance))
    hits = np.mean((chance > 0.5) == (result > 0.5))
    return [
        float(x)
        for x in (
            loss.mean(), loss.std() / root, brier.mean(), brier.std() / root,
            sum(gaps) / len(chance), hits,
        )
    ]  # fmt: skip


def print_figures(rows: Sequence[dict[str, Any]]) -> None:
    """Print a table by number of moves and by who says the chances."""
    table: list[Row] = []
    numbers: list[tuple[str, Callable[[int], bool]]] = [
        (str(n), lambda moves, n=n: moves == n) for n in sorted({row["moves"] for row in rows})
    ]
    for name, chosen in [*numbers, ("all", lambda moves: True)]:
        some = [row for row in rows if chosen(row["moves"])]
        result = np.array([row["result"] for row in some])
        for source, key in SOURCES.items():
            chance = np.array([row[key] for row in some])
            table.append([name, source, len(some), *figures_of(chance, result)])
    print_table(HEADER, table)


def main(arguments: Sequence[str] | None = None) -> int:
    """Search the positions that are still missing, then print the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", nargs="+", required=True, metavar="PATH")
    parser.add_argument("--max-games", type=int, default=60, help="with a result, at most so many")
    parser.add_argument("--moves", nargs="+", type=int, default=list(MOVES), metavar="N")
    parser.add_argument("--playouts", type=int, default=400)
    parser.add_argument("--uncalibrated", action="store_true", help="as the search believes it")
    parser.add_argument("--out", type=Path, required=True, help="the positions, a line each")
    options = parser.parse_args(arguments)
    knowledge = load_knowledge()
    if options.uncalibrated:
        knowledge = knowledge._replace(calibration=None)
    try:
        setting = {
            "playouts": options.playouts,
            "moves": options.moves,
            "games": [Path(path).name for path in options.games],
            "uncalibrated": options.uncalibrated,
        }
        kept = KeptRows(options.out, setting, "positions")
        done = {row["game"] for row in kept.rows}
        with tqdm(total=options.max_games, unit="game", file=sys.stderr) as bar:
            for record in GameReader(options.games):
                if bar.n == options.max_games:
                    break
                if record.winner == 0 or len(record.black) + len(record.white) > 0:
                    continue
                bar.update()
                if record.source in done:
                    continue
                for game in positions_of(record, options.moves):
                    player = Player(
                        PlayerOptions(playouts=options.playouts, threads=1, seed=1), knowledge
                    )
                    kept.add(
                        {
                            "game": record.source,
                            "size": game.size,
                            "moves": len(game.moves),
                            "occupied": round(
                                len(game.stones(1) + game.stones(2)) / game.size**2, 3
                            ),
                            **black_chances(game, player),
                            "result": float(record.winner == BLACK),
                        }
                    )
    except YomiError as error:
        print(f"outcome: {error}", file=sys.stderr)
        return 2
    if kept.rows:
        print_figures(kept.rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
