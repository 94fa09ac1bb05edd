"""Who owns which points if every chain meets the fate that it is expected to meet: by roll-outs.

Roll-outs kill living groups now and then, with all their territory: that says nothing about
fights elsewhere, and all points of a group share it. So only roll-outs count that end as expected.
"""

from collections.abc import Iterable

import numpy as np

from engine.facts.chain_facts import ChainFacts
from engine.go.board import BLACK, BOARD_CELLS, COLOR, EMPTY, KO, SIZE, Board, Ownership, Points
from engine.go.geometry import AREA, board_points
from engine.rollout.careful import survey_fates

DECIDED = 0.6
"""A chain's fate counts as known when its owner wins this share of the roll-outs, net."""


def expected_owners(board: Board, ownership: Ownership, facts: Iterable[ChainFacts] = ()) -> Points:
    """Return who is expected to own each stone's point: int64[AREA], 1 Black, -1 White, 0 open.

    ownership  float64[AREA], -1 White .. 1 Black, from roll-outs that either side begins
    facts      what is proved of chains; it goes before what roll-outs say
    """
    expected = np.zeros(AREA, np.int64)
    for point in board_points(int(board[SIZE])):
        if board[COLOR + point] != EMPTY and abs(ownership[point]) >= DECIDED:
            expected[point] = 1 if ownership[point] > 0 else -1
    for chain in facts:
        # It depends on who moves first: any fate would be a guess.
        if chain.status in ("critical", "attackable"):
            expected[list(chain.stones)] = 0
        # Proved facts go last, so they overwrite what roll-outs said of the same stones.
        elif chain.status == "dead":
            expected[list(chain.stones)] = -1 if chain.color == BLACK else 1
    return expected


def ownership_given(
    board: Board, expected: Points, seed: int, rollouts: int, least: int
) -> Ownership | None:
    """Return ownership from roll-outs in which no chain met another fate than expected.

    expected         int64[AREA], from ``expected_owners``
    seed             of the roll-outs, above 0
    rollouts, least  how many to play, and how many have to end as expected; None when fewer do
    """
    bare = board.copy()
    # Either side begins in turn, and a ban would bind one of them only.
    bare[KO] = 0
    owned, neutral = np.zeros((2, AREA), np.int64)
    rng = np.array([seed], np.uint64)
    work = np.zeros(BOARD_CELLS, np.uint16)
    counted = int(survey_fates(bare, rollouts, rng, expected, owned, neutral, work))
    return owned / counted if counted >= least else None
