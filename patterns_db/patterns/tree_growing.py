"""Growth of the ranking model's trees by gradient boosting, with its own probabilities as start.

The likelihood is a softmax over the contenders of a position: the ranking model's log probability
plus the sum of the leaves. All other candidates keep the model's probability. Every tree asks the
questions that raise a quadratic approximation of the likelihood most, on a random share of the
positions; see A. Dorogush et al., "CatBoost" (2018) and T. Chen & C. Guestrin, "XGBoost" (2016).

The weights of the leaves are only the start of ``added_training``.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.arrays import Floats, Int16s, Ints
from engine.jit import kernel
from engine.patterns.contenders import FACTS
from engine.patterns.trees import DEPTH, FACT, LEAVES, Trees

Bins = npt.NDArray[np.uint8]


class GrowingSettings(NamedTuple):
    """The growth of trees."""

    most_cuts: int = 63  # thresholds of a fact
    learning_rate: float = 0.3  # share of a leaf's best weight that a tree takes
    share: float = 0.1  # of the positions for the questions of one tree
    least_bend: float = 0.003  # of a contender that takes part in them
    sampled: int = 200_000  # rows that give the thresholds of a fact
    leaf_precision: float = 20.0  # of the prior of a leaf's weight


GROWING = GrowingSettings()


class FactSample(NamedTuple):
    """Positions of games: the contenders of each one in a row of ``LANES``-many or fewer."""

    facts: Int16s  # int16[positions, contenders, FACTS]
    # float32[positions, contenders], log probabilities of the ranking model; -inf: none
    chances: npt.NDArray[np.float32]
    rest: Floats  # float64[positions], probability of all other candidates
    played: Ints  # int64[positions], the expert's contender; -1: another candidate


class Boosting(NamedTuple):
    """The rows of a sample, one a contender, by fact."""

    cuts: list[Int16s]  # thresholds of each fact, int16[<= most_cuts]
    bins: Bins  # uint8[FACTS, rows], number of thresholds below the fact
    chances: Floats  # float64[positions, contenders], with the leaves so far
    # float64[rows, 2], of the log likelihood: first and negative second derivative
    gradients: Floats


@kernel
def differentiate(chances: Floats, rest: Floats, played: Ints, gradients: Floats) -> float:
    """Write the derivatives of the log likelihood by each contender's value; return its mean.

    chances    float64[positions, contenders]; -inf: no contender
    gradients  float64[positions * contenders, 2], overwritten
    """
    total = 0.0
    most = chances.shape[1]
    for i in range(len(chances)):
        whole = rest[i]
        for lane in range(most):
            weight = np.exp(chances[i, lane])
            gradients[i * most + lane, 0] = weight
            whole += weight
        for lane in range(most):
            chance = gradients[i * most + lane, 0] / whole
            gradients[i * most + lane, 0] = (played[i] == lane) - chance
            gradients[i * most + lane, 1] = chance * (1.0 - chance)
        total += (chances[i, played[i]] if played[i] >= 0 else 0.0) - np.log(whole)
    return total / len(chances)


@kernel
def add_up_bins(bins: Bins, leaves: Bins, gradients: Floats, leaf_count: int, sums: Floats) -> None:
    """Add the derivatives of some rows up by leaf and bin of one fact.

    bins       uint8[n]
    leaves     uint8[n], of the tree so far, < leaf_count
    gradients  float64[n, 2]
    sums       float64[LEAVES, most_cuts + 1, 2], overwritten
    """
    sums[:leaf_count] = 0.0
    for i in range(len(bins)):
        sums[leaves[i], bins[i], 0] += gradients[i, 0]
        sums[leaves[i], bins[i], 1] += gradients[i, 1]


@kernel
def best_cut(sums: Floats, leaf_count: int, cuts: int, gains: Floats) -> tuple[float, int]:
    """Return the gain and the number of the threshold that divides all leaves best.

    sums   float64[LEAVES, most_cuts + 1, 2], ``add_up_bins``
    gains  float64[>= cuts], overwritten
    """
    gains[:cuts] = 0.0
    for leaf in range(leaf_count):
        slope = bend = 0.0
        for place in range(cuts + 1):
            slope += sums[leaf, place, 0]
            bend += sums[leaf, place, 1]
        low = low_bend = 0.0
        for cut in range(cuts):
            low += sums[leaf, cut, 0]
            low_bend += sums[leaf, cut, 1]
            high = slope - low
            gains[cut] += low * low / (low_bend + GROWING.leaf_precision)
            gains[cut] += high * high / (bend - low_bend + GROWING.leaf_precision)
    best = 0
    for cut in range(1, cuts):
        if gains[cut] > gains[best]:
            best = cut
    return gains[best], best


def begin_boosting(sample: FactSample, rng: np.random.Generator) -> Boosting:
    """Return the rows of a sample with their bins."""
    facts = sample.facts.reshape(-1, FACTS)
    some = facts[rng.integers(0, len(facts), GROWING.sampled)]
    cuts = []
    bins = np.empty((FACTS, len(facts)), np.uint8)
    for fact in range(FACTS):
        values = np.unique(some[:, fact])
        if len(values) > GROWING.most_cuts + 1:
            levels = np.linspace(0.0, 1.0, GROWING.most_cuts + 2)[1:-1]
            values = np.unique(np.quantile(some[:, fact], levels, method="lower"))
        else:
            values = values[:-1]  # nothing is above the last one
        cuts.append(values.astype(np.int16))
        bins[fact] = np.searchsorted(cuts[fact], facts[:, fact])
    chances = sample.chances.astype(np.float64)
    return Boosting(cuts, bins, chances, np.zeros((len(facts), 2)))


def ask_questions(boosting: Boosting, rows: Ints) -> tuple[Int16s, Ints]:
    """Return the questions of the next tree, int16[DEPTH, 2], and the cuts' numbers, int64[DEPTH].

    rows  int64[n], the rows that decide
    """
    questions, places = np.zeros((DEPTH, 2), np.int16), np.zeros(DEPTH, np.int64)
    sums, gains = np.zeros((LEAVES, GROWING.most_cuts + 1, 2)), np.zeros(GROWING.most_cuts + 1)
    leaves = np.zeros(len(rows), np.uint8)
    # Copied once for all levels, so that the sums run over memory in order.
    gradients, bins = boosting.gradients[rows], np.take(boosting.bins, rows, axis=1)
    for level in range(DEPTH):
        best = -1.0
        for fact, cuts in enumerate(boosting.cuts):
            if not len(cuts):
                continue
            add_up_bins(bins[fact], leaves, gradients, 1 << level, sums)
            gain, place = best_cut(sums, 1 << level, len(cuts), gains)
            if gain > best:
                best, places[level] = gain, place
                questions[level] = fact, cuts[place]
        above = bins[questions[level, FACT]] > places[level]
        leaves |= above.astype(np.uint8) << level
    return questions, places


@kernel
def find_row_leaves(bins: Bins, facts: Int16s, places: Ints, leaves: Bins) -> None:
    """Write the leaf of each row.

    bins    uint8[FACTS, rows]
    facts   int16[DEPTH], of a tree's questions
    places  int64[DEPTH], numbers of their cuts
    leaves  uint8[rows], overwritten
    """
    leaves[:] = 0
    for level in range(DEPTH):
        fact, place, bit = np.int64(facts[level]), places[level], np.uint8(1 << level)
        for row in range(len(leaves)):
            leaves[row] |= bit if bins[fact, row] > place else np.uint8(0)


@kernel
def add_up_leaves(leaves: Bins, gradients: Floats, sums: Floats) -> None:
    """Add the derivatives of all rows up by leaf.

    leaves     uint8[rows], of one tree
    gradients  float64[rows, 2]
    sums       float64[LEAVES, 2], overwritten
    """
    sums[:] = 0.0
    for row in range(len(leaves)):
        sums[leaves[row], 0] += gradients[row, 0]
        sums[leaves[row], 1] += gradients[row, 1]


@kernel
def add_weights(leaves: Bins, weights: Floats, chances: Floats) -> None:
    """Add the weight of each row's leaf to the chances, float64[positions, contenders]."""
    most = chances.shape[1]
    for i in range(len(chances)):
        for lane in range(most):
            chances[i, lane] += weights[leaves[i * most + lane]]


def grow_trees(sample: FactSample, seed: int) -> Iterator[tuple[Trees, float]]:
    """Yield the trees so far, and the mean log likelihood before the last one; without end.

    The means are the leaves' weights [nats]; the variances are 0.
    """
    rng = np.random.default_rng(seed)
    boosting = begin_boosting(sample, rng)
    used = np.isfinite(boosting.chances)
    leaves, sums = np.zeros(used.size, np.uint8), np.zeros((LEAVES, 2))
    questions, weights = [], []
    while True:
        nats = differentiate(boosting.chances, sample.rest, sample.played, boosting.gradients)
        deciding = used & (rng.random((len(used), 1)) < GROWING.share)
        rows = np.flatnonzero(deciding.ravel() & (boosting.gradients[:, 1] > GROWING.least_bend))
        asked, places = ask_questions(boosting, rows)
        find_row_leaves(boosting.bins, asked[:, FACT].copy(), places, leaves)
        add_up_leaves(leaves, boosting.gradients, sums)
        weight = GROWING.learning_rate * sums[:, 0] / (sums[:, 1] + GROWING.leaf_precision)
        add_weights(leaves, weight, boosting.chances)
        questions.append(asked)
        weights.append(weight)
        means = np.array(weights, np.float32)
        yield Trees(np.array(questions), means, np.zeros_like(means)), nats
