"""Slow twin of patterns_db.patterns.rounds.merge_beliefs: one belief at a time."""


def product_of_posteriors(prior, posteriors):
    """Return mean and variance: prior times every posterior's likelihood (posterior / prior)."""
    mean, variance = prior
    precision, shift = 1.0 / variance, mean / variance
    for other_mean, other_variance in posteriors:
        precision += 1.0 / other_variance - 1.0 / variance
        shift += other_mean / other_variance - mean / variance
    return shift / precision, 1.0 / precision
