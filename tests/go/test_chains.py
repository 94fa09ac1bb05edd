"""Chains, their liberties, atari and captures: every question against the slow board."""

import numpy as np
from hypothesis import given

from engine import BLACK, EMPTY, WHITE, board_points, to_column_row, to_point
from engine.go.board import is_legal
from engine.go.chains import (
    chain_size,
    count_liberties,
    is_in_atari,
    last_liberty,
    list_liberties,
    next_stone,
    takes_chain,
)
from engine.go.geometry import AREA
from tests import diagrams
from tests.reference import board as slow


def slow_chain(game, point):
    """Return the stones and liberties of the chain at a point, by the slow board."""
    stones = diagrams.stones_of(game)
    chain = slow.chain_at(stones, game.size, to_column_row(point))
    liberties = slow.liberties_of(stones, game.size, chain)
    return {to_point(*p) for p in chain}, {to_point(*p) for p in liberties}


@given(diagrams.random_games())
def test_a_walk_meets_every_stone_of_a_chain_once(game):
    board = game.board
    for point in game.stones(BLACK) + game.stones(WHITE):
        chain, _ = slow_chain(game, point)
        walked, stone = [], point
        for _ in range(chain_size(board, point)):
            walked.append(int(stone))
            stone = next_stone(board, stone)
        assert stone == point
        assert len(walked) == len(chain)
        assert set(walked) == chain


@given(diagrams.random_games())
def test_liberties_are_the_slow_boards(game):
    board = game.board
    room = np.zeros(AREA, np.int64)
    for point in game.stones(BLACK) + game.stones(WHITE):
        _, liberties = slow_chain(game, point)
        for limit in range(1, 6):
            assert count_liberties(board, point, limit) == min(limit, len(liberties))
        for length in (1, 2, AREA):
            count = list_liberties(board, point, room[:length])
            found = room[:count].tolist()
            assert count == len(set(found)) == min(length, len(liberties))
            assert set(found) <= liberties
        assert is_in_atari(board, point) == (len(liberties) == 1)
        assert last_liberty(board, point) == (min(liberties) if len(liberties) == 1 else 0)


@given(diagrams.random_games())
def test_captures_of_a_move(game):
    stones = diagrams.stones_of(game)
    for color in (BLACK, WHITE):
        for point in board_points(game.size):
            if game.color_at(point) != EMPTY or not is_legal(game.board, point, color):
                continue
            _, captured, _ = slow.result_of(stones, game.size, color, to_column_row(point))
            assert takes_chain(game.board, point, color) == bool(captured)
