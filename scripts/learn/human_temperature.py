"""How sharply players of each rank follow the ranking model: the temperature that fits them best.

    python -m scripts.learn.human_temperature --games train-9x9-mixed.tar.gz --counted-up

A player at temperature T plays a move with a probability proportional to P(move) ** (1 / T), P
being the ranking model's. For every group of ranks: the temperature of the greatest likelihood on
a grid, with its 95 % interval (where the log likelihood is within 1.92 of the greatest: Wilks),
and what the model would say of these moves as it is, at temperature 1. The levels of play begin
from these (``engine.thinkers.levels``). Games that the table was learned from flatter the model.

``--counted-up``: kyu ranks in the records are the server's own numbers, 30 less the kyu, so that
"28k" is 2 kyu. It shows in results: who has the larger number wins more often against 1d and 2d.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
from tqdm import tqdm

from engine import RULESETS, Game, IllegalMove, Predictor, YomiError
from engine.go.geometry import PASS
from engine.thinkers.levels import kyu_of
from patterns_db.records.games import DecodedGame, GameReader
from patterns_db.store.shipped import PATTERN_TABLE, load_knowledge
from scripts.tables import print_table

TEMPERATURES = np.arange(0.40, 4.001, 0.02)
# Below this the model's quadrature gives 0; a move that is played all the same must stay possible.
LEAST_PROBABILITY = 1e-12
HALF_CHI_SQUARED = 1.92  # 95 %, one degree of freedom
WEAKEST_KYU = 30
# The largest number of kyu of each group; 1k is 1, 1d is 0, 2d is -1.
GROUPS = (
    (-6, "7d and above"), (-2, "3d to 6d"), (0, "1d to 2d"), (3, "3k to 1k"), (5, "5k to 4k"),
    (7, "7k to 6k"), (10, "10k to 8k"), (20, "20k to 11k"), (99, "21k and below"),
)  # fmt: skip
HEADER = ("rank", "moves", "temperature", "from", "to", "nats a move", "at temperature 1")


def kyu(rank: str | None, counted_up: bool) -> int | None:
    """Return a rank as a number of kyu: "12k" 12, "1k" 1, "1d" 0, "3d" -2; None if it is none.

    counted_up  "12k" is the twelfth of thirty kyu ranks from below: 18
    """
    number = kyu_of(rank or "")
    if number is None or number <= 0 or not counted_up:
        return number
    return WEAKEST_KYU - number


def group_of(rank: str | None, counted_up: bool = False) -> str | None:
    """Return the group of a rank; None where there is no rank."""
    number = kyu(rank, counted_up)
    return None if number is None else next(name for most, name in GROUPS if number <= most)


def log_likelihoods(chances: dict[int, float], played: int) -> npt.NDArray[np.float64]:
    """Return float64[TEMPERATURES], the log probability of the move played at each of them."""
    logs = np.log(np.maximum(np.fromiter(chances.values(), np.float64), LEAST_PROBABILITY))
    scaled = logs / TEMPERATURES[:, None]
    own = np.log(max(chances[played], LEAST_PROBABILITY)) / TEMPERATURES
    # The best move's is taken out before exp: low temperatures would leave nothing but zeros.
    top = scaled.max(axis=1)
    total = np.log(np.exp(scaled - top[:, None]).sum(axis=1)) + top
    likelihoods: npt.NDArray[np.float64] = own - total
    return likelihoods


class Tally:
    """The moves of one group of ranks."""

    def __init__(self) -> None:
        self.moves = 0
        self.sums = np.zeros(len(TEMPERATURES))

    def row(self) -> list[float]:
        """Return what HEADER says, the rank aside."""
        best = int(self.sums.argmax())
        near = TEMPERATURES[self.sums >= self.sums[best] - HALF_CHI_SQUARED]
        one = int(np.abs(TEMPERATURES - 1.0).argmin())
        share = self.sums / self.moves
        return [
            self.moves,
            round(float(TEMPERATURES[best]), 2),
            round(float(near[0]), 2),
            round(float(near[-1]), 2),
            round(float(share[best]), 3),
            round(float(share[one]), 3),
        ]


def tally_game(
    record: DecodedGame,
    names: Sequence[str | None],
    predictor: Predictor,
    found: dict[str, Tally],
    most: int,
) -> None:
    """Add the moves of a game's players to their groups, up to ``most`` a group.

    names  the groups of Black and White
    """
    game = Game(record.size, RULESETS["chinese"])
    for color, point in zip(record.colors.tolist(), record.moves.tolist(), strict=True):
        name = names[color - 1]
        if name is not None and point != PASS:
            tally = found.setdefault(name, Tally())
            if tally.moves < most:
                chances = predictor.of_game(game, color)
                if point in chances:  # superko aside, as the model does
                    tally.sums += log_likelihoods(chances, point)
                    tally.moves += 1
        try:
            game.play(color, point)
        except IllegalMove:
            return


def main(arguments: Sequence[str] | None = None) -> int:
    """Fit and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", nargs="+", required=True, metavar="PATH")
    parser.add_argument("--moves", type=int, default=8000, help="of a group of ranks, at most")
    parser.add_argument("--max-games", type=int, default=2500)
    parser.add_argument("--counted-up", action="store_true", help="28k in the records is 2 kyu")
    parser.add_argument("--patterns", type=Path, default=PATTERN_TABLE, metavar="FILE")
    options = parser.parse_args(arguments)
    try:
        patterns = load_knowledge(options.patterns).patterns
        assert patterns is not None
        predictor, found = Predictor(patterns), dict[str, Tally]()
        with tqdm(total=options.max_games, unit="game", file=sys.stderr) as bar:
            for record in GameReader(options.games):
                # From the empty board only: stones that were set up are not replayed.
                if len(record.black) + len(record.white) == 0:
                    names = [group_of(rank, options.counted_up) for rank in record.ranks]
                    tally_game(record, names, predictor, found, options.moves)
                bar.update()
                if bar.n >= options.max_games:
                    break
    except YomiError as error:
        print(f"human_temperature: {error}", file=sys.stderr)
        return 2
    rows = [[name, *found[name].row()] for _, name in GROUPS if name in found]
    print_table(HEADER, rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
