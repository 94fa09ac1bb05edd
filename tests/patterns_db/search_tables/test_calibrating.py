"""Learning the certainty of shown values: made-up truths are found, one result changes little."""

from statistics import NormalDist

import numpy as np
import pytest

from engine.belief.best_move import exponents_of
from engine.belief.calibration import (
    BELIEF,
    CHOICES,
    EVIDENCE,
    FEATURES,
    PLAYED,
    REACH,
    Calibration,
    factor,
    features_of,
    no_calibration,
)
from engine.belief.open_points import KINDS
from engine.belief.posterior import ROLLOUTS, Evidence, posterior_of
from engine.errors import ModelFormatError
from engine.gaussian import NINETY_PERCENT
from engine.jit import JIT_ENABLED
from patterns_db.search_tables.calibrating import (
    JudgedChoice,
    JudgedGap,
    Situation,
    fit_calibration,
    fit_choices,
    fit_gaps,
    fit_sharpness,
)
from patterns_db.search_tables.calibration_table import read_calibration, write_calibration
from patterns_db.search_tables.posterior_training import (
    EndedPosition,
    JudgedLead,
    LongerSearch,
    fit_posterior,
    fit_reach,
    rank_difference,
)
from patterns_db.store.table_files import write_table

NORMAL = NormalDist()
SHARPNESS = np.array([0.7, -0.3, 0.8, 0.4, 0.2])
COUNT = 3000 if JIT_ENABLED else 600
ENDED = 600  # positions of games


def situations(count: int, rng: np.random.Generator) -> list[Situation]:
    return [
        Situation(int(rng.choice([9, 13, 19])), rng.random(), float(rng.choice([100, 400, 1600])))
        for _ in range(count)
    ]


def found_by(situation: Situation, rng: np.random.Generator) -> Evidence:
    """Return made-up findings of a search in a situation."""
    size = situation.size
    spread = 0.15 * size * size
    return Evidence(
        size, situation.occupied, float(rng.choice([0.5, 6.5, 7.5])), int(situation.playouts),
        rng.normal(0.0, 0.8) * size, 1.0, float(size * size), rng.normal(0.0, spread),
        int(situation.playouts), rng.normal(0.0, spread), rng.normal(0.0, spread), rng.random(),
        tuple(rng.normal(0.0, 0.3, KINDS).tolist()),
    )  # fmt: skip


TRUTH = np.zeros(EVIDENCE)
TRUTH[[BELIEF, 0, 1]] = 0.8, 0.3, 0.2
CORE = np.array([2.8, 0.5, 0.3, 0.0, 0.0, 0.4])
HALF_WIDTH = np.array([1.5, 0.4, -0.1, 0.5, 0.2, 0.3])


def made_up(count: int, seed: int) -> list[EndedPosition]:
    """Return positions whose games end as the model says."""
    rng = np.random.default_rng(seed)
    calibration = no_calibration()._replace(weights=TRUTH, core=CORE)
    positions = []
    for situation in situations(count, rng):
        evidence = found_by(situation, rng)
        truth = posterior_of(evidence, calibration)
        margin = rng.normal(truth.mean, truth.deviation)
        longer = LongerSearch(1200, rng.normal(truth.mean, 0.6 * evidence.size))
        positions.append(EndedPosition(evidence, float(margin > 0.0), longer=longer))
    return positions


def test_nobody_learns_from_nothing():
    learned = fit_calibration([], [], [], no_calibration().reach)
    for weights, expected in zip(learned, no_calibration(), strict=True):
        assert weights.tolist() == expected.tolist()


def test_the_posterior_is_found():
    weights, core = fit_posterior(made_up(ENDED, 1))
    learned = no_calibration()._replace(weights=weights, core=core)
    truth = no_calibration()._replace(weights=TRUTH, core=CORE)
    fresh = [position.evidence for position in made_up(200, 2)]
    one, other = ([posterior_of(e, c) for e in fresh] for c in (learned, truth))
    chances = np.array([[a.chance(), b.chance()] for a, b in zip(one, other, strict=True)])
    assert np.abs(chances[:, 0] - chances[:, 1]).mean() < 0.12
    spreads = np.log([[a.deviation, b.deviation] for a, b in zip(one, other, strict=True)])
    assert np.abs(spreads[:, 0] - spreads[:, 1]).mean() < 0.4


def judged(count: int, seed: int) -> list[JudgedLead]:
    """Return positions whose judged leads lie within HALF_WIDTH in nine of ten cases."""
    rng = np.random.default_rng(seed)
    truth = no_calibration()._replace(weights=TRUTH, core=CORE, reach=HALF_WIDTH)
    posteriors = [
        (evidence, posterior_of(evidence, truth))
        for evidence in (found_by(situation, rng) for situation in situations(count, rng))
    ]
    return [
        JudgedLead(evidence, one.mean + rng.normal(0.0, one.reach / NINETY_PERCENT))
        for evidence, one in posteriors
    ]


def test_nine_of_ten_judged_leads_lie_within_the_interval():
    start = no_calibration()._replace(weights=TRUTH, core=CORE)
    learned = start._replace(reach=fit_reach(judged(ENDED, 3), start))
    shares = {size: [] for size in (9, 13, 19)}
    for evidence, lead, _ in judged(1500, 4):
        posterior = posterior_of(evidence, learned)
        shares[evidence.size].append(abs(lead - posterior.mean) <= posterior.reach)
    for within in shares.values():
        assert np.mean(within) == pytest.approx(0.9, abs=0.06)


def test_more_roll_outs_make_nothing_less_sure():
    _, core = fit_posterior(made_up(150, 5))
    assert core[PLAYED] <= 0.0
    start = no_calibration()._replace(weights=TRUTH, core=CORE)
    worse = [
        one._replace(lead=one.lead * (1.0 + one.evidence.rollouts / 100)) for one in judged(150, 6)
    ]
    assert fit_reach(worse, start)[ROLLOUTS] <= 0.0
    assert fit_reach([], start).tolist() == start.reach.tolist()


def test_the_stronger_player_is_no_part_of_the_position():
    """White wins more often because stronger players have White: an even position is still even."""
    rng = np.random.default_rng(6)
    positions = []
    for position in made_up(ENDED // 2, 6):
        even = position.evidence._replace(occupied=0.05)
        stronger = -float(rng.choice([0.0, 2.0]))
        won = float(rng.random() < NORMAL.cdf(0.5 * stronger))
        positions.append(EndedPosition(even, won, stronger))
    weights, core = fit_posterior(positions)
    learned = no_calibration()._replace(weights=weights, core=core)
    chances = [posterior_of(position.evidence, learned).chance() for position in positions]
    assert np.mean([position.won for position in positions]) < 0.4
    assert np.mean(chances) == pytest.approx(0.5, abs=0.12)


@pytest.mark.parametrize(
    ("ranks", "expected"),
    [
        (("9d", "7d"), 2.0), (("1d", "1k"), 1.0), (("3k", "5k"), 2.0), (("9p", "9d"), 0.0),
        (("9d?", "3段"), 6.0), ((None, "9d"), 0.0), (("?", "9d"), 0.0), (("", "-d"), 0.0),
    ],
)  # fmt: skip
def test_ranks_differ_by(ranks, expected):
    assert rank_difference(ranks) == expected


@pytest.mark.parametrize("won", [0.0, 1.0])
@pytest.mark.parametrize("value", [-300.0, 0.0, 300.0])
def test_one_result_is_not_taken_too_seriously(value, won):
    """Certain and wrong, certain and right, or even: the prior holds the weights."""
    evidence = found_by(Situation(19, 0.5, 400.0), np.random.default_rng(7))
    position = EndedPosition(evidence._replace(value=value), won)
    for weights in (*fit_posterior([position]), fit_sharpness([position])):
        assert np.isfinite(weights).all()
    assert 0.0 < posterior_of(evidence, no_calibration()).chance() < 1.0


def test_the_sharpness_is_found():
    rng = np.random.default_rng(8)
    positions = []
    for situation in situations(COUNT, rng):
        evidence = found_by(situation, rng)
        score = factor(SHARPNESS, evidence.known()) * evidence.probit()
        positions.append(EndedPosition(evidence, float(rng.random() < NORMAL.cdf(score))))
    found = fit_sharpness(positions)
    assert found == pytest.approx(SHARPNESS, abs=0.4 if JIT_ENABLED else 0.8)


def test_the_uncertainty_of_differences_is_found():
    rng = np.random.default_rng(5)
    truth = np.array([0.4, 0.0, -0.3, 0.0, 0.1])
    gaps = []
    for situation in situations(COUNT, rng):
        difference, deviation = rng.exponential(2.0), rng.uniform(1.0, 4.0)
        error = rng.normal(0.0, factor(truth, features_of(*situation)) * deviation)
        gaps.append(JudgedGap(situation, difference, deviation, difference + error))
    assert fit_gaps(gaps) == pytest.approx(truth, abs=0.25)


def test_weights_of_the_choice_are_found():
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
    np.full(FEATURES, 0.1),
    np.ones((2, CHOICES)),
    np.full(EVIDENCE, 0.2),
    np.full(FEATURES + 1, 0.3),
    np.full(REACH, 0.4),
)


def test_a_table_keeps_the_learned_values(tmp_path):
    path = tmp_path / "calibration.table"
    write_calibration(path, TABLE, {"positions": 3})
    for weights, expected in zip(read_calibration(path), TABLE, strict=True):
        assert weights.tolist() == expected.tolist()
    assert '"positions": 3' in path.with_name(path.name + ".MANIFEST").read_text()


def test_tables_of_other_versions_are_refused(tmp_path):
    path = tmp_path / "other.table"
    write_table(path, "calibration", {"weights": np.zeros(FEATURES)}, {})
    with pytest.raises(ModelFormatError, match="calibration of version None"):
        read_calibration(path)
    wrong = TABLE._replace(gap=np.zeros(FEATURES + 1))
    write_calibration(path, wrong, {})
    with pytest.raises(ModelFormatError, match=r"gap is float64\[6\], this yomi reads"):
        read_calibration(path)
