"""Uniform roll-outs: the slow twin's game for the same random numbers, and fair choices."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import BLACK, EMPTY, WHITE, Game, board_points, to_column_row, to_point
from engine.go.board import COLOR, EMPTIES, EMPTY_COUNT, SIZE, empty_board, place
from engine.go.geometry import AREA
from engine.go.scoring import area_score
from engine.jit import JIT_ENABLED
from engine.rollout.uniform import area_margin, choose_uniform, is_playable, roll_out
from tests.diagrams import game_of, random_games, stones_of
from tests.go.test_board import assert_consistent
from tests.reference import rollout as twin
from tests.reference.board import ReferenceGame


def seeded(seed: int) -> np.ndarray:
    return np.array([seed], np.uint64)


def board_of(game: Game) -> np.ndarray:
    """Return a copy of a game's position without a ko, which the twin does not know."""
    fresh = Game(game.size)
    fresh.setup(game.stones(BLACK), game.stones(WHITE), BLACK)
    return fresh.board.copy()


# -- eyes and choices -------------------------------------------------------------------------


@given(random_games())
def test_playable_points_are_the_twins(game):
    board = board_of(game)
    slow = ReferenceGame(game.size)
    slow.stones = stones_of(game)
    for color in (BLACK, WHITE):
        expected = twin.playable_points(slow, color)
        found = {
            to_column_row(p)
            for p in board_points(game.size)
            if board[COLOR + p] == EMPTY and is_playable(board, p, color)
        }
        assert found == expected


def test_choices_are_uniform_over_the_playable_points():
    """Choices stay fair although unplayable points are skipped. Chi-square at one in a thousand."""
    game = game_of("""
        . X . O .
        X X O O O
        . . O . .
        X . O . .
        . X O O .""")
    rng = seeded(2024)
    playable = [
        p
        for p in board_points(5)
        if game.color_at(p) == EMPTY and is_playable(game.board, p, BLACK)
    ]
    count = 600 * len(playable) if JIT_ENABLED else 60 * len(playable)
    seen = dict.fromkeys(playable, 0)
    for _ in range(count):
        seen[int(choose_uniform(game.board.copy(), BLACK, rng))] += 1
    expected = count / len(playable)
    statistic = sum((n - expected) ** 2 / expected for n in seen.values())
    limit = {5: 18.5, 6: 20.5, 7: 22.5, 8: 24.3, 9: 26.1}[len(playable)]
    assert statistic < limit


# -- whole games ------------------------------------------------------------------------------


def removal_order(board: np.ndarray):
    """Return a function that orders captured stones as they join the empty points."""

    def order(slow: ReferenceGame, color: int, point: tuple[int, int]) -> list[tuple[int, int]]:
        captured = place(board, to_point(*point), color)
        count = int(board[EMPTY_COUNT])
        return [to_column_row(int(p)) for p in board[EMPTIES + count - captured : EMPTIES + count]]

    return order


@given(
    random_games(largest=7, most_moves=60),
    st.integers(1, 2**64 - 1),
    st.sampled_from([BLACK, WHITE]),
    st.integers(0, 400),
)
def test_roll_outs_are_the_twins_game(game, seed, color, limit):
    start = board_of(game)
    size = int(start[SIZE])
    if limit > 200:
        limit = 3 * size * size
    board = start.copy()
    first = np.full(AREA, 9, np.uint8)
    rng = seeded(seed)
    length = roll_out(board, color, rng, first, limit)

    slow = ReferenceGame(size)
    slow.stones = stones_of(game)
    random = twin.Xorshift(seed)
    empties = [to_column_row(int(p)) for p in start[EMPTIES : EMPTIES + start[EMPTY_COUNT]]]
    result = twin.roll_out(slow, color, random, empties, limit, removal_order(start))
    slow_length, slow_margin, slow_first = result
    assert int(rng[0]) == random.state
    assert length == slow_length <= limit
    assert {to_column_row(p): int(first[p]) for p in range(AREA) if first[p]} == slow_first
    found = {
        to_column_row(p): int(board[COLOR + p])
        for p in board_points(size)
        if board[COLOR + p] != EMPTY
    }
    assert found == slow.stones
    assert_consistent(board)
    if length < limit:
        assert area_margin(board) == slow_margin == area_score(board)


@pytest.mark.golden
@pytest.mark.parametrize(
    ("size", "signature"),
    [
        (2, (29, -28, 6, 1413808032046194861)),
        (5, (136, 275, 40, 12621174601972340895)),
        (9, (341, -177, 125, 1688338437787080325)),
        (19, (1311, 677, 537, 12144586583623282132)),
    ],
)
def test_golden_signature(size, signature):
    """The same games on every machine, with the JIT on and off."""
    rng = seeded(1970)
    first = np.zeros(AREA, np.uint8)
    moves = margins = firsts = 0
    for _ in range(3):
        board = empty_board(size)
        moves += int(roll_out(board, BLACK, rng, first, 3 * size * size))
        margins = 3 * margins + int(area_margin(board))
        firsts += int((first == BLACK).sum())
    assert (moves, margins, firsts, int(rng[0])) == signature
