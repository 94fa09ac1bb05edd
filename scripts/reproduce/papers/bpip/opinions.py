"""Leaf distributions learned from how opinions changed when positions were searched deeper.

Source: Baum (1993), "Tree valuation". Discrete features divide the positions into bins. Each
bin collects the differences between backed-up and direct values, and its histogram is smoothed.
A new leaf gets its bin's distribution, shifted by its own evaluation.

# Deviates: each histogram is mixed with ``prior`` changes from all bins together, because a bin
with few positions has no reliable histogram. The paper only smooths. Its authors divide
positions by a decision tree; here each feature is cut at fixed edges.
"""

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from engine.arrays import Floats
from engine.belief.distributions import Distribution


@dataclass(frozen=True)
class FeatureBins:
    """A partition of positions by numeric features, each cut at rising edges.

    edges  one tuple per feature; n edges give n + 1 intervals, closed on the right
    """

    edges: tuple[tuple[float, ...], ...]

    @property
    def count(self) -> int:
        """The number of bins."""
        return math.prod(len(edges) + 1 for edges in self.edges)

    def index(self, features: Sequence[float]) -> int:
        """Return the bin of a position; raises ValueError for a wrong number of features."""
        if len(features) != len(self.edges):
            raise ValueError(f"need {len(self.edges)} features, got {len(features)}")
        number = 0
        for value, edges in zip(features, self.edges, strict=True):
            number = number * (len(edges) + 1) + bisect_left(edges, value)
        return number


@dataclass
class OpinionChanges:
    """Histograms of opinion changes, one per bin, and their smoothed form.

    bins       the partition
    changes    float64[m], rising: the distinguished changes; others count as the nearest
    bandwidth  standard deviation of the smoothing kernel, in the unit of ``changes``
    prior      a bin's histogram is mixed with this many changes from the histogram of all bins
    """

    bins: FeatureBins
    changes: Floats
    bandwidth: float
    prior: float = 20.0
    counts: Floats = field(init=False)  # (bins, m)

    def __post_init__(self) -> None:
        """Check the parameters; start with empty histograms."""
        if len(self.changes) < 2 or not (np.diff(self.changes) > 0.0).all():
            raise ValueError("changes must be at least two strictly rising values")
        if not self.bandwidth > 0.0 or not self.prior >= 0.0:
            raise ValueError("bandwidth must be > 0 and prior >= 0")
        self.counts = np.zeros((self.bins.count, len(self.changes)))

    def record(self, features: Sequence[float], change: float) -> None:
        """Count one change: the value found by searching deeper minus the direct evaluation."""
        edges = 0.5 * (self.changes[1:] + self.changes[:-1])
        self.counts[self.bins.index(features), int(np.searchsorted(edges, change))] += 1.0

    def smoothed(self) -> Floats:
        """Return the distribution of changes of each bin; float64[bins, m], rows sum to 1.

        Without any data the distribution is a spike at the change nearest 0.
        """
        pooled = self.counts.sum(axis=0)
        if pooled.sum() == 0.0:
            pooled[np.argmin(np.abs(self.changes))] = 1.0
        # The weight is never 0: an empty bin would have no distribution.
        mixed = self.counts + max(self.prior, 1e-9) * pooled / pooled.sum()
        distance = (self.changes[:, np.newaxis] - self.changes) / self.bandwidth
        kernel = np.exp(-0.5 * distance**2)
        kernel /= kernel.sum(axis=1, keepdims=True)
        spread = mixed @ kernel if self.counts.any() else mixed
        return np.asarray(spread / spread.sum(axis=1, keepdims=True))

    def leaf(self, features: Sequence[float], evaluation: float) -> Distribution:
        """Return the value distribution of a leaf with these features and direct evaluation.

        Every call smooths again. Callers with many leaves should keep the rows of ``smoothed``.
        """
        return Distribution(self.changes + evaluation, self.smoothed()[self.bins.index(features)])
