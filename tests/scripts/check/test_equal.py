"""Answers of two places: questions spread over games, and notice of every kind of difference."""

import json

import pytest

from engine import RULESETS, Game
from scripts.check.equal import UNDECIDED, _record, archived_games, main, positions_of

GAME = {"size": 5, "playouts": 9, "seed": 1, "score": "B+1", "moves": ["C3"], "reasons": ["a"]}
ANSWERS = {
    "games": [GAME],
    "signature": {"signature": "7"},
    "readings": {"game 1, move 1, attack C3": "1 D3", "game 1, move 1, defend C3": UNDECIDED},
    "life": {"p1": "alive A1 30"},
}


@pytest.mark.parametrize(
    ("part", "changed", "status", "printed"),
    [
        ("life", {"p1": "alive A1 30"}, 0, "life: 1 answers, 0 differences"),
        ("life", {"p1": "dead A1 30"}, 1, "p1: 'dead A1 30' against 'alive A1 30'"),
        ("life", {}, 1, "p1: 'missing' against 'alive A1 30'"),
        ("games", [GAME | {"moves": ["B2"]}], 1, "5x5: move 1: B2 against C3"),
        ("signature", {"signature": "8"}, 1, "signature: '8' against '7'"),
        (
            "readings",
            {"game 1, move 1, attack C3": UNDECIDED, "game 1, move 1, defend C3": "0"},
            0,
            "readings: 2 answers, 2 undecided, 0 differences",
        ),
    ],
)
def test_differences(tmp_path, capsys, part, changed, status, printed):
    one, other = tmp_path / "one.json", tmp_path / "other.json"
    one.write_text(json.dumps(ANSWERS | {part: changed}))
    other.write_text(json.dumps(ANSWERS))
    assert main([str(one), str(other)]) == status
    assert printed in capsys.readouterr().out


def test_places_that_cannot_be_used(tmp_path, capsys):
    assert main([str(tmp_path / "nowhere.json")]) == 2
    (tmp_path / "empty.json").write_text("")
    assert main([str(tmp_path / "empty.json")]) == 2
    assert "neither a checkout nor answers" in capsys.readouterr().err


def test_positions_are_spread_over_all_moves():
    games = []
    for vertices in (["A1", "B1", "C1", "D1"], ["A2", "B2"]):
        games.append(Game(5, RULESETS["chinese"], 7.5))
        for vertex in vertices:
            games[-1].play(vertex)
    positions = list(positions_of(games, 3))
    assert [name for name, _ in positions] == [
        "game 1, move 2",
        "game 1, move 4",
        "game 2, move 2",
    ]
    assert [len(game.moves) for _, game in positions] == [2, 4, 2]


def test_a_record_for_a_review_has_the_same_moves(tmp_path):
    game = Game(5, RULESETS["chinese"], 7.5)
    for vertex in ("A1", "B5", "pass", "E2"):
        game.play(vertex)
    path = tmp_path / "game.sgf"
    path.write_text(_record(game))
    (again,) = archived_games([path])
    assert again.moves == game.moves
