"""Constants of the playing search, and the scratch space of one of its threads."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.go.board import BOARD_CELLS, Board, Mask, Points
from engine.go.geometry import AREA, MAX_SIZE
from engine.patterns.evidence import new_memory
from engine.patterns.matching import Candidates, Matcher, new_candidates, new_matcher
from engine.randomness import RandomState
from engine.rollout.guided import LocalWork, new_local_work
from engine.search.tree import Floats

MAX_PLIES = 512
GULP = 64  # descents that policy RELEVANCE shares out at a time
MARGIN_SQUARES, LENGTHS = 0, 1  # slots of SearchWork.sums


THOMPSON, OPTIMISTIC, RELEVANCE = 0, 1, 2  # SearchModel.policy


class SearchModel(NamedTuple):
    """Constants of the model; the unit of scores is one step of a roll-out."""

    root_variance: float = 25.0  # prior of the root's value
    step_variance: float = 2.0  # prior of a step where nothing is known of the move
    bias_variance: float = 0.2  # how far all-moves-as-first evidence may be off
    exploration: float = 0.3  # deviations of the sampled values, 1 = Thompson's own
    guided: bool = True  # roll-outs by the learned policy; else uniform
    informed: bool = True  # prior steps by the ranking model; else all moves alike
    expand_visits: int = 2  # roll-outs through a node before its children are added
    informed_variance: float = 1.0  # prior of a step where the ranking model has its say
    prior_scale: float = 0.5  # roll-out steps that a unit of the ranking model's value is worth
    prior_window: float = 5.0  # moves further behind the best are no children
    lateral: bool = True  # all-moves-as-first evidence
    policy: int = THOMPSON  # how a child is chosen
    optimism: float = 1.0  # OPTIMISTIC: deviations added to every mean


class SearchWork(NamedTuple):
    """Scratch space and tallies of one search thread."""

    board: Board  # (BOARD_CELLS,)
    first: Mask  # (AREA,) color that first played each point
    path: npt.NDArray[np.int64]  # (MAX_PLIES,) nodes from the root down
    beliefs: Floats  # (MAX_PLIES, 2) moments of the values on the path
    local: LocalWork
    rng: RandomState
    matcher: Matcher
    memory: npt.NDArray[np.int64]  # (MEMORY,) the last moves before the node
    candidates: Candidates
    values: Floats  # (MAX_SIZE ** 2,) the ranking model's, by candidate
    owned: npt.NDArray[np.int64]  # (AREA,) roll-outs that Black owned a point minus White's
    sums: Floats  # (2,) of squared final margins, of lengths from the root; see below
    turns: npt.NDArray[np.int64]  # (1 + GULP,) how many follow, then root children to descend into
    no_dead: Mask  # (AREA,) zeros
    stack: Points  # (AREA,)


def new_search_work(size: int, *entropy: int) -> SearchWork:
    """Return fresh scratch space for a board size; ``entropy`` seeds the random numbers."""
    return SearchWork(
        np.zeros(BOARD_CELLS, np.uint16),
        np.zeros(AREA, np.uint8),
        np.zeros(MAX_PLIES, np.int64),
        np.zeros((MAX_PLIES, 2)),
        new_local_work(),
        np.random.SeedSequence(entropy).generate_state(1, np.uint64) | np.uint64(1),
        new_matcher(size),
        new_memory(),
        new_candidates(),
        np.zeros(MAX_SIZE * MAX_SIZE),
        np.zeros(AREA, np.int64),
        np.zeros(2),
        np.zeros(1 + GULP, np.int64),
        np.zeros(AREA, np.uint8),
        np.zeros(AREA, np.int64),
    )
