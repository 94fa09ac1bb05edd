"""bpip.opinions: binning, smoothing, and the distribution of a leaf."""

import numpy as np
import pytest

from engine.belief.distributions import mean
from scripts.reproduce.papers.bpip.opinions import FeatureBins, OpinionChanges

BINS = FeatureBins(((1.0, 3.0), (10.0,)))


def test_bins():
    assert BINS.count == 6
    indices = {BINS.index((a, b)) for a in (0, 2, 5) for b in (5, 20)}
    assert indices == set(range(6))
    assert BINS.index((1.0, 10.0)) == BINS.index((0.0, 0.0))  # closed on the right
    with pytest.raises(ValueError, match="need 2 features"):
        BINS.index((1.0,))


def test_smoothed_histogram_recovers_the_distribution():
    rng = np.random.default_rng(3)
    changes = OpinionChanges(BINS, np.linspace(-4.0, 4.0, 65), bandwidth=0.25)
    for change in rng.normal(0.5, 0.8, 4000):
        changes.record((2.0, 20.0), change)
    leaf = changes.leaf((2.0, 20.0), 1.0)
    assert leaf.masses.sum() == pytest.approx(1.0)
    assert mean(leaf) == pytest.approx(1.5, abs=0.05)
    variance = leaf.masses @ (leaf.values - mean(leaf)) ** 2
    assert variance == pytest.approx(0.8**2 + 0.25**2, rel=0.06)


def test_sparse_bins_lean_on_the_others():
    changes = OpinionChanges(BINS, np.linspace(-4.0, 4.0, 33), bandwidth=0.3, prior=10.0)
    for _ in range(100):
        changes.record((0.0, 0.0), 1.0)
    changes.record((5.0, 20.0), -1.0)
    assert mean(changes.leaf((2.0, 0.0), 0.0)) == pytest.approx(0.98, abs=0.05)
    assert 0.6 < mean(changes.leaf((5.0, 20.0), 0.0)) < 0.9


def test_without_data_nothing_changes():
    changes = OpinionChanges(BINS, np.linspace(-1.0, 1.0, 5), bandwidth=0.5)
    leaf = changes.leaf((0.0, 0.0), 0.25)
    assert leaf.values[leaf.masses > 0].tolist() == [0.25]


@pytest.mark.parametrize(
    ("changes", "bandwidth", "prior"),
    [([0.0], 1.0, 1.0), ([1.0, 0.0], 1.0, 1.0), ([0, 1], 0.0, 1.0), ([0, 1], 1, -1)],
)
def test_refuses(changes, bandwidth, prior):
    with pytest.raises(ValueError, match="must be"):
        OpinionChanges(BINS, np.array(changes, float), bandwidth, prior)
