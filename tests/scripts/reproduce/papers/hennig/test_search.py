"""scripts.reproduce.papers.hennig.search against dense Gaussians and exact grids on small trees."""

import math

import numpy as np
import pytest

from scripts.reproduce.papers.hennig import search as printed
from scripts.reproduce.papers.hennig.beliefs import UNSEEN
from scripts.reproduce.papers.hennig.search import NO_NODE, ArtificialSearch
from scripts.reproduce.papers.hennig.trees import grow_tree
from tests.reference import hennig

ROOT_VARIANCE = 0.5


def play(branching, depth, seed, descents):
    """Search one small tree; return it with {node: (result, length)} of the live roll-outs."""
    rng = np.random.default_rng(seed)
    tree = grow_tree(branching, depth, rng)
    search = ArtificialSearch(tree, branching, depth, rng, ROOT_VARIANCE)
    seen = {}
    for _ in range(descents):
        before = search.beliefs.status.copy()
        end = printed.descend(
            tree, search.beliefs, search._work, search.model, search.optimism, search._rng
        )
        if end == NO_NODE:
            break
        (new,) = np.flatnonzero((before == UNSEEN) & (search.beliefs.status != UNSEEN))
        plies = depth - len(hennig.path_to_root(new, branching)) + 1
        seen[int(new)] = (1.0 if tree.scores[end] > 0.0 else -1.0, plies)
    live = np.flatnonzero(search.beliefs.rollout_pi > 0.0)
    return search, {int(node): seen[int(node)] for node in live}


def messages_of(search, live):
    return {n: (search.beliefs.rollout_pi[n], search.beliefs.rollout_tau[n]) for n in live}


def beliefs_of(search):
    return np.array([search.belief(node) for node in range(len(search.tree.scores))])


@pytest.mark.parametrize(("branching", "depth"), [(2, 1), (2, 4), (3, 3)])
@pytest.mark.parametrize("descents", [0, 1, 2, 5, 12, 60])
def test_scores_are_the_joint_gaussian(branching, depth, descents):
    """With the roll-out messages as they are, every node's score belief is exact."""
    search, live = play(branching, depth, 17 * descents + depth, descents)
    nodes = len(search.tree.scores)
    parent = {node: (node - 1) // branching if node else None for node in range(nodes)}
    mean, covariance, _ = hennig.joint_scores(parent, 0.0, ROOT_VARIANCE, messages_of(search, live))
    got = beliefs_of(search)
    np.testing.assert_allclose(got[:, 0], list(mean.values()), rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(got[:, 1], np.diag(covariance), rtol=1e-9)


@pytest.mark.parametrize("descents", [0, 1, 4, 9, 18, 31])
def test_values_are_near_the_exact_maxima(descents):
    """Same Gaussian messages, exact maxima on a grid: only Clark's moments differ."""
    search, live = play(2, 4, 3 + descents, descents)
    likelihoods = {
        node: lambda x, pi=pi, tau=tau: np.exp(tau * x - 0.5 * pi * x * x)
        for node, (pi, tau) in messages_of(search, live).items()
    }
    exact = np.array(hennig.grid_beliefs(2, 4, likelihoods, 0.0, ROOT_VARIANCE, points=241))
    got = beliefs_of(search)
    np.testing.assert_allclose(got[:, :2], exact[:, :2], atol=3e-3)
    np.testing.assert_allclose(got[:, 2], exact[:, 2], atol=0.02)
    np.testing.assert_allclose(got[:, 3], exact[:, 3], rtol=0.06)


@pytest.mark.parametrize("descents", [2, 6, 12, 24])
def test_posterior_is_near_the_truth(descents):
    """The true likelihood of wins and losses, by enumeration of the grid: the cost of one-pass EP.

    A message is matched once, against the belief of that moment; means stay close, variances of
    nodes with a terminal result of their own are the worst.
    """
    search, live = play(2, 4, 40 + descents, descents)
    likelihoods = {}
    for node, (result, length) in live.items():
        if length:
            likelihoods[node] = lambda x, r=result, n=length: hennig.PHI(r * x / math.sqrt(n))
        else:
            likelihoods[node] = lambda x, r=result: 0.5 + 0.5 * np.sign(r * x)
    exact = np.array(hennig.grid_beliefs(2, 4, likelihoods, 0.0, ROOT_VARIANCE, points=241))
    got = beliefs_of(search)
    error = np.abs(got - exact)
    assert error[:, [0, 2]].max() < 0.15
    assert error[:7, [1, 3]].max() < 0.35


def test_value_belief_of_the_seen_tree_finds_the_truth():
    """With every sign known the root's value has the right sign nearly always."""
    right = 0
    for seed in range(60):
        search, _ = play(2, 4, seed, 31)
        right += (search.belief(0)[2] > 0.0) == (search.tree.values[0] > 0.0)
    assert right >= 50


def test_coverage_of_the_value_posterior():
    """The 50 % and 90 % intervals at depth 1 and 2 hold the truth about that often."""
    inside_50, inside_90, total = 0, 0, 0
    rng = np.random.default_rng(8)
    for _ in range(150):
        tree = grow_tree(2, 8, rng)
        search = ArtificialSearch(tree, 2, 8, rng)
        search.run(40)
        for node in range(1, 7):
            _, _, mean, variance = search.belief(node)
            distance = abs(tree.values[node] - mean) / math.sqrt(variance)
            inside_50 += distance < 0.6745
            inside_90 += distance < 1.6449
            total += 1
    assert inside_50 / total == pytest.approx(0.5, abs=0.1)
    assert inside_90 / total == pytest.approx(0.9, abs=0.04)
