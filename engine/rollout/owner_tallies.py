"""Roll-outs of a position that tally owners and first moves, for the trees of roots.

They begin with the side to move and are played before the search, because the trees were learned
from such roll-outs. Twin: tests/reference/owners.py.
"""

from typing import NamedTuple

import numpy as np

from engine.arrays import Ints
from engine.go.board import BLACK, BOARD_CELLS, SIZE, Board, Mask, Points, copy_into
from engine.go.geometry import AREA, PASS, STRIDE
from engine.jit import kernel
from engine.patterns.contender_facts import add_up_within
from engine.patterns.contenders import (
    ALL_ROLLOUTS,
    COUNT,
    FAR,
    FAR_REACH,
    MARGINS,
    MOVER_FIRST,
    NEAR,
    NEAR_REACH,
    OTHER_FIRST,
    OWNED,
)
from engine.patterns.evidence import LAST_MOVE
from engine.patterns.position import Position
from engine.randomness import RandomState
from engine.rollout.guided import (
    GuidedPolicy,
    GuidedScratch,
    guided_roll_out,
    new_guided_scratch,
    no_policy,
)
from engine.rollout.uniform import final_owner

TALLIED_ROLLOUTS = 60  # the trees were learned from as many


class OwnerRollouts(NamedTuple):
    """Roll-outs that tally owners: their number, policy, scratch and random numbers."""

    rollouts: int  # 0: the owners are not wanted
    policy: GuidedPolicy
    local: GuidedScratch
    board: Board  # (BOARD_CELLS,)
    first: Mask  # (AREA,)
    sums: Points  # (AREA,) owners below and to the left of a point
    rng: RandomState


def new_owner_rollouts(policy: GuidedPolicy | None, seed: int) -> OwnerRollouts:
    """Return roll-outs with scratch and random numbers of their own; none without a policy."""
    rng = np.random.SeedSequence(seed).generate_state(1, np.uint64) | np.uint64(1)
    board, first = np.zeros(BOARD_CELLS, np.uint16), np.zeros(AREA, np.uint8)
    sums, count = np.zeros(AREA, np.int64), 0 if policy is None else TALLIED_ROLLOUTS
    local = new_guided_scratch()
    return OwnerRollouts(count, policy or no_policy(), local, board, first, sums, rng)


@kernel
def tally_owners(position: Position, play: OwnerRollouts, tallies: Ints) -> None:
    """Play roll-outs of a position and tally them for its mover.

    play     scratch and random numbers change in place
    tallies  int64[TALLIES, AREA], overwritten, see ``contenders``
    Twin: tests/reference/owners.py::tallies
    """
    color, sums, size = position.color, play.sums, np.int64(position.board[SIZE])
    sign = 1 if color == BLACK else -1
    tallies[:] = 0
    sums[:] = 0
    tallies[OWNED, PASS] = play.rollouts
    for _ in range(play.rollouts):
        copy_into(position.board, play.board)
        last, limit = position.memory[LAST_MOVE], 3 * size * size
        guided_roll_out(
            play.board, color, last, play.rng, play.first, limit, play.policy, play.local
        )
        for row in range(1, size + 1):
            line = 0
            for point in range(row * STRIDE + 1, row * STRIDE + size + 1):
                owner = sign * final_owner(play.board, point)
                tallies[OWNED, point] += owner
                line += owner
                sums[point] = sums[point - STRIDE] + line
        margin = sums[size * STRIDE + size]
        for row in range(1, size + 1):
            for point in range(row * STRIDE + 1, row * STRIDE + size + 1):
                near = add_up_within(sums, size, point, np.int64(NEAR_REACH))
                far = add_up_within(sums, size, point, np.int64(FAR_REACH))
                for side, counts in (
                    (MOVER_FIRST, play.first[point] == color),
                    (OTHER_FIRST, play.first[point] == 3 - color),
                    (ALL_ROLLOUTS, True),
                ):
                    if counts:
                        tallies[side + COUNT, point] += 1
                        tallies[side + MARGINS, point] += margin
                        tallies[side + NEAR, point] += near
                        tallies[side + FAR, point] += far
