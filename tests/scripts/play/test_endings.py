"""The endings used for measurements: their promises, and the measurement itself."""

import json
import random
import sys
from itertools import islice

import pytest

from engine import BLACK, EMPTY, WHITE
from engine.go.geometry import PASS
from engine.jit import JIT_ENABLED
from scripts.play import duel_endings, endings
from scripts.play.ending_boards import make_ending, near
from scripts.play.ending_positions import _sum_margin, game_of, searched_problems
from scripts.play.ending_search import move_margins


def made(size: int, fights: int, count: int, bands: bool = False):
    numbers = random.Random(5)
    while count:
        ending = make_ending(size, fights, 5 * fights, numbers, bands)
        if ending is not None:
            count -= 1
            yield ending


def test_eyes_are_eyes_and_rooms_are_apart():
    for ending in [*made(9, 3, 5), *made(13, 4, 2, bands=True)]:
        for eye in ending.eyes:
            assert ending.cells[eye] == EMPTY
            around = {ending.cells[p] for p in near(ending.size, eye)}
            assert around in ({BLACK}, {WHITE})
        for room in ending.rooms:
            touched = {q for p in room for q in near(ending.size, p)}
            assert not any(other & (room | touched) for other in ending.rooms if other != room)


def test_right_moves_alone_win():
    for problem in islice(searched_problems(9, 3), 3 if JIT_ENABLED else 1):
        game = problem.game()
        margins = move_margins(game.board, problem.to_play)
        assert margins is not None
        sign = 1 if problem.to_play == BLACK else -1
        winning = {p for p, m in margins.items() if sign * (m - problem.komi) > 0} - {PASS}
        assert winning == set(problem.right)
        assert 2 * len(winning) <= problem.choices


def test_switches_are_played_largest_first():
    # Margins after all play, of boards where the others are filled (10 points for Black).
    small = {BLACK: {40: 11}, WHITE: {41: 9}}
    large = {BLACK: {80: 14, 81: 12}, WHITE: {80: 8}}
    assert _sum_margin(10, [small, large], 1, 14, BLACK) == 13
    assert _sum_margin(10, [small, large], 0, 11, BLACK) == 9
    assert _sum_margin(10, [small, large], 1, 8, WHITE) == 9


def test_a_full_board_has_nothing_but_a_pass():
    cells = {(c, r): BLACK for c in range(1, 6) for r in range(1, 6)}
    cells |= dict.fromkeys([(1, 1), (3, 3), (5, 5)], EMPTY)
    assert move_margins(game_of(5, cells, BLACK).board, BLACK, 8) == {PASS: 25}


@pytest.mark.skipif(not JIT_ENABLED, reason="an exhaustive search without JIT takes minutes")
def test_endings_writes_its_measurements(tmp_path, monkeypatch, capsys):
    out = tmp_path / "endings.json"
    words = ["endings", "--playouts", "4", "--counts", "2", "--out", str(out)]
    monkeypatch.setattr(sys, "argv", words)
    assert endings.main() == 0
    found = json.loads(out.read_text())
    assert len(found["positions"]) == 2
    assert [row["positions"] for row in found["summary"]] == [2, 0, 0, 0, 0, 2]
    assert "searched 9x9" in capsys.readouterr().out


def test_duel_summaries_count_both_kinds():
    rows = [
        {"game": 0, "black": True, "margin": 2.5, "solved": 1},
        {"game": 1, "black": False, "margin": -20.5, "solved": 0},
    ]
    found = duel_endings.summary(rows, forks=False)
    assert str(found["won"]).startswith("1 of 2")
    assert str(found["close: won"]).startswith("1 of 1")
    assert str(found["solved: won"]).startswith("1 of 1")
    forked = [{"game": 0, "to_move": True, "margin": 0.5, "margin_without": -1.5}]
    found = duel_endings.summary(forked, forks=True)
    assert found["mean points gained"] == 2.0
    assert found["better, same, worse"] == [1, 0, 0]
    assert found["won without"] == "0 of 1"
