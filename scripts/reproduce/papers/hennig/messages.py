"""The messages of the tree, one update each: scores, then values.

Source: Hennig, Stern & Graepel (2010), Sec. 2.3. The scores form a Gaussian tree, g_child =
g_parent + step with step ~ N(m, s^2). The unit is one step of a roll-out (variance 1). A value
is stored as a line in a score, v = offset + slope * g + noise. Comparisons of children then use
the *fresh* belief about that score. A stored marginal of v would be outdated as soon as the
parent's score changes.

Messages and beliefs about scores are in natural parameters (pi, tau); (0, 0) is no message.
``sign`` is +1 where Black (MAX) moves and -1 where White (MIN) does. engine.rollout.message has
the message of a roll-out.
Twin: tests/reference/hennig.py
"""

import math

from engine.arrays import Floats, Ints
from engine.gaussian import cdf, pdf
from engine.jit import kernel


@kernel
def drop_rollout(
    score_pi: Floats, score_tau: Floats, rollout_pi: Floats, rollout_tau: Floats, node: int
) -> None:
    """Divide a node's own roll-out out of its belief when its first child is added.

    Source: Hennig et al. (2010), Sec. 2.3.1 and Algorithm 1, lines 16-17. The roll-out went
    through one of the children, and that child's own data will replace it.
    all arrays  float64[nodes], changed in place at ``node``
    """
    # A division of Gaussians is a subtraction in natural parameters.
    score_pi[node] -= rollout_pi[node]
    score_tau[node] -= rollout_tau[node]
    # Line 17's N(0, infinity): a second call divides by 1.
    rollout_pi[node] = 0.0
    rollout_tau[node] = 0.0


@kernel
def pass_step(pi: float, tau: float, variance: float) -> tuple[float, float]:
    """Return a message after one step of the tree, in either direction.

    Source: Hennig et al. (2010), Eq. (5), for a step N(0, variance) instead of N(0, 1).
    """
    # No variance is computed on the way, so "no message", (0, 0), is no special case.
    return pi / (1.0 + variance * pi), tau / (1.0 + variance * pi)


@kernel
def given_parent(pi: float, tau: float) -> tuple[float, float, float]:
    """Return a child's score as a line in its parent's score: (offset, slope, noise variance).

    Source: Eq. (2), for a step N(0, 1) from parent to child.
    pi, tau  the evidence of the child's subtree and roll-outs on its score (none: 0, 0)
    The slope is r / (1 + r) with r = 1 / pi: a child's own data loosen its tie to the parent.
    """
    slope = 1.0 / (1.0 + pi)
    return slope * tau, slope, slope


@kernel
def through(
    offset: float,
    slope: float,
    noise: float,
    score_offset: float,
    score_slope: float,
    score_noise: float,
) -> tuple[float, float, float]:
    """Return a value's line in its node's score as a line in the parent's score.

    offset, slope, noise  v = offset + slope * g + N(0, noise)
    score_...             g as a line in the parent's score, from ``given_parent``
    """
    return (offset + slope * score_offset, slope * score_slope, noise + slope * slope * score_noise)


@kernel
def marginal(
    offset: float, slope: float, noise: float, mean: float, variance: float
) -> tuple[float, float]:
    """Return mean and variance of a value whose score is N(mean, variance).

    At the boundary of the tree the value is score + gain. Offset and noise are then the gain's
    moments, and the slope is 1 (Hennig et al. 2010, Eq. 7).
    """
    return offset + slope * mean, noise + slope * slope * variance


@kernel
def line(
    mean: float, variance: float, slope: float, score_mean: float, score_variance: float
) -> tuple[float, float, float]:
    """Return the line (offset, slope, noise) of a value with these moments and this slope.

    Inverse of ``marginal``. The noise is at least 0: an approximate maximum can go below.
    """
    noise = variance - slope * slope * score_variance
    return mean - slope * score_mean, slope, max(noise, 0.0)


@kernel
def larger(
    mean_1: float, variance_1: float, mean_2: float, variance_2: float, covariance: float
) -> tuple[float, float, float]:
    """Return (mean, variance, P(the first is larger)) of the larger of two joint Gaussians.

    Source: Clark (1961), "The greatest of a finite set of random variables". The form of the
    variance keeps large means from cancelling. A third jointly Gaussian Y has Cov(max, Y) =
    P Cov(X1, Y) + (1 - P) Cov(X2, Y). The smaller of two is minus the larger of their negatives.
    Two fully dependent variables (no variance in the difference) give the one with the larger mean.
    """
    spread = variance_1 + variance_2 - 2.0 * covariance
    difference = mean_1 - mean_2
    if not spread > 0.0:
        if difference >= 0.0:
            return mean_1, variance_1, 1.0
        return mean_2, variance_2, 0.0
    a = math.sqrt(spread)
    first = cdf(difference / a)
    second = cdf(-difference / a)
    # E[max] exceeds the mixture's mean by this. It vanishes if one is certainly larger.
    bump = a * pdf(difference / a)
    mean = mean_1 * first + mean_2 * second + bump
    variance = variance_1 * first + variance_2 * second + difference * difference * first * second
    variance += bump * difference * (second - first) - bump * bump
    return mean, variance, first


@kernel
def better(
    sign: float,
    mean_1: float,
    variance_1: float,
    slope_1: float,
    mean_2: float,
    variance_2: float,
    slope_2: float,
    score_variance: float,
) -> tuple[float, float, float, float]:
    """Return (mean, variance, slope, P(the first is chosen)) of the better of two siblings.

    Source: Hennig et al. (2010), Eq. (3), with Clark's moments. The slopes in the common
    parent's score give the covariance slope_1 * slope_2 * score_variance exactly.
    # Deviates: the paper's rho (Sec. 2.3.2) subtracts products of means, which cannot enter a
    covariance. Without own data both slopes are 1, and the covariance is the score's variance.
    sign            +1.0 the larger (MAX moves), -1.0 the smaller (MIN moves)
    score_variance  of the common parent's score, given all data
    """
    # The code avoids rho: Var g / (sd_1 sd_2) exceeds 1 if data make a child surer than its parent.
    covariance = slope_1 * slope_2 * score_variance
    # min(x, y) = -max(-x, -y). The two sign changes leave the covariance unchanged.
    mean, variance, first = larger(sign * mean_1, variance_1, sign * mean_2, variance_2, covariance)
    # Clark's Cov(max, g) = T Cov(x_1, g) + (1 - T) Cov(x_2, g), divided by Var g.
    return sign * mean, variance, first * slope_1 + (1.0 - first) * slope_2, first


@kernel
def order_by_mean(mean: Floats, order: Ints, count: int) -> None:
    """Sort order[:count], a permutation of siblings, by rising mean.

    Equal means are ordered by index, so the result depends on the beliefs alone. Insertion
    sort takes little time when the order changed little since the last call.
    """
    for i in range(1, count):
        node = order[i]
        j = i - 1
        while j >= 0 and (
            mean[order[j]] > mean[node] or (mean[order[j]] == mean[node] and order[j] > node)
        ):
            order[j + 1] = order[j]
            j -= 1
        order[j + 1] = node


@kernel
def best_value(
    sign: float,
    mean: Floats,
    variance: Floats,
    slope: Floats,
    first: int,
    count: int,
    score_variance: float,
    order: Ints,
) -> tuple[float, float, float]:
    """Return (mean, variance, slope) of the best of siblings, folded in pairs by rising mean.

    Source: Hennig et al. (2010), Sec. 2.3.2. Pairwise folding depends on the order, so the
    order is fixed.
    sign            +1.0 MAX chooses, -1.0 MIN chooses
    mean, variance, slope   float64[nodes]: the siblings' values and slopes in the parent's score
    first, count    int64, the siblings are first .. first + count - 1, count >= 1
    score_variance  float64, of the parent's score, given all data
    order           int64[>= count], scratch
    """
    for i in range(count):
        order[i] = first + i
    order_by_mean(mean, order, count)
    node = order[0]
    best_mean, best_variance, best_slope = mean[node], variance[node], slope[node]
    for i in range(1, count):
        node = order[i]
        best_mean, best_variance, best_slope, _ = better(
            sign,
            mean[node],
            variance[node],
            slope[node],
            best_mean,
            best_variance,
            best_slope,
            score_variance,
        )
    return best_mean, best_variance, best_slope
