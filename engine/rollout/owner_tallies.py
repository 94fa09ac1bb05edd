"""Roll-outs of a position that tally owners and first moves, for the trees about owners.

They begin with the side to move, without a tree, because the trees were learned from such ones.
Twin: tests/reference/owners.py.
"""

from typing import NamedTuple

import numpy as np

from engine.go.board import BLACK, BOARD_CELLS, SIZE, Board, Mask, Points, copy_into
from engine.go.geometry import AREA, PASS, STRIDE
from engine.jit import kernel
from engine.patterns.contender_facts import add_up_within
from engine.patterns.contenders import ALL, COUNT, MOVER, OTHER, REACHES, Tallies
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
    return OwnerRollouts(
        rollouts=0 if policy is None else TALLIED_ROLLOUTS,
        policy=policy or no_policy(), local=new_guided_scratch(),
        board=np.zeros(BOARD_CELLS, np.uint16), first=np.zeros(AREA, np.uint8),
        sums=np.zeros(AREA, np.int64),
        rng=np.random.SeedSequence(seed).generate_state(1, np.uint64) | np.uint64(1),
    )  # fmt: skip


@kernel
def tally_owners(position: Position, play: OwnerRollouts, tallies: Tallies) -> None:
    """Play roll-outs of a position and tally them for its mover.

    play     scratch and random numbers change in place
    tallies  int64[3, 1 + len(REACHES), AREA], overwritten, see ``contenders``
    """
    color, sums, size = position.color, play.sums, np.int64(position.board[SIZE])
    tallies[:], sums[:], tallies[ALL, COUNT, PASS] = 0, 0, play.rollouts
    for _ in range(play.rollouts):
        copy_into(position.board, play.board)
        last, limit = position.memory[LAST_MOVE], 3 * size * size
        guided_roll_out(
            play.board, color, last, play.rng, play.first, limit, play.policy, play.local
        )
        for row in range(1, size + 1):
            line = 0
            for point in range(row * STRIDE + 1, row * STRIDE + size + 1):
                owner = final_owner(play.board, point)
                line += owner if color == BLACK else -owner
                sums[point] = sums[point - STRIDE] + line
        for row in range(1, size + 1):
            for point in range(row * STRIDE + 1, row * STRIDE + size + 1):
                first = np.int64(play.first[point])
                side = MOVER if first == color else OTHER
                tallies[side, COUNT, point] += first > 0
                for part, reach in enumerate(REACHES):
                    owned = add_up_within(sums, size, point, reach)
                    tallies[ALL, part, point] += owned * (part > COUNT)
                    tallies[side, part, point] += owned * (part > COUNT and first > 0)
