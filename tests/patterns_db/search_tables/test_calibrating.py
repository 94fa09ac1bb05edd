"""Learning how sure one may be: made-up truths are found again, one result changes little."""

from statistics import NormalDist

import numpy as np
import pytest

from engine.errors import ModelFormatError
from engine.jit import JIT_ENABLED
from engine.search.best_move import exponents_of
from engine.search.calibration import (
    BOARD,
    CHOICES,
    FEATURES,
    NINETY_PERCENT,
    Calibration,
    factor,
    features_of,
    no_calibration,
    probit_of,
)
from engine.search.unsettled import KINDS
from patterns_db.search_tables.calibrating import (
    PLAYED,
    CountedPosition,
    JudgedChoice,
    JudgedGap,
    JudgedPosition,
    Situation,
    fit_calibration,
    fit_choices,
    fit_gaps,
    fit_margins,
    fit_win_rates,
    read_calibration,
    write_calibration,
)
from patterns_db.store.table_files import write_table

NORMAL = NormalDist()
SHARPNESS = np.array([0.7, -0.3, 0.8, 0.4, 0.2])
COUNT = 3000 if JIT_ENABLED else 600


def situations(count: int, rng: np.random.Generator) -> list[Situation]:
    return [
        Situation(int(rng.choice([9, 13, 19])), rng.random(), float(rng.choice([100, 400, 1600])))
        for _ in range(count)
    ]


NOTHING_OPEN = np.zeros(KINDS)
NOTHING_LEARNED = no_calibration()


def made_up(truth, count: int, seed: int, worth=NOTHING_LEARNED.worth) -> list[JudgedPosition]:
    """Return positions whose results follow a sharpness, and the worth of what is open, exactly."""
    rng = np.random.default_rng(seed)
    positions = []
    for situation in situations(count, rng):
        probit, known = rng.normal(0.0, 0.7), features_of(*situation)
        open_points = rng.normal(0.0, 0.5, KINDS) if worth.any() else NOTHING_OPEN
        score = factor(truth, known) * probit + probit_of(worth, known, open_points)
        won = float(rng.random() < NORMAL.cdf(score))
        positions.append(JudgedPosition(situation, NORMAL.cdf(probit), won, open_points))
    return positions


def sharpness_of(positions: list[JudgedPosition]):
    return fit_win_rates(positions)[0]


def test_nobody_learns_from_nothing():
    learned = fit_calibration([], [], [], [])
    for weights, expected in zip(learned, no_calibration(), strict=True):
        assert weights.tolist() == expected.tolist()


def test_the_sharpness_is_found():
    found = sharpness_of(made_up(SHARPNESS, COUNT, 1))
    assert found == pytest.approx(SHARPNESS, abs=0.4 if JIT_ENABLED else 0.8)


def test_what_is_open_is_found_to_be_worth_what_it_is():
    worth = np.random.default_rng(7).normal(0.0, 0.6, (2, KINDS))
    sharpness, found = fit_win_rates(made_up(SHARPNESS, COUNT, 8, worth))
    # The board's size says little of so few games: at sizes of which there are some it is found.
    for size in (9, 19):
        board = features_of(size, 0.5, 400.0)[BOARD]
        error = found[0] + board * found[1] - worth[0] - board * worth[1]
        assert np.sqrt(np.mean(error**2)) < (0.15 if JIT_ENABLED else 0.35)
    assert sharpness == pytest.approx(SHARPNESS, abs=0.5 if JIT_ENABLED else 1.0)


def test_the_weights_are_the_most_probable_ones():
    """No small change of a weight makes results, together with the prior, more probable."""
    positions = made_up(SHARPNESS, 100, 9, np.full((2, KINDS), 0.2))
    sharpness, found = fit_win_rates(positions)

    def loss(worth):
        total = 0.5 * float((worth**2).sum())
        for p in positions:
            known, sign = features_of(*p.situation), 2.0 * p.won - 1.0
            probit = factor(sharpness, known) * NORMAL.inv_cdf(p.win_rate)
            chance = NORMAL.cdf(sign * (probit + probit_of(worth, known, p.open_points)))
            total -= np.log(0.005 + 0.99 * chance)
        return total

    least = loss(found)
    for row in range(2):
        for kind in (0, 5, KINDS - 1):
            for change in (-0.05, 0.05):
                other = found.copy()
                other[row, kind] += change
                assert loss(other) > least


def test_colors_are_alike():
    positions = made_up(SHARPNESS, 200, 2, np.full((2, KINDS), 0.3))
    turned = [
        p._replace(win_rate=1.0 - p.win_rate, won=1.0 - p.won, open_points=-p.open_points)
        for p in positions
    ]
    for one, other in zip(fit_win_rates(turned), fit_win_rates(positions), strict=True):
        assert one == pytest.approx(other, abs=1e-3)


@pytest.mark.parametrize("won", [0.0, 1.0])
@pytest.mark.parametrize("win_rate", [0.0, 0.5, 1.0])
def test_one_result_is_not_taken_too_seriously(win_rate, won):
    """Certain and wrong, certain and right, or even: the prior holds the weights."""
    position = JudgedPosition(Situation(19, 0.5, 400.0), win_rate, won, NOTHING_OPEN)
    weights = sharpness_of([position])
    assert np.isfinite(weights).all()
    assert np.abs(weights).max() < 2.0


def test_a_few_slips_are_outvoted():
    """Sure things that were lost all the same; unsure ones say how sharp win rates are."""
    positions = made_up(SHARPNESS, 400, 3)
    slips = [JudgedPosition(Situation(9, 0.5, 400.0), 0.9999, 0.0, NOTHING_OPEN)] * 3
    rates = [sharpness_of(some) for some in (positions, positions + slips)]
    known = features_of(9, 0.5, 400.0)
    assert factor(rates[1], known) > 0.6 * factor(rates[0], known)


def test_growth_and_spread_of_margins_are_found():
    rng = np.random.default_rng(4)
    growth, spread = np.array([0.3, 0.0, -0.6, 0.0, 0.0]), np.array([-0.5, 0.2, 0.4, 0.0, 0.0])
    counted = []
    for situation in situations(COUNT, rng):
        known = features_of(*situation)
        lead, deviation = rng.normal(0.0, 20.0), rng.uniform(10.0, 60.0)
        end = factor(growth, known) * lead
        # Every twentieth is far off.
        error = rng.normal(0.0, 1.0) * (10.0 if rng.random() < 0.05 else 1.0)
        margin = end + error * factor(spread, known) * deviation
        counted.append(CountedPosition(situation, lead, deviation, margin))
    found = fit_margins(counted)
    assert found[1][1:] == pytest.approx(spread[1:], abs=0.3)
    held = [
        abs(c.margin - factor(found[0], known) * c.lead)
        <= NINETY_PERCENT * factor(found[1], known) * c.deviation
        for c in counted
        for known in [features_of(*c.situation)]
    ]
    # Five deviations of a share of so many.
    assert np.mean(held) == pytest.approx(0.9, abs=1.5 * COUNT**-0.5)
    for occupied in (0.1, 0.5, 0.9):
        known = features_of(13, occupied, 400.0)
        assert factor(found[0], known) == pytest.approx(factor(growth, known), rel=0.25)
    assert [weights[PLAYED] for weights in found] == pytest.approx([0.0, 0.0])


def test_the_uncertainty_of_differences_is_found():
    rng = np.random.default_rng(5)
    truth = np.array([0.4, 0.0, -0.3, 0.0, 0.1])
    gaps = []
    for situation in situations(COUNT, rng):
        difference, deviation = rng.exponential(2.0), rng.uniform(1.0, 4.0)
        error = rng.normal(0.0, factor(truth, features_of(*situation)) * deviation)
        gaps.append(JudgedGap(situation, difference, deviation, difference + error))
    assert fit_gaps(gaps) == pytest.approx(truth, abs=0.25)


def test_what_makes_a_move_the_best_is_found():
    rng = np.random.default_rng(6)
    truth = np.array([[0.8, 0.3, 0.4], [-0.2, 0.3, -0.1]])
    choices = []
    for situation in situations(600, rng):
        features = rng.normal(-2.0, 1.5, (8, CHOICES))
        exponents = exponents_of(truth, features_of(*situation))
        chances = np.exp(features @ exponents)
        chosen = int(rng.choice(8, p=chances / chances.sum()))
        choices.append(JudgedChoice(situation, features, chosen))
    assert fit_choices(choices) == pytest.approx(truth, abs=0.15)


TABLE = Calibration(
    SHARPNESS,
    *[np.full(FEATURES, 0.1 * n) for n in range(3)],
    np.ones((2, CHOICES)),
    np.full((2, KINDS), 0.2),
)


def test_a_table_keeps_what_was_learned(tmp_path):
    path = tmp_path / "calibration.table"
    write_calibration(path, TABLE, {"positions": 3})
    for weights, expected in zip(read_calibration(path), TABLE, strict=True):
        assert weights.tolist() == expected.tolist()
    assert '"positions": 3' in path.with_name(path.name + ".MANIFEST").read_text()


def test_tables_of_other_versions_are_refused(tmp_path):
    path = tmp_path / "other.table"
    write_table(path, "calibration", {"weights": np.zeros(FEATURES)}, {})
    with pytest.raises(ModelFormatError, match="calibration 1, this yomi reads 4"):
        read_calibration(path)
    wrong = TABLE._replace(gap=np.zeros(FEATURES + 1))
    write_calibration(path, wrong, {})
    with pytest.raises(ModelFormatError, match=r"gap is float64\[6\], this yomi reads"):
        read_calibration(path)
