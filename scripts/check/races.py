"""Check answers about capturing races in counted games, and replay their proofs.

    python -m scripts.check.races --games test-4400.tar.gz --races 500

Positions come from moves 150 to 200 of counted games. Pairs of touching chains of at least
``--stones`` stones are read with the side to move first (``engine/life/races.py``). Everything
outside of a race's region is given, and saves a chain that reaches it. Each answer's last proof is
replayed against every legal reply (``life/records.py``). The end of the game shows the survivors.
An answer is not wrong because a capture was not tried or the fight not begun.
"""

import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
from tqdm import tqdm

from engine import Game
from engine.arrays import Floats
from engine.go.board import COLOR, Board
from engine.go.geometry import neighbors
from engine.life.reader import LifeReader, compile_life
from engine.life.records import life_proof_record
from engine.picture.picture import Stones, picture_of
from patterns_db.shipped import LIFE_TABLE
from patterns_db.solvers.solver_tables import read_life_weights
from scripts.check.groups import all_positions, lived, read_race
from scripts.check.life_proofs import LifeReplay
from scripts.check.plain_rules import RefutedError
from scripts.failures import reported
from scripts.game_options import sampling_parser
from scripts.tables import print_table

EACH = 10  # races of a position
NAMES = {"one": "is captured", "other": "captures the other"}


def pairs_in(game: Game, fewest: int) -> Iterator[tuple[Stones, Stones]]:
    """Yield the pairs of touching chains of at least this number of stones, the mover's first."""
    board = game.board
    chains = [chain.stones for chain in picture_of(board).chains]
    at = {point: chain for chain in chains if len(chain) >= fewest for point in chain}
    for chain in chains:
        if min(chain) in at and board[COLOR + min(chain)] == game.to_play:
            beside = {at[n] for p in chain for n in neighbors(p) if n in at} - {chain}
            for other in sorted(beside, key=min):
                yield chain, other


def holds(reader: LifeReader) -> bool:
    """Return whether the proof of a reader's last search holds against every legal reply."""
    try:
        LifeReplay(life_proof_record(reader)).check()
    except RefutedError as error:
        print(f"refuted: {error}", flush=True)
        return False
    return True


class RaceTally:
    """The answers about races, whether they were proved, and the games' outcomes."""

    def __init__(self, nodes: int) -> None:
        self.reader = LifeReader("pns", nodes, read_life_weights(LIFE_TABLE))
        self.ends: Counter[tuple[str, bool, bool]] = Counter()
        self.proofs: Counter[bool] = Counter()
        self.nodes = 0
        self.seconds = 0.0

    def add(self, board: Board, pair: tuple[Stones, Stones], owners: Floats) -> None:
        """Read one race with the owner of the first chain to move."""
        one, other = pair
        mover = int(board[COLOR + min(one)])
        start = time.process_time()
        reading = read_race(self.reader, board, one, other, mover, lambda color, point: True)
        self.seconds += time.process_time() - start
        self.nodes += reading.nodes
        lives = (lived(c, int(board[COLOR + min(c)]), owners) > 0 for c in pair)
        self.ends[(NAMES.get(reading.captured, reading.captured), *lives)] += 1
        if reading.captured not in ("ko", "unknown"):
            self.proofs[holds(self.reader)] += 1

    def show(self) -> None:
        """Print everything."""
        total = sum(self.ends.values())
        print(f"{total} races, {self.nodes} nodes, {self.seconds:.1f} s")
        print(f"proofs that hold, and refuted ones: {self.proofs[True]}, {self.proofs[False]}")
        rows = []
        for end in sorted({end for end, _, _ in self.ends}):
            counts = [self.ends[end, lives, other] for lives in (True, False) for other in (0, 1)]
            rows.append([end, sum(counts), *counts])
        fates = ("the other died", "both lived", "both died", "it died")
        print_table(("the chain that moves first", "races", *fates), rows)


@reported
def main(arguments: Sequence[str] | None = None) -> int:
    """Read, replay and print; the exit status is 1 if a proof fails."""
    parser = sampling_parser(__doc__)
    parser.add_argument("--races", type=int, default=500)
    parser.add_argument("--stones", type=int, default=3, help="of a chain, at least")
    parser.add_argument("--nodes", type=int, default=5000, help="of one search")
    options = parser.parse_args(arguments)
    compile_life()
    tally = RaceTally(options.nodes)
    with tqdm(total=options.races, unit=" races", file=sys.stderr) as bar:
        for number, game, owners in all_positions(options.games, options.seed, 0):
            pairs = list(pairs_in(game, options.stones))
            rng = np.random.default_rng((options.seed, number, 1))
            for i in sorted(rng.permutation(len(pairs))[:EACH].tolist()):
                tally.add(game.board, pairs[i], owners)
                bar.update()
            if bar.n >= options.races:
                break
    tally.show()
    return 1 if tally.proofs[False] else 0


if __name__ == "__main__":
    sys.exit(main())
