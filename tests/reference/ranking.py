"""Exact answers for the two models of Stern, Herbrich & Graepel (2006), by quadrature.

Slow, obvious and free of numba. A position is a list of candidates, each a tuple of summand
names; ``beliefs`` maps a name to (mean, variance). Written from the paper's generative model:
u_f ~ N(mean, variance), x_v ~ N(sum of its u_f, beta^2), the expert plays the largest x.
"""

import itertools
import math
from collections.abc import Mapping, Sequence

import numpy as np

Summands = tuple[str, ...]
Beliefs = Mapping[str, tuple[float, float]]

_erfc = np.frompyfunc(math.erfc, 1, 1)


def normal_cdf(z):
    return 0.5 * _erfc(-np.asarray(z) / math.sqrt(2.0)).astype(float)


def win_probabilities(values: np.ndarray, beta_squared: float, nodes: int = 60) -> np.ndarray:
    """Return P(x_v is the largest | u) for values u float[..., candidates], same shape."""
    points, weights = np.polynomial.hermite_e.hermegauss(nodes)
    weights = weights / weights.sum()
    beta = math.sqrt(beta_squared)
    result = np.empty_like(values)
    for v in range(values.shape[-1]):
        x = values[..., v, np.newaxis] + beta * points
        product = np.ones_like(x)
        for k in range(values.shape[-1]):
            if k != v:
                product *= normal_cdf((x - values[..., k, np.newaxis]) / beta)
        result[..., v] = product @ weights
    return result


def _grid(names: Sequence[str], beliefs: Beliefs, nodes: int) -> tuple[np.ndarray, np.ndarray]:
    """Return all combinations of summand values, float[cells, names], and their prior weights."""
    points, weights = np.polynomial.hermite_e.hermegauss(nodes)
    weights = weights / weights.sum()
    axes = [beliefs[f][0] + math.sqrt(beliefs[f][1]) * points for f in names]
    values = np.array(list(itertools.product(*axes)))
    prior = np.array([math.prod(w) for w in itertools.product(weights, repeat=len(names))])
    return values, prior


def exact(
    candidates: Sequence[Summands],
    beliefs: Beliefs,
    played: int,
    beta_squared: float,
    nodes: int = 16,
) -> tuple[np.ndarray, dict[str, tuple[float, float]]]:
    """Return P(v is played) of every candidate and the beliefs after ``played`` was seen."""
    names = sorted({name for summands in candidates for name in summands})
    values, prior = _grid(names, beliefs, nodes)
    design = np.array([[name in summands for summands in candidates] for name in names], float)
    chances = win_probabilities(values @ design, beta_squared)
    weight = prior * chances[:, played]
    weight /= weight.sum()
    after = {}
    for i, name in enumerate(names):
        mean = weight @ values[:, i]
        after[name] = (float(mean), float(weight @ (values[:, i] - mean) ** 2))
    return prior @ chances, after


def best_probabilities(means, variances, nodes: int = 200) -> np.ndarray:
    """Return P(x_v is the largest) of independent Gaussians, one quadrature per candidate."""
    means, deviations = np.asarray(means, float), np.sqrt(np.asarray(variances, float))
    z = np.linspace(-9.0, 9.0, nodes + 1)
    weights = np.exp(-0.5 * z * z)
    weights /= weights.sum()
    result = []
    for v in range(len(means)):
        x = means[v] + deviations[v] * z
        below = normal_cdf((x[:, np.newaxis] - means) / deviations)
        below[:, v] = 1.0
        result.append(weights @ np.prod(below, axis=1))
    return np.array(result)


def bernoulli_scores(counts: Sequence[tuple[float, float]], candidates: Sequence[int]) -> list:
    """Return q_v prod_{k != v} (1 - q_k) of each candidate, from (played, passed over) counts."""
    rates = [counts[c][0] / sum(counts[c]) for c in candidates]
    return [
        rates[v] * math.prod(1.0 - q for k, q in enumerate(rates) if k != v)
        for v in range(len(rates))
    ]
