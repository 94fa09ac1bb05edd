"""engine.patterns.ranking and prediction: worked numbers, exact posteriors, invariants."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.patterns import choice as choices
from engine.patterns import predictor, ranking
from tests.reference import ranking as reference

BETA_SQUARED = 0.36
TOLERANCE = 1e-10


def grouped(candidates, width=None):
    """Return (choice, names) for candidates given as tuples of names; names = rows of beliefs."""
    names = sorted({name for summands in candidates for name in summands})
    width = width or max(len(summands) for summands in candidates)
    rows = np.full((len(candidates), width), choices.NO_SUMMAND)
    for v, summands in enumerate(candidates):
        rows[v, : len(summands)] = [names.index(name) for name in summands]
    choice = choices.new_choice(len(candidates), width)
    choices.group_candidates(choice, rows, len(candidates))
    return choice, names


def observed(candidates, beliefs, played, width=None, tolerance=TOLERANCE):
    """Return the beliefs (a dict like the argument) after one expert move."""
    choice, names = grouped(candidates, width)
    table = np.array([beliefs[name] for name in names], float)
    ranking.learn_from_move(choice, table, played, BETA_SQUARED, tolerance)
    assert tuple(choice.meta[[choices.CHOICE_UNSETTLED, choices.CHOICE_REJECTED]]) == (0, 0)
    return {name: tuple(table[i]) for i, name in enumerate(names)}


def predicted(candidates, beliefs, points=128):
    choice, names = grouped(candidates)
    table = np.array([beliefs[name] for name in names], float)
    choices.fetch_beliefs(choice, table)
    probability = np.zeros(len(candidates))
    total = predictor.predict(choice, len(candidates), BETA_SQUARED, points, probability)
    assert total == pytest.approx(1.0, abs=1e-9)
    return probability


def close(got, want, **tolerance):
    assert got.keys() == want.keys()
    for name in want:
        assert got[name] == pytest.approx(want[name], **tolerance)


# --- worked numbers --------------------------------------------------------------------------

PLAIN = {"a": (0.3, 0.64), "b": (0.0, 1.0), "c": (-0.2, 0.25)}


def test_two_moves():
    got = observed([("a",), ("b",)], PLAIN, 0)
    close(got, {"a": (0.5824004329, 0.537275045), "b": (-0.4412506765, 0.7492066528)}, abs=1e-9)
    chance = predicted([("a",), ("b",)], PLAIN)
    assert chance[0] == pytest.approx(0.5774144409890761, rel=1e-9)


@pytest.mark.parametrize(
    ("played", "means", "variances"),
    [
        (
            0,
            (0.7291968466, -0.3537695828, -0.2792126225),
            (0.4693222891, 0.7516170574, 0.2304055922),
        ),
        (2, (-0.1510499948, -0.489296792, 0.0985156022), (0.4599280321, 0.678026417, 0.2126774779)),
    ],
)
def test_three_moves(played, means, variances):
    got = observed([("a",), ("b",), ("c",)], PLAIN, played)
    close(got, dict(zip("abc", zip(means, variances, strict=True), strict=True)), abs=1e-8)


def test_prediction_of_three_moves():
    got = predicted([("a",), ("b",), ("c",)], PLAIN)
    want = (0.45603567514721, 0.33892539066107, 0.20503893419172)
    assert got == pytest.approx(want, rel=1e-9)


@pytest.mark.parametrize(
    ("beliefs", "sizes", "chance", "after"),
    [
        (
            {"A": (0.0, 1.0), "B": (0.0, 1.0)},
            (1, 5),
            0.3301633,
            {"A": (0.69095244, 0.71382249), "B": (-0.69095244, 0.71382249)},
        ),
        (
            {"A": (0.3, 0.64), "B": (0.0, 0.25)},
            (3, 10),
            0.45828691,
            {"A": (0.80259168, 0.41796464), "B": (-0.19632488, 0.21612009)},
        ),
        (
            {"A": (0.0, 1.0), "B": (0.0, 1.0)},
            (2, 1),
            0.58305662,
            {"A": (0.41467783, 0.77416432), "B": (-0.41467783, 0.77416432)},
        ),
    ],
)
def test_one_class_at_several_vertices(beliefs, sizes, chance, after):
    candidates = [("A",)] * sizes[0] + [("B",)] * sizes[1]
    close(observed(candidates, beliefs, 0), after, abs=1e-8)
    got = predicted(candidates, beliefs)
    assert got[: sizes[0]].sum() == pytest.approx(chance, abs=1e-7)
    assert np.ptp(got[: sizes[0]]) == 0.0


@pytest.mark.parametrize("size", [1, 2, 17])
def test_a_single_class_learns_nothing(size):
    beliefs = {"a": (0.3, 0.64)}
    assert observed([("a",)] * size, beliefs, size - 1) == beliefs
    assert predicted([("a",)] * size, beliefs) == pytest.approx(np.full(size, 1.0 / size))


# --- exact posteriors ------------------------------------------------------------------------


NARROW = {"a": (0.3, 0.3), "b": (0.0, 0.2), "c": (-0.6, 0.25), "d": (1.0, 0.1)}


@pytest.mark.parametrize(
    ("names", "beliefs", "nodes", "error"),
    [("abc", PLAIN, None, 1e-6), ("abcd", NARROW, 7, 0.02), ("abcbc", NARROW, 10, 5e-3)],
)
def test_against_the_exact_posterior(names, beliefs, nodes, error):
    candidates = [(name,) for name in names]
    beliefs = {name: beliefs[name] for name in names}
    more = {} if nodes is None else {"nodes": nodes}
    for played in range(len(set(names))):
        chances, after = reference.exact(candidates, beliefs, played, BETA_SQUARED, **more)
        close(observed(candidates, beliefs, played), after, abs=1e-2)
        assert predicted(candidates, beliefs) == pytest.approx(chances, abs=error)


def test_prediction_of_many_moves():
    rng = np.random.default_rng(5)
    beliefs = {f"{i:03}": (rng.normal(-1.0, 1.5), rng.uniform(0.01, 1.0)) for i in range(120)}
    candidates = [(name,) for name in beliefs]
    moments = np.array([beliefs[name] for (name,) in candidates])
    want = reference.best_probabilities(moments[:, 0], moments[:, 1] + BETA_SQUARED)
    assert predicted(candidates, beliefs) == pytest.approx(want, abs=1e-10)
    assert predicted(candidates, beliefs, 48) == pytest.approx(want, abs=1e-6)


# --- sums of summands ------------------------------------------------------------------------

SUMS = {"a": (0.3, 0.64), "b": (0.0, 1.0), "f": (0.5, 0.4), "g": (-0.3, 0.2)}


def test_a_sum_is_the_plain_model_with_its_update_shared_by_variance():
    """One private sum against another: Gaussian conditioning of the parts on the sum."""
    parts = observed([("a", "f"), ("b",)], SUMS, 1)
    whole = observed([("a",), ("b",)], {"a": (0.8, 1.04), "b": SUMS["b"]}, 1)
    assert parts["b"] == pytest.approx(whole["b"], rel=1e-9)
    for name in "af":
        mean, variance = SUMS[name]
        share = variance / 1.04
        assert parts[name] == pytest.approx(
            (mean + share * (whole["a"][0] - 0.8), variance - share**2 * (1.04 - whole["a"][1])),
            rel=1e-9,
        )


def test_a_summand_that_all_share_learns_nothing():
    got = observed([("a", "f"), ("b", "f"), ("c", "f")], {**PLAIN, "f": (0.4, 0.7)}, 1)
    assert got["f"] == (0.4, 0.7)


@pytest.mark.parametrize("played", [0, 1, 2])
@pytest.mark.parametrize(
    "candidates",
    [
        [("a", "f"), ("b", "f"), ("g",)],
        [("a", "f"), ("b",), ("a", "g")],
        [("f",), ("b", "f"), ("b",), ("b", "f")],
    ],
)
def test_shared_summands_against_the_exact_posterior(candidates, played):
    """To the star, the shared part is private noise: an error of second order in its variance."""
    names = {name for summands in candidates for name in summands}
    beliefs = {name: (SUMS[name][0], 0.1 * SUMS[name][1]) for name in names}
    chances, after = reference.exact(candidates, beliefs, played, BETA_SQUARED, nodes=8)
    got = observed(candidates, beliefs, played)
    for name, (mean, variance) in after.items():
        assert got[name][0] == pytest.approx(mean, abs=0.02)
        assert got[name][1] == pytest.approx(variance, rel=0.02)
    assert predicted(candidates, beliefs) == pytest.approx(chances, abs=0.02)


def test_a_shared_summand_is_not_counted_as_independent_evidence():
    """f stands on both sides of the closest comparison: each group's own message, all of them
    multiplied, would shrink its variance to 0.33; the truth is 0.370."""
    candidates = [("a", "f"), ("b", "f"), ("g",)]
    _, after = reference.exact(candidates, SUMS, 0, BETA_SQUARED, nodes=12)
    got = observed(candidates, SUMS, 0)
    assert got["f"] == pytest.approx(after["f"], abs=6e-3)


def test_empty_columns_change_nothing():
    candidates = [("a",), ("b",), ("c",), ("b",)]
    assert observed(candidates, PLAIN, 1, width=4) == observed(candidates, PLAIN, 1)


# --- invariants ------------------------------------------------------------------------------

positions = st.integers(2, 12).flatmap(
    lambda n: st.tuples(
        st.lists(st.tuples(st.integers(0, 7), st.integers(8, 11)), min_size=n, max_size=n),
        st.lists(st.tuples(st.floats(-30, 30), st.floats(1e-12, 30)), min_size=12, max_size=12),
        st.integers(0, n - 1),
        st.booleans(),
    )
)


@given(positions)
@settings(deadline=None, max_examples=60)
def test_beliefs_stay_proper_and_variances_only_shrink(position):
    rows, moments, played, plain = position
    summands = np.array(rows)[:, :1].copy() if plain else np.array(rows)
    beliefs = np.array(moments)
    before = beliefs.copy()
    choice = choices.new_choice(len(rows), summands.shape[1])
    choices.group_candidates(choice, summands, len(rows))
    ranking.learn_from_move(choice, beliefs, played, BETA_SQUARED, 1e-8)
    assert np.all(np.isfinite(beliefs))
    assert np.all(beliefs[:, 1] > 0.0)
    assert np.all(beliefs[:, 1] <= before[:, 1])
    assert choice.meta[choices.CHOICE_REJECTED] == 0


@given(positions)
@settings(deadline=None, max_examples=50)
def test_the_played_move_gains_and_predictions_sum_to_one(position):
    rows, moments, played, _ = position
    summands = np.array(rows)[:, :1].copy()
    beliefs = np.array(moments)
    choice = choices.new_choice(len(rows), 1)
    choices.group_candidates(choice, summands, len(rows))
    probability = np.zeros(len(rows))
    choices.fetch_beliefs(choice, beliefs)
    predictor.predict(choice, len(rows), BETA_SQUARED, 64, probability)
    assert probability.sum() == pytest.approx(1.0)
    assert np.all(probability >= 0.0)
    before = beliefs.copy()
    ranking.learn_from_move(choice, beliefs, played, BETA_SQUARED, 1e-8)
    row = summands[played, 0]
    assert beliefs[row, 0] >= before[row, 0]


def test_training_tolerance_is_close_to_convergence():
    rng = np.random.default_rng(11)
    beliefs = {f"{i:03}": (rng.normal(-1.0, 1.5), rng.uniform(0.01, 1.0)) for i in range(110)}
    candidates = [(name,) for name in beliefs]
    played = int(np.argmax([m for m, _ in beliefs.values()]))
    close(
        observed(candidates, beliefs, played, tolerance=1e-3),
        observed(candidates, beliefs, played),
        abs=1e-3,
    )


def test_improper_beliefs_are_left_alone_and_counted():
    beliefs = np.array([[np.nan, 1.0], [0.0, 1.0]])
    before = beliefs.copy()
    choice = choices.new_choice(2, 1)
    choices.group_candidates(choice, np.array([[0], [1]]), 2)
    ranking.learn_from_move(choice, beliefs, 1, BETA_SQUARED, 1e-8)
    assert choice.meta[choices.CHOICE_REJECTED] == 2
    np.testing.assert_array_equal(beliefs, before)


# --- the paper's small worlds (Fig. 3) -------------------------------------------------------

A, B, C, D = range(4)
WORLDS = {
    "chain": [(A, B), (B, C), (C, D)],
    "joseki": [(A, D), (B, D), (C, D)],
    "endgame": [(A, B), (A, C), (A, D), (B, C), (B, D), (C, D)],
}


def learn_world(pairs):
    beliefs = np.array([[0.0, 1.0]] * 4)
    choice = choices.new_choice(2, 1)
    for pair in pairs:
        choices.group_candidates(choice, np.array(pair)[:, np.newaxis].copy(), 2)
        ranking.learn_from_move(choice, beliefs, 0, BETA_SQUARED, TOLERANCE)
    return beliefs


@pytest.mark.parametrize("world", ["chain", "endgame"])
def test_chain_and_endgame_are_ranked(world):
    means = learn_world(WORLDS[world] * 3)[:, 0]
    assert means[A] > means[B] > means[C] > means[D]


def test_joseki_moves_are_all_better_than_the_rest_but_not_ordered():
    forward = learn_world(WORLDS["joseki"])
    backward = learn_world(WORLDS["joseki"][::-1])
    for beliefs in (forward, backward):
        assert beliefs[:3, 0].min() > beliefs[D, 0] + math.sqrt(beliefs[D, 1])
        assert np.ptp(beliefs[:3, 0]) < math.sqrt(beliefs[:3, 1].min())
    # The order comes only from the order of the data (assumed-density filtering).
    assert forward[:3] == pytest.approx(backward[2::-1], rel=1e-12)
