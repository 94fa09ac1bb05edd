"""Reviews: which positions are looked at, what a move lost, what the record then says."""

import threading
import zipfile
from itertools import pairwise

import numpy as np
import pytest

from engine import (
    BLACK,
    NOTHING,
    PASS,
    RULESETS,
    WHITE,
    BadSetup,
    Candidate,
    Decision,
    Game,
    Knowledge,
    PlayerOptions,
    Predictor,
    SgfError,
    observed,
    parse_vertex,
)
from engine.go.geometry import AREA
from engine.jit import JIT_ENABLED
from engine.patterns.valuing import no_patterns
from patterns_db.records.annotations import annotate
from patterns_db.records.sgf import Play, read_main_line, read_record
from patterns_db.review.games import find_jobs
from patterns_db.review.judging import (
    Judgement,
    Review,
    Thought,
    path_of,
    review_game,
    sign_of,
    suspects_of,
    tempered,
)
from patterns_db.review.looks import Comparison, Lookout, PositionLook, Stopped, share_evidence
from patterns_db.review.notes import write_notes
from patterns_db.review.pages import index_of, page_of
from patterns_db.review.positions import positions_of
from patterns_db.review.reasons import habit, reason_for
from patterns_db.review.remarks import (
    NAMED,
    Level,
    describe_lead,
    describe_remark,
    doubts_of,
    read_level,
    remarks_of,
)

CHINESE = RULESETS["chinese"]
RECORD = (
    b"(;GM[1]SZ[5:5]KM[0.5]PB[S\xc3\xb3ng]AB[aa]PL[W]LB[bb:x];W[cc]C[mine]TR[dd]"
    b";C[no move here];B[dc](;W[]TE[1])(;W[cd];B[bd]))"
)


@pytest.fixture(autouse=True)
def _cheap_judgement_without_jit(monkeypatch):
    if not JIT_ENABLED:
        monkeypatch.setattr("engine.facts.final_status.ROLLOUTS", 10)
        monkeypatch.setattr(
            "patterns_db.review.judging.SUSPECT", 2.0
        )  # nothing is looked at longer


def point(vertex):
    return parse_vertex(vertex, 5)


def reviewed(data, knowledge=None, playouts=8):
    line = read_main_line(data)
    knowledge = knowledge or Knowledge()
    lookout = Lookout(PlayerOptions(playouts=playouts, threads=1, seed=1), knowledge)
    predictor = Predictor(knowledge.patterns) if knowledge.patterns is not None else None
    return line, review_game(*positions_of(line, CHINESE, 0.5), lookout, predictor)


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


def test_the_next_move_says_whose_turn_it_is():
    line = read_main_line(b"(;SZ[5];B[aa];B[bb];AW[cc];W[dd])")
    _, games = positions_of(line, CHINESE, 0.5)
    assert [game.to_play for game in games] == [BLACK, BLACK, WHITE, WHITE, BLACK]
    assert [len(game.moves) for game in games] == [0, 1, 2, 0, 1]


def test_an_illegal_move_ends_the_line_and_is_named():
    line = read_main_line(b"(;SZ[5];B[aa];W[bb];B[aa];W[cc])")
    shorter, games = positions_of(line, CHINESE, 0.5)
    assert [len(game.moves) for game in games] == [0, 1, 2]
    assert len(shorter.nodes) == 3
    assert "after 2 moves: illegal move: black A5" in shorter.record.notes[-1]
    with pytest.raises(SgfError, match="after 1 moves: illegal move"):
        positions_of(read_main_line(b"(;SZ[5]B[aa]W[aa])"), CHINESE, 0.5)


@pytest.mark.parametrize(
    "data",
    [
        b"(;SZ[5])",
        b"(;SZ[5]RU[Japanese];B[];W[])",
        b"(;SZ[5]HA[2]AB[bb][dd];W[cc])",
        b"(;SZ[5];B[aa];B[bb];AW[cc];W[dd])",
    ],
)
def test_unusual_records(data):
    line = read_main_line(data)
    lookout = Lookout(PlayerOptions(playouts=4, threads=1, seed=1), Knowledge())
    review = review_game(*positions_of(line, RULESETS["japanese"], 0.5), lookout, None)
    assert all(np.isfinite(rate) for rate in review.win_rates)
    notes = write_notes(review, remarks_of(review, Level()), len(line.nodes))
    assert read_record(annotate(line, notes)) == read_record(data)


def test_a_stopped_review_ends():
    stop = threading.Event()
    stop.set()
    lookout = Lookout(PlayerOptions(playouts=4, threads=1, seed=1), Knowledge(), stop)
    with pytest.raises(Stopped):
        lookout.look(Game(5, CHINESE, 0.5))


# -- with searches that say what they are told -------------------------------------------------


def look(color, lead, best="C3", ownership=None, line=()):
    rate = 0.5 + lead / 100
    own = lead if color == BLACK else -lead
    rate = rate if color == BLACK else 1.0 - rate
    points = (point(best), *map(point, line))
    candidates = (Candidate(points[0], 90, rate, own, rate, 0.1, own, 0.5, "", points),)
    decision = Decision(points[0], False, "", rate, 90, candidates)
    owners = np.zeros(AREA) if ownership is None else ownership
    return PositionLook(color, decision, (observed(lead / 40, 0.01), observed(lead, 1.0)), owners)


def thoughts_of(record, leads):
    line = read_main_line(record)
    _, games = positions_of(line, CHINESE, 0.5)
    chances = {point("C3"): 0.5, point("B2"): 0.3, point("A1"): 0.002}
    return line, [
        Thought(node, node, line.nodes[node][0] if node else None, game,
                look(game.to_play, lead), chances)
        for node, (game, lead) in enumerate(zip(games, leads, strict=True))
    ]  # fmt: skip


def compared(game, better, loss, ownership=None):
    worse = look(3 - game.to_play, 0.0, "D4", ownership)
    return Comparison(
        point(better), (observed(loss / 40, 0.01), observed(loss, 1.0)),
        worse, look(3 - game.to_play, 0.0, "D2"),
    )  # fmt: skip


def example(leads=(0.0, 0.0, -12.0, -12.0), record=b"(;SZ[5];B[cc];W[cd];B[ea];W[dd])"):
    """Black's third move, E5 at the edge, loses 12 points."""
    line, thoughts = thoughts_of(record, (0.0, *leads))
    return line, thoughts


def judged_review(chance=0.3, mistake=0.9, size=12.0, better="B2", ownership=None):
    line, thoughts = example()
    judgement = Judgement(
        2, 3, Play(BLACK, point("E5")), mistake, size * mistake, size, size - 3, size + 3, 0.3,
        chance, 2, compared(thoughts[2].game, better, size, ownership),
    )  # fmt: skip
    return line, Review(thoughts, [judgement], [0.5] * 5, [(0.0, 2.0)] * 5)


def test_what_looks_like_a_mistake_is_suspected(monkeypatch):
    monkeypatch.setattr("patterns_db.review.judging.SUSPECT", 0.1)
    _, thoughts = example((0.0, -0.5, -12.0, -12.0))
    path = path_of(thoughts, {})
    assert suspects_of(path, {})[0] == 2
    assert path.mistakes[2] > NAMED
    assert max(path.mistakes[0], path.mistakes[1], path.mistakes[3]) < 0.3


def test_who_leads_is_named():
    assert describe_lead(3.52, 2.0) == "Black leads by 3.5 (+- 3)"
    assert describe_lead(-36.8, 0.5) == "White leads by 36.8 (+- 1)"


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
    monkeypatch.setattr("patterns_db.review.judging.SUSPECT", 0.3)
    line = read_main_line(b"(;SZ[5];B[cc];W[cd];B[ea];W[dd])")
    lookout = ToldLookout((0.0, 0.0, 0.0, -9.0, -9.0), again)
    review = review_game(*positions_of(line, CHINESE, 0.5), lookout, None)
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


def test_two_comparisons_add_up(monkeypatch):
    lookout = Lookout(PlayerOptions(playouts=4, threads=1, seed=1), Knowledge())
    game = Game(5, CHINESE, 0.5)
    first = compared(game, "C3", 6.0)._replace(known="captures")
    second = compared(game, "C3", 2.0)
    monkeypatch.setattr(lookout, "_compared", lambda *_: second)
    both = lookout.compare_again(game, point("E5"), first)
    assert (both.better, both.after, both.known) == (first.better, second.after, "captures")
    assert [seen.mean for seen in both.losses] == pytest.approx([0.1, 4.0])
    assert both.losses[1].pi == pytest.approx(2.0)
    same = Comparison(None, (observed(0.0, 1.0), observed(0.0, 1.0)))
    assert lookout.compare_again(game, point("E5"), same) is same


@pytest.mark.skipif(not JIT_ENABLED, reason="long searches")
def test_the_second_comparison_is_longer_and_surer():
    lookout = Lookout(PlayerOptions(playouts=20, threads=1, seed=1), Knowledge())
    game = Game(5, CHINESE, 0.5)
    first = lookout.compare_with(game, point("A1"), point("C3"))
    both = lookout.compare_again(game, point("A1"), first)
    assert both.losses[1].pi > 2.0 * first.losses[1].pi
    assert both.losses[1].mean != first.losses[1].mean
    assert both.after is not None
    assert first.after is not None
    searched = [
        sum(move.playouts for move in look.decision.candidates)
        for look in (first.after, both.after)
    ]
    assert searched[1] > 3 * searched[0]


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


def test_a_remark_and_where_it_is_written():
    line, review = judged_review()
    (remark,) = remarks_of(review, Level())
    assert describe_remark(remark) == (
        "3 B E5: lost 12.0 points (9 to 15), P(mistake) 90 %: B2 was better, for B2 is worth"
        " more, a little in many places; a common mistake: 30 % of strong players play here,"
        " 30 % B2."
    )
    assert remark.line == (point("B2"), point("D2"))
    data = annotate(line, write_notes(review, [remark], len(line.nodes)))
    nodes = read_main_line(data).file.get_main_sequence()
    assert nodes[3].has_property("BM")
    assert "lost 12.0 points" in nodes[3].get("C")
    assert len(nodes[2]) == 2
    assert nodes[2][1].get_move() == ("b", (1, 1))
    assert nodes[2][1][0].get_move() == ("w", (1, 3))
    assert read_record(data).moves == line.record.moves
    page = page_of(line, review, [remark], [], "chinese", 0.5)
    assert "5x5, Chinese rules, komi 0.5" in page
    assert "Black 1 (12 points), White 0 (0 points)" in page
    assert "| 3 | E5 | B2 D2 | 12.0 (9 to 15) | 90 % | B2 is worth more, a" in page
    index = index_of([("a/game.md", page)])
    assert "[a/game](a/game.md): Black against White | Black 1 (12 points)" in index


@pytest.mark.parametrize(("mistake", "mark"), [(0.9, "BM"), (0.77, "DO"), (0.4, None)])
def test_marks(mistake, mark):
    line, review = judged_review(mistake=mistake)
    notes = write_notes(review, remarks_of(review, Level()), len(line.nodes))
    assert notes[3].judgement == mark
    assert len(notes[2].instead) == (mark is not None)


def test_what_both_sides_leave_is_still_better():
    _, review = judged_review()
    first = review.judgements[0]
    later = first._replace(before=3, after=4, play=Play(WHITE, point("D2")))
    remarks = remarks_of(review._replace(judgements=[first, later]), Level())
    assert "B2 was better" in remarks[0].text
    assert "B2 was still better" in remarks[1].text


def left_open(*moves):
    """A review in which a player leaves points open: (play, better move, points lost) each."""
    record = b"(;SZ[5];B[ea];W[ee];B[eb];W[ae];B[ec];W[ab];B[ac])"
    line, thoughts = thoughts_of(record, (0.0,) * 8)
    judgements = [
        Judgement(
            2 * number, 2 * number + 1, Play(BLACK, point(play)), 0.9, size, size, 1.0, 30.0, 0.3,
            0.3, 2, compared(thoughts[2 * number].game, better, size),
        )
        for number, (play, better, size) in enumerate(moves)
    ]  # fmt: skip
    return line, Review(thoughts, judgements, [0.5] * 8, [(0.0, 2.0)] * 8)


def test_a_point_that_stays_open_is_one_remark():
    line, review = left_open(
        ("E5", "B2", 8.0), ("E4", "A2", 11.0), ("E3", "B2", 5.0), ("A3", "B2", 5.0)
    )
    (remark,) = remarks_of(review, Level())
    assert [later.number for later in remark.again] == [3, 5, 7]
    assert "B2 was better" in remark.text
    assert remark.text.endswith("; it stayed open, and was still better at moves 3, 5 and 7.")
    assert remarks_of(review, Level(most=1)) == [remark]
    notes = write_notes(review, [remark], len(line.nodes))
    assert [note.judgement for note in notes[1::2]] == ["BM"] * 4
    assert "A2 was still better, as at move 1." in notes[3].comment
    assert [len(note.instead) for note in notes[0::2]] == [1, 0, 0, 0]
    page = page_of(line, review, [remark], [], "aga", 0.5)
    assert "Black 1 (8 points), White 0 (0 points)" in page
    assert "AGA rules" in page
    assert page.count("B2 D2") == 1


@pytest.mark.parametrize(
    ("first", "later"),
    [
        (("E5", "B2", 8.0), ("E4", "B2", 12.5)),  # much more is lost now
        (("E5", "B2", 8.0), ("E4", "B4", 8.0)),  # another place
        (("A1", "B2", 8.0), ("E4", "A2", 8.0)),  # the first was played there: another shape
        (("E5", "B2", 8.0), ("A1", "A2", 8.0)),  # the second was
    ],
)
def test_another_matter_is_another_remark(first, later):
    _, review = left_open(first, later)
    remarks = remarks_of(review, Level())
    assert [remark.number for remark in remarks] == [1, 3]
    assert not any(remark.again for remark in remarks)


def test_what_one_side_leaves_open_says_nothing_of_the_other():
    _, review = left_open(("E5", "B2", 8.0))
    (first,) = review.judgements
    other = first._replace(before=1, after=2, play=Play(WHITE, point("E1")))
    remarks = remarks_of(review._replace(judgements=[first, other]), Level())
    assert [remark.judgement.play.color for remark in remarks] == [BLACK, WHITE]


def test_doubts_and_all_losses_are_on_the_page():
    line, review = left_open(("E5", "B2", 8.0), ("E4", "B4", 6.0), ("E3", "B2", 6.0))
    named, doubted, open_still = review.judgements
    review = review._replace(
        judgements=[
            named,
            doubted._replace(mistake=0.72, points=3.6),
            open_still._replace(mistake=0.72, points=3.6),
            doubted._replace(
                before=1, after=2, play=Play(WHITE, point("E1")), mistake=0.72, points=-1.0
            ),
        ]
    )
    remarks = remarks_of(review, Level())
    doubts = doubts_of(review, remarks, Level())
    assert remarks[0].again == ()
    assert [(doubt.play.color, doubt.after) for doubt in doubts] == [(BLACK, 3), (WHITE, 2)]
    page = page_of(line, review, remarks, doubts[:1], "chinese", 0.5)
    assert page.count("Perhaps a mistake") == 1
    assert "Perhaps a mistake: 3 E4 (72 %; B4 instead)." in page
    assert "lost, about: Black 16 points (5.4 a move), White 0 points (0.0 a move)." in page
    assert doubts_of(review, remarks, Level(least=100.0)) == []


def test_a_game_that_is_over_is_counted():
    record = b"(;SZ[5]KM[0.5]AB[ab][bb][cb][db][eb]AW[ad][bd][cd][dd][ed];B[cc];W[];B[])"
    line, review = reviewed(record, playouts=4)
    last = review.thoughts[-1].look
    assert last.counted
    assert last.seen[1].mean == 0.5  # C3 is all that Black has more
    assert review.win_rates[-1] > 0.9
    assert review.leads[-1][0] == pytest.approx(0.5, abs=1.0)
    assert "Counted at the end, Black leads by 0.5 points." in page_of(
        line, review, [], [], "chinese", 0.5
    )
    notes = write_notes(review, [], len(line.nodes))
    assert "The game is over." in notes[-1].comment


def test_what_was_found_around_a_move_alone_names_nothing():
    _, review = judged_review()
    (judgement,) = review.judgements
    comparison = compared(review.thoughts[2].game, "B2", 2.5)
    assert remarks_of(review, Level())
    doubted = review._replace(judgements=[judgement._replace(comparison=comparison)])
    assert remarks_of(doubted, Level()) == []


@pytest.mark.parametrize("mistake", [0.1, 0.4])
def test_a_loss_is_named_where_a_mistake_is_not_improbable(mistake):
    line, review = judged_review(mistake=mistake)
    comment = write_notes(review, [], len(line.nodes))[3].comment
    assert ("perhaps lost" in comment) == (mistake > 0.25)


def test_moves_win_as_often_as_the_game_says():
    line, review = judged_review()
    thoughts = list(review.thoughts)
    first, second = look(BLACK, 30.0).decision, look(BLACK, 20.0, "D4").decision
    decision = first._replace(candidates=(*first.candidates, *second.candidates))
    thoughts[2] = thoughts[2]._replace(look=thoughts[2].look._replace(decision=decision))
    note = write_notes(review._replace(thoughts=thoughts), [], len(line.nodes))[2]
    assert note.win_rate == 0.5
    assert "A C3 50.0 %: C3\nB D4 37.6 %: D4" in note.comment


def test_a_good_move_that_few_play_is_interesting_or_a_tesuji():
    line, review = judged_review(mistake=0.02, chance=0.002)
    judgement = review.judgements[0]._replace(play=Play(BLACK, point("A1")), comparison=None)
    for usual, mark in ((5.0, "IT"), (-5.0, "TE")):
        best = look(BLACK, 5.0, "A1").decision.candidates[0]
        other = look(BLACK, usual, "C3").decision.candidates[0]
        decision = Decision(best.point, False, "", 0.55, 90, (best, other))
        thoughts = list(review.thoughts)
        thoughts[2] = thoughts[2]._replace(look=thoughts[2].look._replace(decision=decision))
        changed = review._replace(thoughts=thoughts, judgements=[judgement])
        assert write_notes(changed, [], len(line.nodes))[3].judgement == mark


def test_levels():
    weak, strong = read_level("20k"), read_level("5D")
    assert weak.least > strong.least
    assert weak.most < strong.most
    assert weak.chance > strong.chance
    levels = [read_level(f"{k}k") for k in range(20, 0, -1)] + [read_level("1d")]
    assert all(a.least > b.least for a, b in pairwise(levels))
    for text in ("0k", "21k", "6d", "k", "", "5p", "-3k"):
        with pytest.raises(BadSetup, match="is not a level"):
            read_level(text)


def test_a_level_leaves_out_what_does_not_help():
    _, small = judged_review(size=4.0)
    assert len(remarks_of(small, read_level("5d"))) == 1
    assert remarks_of(small, read_level("20k")) == []
    _, unlikely = judged_review(better="A1")
    assert len(remarks_of(unlikely, read_level("5d"))) == 1
    assert remarks_of(unlikely, read_level("20k")) == []
    _, many = judged_review()
    assert remarks_of(many, Level(most=0)) == []


def test_reasons_in_terms_of_go():
    _, thoughts = example()
    game = thoughts[2].game
    owned = np.zeros(AREA)
    owned[[point("A1"), point("A2"), point("B1"), point("A3")]] = -0.9
    reason = reason_for(game, point("E5"), compared(game, "B2", 5.0, owned))
    assert reason == "the fight around A1 is larger, about 4 points are at stake"
    reason = reason_for(game, point("B3"), compared(game, "B2", 5.0, owned))
    assert reason == "about 4 points around A1 go to White"
    owned = np.zeros(AREA)
    owned[point("C3")] = -1.0
    reason = reason_for(game, point("B3"), compared(game, "B2", 5.0, owned))
    assert reason.startswith("Black's 1 stone at C3 is likely to die")


def test_what_was_proved_is_a_reason():
    _, thoughts = example()
    game = thoughts[2].game
    comparison = compared(game, "B2", 5.0)._replace(known="saves C3 (1 stone)")
    assert reason_for(game, point("E5"), comparison) == "it saves C3 (1 stone)"
    comparison = compared(game, "B2", 5.0)._replace(vain="cannot save C3 (1 stone)")
    assert reason_for(game, point("E5"), comparison) == "E5 is in vain (cannot save C3 (1 stone))"


def test_a_capture_in_the_expected_line():
    game = Game(5, CHINESE, 0.5)
    for color, vertex in ((BLACK, "A1"), (WHITE, "A2")):
        game.play(color, point(vertex))
    worse = look(WHITE, 0.0, "B1")
    other = look(WHITE, 0.0, "D4")
    comparison = Comparison(point("B1"), (NOTHING, NOTHING), worse, other)
    assert reason_for(game, point("E5"), comparison) == "White captures the 1 stone at A1"


def test_how_usual_a_move_is():
    assert habit(None, None, "C3") == ""
    assert habit(0.24, 0.1, "C3") == ("a common mistake: 24 % of strong players play here, 10 % C3")
    assert habit(0.05, None, "C3") == "5 % of strong players play here"
    assert habit(0.0001, 0.6, "C3") == ("hardly a strong player plays here (under 0.1 %, 60 % C3)")


def test_equal_moves_share_their_evidence():
    game = Game(5, CHINESE, 0.5)
    moves = [("B2", 60, 0.5, 1.0), ("D4", 20, 0.7, 5.0), ("C3", 70, 0.6, 2.0), ("B4", 20, 0.7, 5.0)]
    candidates = tuple(
        Candidate(point(v), n, rate, margin, rate, 0.1, margin, 0.1, "", (point(v),))
        for v, n, rate, margin in moves
    )
    shared = share_evidence(Decision(point("C3"), False, "", 0.6, 170, candidates), game)
    assert [(move.point, move.playouts) for move in shared.candidates] == [
        (point("B2"), 100), (point("C3"), 70)
    ]  # fmt: skip
    assert shared.point == point("B2")
    assert shared.win_rate == pytest.approx(0.58)
    assert shared.candidates[0].margin == pytest.approx(2.6)
    game.play(BLACK, point("B1"))
    decision = Decision(point("C3"), False, "", 0.6, 170, candidates)
    assert share_evidence(decision, game) == decision
    assert share_evidence(Decision(PASS, False, "", 0.5, 0), Game(5)).point == PASS


def test_every_game_has_its_place(tmp_path):
    (tmp_path / "in" / "deep").mkdir(parents=True)
    game = b"(;SZ[5];B[aa])"
    (tmp_path / "in" / "A.SGF").write_bytes(game + game)
    (tmp_path / "in" / "deep" / "b.sgf").write_bytes(game)
    with zipfile.ZipFile(tmp_path / "c.zip", "w") as archive:
        archive.writestr("../../A.sgf", game)
    out = tmp_path / "out"
    paths = [str(tmp_path / "in"), str(tmp_path / "c.zip")]
    jobs, finished = find_jobs(paths, out, plots=True)
    assert finished == 0
    names = [job.outputs.record.relative_to(out).as_posix() for job in jobs]
    assert names == ["A.sgf", "A-2.sgf", "deep/b.sgf", "A+.sgf"]
    assert jobs[2].outputs == (out / "deep/b.sgf", out / "deep/b.svg", out / "deep/b.md")
    out.mkdir()
    (out / "A-2.sgf").write_bytes(b"")
    jobs, finished = find_jobs(paths, out, plots=False)
    assert (len(jobs), finished) == (3, 1)
    assert all(job.outputs.plot is None for job in jobs)
