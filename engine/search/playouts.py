"""The end of a game after a descent: a roll-out, or counting after two passes.

Most rules let the players agree on dead stones after two passes. A roll-out takes the place of this
agreement: it captures the stones that cannot live.
"""

import numpy as np

from engine.go.board import BLACK, EMPTY, SIZE, WHITE
from engine.go.geometry import AREA, STRIDE
from engine.go.scoring import own_points
from engine.jit import kernel
from engine.patterns.evidence import LAST_MOVE
from engine.patterns.position import Position
from engine.rollout.guided import GuidedPolicy, guided_roll_out
from engine.rollout.uniform import final_owner, roll_out
from engine.search.model import SearchModel
from engine.search.work import ROLLOUT_COUNT, SUM_OF_LENGTHS, SUM_OF_SQUARED_MARGINS, SearchWork


@kernel
def tally_owners(work: SearchWork, through: int) -> int:
    """Count the owners of the finished board in a row of owned; return Black's area margin."""
    size = np.int64(work.board[SIZE])
    margin = 0
    for row in range(1, size + 1):
        for point in range(row * STRIDE + 1, row * STRIDE + size + 1):
            owner = final_owner(work.board, point)
            work.owned[through, point] += owner
            margin += owner
    return margin


@kernel
def end_game(work: SearchWork, through: int) -> int:
    """Do as ``tally_owners`` after two passes, with territories of any size."""
    # ``first`` is free because no roll-out follows. ``back_up`` enters the path's moves in it.
    owner = work.first
    own_points(work.board, work.no_dead, owner, work.stack)
    margin = 0
    for point in range(AREA):
        sign = (owner[point] == BLACK) - np.int64(owner[point] == WHITE)
        work.owned[through, point] += sign
        margin += sign
        work.first[point] = EMPTY
    return margin


@kernel
def play_to_end(
    position: Position,
    depth: int,
    through: int,
    model: SearchModel,
    policy: GuidedPolicy,
    work: SearchWork,
) -> tuple[int, float]:
    """Play a roll-out from where a descent ended, and tally it.

    position  in the work's own arrays (work.enter); board changes in place
    depth     of the descent
    through   row of owned: 0, or that of the root's child on the descent's way
    returns   (length of the roll-out, Black's margin with komi)
    """
    length = 0
    if position.passes >= 2 and position.stands:
        area = end_game(work, through)
    else:
        board, color = position.board, position.color
        size = np.int64(board[SIZE])
        limit = 3 * size * size  # a triple ko without superko might never end
        if model.guided:
            last = position.memory[LAST_MOVE]  # PASS where there is none
            length = guided_roll_out(
                board, color, last, work.rng, work.first, limit, policy, work.local
            )
        else:
            length = roll_out(board, color, work.rng, work.first, limit)
        area = tally_owners(work, through)
    work.owned[through, ROLLOUT_COUNT] += 1
    margin = area - position.komi
    work.sums[SUM_OF_SQUARED_MARGINS] += margin * margin
    work.sums[SUM_OF_LENGTHS] += depth + length
    return length, margin
