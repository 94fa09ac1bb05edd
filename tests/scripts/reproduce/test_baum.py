"""The experiments of Baum (1993) run and print the expected tables, on small trees."""

import math

import numpy as np
import pytest

from engine.papers.hennig.trees import grow_tree
from scripts.reproduce import baum

SMALL = ["--trees", "3", "--depth", "5", "--training", "2"]


def test_minimal_leaves():
    assert [baum.minimal_leaves(3, k) for k in (1, 2, 3, 4)] == [3, 5, 11, 17]


@pytest.mark.parametrize("plies", [1, 3, 5])
def test_alpha_beta_is_minimax(plies):
    rng = np.random.default_rng(plies)
    for _ in range(10):
        tree = grow_tree(3, plies, rng)
        value, visits = baum.alpha_beta(tree.scores, 3, 0, 0, plies, -math.inf, math.inf)
        assert value == tree.values[0]
        assert baum.minimal_leaves(3, plies) <= visits < len(tree.scores)


@pytest.mark.parametrize(
    ("experiment", "rows", "column"),
    [("valuation", 3, "saved by BPIP"), ("growth", 4, "metagreedy")],
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
