"""The experiments of Baum (1993) run and print the expected tables, on small trees."""

import numpy as np
import pytest

from scripts.reproduce.artificial_players import (
    alpha_beta,
    alpha_beta_room,
)
from scripts.reproduce.papers.hennig.trees import grow_tree
from tests.reference import bpip as reference


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
