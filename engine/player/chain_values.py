"""The value of moves by proofs about chains, added to the ranking model where chains are read.

``patterns_db.patterns.chain_value_training`` learned it; ``scripts.learn.chain_values`` prints it.
"""

from collections.abc import Iterable

import numpy as np

from engine.arrays import Floats
from engine.facts.chain_facts import ChainFacts

CHAIN_GROUPS = 4
CAPTURES, SAVES, EXTENDS_DEAD, ATTACKS_DEAD = range(CHAIN_GROUPS)
CHAIN_SIZES = (1, 2, 4)  # the most stones of each class but the last
CHAIN_CLASSES = len(CHAIN_SIZES) + 1
CHAIN_VALUES: Floats = np.array([
    [0.02, 0.14, 0.74, 1.47],
    [0.04, 0.56, 0.98, 1.20],
    [-0.46, -0.47, -1.18, -1.07],
    [-0.92, -1.05, -1.29, -1.14],
])  # fmt: skip
"""float64[CHAIN_GROUPS, CHAIN_CLASSES], in units of the ranking model's values."""


def chain_classes(chains: Iterable[ChainFacts], color: int) -> dict[int, list[int]]:
    """Return the classes of a color's moves, by point: one in each group, 0 for none.

    The largest chain decides.
    """
    classes_at: dict[int, list[int]] = {}
    for chain in chains:
        own = chain.color == color
        if chain.status == "critical":
            group, points = (SAVES, chain.defenses) if own else (CAPTURES, chain.attacks)
        else:
            group = EXTENDS_DEAD if own else ATTACKS_DEAD
            points = points_in_vain(chain, color)
        size = 1 + sum(len(chain.stones) > most for most in CHAIN_SIZES)
        for point in points:
            classes = classes_at.setdefault(point, [0] * CHAIN_GROUPS)
            classes[group] = max(classes[group], size)
    return classes_at


def points_in_vain(chain: ChainFacts, color: int) -> tuple[int, ...]:
    """Return the moves of a color that do not change the status of a dead chain."""
    if chain.status != "dead":
        return ()
    # Stones in atari can be captured at once, which may make an eye, so the move is not in vain.
    return chain.liberties if chain.color == color or len(chain.liberties) > 1 else ()


def chain_value(classes: Iterable[int]) -> float:
    """Return the value that the classes add to a move's [units of the ranking model's values]."""
    return float(sum(CHAIN_VALUES[group, size - 1] for group, size in enumerate(classes) if size))
