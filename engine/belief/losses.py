"""The loss of one move: a mixture of calm moves and falls, times other knowledge of the loss.

The prior of a loss is calm, N(0, calm^2), or a fall of one of several sizes. Falls are Gaussians
N(0, spread^2), cut off below the least fall. All parts of the posterior are (truncated) Gaussians
again, so its moments are exact. A track may fall after moves that are no mistakes, and stay calm
after some that are: its evidence has a limit, however far it falls. Twin:
tests/reference/game_path.py.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from engine.gaussian import log_cdf, truncation_terms


class Size(NamedTuple):
    """One component of the prior of falls: N(0, spread^2) above the least fall."""

    weight: float  # share of all falls; the weights add up to 1
    spread: float  # its deviation, in the track's unit


class Track(NamedTuple):
    """The prior of steps on one track, in its unit."""

    calm: float  # deviation of the loss where the track does not fall
    least: float  # smallest fall
    sizes: tuple[Size, ...]  # of falls
    tempo: float  # deviation of the tempo's prior, N(0, tempo^2)
    # Probability that it falls after a move that is no mistake, and after a mistake
    falls: tuple[float, float] = (0.0, 1.0)


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
    """The belief about a move's loss on one track, the mover's, mistake or not."""

    log_ratio: float  # of the evidence for a mistake against that for none, this track's alone
    mean: float
    variance: float
    size: float  # mean of the loss if the track fell
    context: Observation  # all other knowledge of it, without the track's prior


def sigmoid(log_odds: float) -> float:
    """Return the probability of log-odds."""
    return 0.5 * (1.0 + math.tanh(0.5 * log_odds))


class LossPart(NamedTuple):
    """The belief about a loss under one of two hypotheses: the track is calm, or it falls."""

    mean: float
    variance: float
    log_weight: float = 0.0  # log of its evidence [nats], without the part that all share


def weigh_loss(track: Track, context: Observation, odds: float) -> Loss:
    """Return the posterior of one loss: the track's mixture times other knowledge of the loss.

    odds  log-odds of a mistake by all but this track
    """
    calm, fall = loss_parts(track, context)
    ratio, (without, after) = fall.log_weight - calm.log_weight, track.falls
    falls = _log_mixed(after, odds, without) - _log_mixed(1.0 - after, odds, 1.0 - without)
    prob = sigmoid(falls + ratio)
    mean, variance = _mixed([1.0 - prob, prob], [calm, fall])
    mistake = _log_mixed(after, ratio, 1.0 - after) - _log_mixed(without, ratio, 1.0 - without)
    return Loss(mistake, mean, variance, fall.mean, context)


def loss_parts(track: Track, context: Observation) -> tuple[LossPart, LossPart]:
    """Return the beliefs about a loss if the track is calm, and if it falls."""
    falls = [_fall_part(track, size, context) for size in track.sizes]
    top = max([part.log_weight for part in falls])
    weights = [math.exp(part.log_weight - top) for part in falls]
    total = sum(weights)
    mean, variance = _mixed([weight / total for weight in weights], falls)
    return _product(track.calm, context), LossPart(mean, variance, top + math.log(total))


def _log_mixed(share: float, exponent: float, rest: float) -> float:
    """Return log(share * e^exponent + rest), not both shares 0, without an overflow."""
    if share == 0.0:
        return math.log(rest)
    log_share = math.log(share) + exponent
    if rest == 0.0:
        return log_share
    high, low = max(log_share, math.log(rest)), min(log_share, math.log(rest))
    return high + math.log1p(math.exp(low - high))


def _mixed(shares: Sequence[float], parts: Sequence[LossPart]) -> tuple[float, float]:
    """Return mean and variance of a mixture."""
    # Loops, because generators take twice the time, and a move weighs some 30 losses.
    mean = variance = 0.0
    for share, part in zip(shares, parts, strict=True):
        mean += share * part.mean
    for share, part in zip(shares, parts, strict=True):
        variance += share * (part.variance + (part.mean - mean) ** 2)
    return mean, variance


def _product(spread: float, context: Observation) -> LossPart:
    """Return N(0, spread^2) times the context."""
    pi = 1.0 / spread**2 + context.pi
    log_weight = 0.5 * (context.tau**2 / pi - math.log(pi * spread**2))
    return LossPart(context.tau / pi, 1.0 / pi, log_weight)


def _fall_part(track: Track, size: Size, context: Observation) -> LossPart:
    """Return the posterior of a loss above the least fall; moments of a truncated Gaussian."""
    whole = _product(size.spread, context)
    deviation = math.sqrt(whole.variance)
    excess = (whole.mean - track.least) / deviation
    v, shrinkage = truncation_terms(excess)
    log_weight = whole.log_weight + log_cdf(excess) - log_cdf(-track.least / size.spread)
    mean = whole.mean + deviation * v
    return LossPart(mean, whole.variance * shrinkage, math.log(size.weight) + log_weight)
