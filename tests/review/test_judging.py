"""The verdicts on the moves of a game."""

import math
from itertools import pairwise, product

import numpy as np
import pytest

from engine import BLACK, WHITE, Knowledge
from engine.belief.losses import observed, sigmoid
from engine.go.geometry import AREA
from engine.jit import JIT_ENABLED
from engine.patterns.valuing import no_patterns
from engine.review import closer
from engine.review.course import path_of, sign_of
from engine.review.judging import JUDGING, judge
from engine.review.looks import LEAD
from engine.review.mistakes import MISTAKES, named_chance, tempered, verdict_of
from engine.review.move_loss import LOSS
from gtp.review.notes import write_notes
from patterns_db.records.annotations import annotate
from patterns_db.records.sgf import read_record
from tests.review.examples import RECORD, compared, course_of, rank, reviewed, thoughts_of


@pytest.fixture(autouse=True)
def _no_closer_looks_without_the_jit(monkeypatch):
    if not JIT_ENABLED:
        monkeypatch.setattr(closer, "CLOSER", closer.CLOSER._replace(budget=0.0))


def test_each_position_of_the_main_line_is_looked_at():
    line, review = reviewed(RECORD, Knowledge(patterns=no_patterns()))
    assert len(line.nodes) == 5
    assert [(t.node, t.number, t.look.color) for t in review.thoughts] == [
        (0, 0, WHITE), (1, 1, BLACK), (3, 2, WHITE), (4, 3, BLACK)
    ]  # fmt: skip
    assert [t.play and t.play.color for t in review.thoughts] == [None, WHITE, BLACK, WHITE]
    for thought, rate in zip(review.thoughts, review.win_rates, strict=True):
        assert sum(thought.chances.values()) == pytest.approx(1.0)
        assert 0.0 <= rate <= 1.0
    for rate, (lead, _), (low, high) in zip(
        review.win_rates, review.leads, review.win_intervals, strict=True
    ):
        assert (rate > 0.5, rate < 0.5) == (lead > 0.0, lead < 0.0)
        assert low <= rate <= high
    judged = review.judgements
    assert [review.thoughts[j.after].number for j in judged] == [1, 2, 3]
    assert judged[2].chance is None  # a pass is no candidate of the ranking model
    assert all(0.0 <= j.mistake <= 1.0 for j in judged)
    assert all(0.0 <= j.loss.low <= j.loss.points <= j.loss.high for j in judged)
    data = annotate(line, write_notes(review, [], len(line.nodes)))
    assert read_record(data) == read_record(RECORD)
    assert data.count(b"SBKV[") == 4


@pytest.mark.skipif(not JIT_ENABLED, reason="long searches")
def test_the_same_seed_is_the_same_review_with_any_number_of_threads():
    one, other = (reviewed(RECORD, playouts=40, threads=threads)[1] for threads in (1, 3))
    assert one.win_rates == other.win_rates
    assert [_told(j) for j in one.judgements] == [_told(j) for j in other.judgements]
    assert any(j.comparison is not None for j in one.judgements)


def _told(judgement):
    comparison = judgement.comparison
    looked = comparison and (comparison.better, comparison.losses, comparison.times)
    return judgement._replace(comparison=looked)


def test_a_fall_of_the_lead_is_probably_a_mistake():
    path = path_of(course_of((0.0, -0.5, -40.0, -40.0)), {})
    assert path.mistakes[2] > MISTAKES.named
    assert max(path.mistakes[0], path.mistakes[1], path.mistakes[3]) < 0.3


def test_a_closer_look_clears_or_convicts():
    course = course_of((0.0, 0.0, -4.0, -4.0))
    doubtful = path_of(course, {}).mistakes[2]
    game = course.thoughts[2].game
    convicted = {2: compared(game, "B2", 8.0)}
    assert path_of(course, convicted).mistakes[2] > doubtful
    review = judge(course, convicted, path_of(course, convicted))
    assert [j.verdict == "mistake" for j in review.judgements] == [False, False, True, False]
    accused = review.judgements[2]
    assert accused.loss.low < accused.loss.points < accused.loss.high
    assert accused.certainty == "clear"
    cleared = {2: compared(game, "B2", -2.0)}
    assert path_of(course, cleared).mistakes[2] < doubtful / 2


def test_a_move_that_all_searches_prefer_loses_nothing():
    course = course_of((0.0, 0.0, -4.0, -4.0))
    for step, thought in enumerate(course.thoughts[:-1]):
        played = course.thoughts[step + 1].play.point
        review = judge(course, {}, path_of(course, {}))
        best = thought.look.decision.candidates[0].point == played
        assert review.judgements[step].loss.points == 0.0 or not best
        assert review.judgements[2].loss.points > 0.0
        changed = course.thoughts.copy()
        preferred = thought.look.decision.candidates[0]._replace(point=played)
        decision = thought.look.decision._replace(point=played, candidates=(preferred,))
        changed[step] = thought._replace(look=thought.look._replace(decision=decision))
        again = judge(course._replace(thoughts=changed), {}, path_of(course, {}))
        assert again.judgements[step].loss.points == 0.0
        assert again.judgements[step].loss.high > 0.0


@pytest.mark.parametrize(("reach", "word"), [(0.5, "decisive"), (60.0, "large")])
def test_a_loss_decides_only_where_the_lead_is_sure(reach, word):
    course = course_of((1.0, 1.0, -8.0, -8.0))
    for step, thought in enumerate(course.thoughts):
        course.thoughts[step] = thought._replace(look=thought.look._replace(reach=reach))
    convicted = {2: compared(course.thoughts[2].game, "B2", 9.0)}
    review = judge(course, convicted, path_of(course, convicted))
    assert review.judgements[2].loss.word == word


def test_open_leads_of_kyu_players_are_larger_and_less_sure_at_equal_chances():
    course = course_of((0.0, 9.0, 9.0, -6.0))
    settled = course.thoughts[3].look._replace(ownership=np.ones(AREA))
    course.thoughts[3] = course.thoughts[3]._replace(look=settled)
    dan, kyu = (
        judge(some, {}, path_of(course, {}))
        for some in (course, course._replace(ranks={BLACK: rank(10)}))
    )
    for step, ((lead, reach), (larger, wider)) in enumerate(zip(dan.leads, kyu.leads, strict=True)):
        share = 0.0 if step == 3 else JUDGING.kyu_share
        assert larger == pytest.approx((1.0 + share) * lead, abs=0.1)
        assert wider == pytest.approx(JUDGING.kyu_reach * reach)
    assert kyu.win_rates == pytest.approx(dan.win_rates, abs=0.06)


def test_an_improbable_loss_is_small():
    course = course_of((0.0, 0.0, -4.0, -4.0))
    convicted = {2: compared(course.thoughts[2].game, "B2", 8.0)}
    path = path_of(course, convicted)
    likely = judge(course, convicted, path).judgements[2]
    expected = LOSS.larger * (likely.mistake * path.losses[2][LEAD].size) ** LOSS.power
    assert likely.loss.points == pytest.approx(expected)
    path.mistakes[2] = 0.001
    improbable = judge(course, convicted, path).judgements[2].loss.points
    assert improbable < MISTAKES.least_loss < likely.loss.points


def test_a_comparison_that_finds_a_gain_found_no_better_move():
    course = course_of((0.0, 0.0, -8.0, -8.0))
    chances = {}
    for loss in (3.0, -3.0):
        comparisons = {2: compared(course.thoughts[2].game, "B2", loss)}
        path = path_of(course, comparisons)
        review = judge(course, comparisons, path)
        chances[loss] = review.judgements[2].mistake
        told = tempered(path.mistakes[2], course.prior(2), course.wildness(2))
        assert chances[loss] == pytest.approx(told, abs=0.005)
        assert bool(review.judgements[2].better_moves) == (loss > 0.0)
    assert chances[-3.0] < chances[3.0]


def test_a_mistake_needs_comparisons_that_find_one():
    assert verdict_of(0.99, 8.0, 2, 9) == "mistake"
    assert verdict_of(0.99, 8.0, 1, 9) == "uncertain"
    assert verdict_of(0.99, 1.0, 2, 9) == "uncertain"
    assert verdict_of(0.99, None, 0, 9) == "uncertain"
    assert verdict_of(0.4, 8.0, 2, 9) == "uncertain"
    assert [verdict_of(0.55, 8.0, 2, size) for size in (9, 19)] == ["mistake", "uncertain"]
    assert verdict_of(0.01, 8.0, 2, 9) == "fine"


def test_evidence_counts_in_part_and_more_where_much_is_at_stake():
    for wild, prior in product((0.1, 1.0, 2.0), (-1.0, 0.0)):
        probs = [tempered(0.01 * percent, prior, wild) for percent in range(101)]
        assert probs == sorted(probs)
        for size, named in ((13, MISTAKES.named), (19, MISTAKES.large_named)):
            chance = named_chance(prior, wild, size)
            assert tempered(chance, prior, wild) == pytest.approx(named)
    assert tempered(0.9, -2.0, 0.2) < tempered(0.9, -2.0, 1.0) < 0.9
    assert tempered(0.02, -2.0, 1.0) > 0.02


def test_the_prior_of_a_mistake_counts_in_full():
    odds = []
    for prior in (-3.0, -1.0):  # a path that knows nothing more
        prob = tempered(sigmoid(prior), prior, 1.0)
        odds.append(math.log(prob / (1.0 - prob)))
    assert odds[1] - odds[0] == pytest.approx(2.0)


def test_the_chance_to_win_alone_proves_no_mistake():
    course = course_of((0.0, 0.0, 0.0, 0.0))
    thoughts = course.thoughts
    for later in (3, 4):
        observations = (observed(-1.5, 0.01), thoughts[later].look.observations[1])
        thoughts[later] = thoughts[later]._replace(
            look=thoughts[later].look._replace(observations=observations)
        )
    losses = (observed(1.5, 0.04), observed(0.0, 12.0))
    comparison = compared(thoughts[2].game, "B2", 0.0)._replace(losses=losses)
    assert path_of(course, {2: comparison}).mistakes[2] < MISTAKES.named


def test_two_moves_of_one_color_are_no_step():
    record = b"(;SZ[5];B[cc];B[cd];W[ea])"
    _, thoughts = thoughts_of(record, (0.0,) * 4)
    assert [sign_of(a, b) for a, b in pairwise(thoughts)] == [0, 1, -1]


def test_shown_leads_are_possible_on_the_board():
    course = course_of((0.0, 300.0, 300.0, 300.0))
    review = judge(course, {}, path_of(course, {}))
    leads = [lead for lead, _ in review.leads]
    assert max(leads) == 24.5
    for lead, rate in zip(leads, review.win_rates, strict=True):
        assert (lead > 0.0) == (rate > 0.5)
