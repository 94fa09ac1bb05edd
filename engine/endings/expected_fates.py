"""The owners of points if every chain meets its expected fate, by roll-outs.

Roll-outs occasionally kill living groups with all their territory. This says nothing about other
fights, and all points of a group share the error. Only roll-outs that end as expected count.
"""

from collections.abc import Iterable

import numpy as np

from engine.facts.chain_facts import ChainFacts
from engine.go.board import BLACK, BOARD_CELLS, COLOR, EMPTY, KO, SIZE, Board, Ownership, Points
from engine.go.geometry import AREA, board_points
from engine.rollout.careful import survey_fates

DECIDED = 0.6
"""A chain's fate is known if its owner's net share of the roll-outs is at least this."""


def expected_owners(board: Board, ownership: Ownership, facts: Iterable[ChainFacts] = ()) -> Points:
    """Return the expected owner of each stone's point: int64[AREA], 1 Black, -1 White, 0 open.

    ownership  float64[AREA], -1 White .. 1 Black, from roll-outs begun by each side in turn
    facts      proofs about chains; they outrank roll-outs
    """
    expected = np.zeros(AREA, np.int64)
    for point in board_points(int(board[SIZE])):
        if board[COLOR + point] != EMPTY and abs(ownership[point]) >= DECIDED:
            expected[point] = 1 if ownership[point] > 0 else -1
    for chain in facts:
        # It depends on the side to move: any fate would be a guess.
        if chain.status in ("critical", "attackable"):
            expected[list(chain.stones)] = 0
        # Proved facts come last, so they overwrite the roll-outs' result for the same stones.
        elif chain.status == "dead":
            expected[list(chain.stones)] = -1 if chain.color == BLACK else 1
    return expected


def ownership_given(
    board: Board, expected: Points, seed: int, rollouts: int, least: int
) -> Ownership | None:
    """Return ownership from roll-outs in which every chain met its expected fate.

    expected         int64[AREA], from ``expected_owners``
    seed             of the roll-outs, above 0
    rollouts, least  number to play, and number that must end as expected; None if fewer do
    """
    bare = board.copy()
    # The sides begin in turn, and a ko ban would restrict only one of them.
    bare[KO] = 0
    owned, neutral = np.zeros((2, AREA), np.int64)
    rng = np.array([seed], np.uint64)
    work = np.zeros(BOARD_CELLS, np.uint16)
    counted = int(survey_fates(bare, rollouts, rng, expected, owned, neutral, work))
    return owned / counted if counted >= least else None
