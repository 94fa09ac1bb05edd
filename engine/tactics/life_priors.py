"""What a move in a fight over life is worth before it is searched: patterns in their context.

The same templates, states and models as for captures (``templates``, ``priors``). The context of a
move says what no template shows: how much room for eyes is left after it, whether it takes stones,
and how short of liberties it leaves the chain that moved.
"""

import numpy as np
import numpy.typing as npt

from engine.go.board import Board
from engine.go.geometry import PASS
from engine.jit import kernel
from engine.tactics.eyespace import (
    ATTACKERS,
    DEFENDERS,
    MASK_FIRM,
    MASK_PLAY,
    MOST_POINTS,
    TAKEN,
    Region,
    count_bits,
    flood,
    spread,
)
from engine.tactics.priors import (
    LARGEST_LOG_ODDS,
    MODEL_IGNORANT,
    SETTING_MODEL,
    SolverPriors,
    match_stack,
    stack_log_odds,
)

LIFE_KEY_VERSION = 1  # of what contexts mean: stored priors depend on it
# A point that is no stone of the region: where ``paint`` keeps the mark of a goal stone.
GOAL_MARK = PASS


@kernel
def life_context(
    region: Region, after: npt.NDArray[np.uint64], move: int, defends: bool, room: int
) -> int:
    """Return the context of a move, 0 <= context < templates.CONTEXTS.

    after  uint64[4], the position after the move: DEFENDERS, ATTACKERS, GOAL, TAKEN
    move   int64, a bit of the region, or MOST_POINTS for a pass
    room   int64, points on which an eye may still be made, after the move
    """
    context = 2 * (7 if room == MOST_POINTS else min(max(room, 2), 8) - 2) + defends
    if move == MOST_POINTS:
        return context + 16
    stride = region.stride[0]
    chain = flood(
        np.uint64(1) << np.uint64(move), after[DEFENDERS if defends else ATTACKERS], stride
    )
    empty = region.masks[MASK_PLAY] & ~(after[DEFENDERS] | after[ATTACKERS])
    liberties = min(count_bits(spread(chain, stride) & empty), 4)
    if not defends and chain & region.masks[MASK_FIRM] != np.uint64(0):
        liberties = 5
    return context + 32 * liberties + 256 * min(count_bits(after[TAKEN]), 3)


@kernel
def point_of_move(region: Region, move: int) -> int:
    """Return the board's point of a bit of the region, PASS for MOST_POINTS."""
    return np.int64(PASS) if move == MOST_POINTS else region.points[move]


@kernel
def life_log_odds(
    priors: SolverPriors,
    board: Board,
    region: Region,
    after: npt.NDArray[np.uint64],
    move: int,
    defends: bool,
    room: int,
) -> float:
    """Return the prior log-odds that a new leaf is TRUE (the group dies), from the move made.

    board  uint16[BOARD_CELLS], the position before the move, as ``life_search.paint`` shows it
    """
    if priors.settings[SETTING_MODEL] == MODEL_IGNORANT:
        return 0.0
    context = life_context(region, after, move, defends, room)
    known = match_stack(priors, board, GOAL_MARK, point_of_move(region, move), context)
    return max(-LARGEST_LOG_ODDS, min(LARGEST_LOG_ODDS, stack_log_odds(priors, known)))
