"""The comparison with GNU Go: positions as SGF, and counting."""

import json

from sgfmill import sgf, sgf_moves

from scripts.check import compare_tactics

RECORD = {
    "id": "one",
    "size": 3,
    "to_move": "white",
    "attacker": "white",
    "goal": "A3",
    "task": "attack",
    "answer": "captured",
    "board": "XO./.../..X",
}


def test_a_position_as_sgf():
    game = sgf.Sgf_game.from_bytes(compare_tactics.sgf_of(RECORD).encode())
    board, _ = sgf_moves.get_setup_and_moves(game)
    stones = {point: color for color, point in board.list_occupied_points()}
    assert stones == {(2, 0): "b", (2, 1): "w", (0, 2): "b"}
    assert game.get_size() == 3
    assert game.get_root().get("PL") == "w"


def test_skips_without_gnu_go(monkeypatch, capsys):
    monkeypatch.setattr(compare_tactics, "PROGRAM", None)
    monkeypatch.setattr("sys.argv", ["compare_tactics", "--problems", "nowhere"])
    assert compare_tactics.main() == 0
    assert capsys.readouterr().err == "skipped: GNU Go is not installed\n"


def test_a_missing_file_is_one_clear_line(monkeypatch, capsys):
    monkeypatch.setattr(compare_tactics, "PROGRAM", "gnugo")
    monkeypatch.setattr("sys.argv", ["compare_tactics", "--problems", "nowhere"])
    assert compare_tactics.main() == 1
    assert capsys.readouterr().err.startswith("compare_tactics: ")


def test_answers_are_counted(capsys):
    def entry(answer, yomi, gnugo):
        return {
            "answer": answer,
            "yomi": {"value": yomi, "seconds": 1.0},
            "gnugo": {"value": gnugo, "seconds": 0.5},
        }

    answers = [
        entry("captured", "captured", "ko"),
        entry("safe", "unknown", "captured"),
        entry("safe", "safe", "safe"),
    ]
    compare_tactics.summarize(json.loads(json.dumps(answers)))
    yomi, gnugo, only = capsys.readouterr().out.splitlines()
    assert yomi == "yomi: 2/3 right, 0 contradict the answer, 0 ko, 1 unknown; 3 s"
    assert gnugo == "gnugo: 1/3 right, 1 contradict the answer, 1 ko, 0 unknown; 2 s"
    assert only == "right in one only: yomi 1, gnugo 0"
