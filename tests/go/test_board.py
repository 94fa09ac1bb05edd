"""The board kernels: every cell recomputed from the stones, and the two oracles move by move."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sgfmill.boards import Board as SgfmillBoard

from engine import BLACK, EMPTY, PASS, WHITE, BadSetup, Game, MoveCode, board_points
from engine.go.board import (
    BOARD_CELLS,
    COLOR,
    EMPTIES,
    EMPTY_COUNT,
    HEAD,
    KO,
    LIBERTY_SUM,
    NEAR,
    NEXT,
    PSEUDO,
    SIZE,
    SLOT,
    STONES,
    WALL,
    clear_into,
    colors_of,
    copy_into,
    empty_board,
    is_legal,
    legality,
    place,
    play,
)
from engine.go.chains import count_liberties, list_liberties
from engine.go.geometry import AREA, MAX_SIZE, MIN_SIZE, STRIDE, to_column_row, to_point
from engine.go.zobrist import hash_position, zobrist_keys
from tests.diagrams import game_of, random_games
from tests.reference.board import all_chains, liberties_of

STEPS = (1, -1, STRIDE, -STRIDE)


def assert_consistent(board: np.ndarray) -> None:
    """Recompute every meaningful cell from the colors alone."""
    size = int(board[SIZE])
    on_board = board_points(size)
    colors = {p: int(board[COLOR + p]) for p in range(AREA)}
    assert {p for p, c in colors.items() if c != WALL} == set(on_board)
    empties = [p for p in on_board if colors[p] == EMPTY]
    assert int(board[EMPTY_COUNT]) == len(empties)
    listed = [int(p) for p in board[EMPTIES : EMPTIES + len(empties)]]
    assert sorted(listed) == empties
    assert [int(board[SLOT + p]) for p in listed] == list(range(len(listed)))
    for point in on_board:
        around = [colors[point + step] for step in STEPS]
        near = int(board[NEAR + point])
        assert near & 15 == sum(c in (BLACK, WALL) for c in around)
        assert near >> 4 & 15 == sum(c in (WHITE, WALL) for c in around)
        assert near >> 8 & 15 == around.count(EMPTY)
        assert near >> 12 == around.count(WALL)
    assert all(board[HEAD + p] == 0 for p, c in colors.items() if c in (EMPTY, WALL))
    stones = {to_column_row(p): c for p, c in colors.items() if c in (BLACK, WHITE)}
    liberties = np.zeros(AREA, np.int64)
    for chain in all_chains(stones, size):
        points = {to_point(*stone) for stone in chain}
        head = int(board[HEAD + min(points)])
        assert head in points
        assert {int(board[HEAD + p]) for p in points} == {head}
        circle = [head]
        while (stone := int(board[NEXT + circle[-1]])) != head:
            circle.append(stone)
            assert len(circle) <= len(points)
        assert set(circle) == points
        assert board[STONES + head] == len(points)
        pseudo = sum(colors[p + step] == EMPTY for p in points for step in STEPS)
        assert board[PSEUDO + head] == pseudo
        touched = [p + step for p in points for step in STEPS if colors[p + step] == EMPTY]
        assert board[LIBERTY_SUM + head] == sum(touched) % 2**16
        breath = {to_point(*p) for p in liberties_of(stones, size, chain)}
        assert list_liberties(board, head, liberties) == len(breath) > 0
        assert {int(p) for p in liberties[: len(breath)]} == breath
        for limit in range(1, 6):
            assert count_liberties(board, circle[-1], limit) == min(limit, len(breath))


@pytest.mark.parametrize("size", [*range(MIN_SIZE, 10), 19, MAX_SIZE])
def test_empty_board(size):
    board = empty_board(size)
    assert_consistent(board)
    assert (board[KO], board[EMPTY_COUNT]) == (0, size * size)
    assert colors_of(board).shape == (size, size)
    assert not colors_of(board).any()


@pytest.mark.parametrize("size", [-1, 0, 1, 26, 1000])
def test_impossible_sizes_are_refused(size):
    with pytest.raises(BadSetup, match="unacceptable size"):
        empty_board(size)


@given(random_games())
def test_random_games_keep_every_cell_consistent(game):
    assert_consistent(game.board)
    assert game.position_hash == int(hash_position(game.board, zobrist_keys()))


@given(random_games(), st.data())
def test_queries_leave_the_board_unchanged(game, data):
    board = game.board
    before = board.copy()
    for point in board_points(game.size):
        for color in (BLACK, WHITE):
            legality(board, point, color, True)
            if board[COLOR + point] == EMPTY:
                is_legal(board, point, color)
    np.testing.assert_array_equal(board, before)


@given(random_games(largest=7))
def test_place_is_play_without_a_hash(game):
    for color in (BLACK, WHITE):
        for point in game.legal_points(color, superko=False):
            if not is_legal(game.board, point, color):
                continue  # ``place`` does not handle suicide
            played, placed = game.board.copy(), game.board.copy()
            change = int(play(played, point, color, zobrist_keys()))
            captured = place(placed, point, color)
            played[PSEUDO] = placed[PSEUDO] = 0
            np.testing.assert_array_equal(played, placed)
            gone = int(played[EMPTY_COUNT]) - int(game.board[EMPTY_COUNT]) + 1
            assert captured == gone
            tail = placed[EMPTIES + placed[EMPTY_COUNT] - captured :][:captured]
            assert {int(p) for p in tail} == set(game.stones(3 - color)) - {
                p for p in board_points(game.size) if placed[COLOR + p] == 3 - color
            }
            assert game.position_hash ^ change == int(hash_position(placed, zobrist_keys()))


@given(random_games())
def test_copies_and_cleared_boards(game):
    target = np.full(BOARD_CELLS, 7, np.uint16)
    copy_into(game.board, target)
    np.testing.assert_array_equal(game.board, target)
    clear_into(target, game.size)
    np.testing.assert_array_equal(target, empty_board(game.size))


@given(random_games())
def test_against_the_board_of_sgfmill(game):
    """An oracle that is not ours. It plays suicide and knows simple ko, but enforces neither."""
    oracle, replay, names = SgfmillBoard(game.size), Game(game.size, game.rules), " bw"
    for color, point in game.moves:
        replay.play(color, point)
        if point != PASS:
            column, row = to_column_row(point)
            ko = oracle.play(row - 1, column - 1, names[color])
            assert replay.board[KO] == (to_point(ko[1] + 1, ko[0] + 1) if ko else 0)
    for point in board_points(game.size):
        column, row = to_column_row(point)
        assert names[replay.color_at(point)] == (oracle.get(row - 1, column - 1) or " ")


def test_stones_and_walls_are_occupied():
    board = game_of("XO\n..").board
    for point in (to_point(1, 2), to_point(2, 2), 0, to_point(3, 1), AREA - 1):
        assert legality(board, point, BLACK, True) == MoveCode.OCCUPIED
