"""Whether the player's move solves capture problems."""

import json

from engine import BLACK, PASS, Knowledge, PlayerOptions, board_points, format_vertex
from engine.go.board import COLOR
from patterns_db.records.problems import parse_problem
from scripts.play.tactical_moves import game_at, is_right, read_fitting

ATARI = {
    "id": "atari",
    "size": 5,
    "to_move": "black",
    "attacker": "black",
    "goal": "C3",
    "task": "attack",
    "answer": "captured",
    "correct_moves": ["C4"],
    "moves_complete": True,
    "board": "...../...../.XOX./..X../.....",
}


def test_only_problems_with_all_their_moves_fit(tmp_path):
    path = tmp_path / "problems.jsonl"
    records = [ATARI, ATARI | {"moves_complete": False}, ATARI | {"correct_moves": []}]
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    assert read_fitting(path, 10, seed=1) == [ATARI]
    assert read_fitting(path, 0, seed=1) == []


def test_the_position_is_the_problems():
    board = parse_problem(ATARI).board
    game = game_at(board, 5, BLACK)
    assert game.to_play == BLACK
    assert all(game.color_at(p) == board[COLOR + p] for p in board_points(5))


def test_a_move_is_right_if_it_is_on_the_list():
    options = PlayerOptions(playouts=20, threads=1, seed=1)
    everything = [format_vertex(p) for p in [*board_points(5), PASS]]
    assert is_right(ATARI | {"correct_moves": everything}, options, Knowledge())
    assert not is_right(ATARI | {"correct_moves": []}, options, Knowledge())
