"""The exact value of every position of a sum, for the heuristic player's opponents and its errors.

Source: Zhao & Mueller, Section 3 (positions and their numbers); see engine.pcg.exact.
"""

from math import comb

import numpy as np

from engine.errors import BadSum
from engine.pcg.exact import SOLVER, all_masks, check_memory, layers_backwards, position_counts
from engine.pcg.game import Sum


def moves_played(n_subgames: int, left: int, right: int) -> int:
    """Return how many moves led to the position with the masks ``left`` and ``right``.

    Raises BadSum when they are no position of a sum in which Left moves first.
    """
    lead = left.bit_count() - right.bit_count()
    if min(left, right) < 0 or (left | right) >> n_subgames or left & right or lead not in (0, 1):
        raise BadSum(f"masks {left} and {right} are no position of {n_subgames} subgames")
    return left.bit_count() + right.bit_count()


class PositionValues:
    """The exact values of all positions of a sum, for players and experiments (Section 3).

    Raises BadSum when they need more than ``memory`` bytes.
    """

    def __init__(self, game: Sum, memory: int = SOLVER.default_memory) -> None:
        check_memory(len(game.subgames), 8 * sum(position_counts(len(game.subgames))), memory)
        self.n_subgames = len(game.subgames)
        self._masks = all_masks(self.n_subgames)
        self._layers = layers_backwards(game, keep_all=True)

    def value(self, left: int, right: int) -> float:
        """Return Left's win probability after the masks ``left`` and ``right`` were played.

        Raises BadSum when they are no position of the sum.
        """
        moves = moves_played(self.n_subgames, left, right)
        within = position = 0  # Left's mask within the subgames that Right has not played
        for i in range(self.n_subgames):
            if not (right >> i) & 1:
                within |= ((left >> i) & 1) << position
                position += 1
        width = comb(position, left.bit_count())
        index = self._masks.rank[right] * width + self._masks.rank[within]
        return float(self._layers[moves][index])

    def moves(self, left: int, right: int) -> tuple[list[int], np.ndarray]:
        """Return the open subgames and Left's win probability after the mover plays each."""
        played = left | right
        open_subgames = [i for i in range(self.n_subgames) if not (played >> i) & 1]
        left_moves = left.bit_count() == right.bit_count()
        values = [
            self.value(left | (1 << i), right) if left_moves else self.value(left, right | (1 << i))
            for i in open_subgames
        ]
        return open_subgames, np.array(values)
