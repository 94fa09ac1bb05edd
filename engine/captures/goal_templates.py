"""The eight nested templates around a move, and the keys of the patterns in them.

Source: Stern, Herbrich & Graepel (2007), section 4.1 and Figure 5. A pattern is the arrangement of
stones within a template, in five states: attacker, defender, empty, off the board, goal chain. Keys
are the same for all eight symmetries of the square.

# Deviates: keys also hold the move's context, which no template shows: the liberties of the goal
chain after the move, those that the defender still needs, and those of the chain that moved.
Without the limit in the key, searches with different limits would teach each other wrong values.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.go.board import COLOR, EMPTY, HEAD, SIZE, WALL, Board
from engine.go.chains import count_liberties
from engine.go.geometry import PASS, STRIDE
from engine.jit import kernel

GOAL_TEMPLATES = 8
GOAL_KEY_VERSION = 1  # version of the meaning of patterns and contexts; stored priors depend on it
POINTS = 37
ATTACKING, DEFENDING, VACANT, OUTSIDE, GOAL_STONE, STATES = range(6)
CONTEXTS = 4096
# number of the 37 points that belong to template 0..7 (Figure 5)
TEMPLATE_SIZES = (1, 5, 9, 13, 21, 25, 29, 37)


class PatternKeys(NamedTuple):
    """Constant tables for hashing; the points are in the order of the templates (section 4.1)."""

    steps: npt.NDArray[np.int64]  # (POINTS, 2) row and column steps from the move
    sizes: npt.NDArray[np.int64]  # (GOAL_TEMPLATES,)
    points: npt.NDArray[np.uint64]  # (8, POINTS * STATES) key of a state, by symmetry
    contexts: npt.NDArray[np.uint64]  # (GOAL_TEMPLATES * CONTEXTS,)


@cache
def pattern_keys() -> PatternKeys:
    """Return the tables. They are the same in every run: stored priors depend on them."""
    # Groups by distance. Each is symmetric, so all eight images of a template are the same points.
    groups = [(0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (0, 3), (2, 2), (1, 3)]
    steps = [
        (row, column)
        for near, far in groups
        for row in range(-3, 4)
        for column in range(-3, 4)
        if (min(abs(row), abs(column)), max(abs(row), abs(column))) == (near, far)
    ]
    order = {step: i for i, step in enumerate(steps)}
    # SeedSequence is documented as reproducible; a Generator's methods may change.
    base = np.random.SeedSequence(2007).generate_state(POINTS * STATES, np.uint64)
    points = np.zeros((8, POINTS * STATES), np.uint64)
    for symmetry in range(8):
        for i, (row, column) in enumerate(steps):
            row = -row if symmetry & 1 else row
            column = -column if symmetry & 2 else column
            image = order[(column, row) if symmetry & 4 else (row, column)]
            for state in range(STATES):
                points[symmetry, i * STATES + state] = base[image * STATES + state]
    contexts = np.random.SeedSequence(37).generate_state(GOAL_TEMPLATES * CONTEXTS, np.uint64)
    return PatternKeys(
        np.array(steps, np.int64),
        np.array(TEMPLATE_SIZES, np.int64),
        points,
        contexts.astype(np.uint64),
    )


@kernel
def context_of(
    after: Board, move: int, defender_moved: bool, liberties: int, limit: int, features: bool
) -> int:
    """Return the context of a move, 0 <= context < CONTEXTS.

    after      the position after the move
    liberties  of the goal chain after the move; ``limit`` is the goal's liberty limit
    features   False: the context is only the mover and whether it was a pass, as in the paper
    """
    context = 2 * (move == PASS) + defender_moved
    if features:
        mine = 0 if move == PASS else count_liberties(after, move, 4)
        context += 4 * min(liberties, 7) + 32 * min(limit - liberties, 7) + 256 * mine
    return context


@kernel
def state_of(board: Board, goal: int, attacker: int, row: int, column: int) -> int:
    """Return the state of a point; rows and columns count from 1 (section 4.1)."""
    size = np.int64(board[SIZE])
    if row < 1 or row > size or column < 1 or column > size:
        return OUTSIDE
    point = row * STRIDE + column
    color = board[COLOR + point]
    if color == EMPTY or color == WALL:
        return VACANT
    if color == attacker:
        return ATTACKING
    return GOAL_STONE if board[HEAD + point] == board[HEAD + goal] else DEFENDING


@kernel
def extend_hashes(
    board: Board,
    goal: int,
    move: int,
    template: int,
    hashes: npt.NDArray[np.uint64],
    tables: PatternKeys,
) -> None:
    """Fold the points that a template adds to the one before into the eight running hashes.

    Source: Stern et al. (2007), section 4.1.
    hashes  uint64[8], one for each symmetry, changes in place; zeros before template 0
    """
    first = 0 if template == 0 else tables.sizes[template - 1]
    attacker = 3 - np.int64(board[COLOR + goal])
    row = move // STRIDE
    column = move % STRIDE
    for i in range(first, tables.sizes[template]):
        state = state_of(
            board, goal, attacker, row + tables.steps[i, 0], column + tables.steps[i, 1]
        )
        for symmetry in range(8):
            hashes[symmetry] ^= tables.points[symmetry, i * STATES + state]


@kernel
def pattern_key(
    hashes: npt.NDArray[np.uint64], template: int, context: int, tables: PatternKeys
) -> np.uint64:
    """Return the key of the pattern of one template from the eight running hashes (section 4.1)."""
    # The smallest of the eight is the same in every orientation of the position.
    smallest = hashes[0]
    for symmetry in range(1, 8):
        smallest = min(smallest, hashes[symmetry])
    return smallest ^ tables.contexts[template * CONTEXTS + context]
