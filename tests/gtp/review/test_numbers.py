"""The review as JSON: all numbers, from Black's view."""

import json

import pytest

from engine import RULESETS, format_vertex
from engine.review import Level
from gtp.review.numbers import json_of
from gtp.review.summary import with_lessons
from tests.gtp.review.reviewed_game import nine, reviewed_game


def test_the_numbers_are_those_of_the_review():
    line, review = reviewed_game(nine("\u674e"))
    game = with_lessons(line, review, Level(), RULESETS["chinese"], 7.5)
    data, remarks = json.loads(json_of(game)), game.remarks
    about = {key: data[key] for key in ("black", "white", "result", "size", "rules", "komi")}
    assert list(about.values()) == ["\u674e", "Ben", "B+2.5", 9, "chinese", 7.5]
    assert [row["number"] for row in data["positions"]] == [t.number for t in review.thoughts]
    assert [row["win_rate"] for row in data["positions"]] == pytest.approx(
        review.win_rates, abs=0.005
    )
    for row, judged in zip(data["moves"], review.judgements, strict=True):
        assert row["loss"] == pytest.approx(judged.loss.points, abs=0.05)
        assert row["move"] == format_vertex(judged.play.point)
    assert [row["number"] for row in data["mistakes"]] == [8, 9, 15, 20]
    assert [row["better"] for row in data["mistakes"]] == [format_vertex(r.better) for r in remarks]
    assert data["phases"][-1]["black"]["moves"] == 14


def test_a_review_has_its_lessons_and_the_candidates_of_each_position():
    line, review = reviewed_game(nine())
    won = [0.1] * 8 + [0.9] * (len(review.win_rates) - 8)  # by Black, with White's eighth move
    review = review._replace(win_rates=won)
    game = with_lessons(line, review, Level(), RULESETS["chinese"], 7.5)
    data = json.loads(json_of(game))
    assert data["verdict"] == game.lessons.verdict
    assert data["remarks"] == list(game.lessons.notes) != []
    assert data["turning"] == game.lessons.turning.after == 8
    for row in data["positions"]:
        losses = [one["loss"] for one in row["candidates"]]
        assert losses == sorted(losses)
        assert all(one["line"][0] == one["move"] for one in row["candidates"])
        assert len(row["ownership"]) == 81
