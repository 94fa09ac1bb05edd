"""The posterior of a position: its twin, the leader, its narrowing, and the moves' shares."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import BLACK, WHITE, Game, Knowledge
from engine.belief.calibration import BELIEF, EVIDENCE, FEATURES, REACH, no_calibration
from engine.belief.open_points import KINDS, open_by_kind
from engine.belief.posterior import (
    MARGIN,
    NORMAL,
    Evidence,
    Posterior,
    evidence_features,
    owners_evidence,
    owners_with_sum,
    posterior_of,
)
from engine.belief.searcher import Searcher
from engine.gaussian import NINETY_PERCENT
from engine.go.board import COLOR
from engine.go.geometry import AREA, board_points
from patterns_db.search_tables.calibration_table import read_calibration
from patterns_db.shipped import CALIBRATION_TABLE
from tests.belief.test_searcher import root_of
from tests.reference import posterior as twin
from tests.search.growing import NO_PATTERNS, NO_POLICY, UNIFORM

SHIPPED = read_calibration(CALIBRATION_TABLE)
PLAIN = no_calibration()


def evidence(**more) -> Evidence:
    usual = {
        "size": 19, "occupied": 0.25, "komi": 7.5, "rollouts": 400, "value": 0.0, "variance": 1.5,
        "length": 380.0, "margin": 0.0, "seen": 400, "stones": 0.0, "ground": 0.0, "open": 0.8,
        "kinds": (0.0,) * KINDS,
    }  # fmt: skip
    return Evidence(**{**usual, **more})


SOME = st.builds(
    evidence,
    size=st.integers(2, 25),
    occupied=st.floats(0.0, 1.0),
    komi=st.sampled_from([-30.5, -3.5, 0.0, 6.5, 7.0, 14.5, 400.0]),
    rollouts=st.integers(0, 100_000),
    seen=st.integers(0, 100_000),
    value=st.floats(-30.0, 30.0),
    margin=st.floats(-300.0, 300.0),
    stones=st.floats(-200.0, 200.0),
    ground=st.floats(-200.0, 200.0),
    open=st.floats(0.0, 1.0),
    kinds=st.floats(-1.0, 1.0).map(lambda x: (x,) * KINDS),
    handicap=st.sampled_from([0, 0, 2, 9]),
    scatter=st.floats(0.0, 80.0),
    balance=st.none() | st.floats(-400.0, 400.0),
)


@given(SOME, st.integers(0, 2**32 - 1))
def test_it_is_its_twin(found, seed):
    rng = np.random.default_rng(seed)
    weights = rng.normal(0.0, 0.3, EVIDENCE)
    core, reach = rng.normal(0.0, 1.0, FEATURES + 1), rng.normal(0.0, 1.0, REACH)
    posterior = posterior_of(found, PLAIN._replace(weights=weights, core=core, reach=reach))
    mean, deviation, chance, half = twin.posterior(found._asdict(), weights, core, reach)
    assert posterior.reach == pytest.approx(half)
    assert posterior.mean == pytest.approx(mean, rel=1e-9, abs=1e-9)
    assert posterior.deviation == pytest.approx(deviation)
    assert posterior.chance() == pytest.approx(min(max(chance, MARGIN.surest), 1.0 - MARGIN.surest))


@given(SOME, st.sampled_from([PLAIN, SHIPPED]))
def test_the_side_with_the_higher_chance_leads(found, calibration):
    posterior = posterior_of(found, calibration)
    assert (posterior.chance() > 0.5) == (posterior.mean / posterior.deviation > 1e-16)
    low, high = posterior.interval()
    assert low <= posterior.mean <= high
    assert -(found.size**2) - found.komi <= low < high <= found.size**2 - found.komi
    if MARGIN.surest < posterior.chance() < 1.0 - MARGIN.surest:
        score = posterior.mean / posterior.deviation
        assert NORMAL.inv_cdf(posterior.chance()) == pytest.approx(score, abs=1e-6)


@pytest.mark.parametrize("size", [9, 19])
@pytest.mark.parametrize("komi", [-40.5, -10.5, 14.5, 30.5])
def test_a_point_of_unusual_komi_is_a_point_of_lead(size, komi):
    """The same roll-outs, counted with another komi: their margins follow it, and so does the lead.

    Values follow from margins; where all roll-outs end alike they stay at three deviations.
    """
    usual = min(max(komi, -1.5), 9.5)
    leads = {}
    for points in (komi, usual):
        margin, length = 6.0 - points, 1.1 * size * size
        probit = min(max(margin / 25.0, -3.0), 3.0)
        found = evidence(
            size=size, occupied=0.1, komi=points, rollouts=2000, seen=2000, margin=margin,
            length=length, value=probit * math.sqrt(length + 1.5), scatter=25.0,
        )  # fmt: skip
        leads[points] = posterior_of(found, SHIPPED).mean
    assert leads[komi] - leads[usual] == pytest.approx(usual - komi, abs=1e-6)


@given(SOME, st.floats(0.0, 50.0))
def test_fewer_points_never_raise_the_chance_to_win(found, points):
    posterior = posterior_of(found, SHIPPED)
    worse = posterior.at(posterior.mean - points)
    assert worse.mean == pytest.approx(max(posterior.mean - points, -(found.size**2) - found.komi))
    assert worse.chance() <= posterior.chance()


@pytest.mark.parametrize("size", [9, 13, 19])
@pytest.mark.parametrize("occupied", [0.05, 0.2, 0.4, 0.6])
def test_a_position_that_is_better_in_every_respect_leads_by_more(size, occupied):
    """Ahead by more points of owners, in their margin, and in the belief about winning."""
    leads = []
    for ahead in (-0.2, -0.1, 0.0, 0.1, 0.2):
        points, taken = size * size, size * size * occupied
        found = evidence(
            size=size, occupied=occupied, komi=0.0, value=5.0 * size * ahead, margin=ahead * points,
            length=1.1 * points, stones=ahead * taken / 2, ground=ahead * (points - taken) / 2,
        )  # fmt: skip
        leads.append(posterior_of(found, SHIPPED).mean)
    assert leads == sorted(leads)


def test_before_the_first_roll_out_it_is_the_prior_of_an_even_game():
    for komi in (0.0, 6.5, 7.0, 7.5):
        found = evidence(rollouts=0, seen=0, komi=komi, occupied=0.0, length=0.0, open=1.0)
        for calibration in (PLAIN, SHIPPED):
            assert posterior_of(found, calibration).mean == pytest.approx(MARGIN.even_komi - komi)


def test_handicap_stones_count_before_roll_outs_do():
    leads = [
        posterior_of(evidence(rollouts=n, seen=n, occupied=0.025, komi=0.5, handicap=9), SHIPPED)
        for n in (0, 100, 100_000)
    ]
    assert leads[0].mean == pytest.approx(7.0 + 8 * 14.0 - 0.5)
    assert leads[0].mean > leads[1].mean > leads[2].mean


def test_roll_outs_and_settled_points_narrow_it():
    for size in (9, 13, 19):
        spreads = [
            posterior_of(evidence(size=size, rollouts=n, seen=n, open=0.6), SHIPPED).reach
            for n in (1, 10, 100, 1000, 10_000)
        ]
        assert spreads == sorted(spreads, reverse=True)
        assert spreads[0] > spreads[-1]
        spreads = [
            posterior_of(evidence(size=size, open=share), SHIPPED).reach
            for share in (0.9, 0.6, 0.3, 0.1, 0.0)
        ]
        assert spreads == sorted(spreads, reverse=True)
        assert spreads[0] > spreads[-1]


def test_a_counted_position_is_won_or_lost():
    assert [Posterior(mean, 0.0).chance() for mean in (3.5, 0.0, -0.5)] == [1.0, 0.5, 0.0]


def test_owners_are_counted_as_the_twin_counts_them():
    game = Game(5)
    for point in game.legal_points(BLACK)[3:17:3]:
        game.play(game.to_play, point)
    points = list(board_points(5))
    ownership = np.zeros(AREA)
    ownership[points] = np.random.default_rng(1).uniform(-1.0, 1.0, len(points))
    colors = [int(game.board[COLOR + point]) for point in points]
    *found, kinds, balance = owners_evidence(game.board, ownership)
    expected = twin.owners(colors, ownership[points].tolist())
    assert [*found, balance] == pytest.approx(expected)
    assert list(kinds) == open_by_kind(game.board, ownership).tolist()


def late(open_share: float, balance: float | None) -> Posterior:
    """Return the posterior of a position late in a game that White has nearly won."""
    found = evidence(
        occupied=0.7, komi=0.5, value=-1.9 * 20.0, variance=0.0, length=400.0, margin=-39.5,
        open=open_share, stones=-2.0, ground=-32.0, scatter=10.0, balance=balance,
    )  # fmt: skip
    return posterior_of(found, SHIPPED)


@pytest.mark.parametrize("points", [-47.0, -8.0])
def test_the_owners_tell_the_size_of_a_lead_that_is_sure(points):
    """Results end alike with 8 and with 47 points, so what they teach is the winner alone."""
    without, found = late(0.05, None), late(0.05, points)
    assert abs(without.mean - (points - 0.5)) > 4.0
    assert found.mean == pytest.approx(points - 0.5, abs=1.0)
    assert found.chance() == without.chance()


def test_chances_are_those_at_both_ends_of_the_interval():
    posterior = Posterior.of_board(9, 0.5, 6.0, 3.0, 10.0)
    assert posterior.interval() == (-4.0, 16.0)
    assert posterior.chances() == pytest.approx((NORMAL.cdf(-4.0 / 3.0), NORMAL.cdf(16.0 / 3.0)))
    assert Posterior.of_board(3, 0.5, 6.0, 3.0, 10.0).interval() == (-4.0, 8.5)


@pytest.mark.parametrize("points", [-60.0, 0.0, 60.0])
def test_owners_say_nothing_of_a_lead_where_much_is_open(points):
    middle = {"value": -10.0, "margin": -15.0, "open": 0.5, "occupied": 0.4}
    without = posterior_of(evidence(**middle), SHIPPED)
    found = posterior_of(evidence(**middle, balance=points), SHIPPED)
    assert found.mean == pytest.approx(without.mean, rel=0.05)


def test_owners_on_the_other_side_shrink_a_lead_and_do_not_turn_it():
    without, found = late(0.05, None), late(0.05, 40.0)
    assert found.mean == pytest.approx(0.1 * without.mean)
    assert found.chance() == pytest.approx(without.chance())


def test_owners_that_no_roll_out_told_say_nothing():
    found = evidence(size=3, komi=7.5, value=30.0, margin=7.0, rollouts=500, seen=0, open=1.0)
    assert posterior_of(found._replace(balance=0.0), SHIPPED) == posterior_of(found, SHIPPED)


SHARES = st.lists(st.floats(-0.99, 0.99), min_size=2, max_size=30)


@given(SHARES, st.floats(-0.9, 0.9))
def test_owners_get_a_sum_as_the_twin_gives_it(shares, wanted):
    total = wanted * len(shares)
    found = owners_with_sum(np.array(shares), total)
    assert found.sum() == pytest.approx(total, abs=1e-6)
    assert found == pytest.approx(np.array(twin.tilted(shares, total)), abs=1e-5)


def test_settled_points_stay_when_owners_get_another_sum():
    found = owners_with_sum(np.array([1.0, -1.0, 0.0, 0.2]), 1.0)
    assert found[:2] == pytest.approx([1.0, -1.0])
    assert found[2:].sum() == pytest.approx(1.0)
    assert 0.3 < found[2] < found[3]


@pytest.mark.parametrize("owner", [-1.0, 0.0, 1.0])
@pytest.mark.parametrize("total", [-30.0, -25.0, -24.0, 0.0, 24.0, 25.0, 30.0])
def test_owners_that_all_agree_get_any_sum(owner, total):
    found = owners_with_sum(np.full(25, owner), total)
    assert found.sum() == pytest.approx(min(max(total, -25.0), 25.0), abs=1e-5)
    assert np.abs(found).max() <= 1.0


def test_without_lessons_it_is_the_searchs_belief():
    found = evidence(value=9.0, rollouts=10_000_000, margin=20.0)
    expected = 9.0 / math.sqrt(381.5)
    posterior = posterior_of(found, PLAIN)
    assert NORMAL.inv_cdf(posterior.chance()) == pytest.approx(expected, abs=1e-3)
    assert posterior.reach == pytest.approx(NINETY_PERCENT * 18.0)
    assert evidence_features(found)[BELIEF] == pytest.approx(expected, abs=1e-4)


def reported(color: int, playouts: int = 60, komi: float = 0.5):
    searcher = Searcher(
        UNIFORM, Knowledge(NO_POLICY, NO_PATTERNS, calibration=SHIPPED), 1, 1 << 20, 5
    )
    game = Game(4)
    game.play(BLACK, game.legal_points(BLACK)[5])
    searcher.set_root(root_of(game, color, komi=komi), None)
    searcher.run(playouts, None)
    return searcher.report()


@pytest.mark.parametrize("color", [BLACK, WHITE])
def test_moves_and_position_are_one_belief(color):
    report = reported(color)
    sign = 1.0 if color == BLACK else -1.0
    best, *others = report.moves
    chance = report.posterior.chance()
    assert best.win_rate == pytest.approx(chance if color == BLACK else 1.0 - chance)
    assert best.margin == pytest.approx(sign * report.posterior.mean)
    for move in others:
        assert move.margin <= best.margin
        assert move.win_rate <= best.win_rate
        expected = NORMAL.cdf(move.margin / report.posterior.deviation)
        assert move.win_rate == pytest.approx(expected, abs=1e-6)
    assert report.lead_interval == report.posterior.interval()


@pytest.mark.parametrize("color", [BLACK, WHITE])
def test_owners_are_of_the_same_belief(color):
    report, komi = reported(color, komi=2.5), 2.5
    sign = 1.0 if color == BLACK else -1.0
    rolled = report.ownership.copy()
    assert rolled.sum() - komi != pytest.approx(report.posterior.mean, abs=0.1)
    assert report.owners().sum() - komi == pytest.approx(report.posterior.mean)
    move = report.moves[1]
    assert report.owners_after(move, color).sum() - komi == pytest.approx(sign * move.margin)
    assert np.array_equal(report.ownership, rolled)  # the findings stay as they were


def test_a_search_says_how_far_its_margins_scatter():
    searcher = Searcher(UNIFORM, Knowledge(NO_POLICY, NO_PATTERNS), 1, 1 << 20, 5)
    searcher.set_root(root_of(Game(5), BLACK, komi=30.5), None)
    searcher.run(100, None)
    report = searcher.report()
    assert report.evidence is not None
    assert report.evidence.scatter == report.margin_deviation > 1.0
