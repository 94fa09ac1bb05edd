"""The experiments of Baum (1993) run and print the expected tables, on small trees."""

import numpy as np
import pytest

from scripts.reproduce import baum
from scripts.reproduce.artificial_alpha_beta import alpha_beta, alpha_beta_room
from scripts.reproduce.opinion_bins import explained, split_positions
from scripts.reproduce.papers.hennig.trees import grow_tree
from tests.reference import bpip as reference

SMALL = ["--trees", "3", "--depth", "5", "--training", "2"]


def test_minimal_leaves():
    assert [baum.minimal_leaves(3, k) for k in (1, 2, 3, 4)] == [3, 5, 11, 17]


@pytest.mark.parametrize("plies", [1, 3, 5])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_alpha_beta_is_its_twin_and_minimax(plies, sign):
    rng, room = np.random.default_rng(plies), alpha_beta_room(3, 6)
    for number in range(10):
        tree = grow_tree(3, plies, rng)
        # Some equal evaluations, whose order must not differ.
        evaluation = tree.scores if number % 2 else tree.scores.round()
        chosen, visits, value = alpha_beta(room, evaluation, 0, plies, sign)
        assert (value, chosen, visits) == reference.alpha_beta(evaluation, 3, 0, plies, sign)
        if sign > 0 and number % 2:
            assert value == tree.values[0]
        assert baum.minimal_leaves(3, plies) <= visits < len(tree.scores)


def test_a_decision_tree_finds_the_feature_that_tells():
    rng = np.random.default_rng(5)
    features = rng.normal(size=(4000, 3))
    changes = np.where(features[:, 1] > 0.2, 2.0, -2.0) + 0.1 * rng.normal(size=4000)
    learned, asked = split_positions(features[:2000], changes[:2000], features[2000:])
    assert len(set(learned.tolist())) >= 2
    one = np.zeros(2000, np.int64)
    gain = explained(learned, changes[:2000], asked, changes[2000:])
    assert gain > explained(one, changes[:2000], one, changes[2000:]) + 0.3
    noise = rng.normal(size=2000)  # of nothing: no split
    assert (split_positions(features[:2000], noise, features[2000:])[0] == 0).all()


@pytest.mark.parametrize(
    ("experiment", "rows", "column"),
    [("valuation", 3, "saved by BPIP"), ("growth", 10, "equal time"), ("bins", 0, "nats more")],
)
def test_experiments(experiment, rows, column, capsys):
    baum.main([experiment, *SMALL, "--plies", "3"])
    printed = capsys.readouterr().out
    assert column in printed
    assert len([line for line in printed.splitlines() if line.split()[0] in "123"]) >= rows


def test_the_end_is_seen():
    """With the whole tree in sight both valuations play a winning move if there is one."""
    table = baum.SearchRoom(2, 4, np.eye(97)[[48] * 5], 40)
    rng = np.random.default_rng(2)
    for _ in range(20):
        tree = grow_tree(2, 4, rng)
        bpip, minimax = table.full_width(tree.scores, 0, 0, 4)
        assert tree.values[[bpip, minimax]] == pytest.approx(tree.values[0], abs=0.07)
        move, used = table.grown(tree.scores, 0, 0, 40, "ess", 0.5)
        assert used <= 30
        assert move in (1, 2)
