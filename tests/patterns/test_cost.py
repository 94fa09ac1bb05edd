"""Ranking all moves of a 19x19 middle game costs at most two uniform roll-outs."""

import time

import numpy as np
import pytest

from engine.go.board import BLACK, Board, copy_into, empty_board
from engine.go.geometry import AREA
from engine.patterns.evidence import new_memory
from engine.patterns.matching import match_moves_into, move_keys_into, new_candidates, new_matcher
from engine.patterns.templates import TEMPLATES
from engine.rollout.uniform import roll_out
from tests.patterns.test_matching import table_of
from tests.reference.games import legal_moves, random_game


def seconds_to_rank(positions: list[tuple[Board, int]], table: np.ndarray) -> float:
    matcher, found, memory = new_matcher(19), new_candidates(), new_memory()
    match_moves_into(matcher, table, positions[0][0], memory, BLACK, True, found)
    start = time.thread_time()
    for board, color in positions:
        match_moves_into(matcher, table, board, memory, color, True, found)
    return (time.thread_time() - start) / len(positions)


def seconds_to_roll_out(count: int) -> float:
    root, board = empty_board(19), empty_board(19)
    first, rng = np.zeros(AREA, np.uint8), np.array([1], np.uint64)
    roll_out(board, BLACK, rng, first, 1100)
    start = time.thread_time()
    for _ in range(count):
        copy_into(root, board)
        roll_out(board, BLACK, rng, first, 1100)
    return (time.thread_time() - start) / count


@pytest.mark.slow
def test_ranking_costs_at_most_two_roll_outs() -> None:
    """Positions 60 to 160 of a random game; the table knows three quarters of its moves."""
    rng = np.random.default_rng(1)
    matcher, keys, known = new_matcher(19), np.zeros(TEMPLATES, np.uint64), set()
    positions = []
    for number, turn in enumerate(random_game(19, 160, seed=9)):
        if number < 60:
            continue
        positions.append((turn.board.copy(), turn.color))
        for point in legal_moves(turn.board, 19, turn.color):
            move_keys_into(matcher, turn.board, np.int64(point), turn.color, keys)
            known.update(keys[: rng.integers(3, 11)].tolist())
    table = table_of(known)
    ranking = min(seconds_to_rank(positions, table) for _ in range(5))
    roll_out_time = min(seconds_to_roll_out(200) for _ in range(5))
    assert ranking <= 2 * roll_out_time, f"{ranking * 1e6:.1f} us, {roll_out_time * 1e6:.1f} us"
    print(f"ranking {ranking * 1e6:.1f} us, roll-out {roll_out_time * 1e6:.1f} us")
