"""The utility of one more observation of a loss, from its definition, by a sum over findings."""

import math


def utility(doubt, variance, named, ready, steps=4000, reach=9.0):
    """Return E[max(worth(p'), 0)] less the present worth; see engine/review/attention.py."""

    def worth(prob):
        return doubt.size * (prob - named) / (1.0 - named)

    deviations = [math.sqrt(part.variance + variance) for part in (doubt.calm, doubt.fall)]
    means = doubt.calm.mean, doubt.fall.mean
    low = min(m - reach * d for m, d in zip(means, deviations, strict=True))
    high = max(m + reach * d for m, d in zip(means, deviations, strict=True))
    width = (high - low) / steps
    total = 0.0
    for step in range(steps):
        found = low + (step + 0.5) * width
        calm, fall = (
            share * math.exp(-0.5 * ((found - m) / d) ** 2) / (d * math.sqrt(2.0 * math.pi))
            for share, m, d in zip(
                (1.0 - doubt.chance, doubt.chance), means, deviations, strict=True
            )
        )
        if calm + fall > 0.0:
            total += width * (calm + fall) * max(worth(fall / (calm + fall)), 0.0)
    return total - (max(worth(doubt.chance), 0.0) if ready else 0.0)
