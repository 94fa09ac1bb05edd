"""Closer looks of a review: their positions and moves."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import BLACK, WHITE, Game
from engine.belief.losses import LossPart, observed
from engine.facts.chain_facts import ChainFacts
from engine.people.posterior import STRONGEST, WEAKEST, RankPosterior
from engine.review import closer, comparisons
from engine.review.alternatives import alternatives, proved_moves
from engine.review.attention import Doubt, utility
from engine.review.comparisons import Side, none_better
from engine.review.course import Course, path_of
from engine.review.looks import LEAD
from engine.review.mistakes import MISTAKES, prior_odds
from tests.reference import attention as reference
from tests.review.examples import CHINESE, compared, course_of, look, point, thoughts_of


@given(
    st.floats(0.01, 0.99),
    st.floats(-1, 2),
    st.floats(2, 15),
    st.floats(0.1, 20),
    st.floats(0.5, 40),
    st.booleans(),
)
def test_the_utility_is_the_expected_gain(chance, calm, fall, spread, error, ready):
    doubt = Doubt(chance, fall, LossPart(calm, 1.0), LossPart(fall, spread))
    expected = reference.utility(doubt, error, 0.8, ready, steps=1500)
    found = utility(doubt, error, 0.8, ready=ready)
    assert found == pytest.approx(expected, abs=0.02 * fall)


def doubt_of(chance):
    return Doubt(chance, 6.0, LossPart(0.0, 1.0), LossPart(6.0, 9.0))


def test_decided_positions_are_worth_no_look():
    assert utility(doubt_of(0.5), 4.0, 0.8) > 1.0
    assert utility(doubt_of(0.5), 4.0, 0.8) > utility(doubt_of(0.5), 40.0, 0.8)
    assert utility(doubt_of(0.5), 4.0, 0.8) > utility(doubt_of(0.05), 4.0, 0.8)
    assert utility(doubt_of(1e-6), 4.0, 0.8) < 1e-4
    assert utility(doubt_of(1.0 - 1e-6), 4.0, 0.8) < 1e-4


def test_passes_are_rarely_mistakes_whoever_plays():
    weak = RankPosterior(np.eye(WEAKEST - STRONGEST + 1)[-1])
    courses = [
        Course(thoughts_of(b"(;SZ[5]%s;B[cc];W[];B[ee])" % stones, (0.0,) * 4)[1], {BLACK: weak})
        for stones in (b"", b"AB[aa][ab][ac]AW[ea][eb][ec]")
    ]
    opening, course = courses
    assert course.prior(1) == MISTAKES.prior_of_pass < min(course.prior(0), course.prior(2))
    assert opening.prior(0) < opening.prior(2) < course.prior(0)  # in an opening hardly any is one


def test_doubtful_moves_are_looked_at_first():
    course = course_of((0.0, 0.0, -5.0, -5.0))
    wanted = closer.most_useful(course, path_of(course, {}), {}, 100)
    assert wanted[0] == 2
    # The best move found is not looked at again.
    found = {2: none_better(5)}
    assert 2 not in closer.most_useful(course, path_of(course, found), found, 100)
    # A move that was compared often enough is not looked at again.
    comparison = compared(course.thoughts[2].game, "B2", 4.0)
    found = {2: comparison._replace(times=closer.CLOSER.most_times)}
    assert 2 not in closer.most_useful(course, path_of(course, found), found, 100)


class ToldLookout:
    """A lookout with searches in which B2 is best and leads change by given amounts."""

    def __init__(self, after, alternative):
        self.requests = []
        self.told = {point("E5"): after, point("B2"): alternative}

    def playouts(self, size):
        return 100

    def chains(self, game):
        return []

    def look_all(self, requests):
        self.requests += requests
        return [self.look(request.game, request.moves) for request in requests]

    def look(self, game, moves):
        if moves is not None:
            best = "B2" if point("B2") in moves else "D4"
            return look(game.to_play, 0.0, best)
        return look(game.to_play, self.told.get(game.moves[-1].point, 0.0))


def course_with_chances():
    course = course_of((0.0, 0.0, -6.0, -6.0))
    return Course([thought._replace(chances={point("B2"): 0.5}) for thought in course.thoughts])


@pytest.mark.parametrize(("after", "found"), [(-9.0, 9.0), (3.0, -3.0)])
def test_a_closer_look_compares_the_move_with_the_best_alternative(monkeypatch, after, found):
    monkeypatch.setattr(closer, "CLOSER", closer.CLOSER._replace(batch=1))
    monkeypatch.setattr(closer, "CLOSER", closer.CLOSER._replace(budget=0.1))
    course, lookout = course_with_chances(), ToldLookout(after, 0.0)
    (comparison,) = closer.look_closer(course, lookout, lambda *_: None).values()
    assert comparison.better == point("B2")
    assert comparison.losses[1].mean == pytest.approx(found)
    choice, *pair = lookout.requests
    assert {point("E5"), point("B2")} <= choice.moves
    assert [request.game.moves[-1].point for request in pair] == [point("E5"), point("B2")]
    # Many small comparisons find more than few large ones.
    assert {request.playouts for request in pair} == {25}
    assert choice.playouts == 50
    assert len({request.seed for request in pair}) == 1


def test_moves_are_compared_in_even_games():
    course, lookout = course_of((20.0, 20.0, 20.0, 20.0)), ToldLookout(0.0, 0.0)
    path = path_of(course, {})
    closer._look_at(course, path, [1, 2], {}, lookout)
    leads = [path.states[LEAD][step][0] for step in (1, 2)]
    assert min(leads) > 15.0
    assert {request.even for request in lookout.requests} == {round(lead) for lead in leads}


class TwoRivalsLookout(ToldLookout):
    """D2 is nearly as good as B2."""

    def look(self, game, moves):
        found = super().look(game, moves)
        second = found.decision.candidates[0]._replace(point=point("D2"), best=0.4)
        candidates = (*found.decision.candidates, second)
        return found._replace(decision=found.decision._replace(candidates=candidates))


def test_another_comparison_keeps_the_findings_about_all_rivals():
    course, lookout = course_with_chances(), TwoRivalsLookout(-9.0, 2.0)
    found = {}
    for _ in range(2):
        closer._look_at(course, path_of(course, found), [2], found, lookout)
    assert found[2].times == 2
    assert {side.point: side.times for side in found[2].rivals} == {point("B2"): 2, point("D2"): 1}


class OverstatingLookout(ToldLookout):
    """Searches with less than 800 roll-outs find that E5 loses 9 points, others 1 point."""

    def look_all(self, requests):
        self.told[point("E5")] = -1.0 if all(r.playouts >= 800 for r in requests) else -9.0
        return super().look_all(requests)


def test_a_large_comparison_replaces_the_small_ones_of_a_suspect(monkeypatch):
    limits = closer.CLOSER._replace(batch=1, budget=4.0, most_times=2)
    monkeypatch.setattr(closer, "CLOSER", limits)
    course, lookout = course_with_chances(), OverstatingLookout(-9.0, 0.0)
    comparison = closer.look_closer(course, lookout, lambda *_: None)[2]
    assert comparison.losses[LEAD].mean == pytest.approx(1.0)
    assert [request.playouts for request in lookout.requests[-2:]] == [800, 800]
    # Small comparisons alone: the budget has no room for a large one.
    monkeypatch.setattr(closer, "CLOSER", limits._replace(settling=50.0))
    comparison = closer.look_closer(course, lookout, lambda *_: None)[2]
    assert comparison.losses[LEAD].mean == pytest.approx(9.0)


@pytest.mark.parametrize("lost", [1.0, 30.0])
def test_the_error_of_a_comparison_grows_with_the_loss(lost):
    game = Game(5, CHINESE, 0.5)
    played, rival = (
        Side(place, (observed(lead / 40, 0.01), observed(lead, 1.0)))
        for place, lead in ((point("E5"), 0.0), (point("B2"), lost))
    )
    found = comparisons.compared(game, played, [rival])
    assert found.losses[LEAD].mean == pytest.approx(lost)
    bias = comparisons.pair_bias(5)[LEAD]
    expected = 2.0 + bias**2 + (comparisons.ERROR_SHARE * lost) ** 2
    assert 1.0 / found.losses[LEAD].pi == pytest.approx(expected)


def test_a_pass_that_ended_the_game_is_judged_by_its_count():
    _, thoughts = thoughts_of(b"(;SZ[5];B[cc];W[];B[])", (0.0, 0.0, 0.0, 5.0))
    counted = thoughts[3].look.decision._replace(candidates=())
    thoughts[3] = thoughts[3]._replace(look=thoughts[3].look._replace(decision=counted))
    course = Course([thought._replace(chances={point("B2"): 0.5}) for thought in thoughts])
    found = closer.look_closer(course, ToldLookout(0.0, 6.0), lambda *_: None)
    assert found[2].losses[1].mean == pytest.approx(6.0 - 5.0)


def test_the_budget_holds():
    course, lookout = course_with_chances(), ToldLookout(-4.0, 0.0)
    closer.look_closer(course, lookout, lambda *_: None)
    spent = sum(request.playouts for request in lookout.requests)
    most = 3 * closer.rollouts_of(100, closer.CLOSER.most_times) * closer.CLOSER.batch
    assert spent <= closer.CLOSER.budget * 100 * len(course.thoughts) + most


def test_alternatives_go_beyond_the_favorites_of_a_search():
    game = Game(5, CHINESE, 0.5)
    game.play(BLACK, point("C3"))
    game.play(WHITE, point("C4"))
    chances = {point("B2"): 0.4, point("D2"): 0.3, point("A1"): 1e-6}
    chain = ChainFacts((point("C4"),), WHITE, (), "critical", attacks=(point("C5"),))
    moves = alternatives(game, point("E1"), look(BLACK, 0.0, "D4"), point("C3"), chances, [chain])
    # C3 is taken, and A1 is a move that nobody would play.
    assert moves == {point(v) for v in ("E1", "D4", "B2", "D2", "C5")}
    assert proved_moves(chain, WHITE) == ()


def test_weak_players_make_more_mistakes():
    def ranks(kyu):
        chances = [float(rank == kyu) for rank in range(STRONGEST, WEAKEST + 1)]
        return RankPosterior(np.array(chances))

    assert prior_odds(0.1, ranks(20)) > prior_odds(0.1, ranks(0)) > prior_odds(0.1, ranks(-8))
    assert prior_odds(0.001, ranks(0)) > prior_odds(0.1, ranks(0)) > prior_odds(None, ranks(0)) - 1
    assert prior_odds(0.1, ranks(-8)) < prior_odds(0.1) < prior_odds(0.1, ranks(20))
