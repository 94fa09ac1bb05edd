"""Scratch space and tallies of one search thread."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.arrays import Floats
from engine.go.board import BOARD_CELLS, Board, Mask, Points, copy_into
from engine.go.geometry import AREA, MAX_SIZE, PASS
from engine.jit import kernel
from engine.patterns.evidence import MEMORY, new_memory
from engine.patterns.matching import Candidates, Matcher, new_candidates, new_matcher
from engine.patterns.position import Position
from engine.randomness import RandomState
from engine.rollout.guided import GuidedScratch, new_guided_scratch
from engine.search.model import MAX_PLIES

BELIEF_MEAN, BELIEF_VARIANCE = 0, 1  # columns of SearchWork.beliefs
SUM_OF_SQUARED_MARGINS, SUM_OF_LENGTHS = 0, 1  # slots of SearchWork.sums
ROLLOUT_COUNT = PASS  # column of SearchWork.owned; PASS is no point


class SearchWork(NamedTuple):
    """The work space of a search thread; ``owned`` and ``sums`` count since the root was set."""

    board: Board  # (BOARD_CELLS,)
    first: Mask  # (AREA,) color that first played each point
    path: npt.NDArray[np.int64]  # (MAX_PLIES,) nodes from the root down
    beliefs: Floats  # (MAX_PLIES, 2) moments of the values on the path
    local: GuidedScratch
    rng: RandomState
    matcher: Matcher
    memory: npt.NDArray[np.int64]  # (MEMORY,) the last moves before the node
    candidates: Candidates
    behind: Floats  # (MAX_SIZE ** 2,) the ranking model's distances, by candidate
    moves: Points  # (MAX_SIZE ** 2 + 1,) future children.
    steps: Floats  # (MAX_SIZE ** 2 + 1, 2) their prior steps, as in the tree.
    # (2 + size ** 2, AREA) number of roll-outs in which Black owned a point minus White's, and the
    # number of roll-outs. Row 0 holds those through none of the root's children; a row for each
    # child follows.
    owned: npt.NDArray[np.int64]
    sums: Floats  # (2,) of squared final margins, of lengths from the root
    no_dead: Mask  # (AREA,) zeros
    stack: Points  # (AREA,)


def new_search_work(size: int, *entropy: int) -> SearchWork:
    """Return fresh scratch space for a board size; ``entropy`` seeds the random numbers."""
    return SearchWork(
        board=np.zeros(BOARD_CELLS, np.uint16),
        first=np.zeros(AREA, np.uint8),
        path=np.zeros(MAX_PLIES, np.int64),
        beliefs=np.zeros((MAX_PLIES, 2)),
        local=new_guided_scratch(),
        # A xorshift never leaves 0.
        rng=np.random.SeedSequence(entropy).generate_state(1, np.uint64) | np.uint64(1),
        matcher=new_matcher(size),
        memory=new_memory(),
        candidates=new_candidates(),
        behind=np.zeros(MAX_SIZE * MAX_SIZE),
        moves=np.zeros(MAX_SIZE * MAX_SIZE + 1, np.int64),
        steps=np.zeros((MAX_SIZE * MAX_SIZE + 1, 2)),
        owned=np.zeros((2 + size * size, AREA), np.int64),
        sums=np.zeros(2),
        no_dead=np.zeros(AREA, np.uint8),
        stack=np.zeros(AREA, np.int64),
    )


@kernel
def enter(position: Position, work: SearchWork) -> Position:
    """Return a copy of a position to play on; it lies in the work's board and memory."""
    # Copied, since ``position`` may lie in a game's own arrays, which never change.
    copy_into(position.board, work.board)
    for i in range(MEMORY):
        work.memory[i] = position.memory[i]
    return Position(
        board=work.board, memory=work.memory, color=position.color, passes=position.passes,
        komi=position.komi, stands=position.stands,
    )  # fmt: skip
