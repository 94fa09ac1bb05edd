"""Trees: values of conjunctions of facts about a position's best candidates.

Every tree asks DEPTH questions, "is this fact above this threshold?", the same of all candidates.
The answers are the bits of a leaf's number. A leaf is a class of moves: its Gaussian belief is one
more summand of a move's value, learned by the same expectation propagation as all others.

The questions were found by boosting on games that the ranking model was not trained on. Such
"oblivious" trees follow A. Dorogush et al., "CatBoost" (2018); weights learned by a Bayesian
model on the leaves of boosted trees follow X. He et al., "Practical lessons from predicting clicks
on ads" (2014), section 3. Twin: tests/reference/trees.py.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.arrays import Int16s
from engine.jit import kernel
from engine.patterns.contenders import LANES, Contenders

DEPTH = 6  # questions of a tree
LEAVES = 1 << DEPTH
FACT, THRESHOLD = 0, 1  # columns of Trees.questions

LeafValues = npt.NDArray[np.float32]


class Trees(NamedTuple):
    """Trees and the beliefs about their leaves; no tree: the model does without."""

    questions: Int16s  # int16[trees, DEPTH, 2], see FACT and THRESHOLD
    # float32[trees, LEAVES], apart from the variances, which the search does not need
    means: LeafValues
    variances: LeafValues  # float32[trees, LEAVES]


def no_trees() -> Trees:
    """Return the trees of a model without them."""
    none = np.zeros((0, LEAVES), np.float32)
    return Trees(np.zeros((0, DEPTH, 2), np.int16), none, none)


@kernel(inlined=True)
def _fact(questions: Int16s, tree: int, level: int) -> int:
    """Return the number of the fact that a question is about."""
    return np.int64(questions[tree, level, FACT])


@kernel(inlined=True)
def find_leaves(questions: Int16s, tree: int, facts: Int16s, leaves: Int16s) -> None:
    """Write the leaf of each lane in one tree; facts int16[FACTS, LANES], leaves int16[LANES]."""
    # Written out, because the compiler makes vectors of this form alone: 25 times as fast as loops.
    a, b, c = _fact(questions, tree, 0), _fact(questions, tree, 1), _fact(questions, tree, 2)
    d, e, f = _fact(questions, tree, 3), _fact(questions, tree, 4), _fact(questions, tree, 5)
    above_a, above_b = questions[tree, 0, THRESHOLD], questions[tree, 1, THRESHOLD]
    above_c, above_d = questions[tree, 2, THRESHOLD], questions[tree, 3, THRESHOLD]
    above_e, above_f = questions[tree, 4, THRESHOLD], questions[tree, 5, THRESHOLD]
    for lane in range(LANES):
        leaves[lane] = (
            np.int16(facts[a, lane] > above_a)
            | np.int16(facts[b, lane] > above_b) << 1
            | np.int16(facts[c, lane] > above_c) << 2
            | np.int16(facts[d, lane] > above_d) << 3
            | np.int16(facts[e, lane] > above_e) << 4
            | np.int16(facts[f, lane] > above_f) << 5
        )


@kernel
def add_leaves(questions: Int16s, values: LeafValues, contenders: Contenders, part: int) -> None:
    """Add the means, or the variances, of each contender's leaves to its sum.

    values      float32[trees, LEAVES], Trees.means or Trees.variances
    contenders  with facts; one column of sums changes in place, from the front
    part        int64, MEAN or VARIANCE, the column
    """
    leaves, sums, count = contenders.leaves, contenders.sums, contenders.count[0]
    for tree in range(len(questions)):
        find_leaves(questions, tree, contenders.facts, leaves)
        for lane in range(count):
            sums[lane, part] += values[tree, leaves[lane]]
