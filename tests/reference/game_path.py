"""The slow twins of a game as one path: one dense Gaussian, and sums over all mixtures on a grid.

Written from the model: x_t = x_{t-1} - s_t L_t, observations of x_t (off by the tempo) and of L_t.
"""

import math

import numpy as np


def normal(value, mean, variance):
    return np.exp(-0.5 * (value - mean) ** 2 / variance) / np.sqrt(2 * math.pi * variance)


def dense_states(observations, turns, tempo_variance, signs, calm, losses):
    """Return (means, variances, tempo) of all states of a game without mistakes.

    observations  (mean, variance) of each position; losses: the same of each step, or None
    The variances are for a tempo that is known.
    """
    count = len(observations)
    precision, shift = np.zeros((count + 1, count + 1)), np.zeros(count + 1)

    def add(direction, mean, variance):
        nonlocal precision, shift
        precision += np.outer(direction, direction) / variance
        shift += direction * mean / variance

    unit = np.eye(count + 1)
    add(unit[count], 0.0, tempo_variance)
    for t, ((mean, variance), turn) in enumerate(zip(observations, turns, strict=True)):
        add(unit[t] + turn * unit[count], mean, variance)
    for t, (sign, loss) in enumerate(zip(signs, losses, strict=True)):
        if sign:
            step = sign * (unit[t] - unit[t + 1])
            add(step, 0.0, calm**2)
            if loss is not None:
                add(step, *loss)
    means = np.linalg.solve(precision, shift)
    known = np.linalg.inv(precision[:count, :count])
    return means[:count], np.diag(known), means[count]


def prior_of_losses(grid, track):
    """Return the densities of the loss after a move that is no mistake, and after a mistake."""
    calm, fall = normal(grid, 0.0, track.calm**2), np.zeros_like(grid)
    for weight, spread in track.sizes:
        part = normal(grid, 0.0, spread**2) * (grid >= track.least)
        fall += weight * part / (0.5 * math.erfc(track.least / spread / math.sqrt(2)))
    return tuple((1.0 - share) * calm + share * fall for share in track.falls)


def exact_loss(grid, prior, context, odds):
    """Return P(mistake), mean and variance of a loss, and the mean after a mistake.

    prior  densities of the loss on the grid, after no mistake and after one
    """
    seen = normal(grid, *context)
    calm, mistake = prior[0] * seen, prior[1] * seen
    joint = calm + mistake * math.exp(odds)
    mean = (grid * joint).sum() / joint.sum()
    variance = ((grid - mean) ** 2 * joint).sum() / joint.sum()
    size = (grid * mistake).sum() / mistake.sum()
    return 1.0 - calm.sum() / joint.sum(), mean, variance, size


def exact_mistakes(observations, signs, prior, grid, odds):
    """Return P(mistake) of the two steps of three positions, by a sum over all losses.

    prior  densities of the loss on the grid, after no mistake and after one
    """
    (m0, v0), (m1, v1), (m2, v2) = observations
    first, second = grid[:, np.newaxis], grid[np.newaxis, :]
    # x0 has a flat prior: integrate it out of three observations of it.
    targets = [(m0, v0), (m1 + signs[0] * first, v1)]
    targets.append((m2 + signs[0] * first + signs[1] * second, v2))
    pi = sum(1.0 / v for _, v in targets)
    tau = sum(m / v for m, v in targets)
    square = sum(m * m / v for m, v in targets)
    likelihood = np.exp(0.5 * (tau * tau / pi - square))
    parts = {}
    for one in (0, 1):
        for two in (0, 1):
            weight = math.exp(odds[0] * one + odds[1] * two)
            joint = likelihood * prior[one][:, np.newaxis] * prior[two][np.newaxis, :]
            parts[one, two] = weight * joint.sum()
    total = sum(parts.values())
    return (parts[1, 0] + parts[1, 1]) / total, (parts[0, 1] + parts[1, 1]) / total
