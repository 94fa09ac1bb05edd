"""Artificial game trees with known scores and values.

Source: Hennig, Stern & Graepel (2010), Sec. 2.2 (the generative model) and Sec. 3.4 (p-games).
A complete tree of b children per node and depth d is in level order. Node i has the children
b i + 1 ... b i + b. Black (MAX) moves at the root and at every even depth.
"""

from typing import NamedTuple

import numpy as np

from engine.arrays import Floats
from engine.jit import kernel
from engine.randomness import RandomState, draw


class ArtificialTree(NamedTuple):
    """The truth: scores and values of a complete tree, in level order."""

    scores: Floats  # (nodes,)
    values: Floats  # (nodes,)


def level_starts(branching: int, depth: int) -> list[int]:
    """Return the first node of each level 0 .. depth, and the number of nodes at the end."""
    starts = [0]
    for level in range(depth + 1):
        starts.append(starts[-1] + branching**level)
    return starts


def grow_tree(
    branching: int, depth: int, rng: np.random.Generator, steps: str = "gaussian"
) -> ArtificialTree:
    """Return a random complete tree whose root has score 0.

    steps  "gaussian": N(0, 1), the generative model (Hennig et al. 2010, Sec. 2.2);
           "p-game": uniform in [0, 1] for Black's moves and in [-1, 0] for White's (Sec. 3.4,
           Kocsis & Szepesvari 2006)

    Raises ValueError for other steps.
    """
    if steps not in ("gaussian", "p-game"):
        raise ValueError(f"steps must be 'gaussian' or 'p-game', not {steps!r}")
    starts = level_starts(branching, depth)
    # The root stays at 0: the experiments treat its score as known (Sec. 3.2).
    scores = np.zeros(starts[-1])
    for level in range(depth):
        above = np.repeat(scores[starts[level] : starts[level + 1]], branching)
        if steps == "gaussian":
            step = rng.standard_normal(len(above))
        else:
            step = rng.random(len(above)) * (1.0 if level % 2 == 0 else -1.0)
        scores[starts[level + 1] : starts[level + 2]] = above + step
    # Final for the terminal level, v_t = g_t (Sec. 2.2). The levels above are overwritten.
    values = scores.copy()
    for level in reversed(range(depth)):
        below = values[starts[level + 1] : starts[level + 2]].reshape(-1, branching)
        best = below.max(axis=1) if level % 2 == 0 else below.min(axis=1)
        values[starts[level] : starts[level + 1]] = best
    return ArtificialTree(scores, values)


@kernel
def mover_sign(level: int) -> float:
    """Return +1.0 where Black (MAX) moves, -1.0 where White does."""
    return 1.0 if level % 2 == 0 else -1.0


@kernel
def roll_down(node: int, branching: int, plies: int, rng: RandomState) -> int:
    """Return the terminal node at the end of uniformly random moves from a node."""
    for _ in range(plies):
        node = node * branching + 1 + draw(rng, branching)
    return node
