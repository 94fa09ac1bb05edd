"""scripts.reproduce.papers.hennig.search against dense Gaussians and exact grids on small trees."""

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
