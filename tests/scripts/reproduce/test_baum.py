"""The experiments of Baum (1993) run and print the expected tables, on small trees."""

import numpy as np
import pytest

from scripts.reproduce import baum
from scripts.reproduce.artificial_players import (
    GRID,
    SearchRoom,
    alpha_beta,
    alpha_beta_room,
    smoothed,
)
from scripts.reproduce.papers.hennig.trees import grow_tree
from tests.reference import bpip as reference

SMALL = ["--trees", "3", "--depth", "5", "--training", "2"]


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
        assert visits < len(tree.scores)


@pytest.mark.parametrize(
    ("experiment", "rows", "column"),
    [("valuation", 3, "saved by BPIP"), ("growth", 8, "equal time")],
)
def test_experiments(experiment, rows, column, capsys):
    baum.main([experiment, *SMALL, "--plies", "3"])
    printed = capsys.readouterr().out
    assert column in printed
    assert len([line for line in printed.splitlines() if line.split()[0] in "123"]) >= rows


def test_the_end_is_seen():
    """With the whole tree in sight both valuations play a winning move if there is one."""
    table = SearchRoom(2, 4, np.eye(97)[[48] * 5], 40)
    rng = np.random.default_rng(2)
    for _ in range(20):
        tree = grow_tree(2, 4, rng)
        bpip, minimax = table.full_width(tree.scores, 0, 0, 4)
        assert tree.values[[bpip, minimax]] == pytest.approx(tree.values[0], abs=0.07)
        move, used = table.grown(tree.scores, 0, 0, 40, 0.5)
        assert used <= 30
        assert move in (1, 2)


def test_few_changes_lean_on_those_of_other_levels():
    counts = np.zeros((2, len(GRID)))
    counts[0, 60], counts[1, 36] = 1000.0, 1.0
    many, few = smoothed(counts) @ GRID
    assert many == pytest.approx(GRID[60], abs=0.1)
    assert few == pytest.approx(GRID[60] * 19.98 / 21 + GRID[36] * 1.02 / 21, abs=0.01)
    assert smoothed(counts).sum(axis=1) == pytest.approx([1.0, 1.0])
