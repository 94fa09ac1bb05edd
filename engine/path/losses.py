"""What one move lost: a mixture of calm moves and mistakes, times what else is known of the loss.

The prior of a loss is calm, N(0, calm^2), or a mistake of one of several sizes: Gaussians N(0,
spread^2), cut off below the least loss that counts as a mistake. All parts of the posterior are
(truncated) Gaussians again, so its moments are exact. Twin: tests/reference/game_path.py.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from engine.gaussian import log_cdf, truncation_terms

LEVELS = (0.05, 0.95)  # of the interval of a mistake's size


class Size(NamedTuple):
    """One component of the prior of mistakes: N(0, spread^2) above the least mistake.

    weight  of all mistakes; they add up to 1
    """

    weight: float
    spread: float


class Track(NamedTuple):
    """What steps are like on one track, in its unit.

    calm   deviation of the loss of a move that is no mistake
    least  loss of the smallest mistake
    sizes  of mistakes
    tempo  deviation of the tempo's prior, N(0, tempo^2)
    """

    calm: float
    least: float
    sizes: tuple[Size, ...]
    tempo: float


class Observation(NamedTuple):
    """A Gaussian message in natural parameters: precision, and mean times precision."""

    pi: float = 0.0
    tau: float = 0.0

    @property
    def mean(self) -> float:
        """The mean; 0 where nothing is known."""
        return self.tau / self.pi if self.pi > 0.0 else 0.0


def observed(mean: float, variance: float) -> Observation:
    """Return an observation with a mean and a variance > 0."""
    return Observation(1.0 / variance, mean / variance)


def times(one: Observation, other: Observation) -> Observation:
    """Return the product of two messages."""
    return Observation(one.pi + other.pi, one.tau + other.tau)


NOTHING = Observation()


class Loss(NamedTuple):
    """What is believed of a move's loss on one track, the mover's.

    log_ratio      of the evidence for a mistake against that for a calm move, this track's alone
    mean, variance of the loss, mistake or not
    size           mean of the loss if it was a mistake
    context        all that is known of it besides the track's prior
    """

    log_ratio: float
    mean: float
    variance: float
    size: float
    context: Observation


def sigmoid(log_odds: float) -> float:
    """Return the probability of log-odds."""
    return 0.5 * (1.0 + math.tanh(0.5 * log_odds))


def weigh_loss(track: Track, context: Observation, odds: float) -> Loss:
    """Return the posterior of one loss: the track's mixture times what else is known of it.

    context  all other messages about the loss
    odds     log-odds of a mistake by all but this track
    """
    parts = [_calm_part(track, context)]
    parts += [_mistake_part(track, size, context) for size in track.sizes]
    calm, mistakes = parts[0], parts[1:]
    top = max(part.log_weight for part in mistakes)
    weights = [math.exp(part.log_weight - top) for part in mistakes]
    ratio = top + math.log(sum(weights)) - calm.log_weight
    size, spread = _mixed([weight / sum(weights) for weight in weights], mistakes)
    prob = sigmoid(odds + ratio)
    mean, variance = _mixed([1.0 - prob, prob], [calm, _Part(0.0, size, spread)])
    return Loss(ratio, mean, variance, size, context)


class _Part(NamedTuple):
    """One component of a posterior: log of its evidence [nats], mean and variance."""

    log_weight: float
    mean: float
    variance: float


def _mixed(shares: Sequence[float], parts: Sequence[_Part]) -> tuple[float, float]:
    """Return mean and variance of a mixture."""
    mean = sum(share * part.mean for share, part in zip(shares, parts, strict=True))
    variance = sum(
        share * (part.variance + (part.mean - mean) ** 2)
        for share, part in zip(shares, parts, strict=True)
    )
    return mean, variance


def _product(spread: float, context: Observation) -> _Part:
    """Return N(0, spread^2) times the context; the evidence up to what all components share."""
    pi = 1.0 / spread**2 + context.pi
    log_weight = 0.5 * (context.tau**2 / pi - math.log(pi * spread**2))
    return _Part(log_weight, context.tau / pi, 1.0 / pi)


def _calm_part(track: Track, context: Observation) -> _Part:
    return _product(track.calm, context)


def _mistake_part(track: Track, size: Size, context: Observation) -> _Part:
    """Return the posterior of a loss above the least mistake; moments of a truncated Gaussian."""
    whole = _product(size.spread, context)
    deviation = math.sqrt(whole.variance)
    excess = (whole.mean - track.least) / deviation
    v, kept = truncation_terms(excess)
    log_weight = whole.log_weight + log_cdf(excess) - log_cdf(-track.least / size.spread)
    mean = whole.mean + deviation * v
    return _Part(math.log(size.weight) + log_weight, mean, whole.variance * kept)


def size_interval(track: Track, loss: Loss) -> tuple[float, float]:
    """Return the 90 % interval of a loss if it was a mistake, by bisection."""
    wholes = [_product(size.spread, loss.context) for size in track.sizes]
    parts = [_mistake_part(track, size, loss.context) for size in track.sizes]
    top = max(part.log_weight for part in parts)
    weights = [math.exp(part.log_weight - top) for part in parts]

    def share_above(value: float) -> float:
        total = 0.0
        for weight, whole in zip(weights, wholes, strict=True):
            deviation = math.sqrt(whole.variance)
            # A tail of a tail: as a difference of logarithms it stays exact.
            tail = log_cdf((whole.mean - value) / deviation)
            total += weight * math.exp(tail - log_cdf((whole.mean - track.least) / deviation))
        return total / sum(weights)

    ends = []
    for level in LEVELS:
        low, high = track.least, track.least + 1.0
        while share_above(high) > 1.0 - level:
            high = track.least + 2.0 * (high - track.least)
        for _ in range(40):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if share_above(middle) > 1.0 - level else (low, middle)
        ends.append(0.5 * (low + high))
    return ends[0], ends[1]
