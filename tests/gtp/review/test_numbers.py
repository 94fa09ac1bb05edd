"""The review as JSON: all numbers, from Black's view."""

import json

import pytest

from engine import WHITE, format_vertex
from engine.review.remarks import Level, doubts_of, remarks_of
from gtp.review.numbers import json_of
from gtp.review.summary import ReviewedGame
from tests.gtp.review.reviewed_game import nine, reviewed_game


def test_the_numbers_are_those_of_the_review():
    line, review = reviewed_game(nine("\u674e"))
    remarks = remarks_of(review, Level())
    doubts = doubts_of(review, remarks, Level())
    text = json_of(ReviewedGame(line, review, remarks, doubts, "chinese", 7.5))
    data = json.loads(text)
    about = {key: data[key] for key in ("black", "white", "result", "size", "rules", "komi")}
    assert list(about.values()) == ["\u674e", "Ben", "B+2.5", 9, "chinese", 7.5]
    assert [row["number"] for row in data["positions"]] == [t.number for t in review.thoughts]
    assert [row["win_rate"] for row in data["positions"]] == pytest.approx(
        review.win_rates, abs=1e-4
    )
    for row, judged in zip(data["moves"], review.judgements, strict=True):
        assert row["loss"] == pytest.approx(judged.loss.points, abs=1e-4)
        assert row["move"] == format_vertex(judged.play.point)
    assert [row["number"] for row in data["mistakes"]] == [8, 9, 15, 20]
    assert [row["better"] for row in data["mistakes"]] == [format_vertex(r.better) for r in remarks]
    assert sum(row["black"] + row["white"] for row in data["losses"]) == len(review.judgements)
    assert data["phases"][-1]["black"]["moves"] == 14


def test_values_of_candidates_are_blacks():
    line, review = reviewed_game(nine())
    data = json.loads(json_of(ReviewedGame(line, review, [], [], "chinese", 7.5)))
    for row, thought in zip(data["positions"], review.thoughts, strict=True):
        white = thought.look.color == WHITE
        assert row["to_play"] == ("white" if white else "black")
        for one, move in zip(row["candidates"], thought.look.decision.candidates, strict=True):
            assert one["lead"] == pytest.approx(-move.margin if white else move.margin)
            assert one["win_rate"] == pytest.approx(1 - move.win_rate if white else move.win_rate)
        assert len(row["ownership"]) == 81
