"""What becomes of each chain: alive, dead or in seki, judged by careful roll-outs.

The random numbers come from the position itself, so the same position always gets the same
verdict: a dead list that changes when it is asked for twice has lost games on servers.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.go.board import BLACK, BOARD_CELLS, EMPTY, KO, Points
from engine.go.geometry import AREA, board_points
from engine.go.history import Game
from engine.go.scoring import NEUTRAL, point_owners
from engine.rollout.careful import survey_fates

# With so many a net share deviates by 0.05 at most: CLEAR is twelve deviations from even.
ROLLOUTS = 400
CLEAR = 0.6  # a chain is alive or dead beyond doubt when its owner wins this share, net
SECURE = 0.9  # net share of roll-outs by which an empty point is no place to fight

Chains = list[list[int]]


class FinalStatus(NamedTuple):
    """The chains of a position by their fate, each a sorted list of points.

    clear      whether every fate is beyond doubt
    settled    whether that is so and no point is left to fight for, dame included
    ownership  float64[AREA], who owned each point in the roll-outs: -1 White .. 1 Black
    """

    alive: Chains
    dead: Chains
    seki: Chains
    clear: bool
    settled: bool
    ownership: npt.NDArray[np.float64]

    def dead_stones(self) -> set[int]:
        """Return all stones of dead chains."""
        return {point for chain in self.dead for point in chain}

    def seki_stones(self) -> set[int]:
        """Return all stones of chains alive in seki."""
        return {point for chain in self.seki for point in chain}

    def secure_ground(self, game: Game, color: int) -> set[int]:
        """Return the empty points inside a color's territory that are beyond doubt.

        A move there, of either side, changes nothing unless it is a threat.
        game  the game whose position was judged
        """
        owner = point_owners(game.board, self.dead_stones())
        sign = 1 if color == BLACK else -1
        return {
            point
            for point in board_points(game.size)
            if owner[point] == color
            and game.color_at(point) == EMPTY
            and sign * self.ownership[point] >= SECURE
        }


def judge_fates(game: Game) -> FinalStatus:
    """Return which chains of the current position are alive, dead or in seki.

    A ko that may not be retaken yet is judged as if it could be: a pass changes no verdict.
    """
    board = game.board.copy()
    board[KO] = 0
    owned = np.zeros(AREA, np.int64)
    neutral = np.zeros(AREA, np.int64)
    # Never 0, which xorshift does not leave.
    rng = np.array([game.position_hash | 1], np.uint64)
    work = np.zeros(BOARD_CELLS, np.uint16)
    survey_fates(board, ROLLOUTS, rng, np.zeros(AREA, np.int64), owned, neutral, work)
    alive: Chains = []
    dead: Chains = []
    seki: Chains = []
    clear = True
    for chain in game.chains():
        sign = 1 if game.color_at(chain[0]) == BLACK else -1
        # Over all stones: a chain lives or dies as one.
        share = sign * sum(int(owned[p]) for p in chain) / (len(chain) * ROLLOUTS)
        clear &= abs(share) >= CLEAR
        # Careful play leaves a seki's liberties alone, so they stay empty and nobody's.
        shared = any(2 * neutral[p] > ROLLOUTS for p in game.liberties(chain[0]))
        (dead if share < 0 else seki if shared else alive).append(chain)
    settled = clear and _is_finished(game, dead, owned, neutral)
    return FinalStatus(alive, dead, seki, clear, settled, owned / ROLLOUTS)


def _is_finished(game: Game, dead: Chains, owned: Points, neutral: Points) -> bool:
    """Return whether no point is worth a move any more, by the same standard under all rules.

    Territory has to be beyond doubt like chains (a lone stone does not own the board), and what
    belongs to nobody has to be a seki's. Dame count as open where they are worth nothing, too:
    an open boundary looks the same from afar, and filling dame costs nothing there.
    """
    owner = point_owners(game.board, [p for chain in dead for p in chain])
    for point in board_points(game.size):
        if owner[point] != NEUTRAL:
            sign = 1 if owner[point] == BLACK else -1
            if sign * owned[point] < CLEAR * ROLLOUTS:
                return False
        elif 2 * neutral[point] <= ROLLOUTS:
            return False
    return True
