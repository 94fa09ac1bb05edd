"""A finished search teaches the prior, and the next search of the same problem asks it."""

from engine.tactics.learning import learn_from_search
from engine.tactics.priors import BETA_DISPROOFS, BETA_PROOFS, beta_priors
from engine.tactics.solver import Reader
from patterns_db.problems import parse_problem

LADDER = {
    "size": 7, "board": "......./......./......./..XX.../..OX.../.XX..../.......",
    "goal": "C3", "attacker": "black", "to_move": "white",
}  # fmt: skip


def test_what_was_solved_is_learned_and_the_values_stay():
    priors = beta_priors(1.0, 1.0, cells=1 << 14)
    reader = Reader("pp", 2000, priors)
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
