"""Slow twins of the search's mathematics: dense Gaussians, quadrature, brute-force trees.

Written from Hennig, Stern & Graepel (2010). A tree is a dict ``parent`` from node to parent (the
root's is None), parents before children; likelihoods are (pi, tau) messages on single scores.
"""

import math

import numpy as np

PHI = np.vectorize(lambda x: 0.5 * math.erfc(-x / math.sqrt(2.0)))


def normal_density(x, mean, variance):
    return np.exp(-0.5 * (x - mean) ** 2 / variance) / np.sqrt(2.0 * np.pi * variance)


def rollout_posterior(mean, variance, result, length):
    """Evidence, mean, variance of N(mean, variance) * Phi(result g / sqrt(length)) on a grid."""
    deviation = math.sqrt(variance)
    g = np.linspace(mean - 12.0 * deviation, mean + 12.0 * deviation, 400_001)
    if length > 0:
        likelihood = PHI(result * g / math.sqrt(length))
    else:
        likelihood = np.where(result * g > 0, 1.0, np.where(g == 0, 0.5, 0.0))
    weight = normal_density(g, mean, variance) * likelihood * (g[1] - g[0])
    evidence = weight.sum()
    first = (weight * g).sum() / evidence
    return evidence, first, (weight * (g - first) ** 2).sum() / evidence


def joint_scores(parent, root_mean, root_variance, likelihoods, step_variance=1.0):
    """Mean vector and covariance of all scores, by one dense matrix inversion."""
    nodes = list(parent)
    row = {node: i for i, node in enumerate(nodes)}
    precision = np.zeros((len(nodes), len(nodes)))
    shift = np.zeros(len(nodes))
    for node, above in parent.items():
        i = row[node]
        if above is None:
            precision[i, i] += 1.0 / root_variance
            shift[i] += root_mean / root_variance
            continue
        j = row[above]
        precision[[i, j], [i, j]] += 1.0 / step_variance
        precision[[i, j], [j, i]] -= 1.0 / step_variance
    for node, (pi, tau) in likelihoods.items():
        precision[row[node], row[node]] += pi
        shift[row[node]] += tau
    covariance = np.linalg.inv(precision)
    return dict(zip(nodes, covariance @ shift, strict=True)), covariance, row


def path_to_root(node, branching):
    path = [node]
    while path[-1] > 0:
        path.append((path[-1] - 1) // branching)
    return path


def grid_beliefs(branching, depth, likelihoods, root_mean, root_variance, points=401, span=10.0):
    """Exact moments (score mean, variance, value mean, variance) of every node, on a grid.

    likelihoods  node -> function of its score (its own data). The model factorizes over the
    tree, so P(value <= x | score) is built from the leaves up, one matrix product a node.
    """
    x = np.linspace(-span, span, points)
    nodes = sum(branching**level for level in range(depth + 1))
    first_terminal = nodes - branching**depth
    step = normal_density(x[None, :], x[:, None], 1.0) * (x[1] - x[0])
    below = [np.ones(points) for _ in range(nodes)]  # the subtree's message about the score
    given = [np.zeros(0)] * nodes  # P(score | parent's score, subtree), rows: the parent's
    value = [np.zeros(0)] * nodes  # P(value <= x | score, subtree), rows: the score
    for node in reversed(range(nodes)):
        if node in likelihoods:
            below[node] = below[node] * likelihoods[node](x)
        if node > 0:
            weighted = step * below[node]
            total = weighted.sum(axis=1)
            below[(node - 1) // branching] = below[(node - 1) // branching] * total
            given[node] = weighted / total[:, None]
        if node >= first_terminal:
            value[node] = (x[None, :] > x[:, None]) + 0.5 * np.eye(points)
            continue
        level = len(path_to_root(node, branching)) - 1
        children = range(branching * node + 1, branching * node + branching + 1)
        cdfs = np.array([given[child] @ value[child] for child in children])
        value[node] = cdfs.prod(0) if level % 2 == 0 else 1.0 - (1.0 - cdfs).prod(0)
    root = normal_density(x, root_mean, root_variance) * below[0]
    scores = {0: root / root.sum()}
    moments = []
    for node in range(nodes):
        if node > 0:
            scores[node] = scores[(node - 1) // branching] @ given[node]
        moments.append(
            (*grid_moments(x, scores[node]), *cdf_moments(x, scores[node] @ value[node]))
        )
    return moments


def grid_moments(x, mass):
    mean = (mass * x).sum()
    return mean, (mass * (x - mean) ** 2).sum()


def cdf_moments(x, cdf):
    middle = 0.5 * (x[1:] + x[:-1])
    return grid_moments(middle, np.diff(cdf))
