"""A finished search teaches the prior, and the next search of the same problem uses it."""

import numpy as np
import pytest

from engine.captures.learning import learn_from_search, learn_observations, observations_of
from engine.captures.priors import BETA_DISPROOFS, BETA_PROOFS, beta_priors, gaussian_priors
from engine.captures.reader import CaptureReader
from patterns_db.records.problems import parse_problem

LADDER = {
    "size": 7, "board": "......./......./......./..XX.../..OX.../.XX..../.......",
    "goal": "C3", "attacker": "black", "to_move": "white",
}  # fmt: skip


def test_solved_problems_are_learned_and_the_values_stay():
    priors = beta_priors(1.0, 1.0, cells=1 << 14)
    reader = CaptureReader("pp", 2000, priors)
    observed = []

    def learn():
        observed.append(learn_from_search(reader.tree, reader.scratch, priors, 100))

    reader.on_search_end = learn
    asked = parse_problem(LADDER)
    first = reader.read_chain(asked.board, asked.goal, asked.attacker_to_move)
    smallest = priors.cells[:, BETA_PROOFS].max() + priors.cells[:, BETA_DISPROOFS].max()
    again = reader.read_chain(asked.board, asked.goal, asked.attacker_to_move)
    assert sum(observed) > 0
    assert smallest > 0
    assert again.value == first.value == "captured"
    assert again.nodes <= first.nodes


def counting(cells):
    return beta_priors(1.0, 1.0, cells=cells)


@pytest.mark.parametrize("make", [gaussian_priors, counting])
@pytest.mark.parametrize("most", [3, 200])
def test_notes_teach_the_same_as_the_search(make, most):
    priors, elsewhere = make(cells=1 << 14), make(cells=1 << 14)
    reader = CaptureReader("pns", 2000, priors)
    noted = []

    def learn():
        found = observations_of(reader.tree, reader.scratch, priors, most)
        # Neither order of noting and learning may influence the other.
        assert learn_from_search(reader.tree, reader.scratch, priors, most) == len(found.counts)
        noted.append(found)

    reader.on_search_end = learn
    asked = parse_problem(LADDER)
    reader.read_chain(asked.board, asked.goal, asked.attacker_to_move)
    assert max(len(found.counts) for found in noted) == min(most, 5)
    for found in noted:
        learn_observations(elsewhere, found)
    assert int(priors.used[0]) > 0
    for name in ("used", "keys", "cells", "parents"):
        np.testing.assert_array_equal(getattr(priors, name), getattr(elsewhere, name))
