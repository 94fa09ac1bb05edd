"""Notes in records: their text about a review; and the words about a whole game."""

import re

import numpy as np
import pytest

from engine import BLACK, RULESETS, Decision, Knowledge, Move, PlayerOptions
from engine.jit import JIT_ENABLED
from engine.review import closer
from engine.review.comparisons import none_better
from engine.review.judging import review_game
from engine.review.looks import Lookout
from engine.review.remarks import describe_remark, remarks_of
from engine.review.worth import Level
from gtp.review.notes import describe_move, describe_result, write_notes
from gtp.review.positions import positions_of
from gtp.review.summary import facts_of, tally, with_lessons
from patterns_db.records.annotations import annotate
from patterns_db.records.sgf import read_main_line, read_record
from tests.review.examples import judged_review, left_open, look, point, rank, reviewed


@pytest.fixture(autouse=True)
def _no_closer_looks_without_the_jit(monkeypatch):
    if not JIT_ENABLED:
        monkeypatch.setattr(closer, "CLOSER", closer.CLOSER._replace(budget=0.0))


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
    review = review_game(positions_of(line, RULESETS["japanese"], 0.5)[1], lookout, None)
    assert all(np.isfinite(rate) for rate in review.win_rates)
    notes = write_notes(review, remarks_of(review, Level()), len(line.nodes))
    assert read_record(annotate(line, notes)) == read_record(data)


def test_a_remark_and_where_it_is_written():
    line, review = judged_review()
    (remark,) = remarks_of(review, Level())
    assert describe_remark(remark) == (
        "3 B E5: lost about 12.0 points (chance of a mistake 90 %). B2 was better. B2 gains about"
        " 12 points around it."
    )
    assert remark.line == (point("B2"), point("D2"))
    data = annotate(line, write_notes(review, [remark], len(line.nodes)))
    nodes = read_main_line(data).file.get_main_sequence()
    # The first search prefers C3 everywhere, the closer ones B2.
    listed = [re.findall("^A .*$", node.get("C"), re.MULTILINE) for node in nodes]
    assert listed[1:3] == [["A 0.0: White C3"], ["A 0.0: Black B2 D2"]]
    assert nodes[3].has_property("BM")
    assert "lost about 12.0 points" in nodes[3].get("C")
    assert len(nodes[2]) == 2
    assert nodes[2][1].get_move() == ("b", (1, 1))
    assert nodes[2][1].get("C").startswith("Move 3, E5: lost about 12.0 points")
    assert nodes[2][1][0].get_move() == ("w", (1, 3))
    assert describe_move(remark.judgement, 3) == (
        "Move 3, E5: lost about 12.0 points, chance of a mistake 90 %; 30 % of strong players"
        " would play it"
    )
    rare = remark.judgement._replace(verdict="fine", chance=0.0004)
    assert describe_move(rare, 3).endswith("; under 0.1 % of strong players would play it")
    assert "White's best moves, and the points that each loses:" in nodes[1].get("C")
    assert read_record(data).moves == line.record.moves
    facts = facts_of(with_lessons(line, review, Level(), RULESETS["chinese"], 0.5))
    assert facts == "5x5, Chinese rules, komi 0.5; 4 moves."
    assert tally([remark]) == "Black 1 clear; White none"


@pytest.mark.parametrize(("rate", "percent"), [(0.0, 1), (0.0001, 1), (0.3, 30), (0.9999, 99)])
def test_no_position_is_certain(rate, percent):
    line, review = judged_review()
    review = review._replace(win_rates=[rate] * len(review.win_rates))
    for note in write_notes(review, [], len(line.nodes)):
        assert note.comment.startswith(f"Black's chance to win {percent} %;")
        assert note.win_rate == percent / 100


@pytest.mark.parametrize(
    ("mistake", "verdict", "mark"),
    [(0.9, "mistake", "BM"), (0.6, "mistake", "DO"), (0.4, "uncertain", None)],
)
def test_marks(mistake, verdict, mark):
    line, review = judged_review(mistake=mistake, verdict=verdict)
    if verdict == "uncertain":  # moves of stronger players alone
        review = review._replace(ranks={BLACK: rank(-5)})
    notes = write_notes(review, remarks_of(review, Level()), len(line.nodes))
    assert notes[3].judgement == mark
    assert len(notes[2].instead) == 1


def test_a_point_that_stays_open_is_one_remark():
    line, review = left_open(
        ("E5", "B2", 8.0), ("E4", "B2", 11.0), ("E3", "B2", 5.0), ("A3", "B2", 5.0)
    )
    (remark,) = remarks_of(review, Level())
    assert remark.number == 3  # the costliest of them, not the first
    assert [other.number for other in remark.again] == [1, 5, 7]
    assert "B2 was better" in remark.text
    assert remark.text.endswith(" B2 was also better at moves 1, 5 and 7.")
    assert remarks_of(review, Level(most=1)) == [remark]
    notes = write_notes(review, [remark], len(line.nodes))
    assert [note.judgement for note in notes[1::2]] == ["BM"] * 4
    assert "Move 5, E3: lost about 5.0 points" in notes[5].comment
    assert "B2 was better, as at move 3." in notes[5].comment
    assert [len(note.instead) for note in notes[0::2]] == [0, 1, 0, 0]
    assert tally([remark]) == "Black 1 clear; White none"
    assert "AGA rules" in facts_of(with_lessons(line, review, Level(), RULESETS["aga"], 0.5))


@pytest.mark.parametrize(
    ("result", "words"), [("W+Resign", "White won by resignation"), ("B+T", "Black won on time")]
)
def test_the_verdict_says_how_a_game_ended(result, words):
    line, review = reviewed(f"(;SZ[5]RE[{result}];B[cc];W[dd])".encode(), playouts=4)
    game = with_lessons(line, review, Level(), RULESETS["aga"], 0.5)
    assert game.lessons.verdict.startswith(words)


def test_a_game_that_is_over_is_counted():
    record = b"(;SZ[5]KM[0.5]AB[ab][bb][cb][db][eb]AW[ad][bd][cd][dd][ed];B[cc];W[];B[])"
    line, review = reviewed(record, playouts=4)
    last = review.thoughts[-1].look
    assert last.counted
    assert last.observations[1].mean == 0.5  # C3 is the only point that Black has more
    assert review.win_rates[-1] > 0.9
    assert review.leads[-1][0] == 0.5
    notes = write_notes(review, [], len(line.nodes))
    assert notes[-1].comment.startswith("By the count, Black leads by 0.5 points\n")
    assert "The game is over." in notes[-1].comment
    assert notes[-1].triangle is None
    assert describe_result(0.0) == "a draw"


@pytest.mark.parametrize(("usual", "mark"), [(4.5, None), (-5.0, "TE")])
def test_a_good_move_that_is_hard_to_find_is_a_tesuji(usual, mark):
    line, review = judged_review(mistake=0.02, chance=0.002)
    judgement = review.judgements[0]._replace(
        play=Move(BLACK, point("A1")), comparison=none_better(5)
    )
    best = look(BLACK, 5.0, "A1").decision.candidates[0]
    other = look(BLACK, usual, "C3").decision.candidates[0]
    decision = Decision(best.point, False, (), 0.55, 90, (best, other))
    thoughts = list(review.thoughts)
    thoughts[2] = thoughts[2]._replace(
        look=thoughts[2].look._replace(decision=decision), chances={point("C3"): 0.5}
    )
    changed = review._replace(thoughts=thoughts, judgements=[judgement])
    assert write_notes(changed, [], len(line.nodes))[3].judgement == mark
