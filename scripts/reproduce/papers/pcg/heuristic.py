"""The paper's heuristic player: a shallow search over Monte-Carlo interior values.

Source: Zhao & Mueller, Section 4. Depth 1 makes it Abramson's expected-outcome player,
which plays the move with the best interior value.
"""

import numpy as np

from engine.errors import BadSum
from engine.pcg.game import Sum
from scripts.reproduce.papers.pcg.alpha_beta import (
    FRAME_BEST,
    FRAME_LEFT,
    FRAME_RIGHT,
    Plan,
    make_search,
    search_position,
)
from scripts.reproduce.papers.pcg.monte_carlo import Sampling, make_sampler
from scripts.reproduce.papers.pcg.positions import moves_played
from scripts.reproduce.papers.pcg.transpositions import make_table

# A deeper search need not be better: the paper's player is sometimes weaker (Fig. 4, left).
MAX_DEPTH = 16
TABLE_BITS = 16
"""Room for twice the finished sums that a search of MAX_DEPTH can meet.

# Deviates: the paper's table has 2^20 entries. This one is made again for every move.
"""


class HeuristicPlayer:
    """A player of one sum; it reuses the samples of earlier moves (Section 4).

    game     the sum
    rng      draws the samples
    depth    moves to look ahead, 1 to MAX_DEPTH
    samples  combinations drawn for each finished sum, 0: all, exactly       (paper: n_c)
    share    part of the finished sums below a position that is sampled     (paper: n_t)
    most     limit of that number; keeps large sums affordable
    Raises BadSum for settings out of range or too many combinations to list.

    # Deviates: the paper has no ``most``: with n_t = 1 it samples all finished sums.
    """

    def __init__(
        self,
        game: Sum,
        rng: np.random.Generator,
        depth: int = 1,
        samples: int = 1000,
        # n_t = 1 works best (Section 5.3). Depth 1 and n_c = 1000 lose 0.56 points of 50 %.
        share: float = 1.0,
        most: int = 10000,
    ) -> None:
        if not 1 <= depth <= MAX_DEPTH:
            raise BadSum(f"the depth must be 1 to {MAX_DEPTH}")
        if samples < 0 or not 0.0 < share <= 1.0 or most < 1:
            raise BadSum("samples must be at least 0, share in (0, 1] and most at least 1")
        self._n_subgames = len(game.subgames)
        self._sampler = make_sampler(game, exact=samples == 0)
        self._rng = rng
        self._depth = depth
        self._sampling = Sampling(float(share), most, samples)

    def choose(self, left: int, right: int) -> int:
        """Return the subgame to play after the masks ``left`` and ``right`` were played.

        Source: Section 4.
        Left is to move when both have played equally many. Raises BadSum when no subgame is
        open or the masks are no position of the sum.
        """
        moves = moves_played(self._n_subgames, left, right)
        if moves == self._n_subgames:
            raise BadSum("there is no subgame left to choose")
        search = make_search(self._n_subgames)
        # The search starts at row ``moves``: its parity determines the side to move.
        search.frames[moves, FRAME_LEFT], search.frames[moves, FRAME_RIGHT] = left, right
        frontier = min(moves + self._depth, self._n_subgames)
        # Deviates: the last ply before the frontier is not ordered (the paper: d_m = depth).
        # All its moves are valued by the same samples anyway.
        plan = Plan(frontier, frontier - 1, self._sampling, 0)
        # A new table for each move: the last search's frontier values had a shallower horizon.
        table = make_table(TABLE_BITS)
        search_position(search, self._sampler, table, moves, plan, self._rng)
        return int(search.frames[moves, FRAME_BEST])
