"""The game as one path: which moves are suspected, and what is told of them."""

from itertools import pairwise

import pytest

from engine import BLACK, WHITE, Knowledge
from engine.jit import JIT_ENABLED
from engine.path.losses import observed
from engine.patterns.valuing import no_patterns
from engine.review.judging import path_of, review_game, sign_of, suspects_of
from engine.review.mistakes import tempered
from engine.review.remarks import NAMED
from gtp.review.notes import write_notes
from gtp.review.positions import positions_of
from patterns_db.records.annotations import annotate
from patterns_db.records.sgf import read_main_line, read_record
from tests.review.examples import (
    CHINESE,
    RECORD,
    compared,
    example,
    look,
    point,
    reviewed,
    thoughts_of,
)


@pytest.fixture(autouse=True)
def _cheap_judgement_without_jit(monkeypatch):
    if not JIT_ENABLED:
        monkeypatch.setattr("engine.facts.final_status.ROLLOUTS", 10)
        # Nothing is looked at longer.
        monkeypatch.setattr("engine.review.judging.SUSPECT", 2.0)


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
    judged = review.judgements
    assert [review.thoughts[j.after].number for j in judged] == [1, 2, 3]
    assert judged[2].chance is None  # a pass is no candidate of the ranking model
    assert all(1 <= j.rank <= 25 for j in judged[:2])
    assert all(0.0 <= j.mistake <= 1.0 and 0.0 < j.low <= j.size <= j.high for j in judged)
    data = annotate(line, write_notes(review, [], len(line.nodes)))
    assert read_record(data) == read_record(RECORD)
    assert data.count(b"SBKV[") == 4


@pytest.mark.skipif(not JIT_ENABLED, reason="long searches")
def test_the_same_seed_is_the_same_review():
    one, other = (reviewed(RECORD)[1] for _ in range(2))
    assert one.win_rates == other.win_rates
    assert [j[:9] for j in one.judgements] == [j[:9] for j in other.judgements]


def test_what_looks_like_a_mistake_is_suspected(monkeypatch):
    monkeypatch.setattr("engine.review.judging.SUSPECT", 0.1)
    _, thoughts = example((0.0, -0.5, -12.0, -12.0))
    path = path_of(thoughts, {})
    assert suspects_of(path, {})[0] == 2
    assert path.mistakes[2] > NAMED
    assert max(path.mistakes[0], path.mistakes[1], path.mistakes[3]) < 0.3


def test_a_longer_look_clears_or_convicts():
    _, thoughts = example((0.0, 0.0, -4.0, -4.0))
    doubtful = path_of(thoughts, {}).mistakes[2]
    game = thoughts[2].game
    assert path_of(thoughts, {2: compared(game, "B2", 8.0)}).mistakes[2] > doubtful
    cleared = path_of(thoughts, {2: compared(game, "B2", -2.0)})
    assert cleared.mistakes[2] < doubtful / 2
    assert suspects_of(cleared, {2: compared(game, "B2", -2.0)}) == []


class ToldLookout:
    """A lookout that says what it is told: Black's third move loses 8 points, then not again."""

    def __init__(self, leads, again):
        self.leads, self.again, self.asked = list(leads), again, []

    def look(self, game):
        return look(game.to_play, self.leads.pop(0))

    def compare(self, game, played):
        self.asked.append(("first", played))
        return compared(game, "B2", 8.0)

    def compare_again(self, game, played, found):
        self.asked.append(("again", played))
        losses = (observed(self.again / 40, 0.02), observed(self.again, 2.0))
        return found._replace(losses=losses)


@pytest.mark.parametrize(("again", "is_named"), [(8.0, True), (-8.0, False)])
def test_what_still_seems_a_mistake_is_compared_again(monkeypatch, again, is_named):
    monkeypatch.setattr("engine.review.judging.SUSPECT", 0.3)
    line = read_main_line(b"(;SZ[5];B[cc];W[cd];B[ea];W[dd])")
    lookout = ToldLookout((0.0, 0.0, 0.0, -9.0, -9.0), again)
    review = review_game(positions_of(line, CHINESE, 0.5)[1], lookout, None)
    assert lookout.asked == [("first", point("E5")), ("again", point("E5"))]
    assert (review.judgements[2].mistake >= NAMED) == is_named
    path = path_of(review.thoughts, {2: review.judgements[2].comparison})
    assert review.judgements[2].mistake == tempered(path.mistakes[2])
    assert review.judgements[0].mistake == path.mistakes[0]  # not compared


def test_what_is_told_of_a_compared_move_is_less_sure():
    told = [tempered(0.01 * percent) for percent in range(101)]
    assert told == sorted(told)
    assert 0.0 < told[0] < 0.01
    assert told[5] > 0.15
    assert told[50] == pytest.approx(0.69, abs=0.01)
    assert told[90] < 0.85
    assert 0.9 < told[100] < 0.99
    # Two branches meet: no jump.
    assert max(b - a for a, b in pairwise(told[10:99])) < 0.03


def test_the_chance_to_win_alone_convicts_nobody():
    _, thoughts = example((0.0, 0.0, 0.0, 0.0))
    for later in (3, 4):
        seen = (observed(-1.5, 0.01), thoughts[later].look.seen[1])
        thoughts[later] = thoughts[later]._replace(look=thoughts[later].look._replace(seen=seen))
    losses = (observed(1.5, 0.04), observed(0.0, 12.0))
    comparison = compared(thoughts[2].game, "B2", 0.0)._replace(losses=losses)
    assert path_of(thoughts, {2: comparison}).mistakes[2] < NAMED


def test_two_moves_of_one_color_are_no_step():
    record = b"(;SZ[5];B[cc];B[cd];W[ea])"
    _, thoughts = thoughts_of(record, (0.0,) * 4)
    assert [sign_of(a, b) for a, b in pairwise(thoughts)] == [0, 1, -1]
