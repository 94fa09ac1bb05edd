"""Careful roll-outs: chains exposed by a move, answers to atari, and final owners."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import BLACK, EMPTY, WHITE, Game, board_points, to_column_row, to_point
from engine.go.board import BOARD_CELLS, COLOR, EMPTIES, EMPTY_COUNT, is_legal
from engine.go.geometry import AREA, PASS
from engine.jit import JIT_ENABLED
from engine.rollout.careful import (
    THROW_IN,
    answer_atari,
    play_carefully,
    stones_exposed,
    survey_fates,
)
from tests.diagrams import game_of, random_games, stones_of
from tests.reference import rollout as twin
from tests.reference.board import ReferenceGame, all_points, chain_at, liberties_of, result_of
from tests.rollout.test_uniform import board_of, removal_order


def survey(game: Game, rollouts: int, seed: int = 3) -> tuple[np.ndarray, np.ndarray]:
    owned, neutral = np.zeros(AREA, np.int64), np.zeros(AREA, np.int64)
    work = np.zeros(BOARD_CELLS, np.uint16)
    rng = np.array([seed], np.uint64)
    nothing = np.zeros(AREA, np.int64)
    assert survey_fates(game.board, rollouts, rng, nothing, owned, neutral, work) == rollouts
    return owned, neutral


def legal_moves(game: Game):
    """Yield the legal moves of both colors that are no suicide."""
    for color in (BLACK, WHITE):
        for point in board_points(game.size):
            if game.color_at(point) == EMPTY and is_legal(game.board, point, color):
                yield color, point


@given(random_games(largest=7))
def test_stones_exposed_are_the_slow_boards(game):
    for color, point in legal_moves(game):
        after, captured, _ = result_of(stones_of(game), game.size, color, to_column_row(point))
        chain = chain_at(after, game.size, to_column_row(point))
        safe = captured or len(liberties_of(after, game.size, chain)) > 1
        assert stones_exposed(game.board, point, color) == (0 if safe else len(chain))


def test_two_liberties_with_the_move_in_their_middle_are_two():
    """Added up, one liberty of A1 and two of G1 are three of E1, which the chain touches as often.

    A sum alone therefore does not distinguish them from one liberty.
    """
    game = game_of("""
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . O O O O . .
        O O O X X X X O .
        . X X X . X . O .""")
    assert stones_exposed(game.board, to_point(5, 1), BLACK) == 0


@given(random_games(largest=5), st.integers(1, 2**64 - 1))
def test_surveys_count_every_point_once_a_game(game, seed):
    before = game.board.copy()
    rollouts = 6
    owned, neutral = survey(game, rollouts, seed)
    np.testing.assert_array_equal(game.board, before)
    outside = set(range(AREA)) - set(board_points(game.size))
    assert not owned[list(outside)].any()
    assert not neutral[list(outside)].any()
    for point in board_points(game.size):
        assert abs(owned[point]) + neutral[point] <= rollouts
        assert (owned[point] + neutral[point] - rollouts) % 2 == 0


@given(random_games(largest=5), st.sampled_from([BLACK, WHITE]), st.integers(1, 2**64 - 1))
def test_a_careful_game_is_the_twins(game, color, seed):
    board = board_of(game)
    slow = ReferenceGame(game.size)
    slow.stones = stones_of(game)
    empties = [to_column_row(int(p)) for p in board[EMPTIES : EMPTIES + board[EMPTY_COUNT]]]
    rng = twin.Xorshift(seed)
    twin.play_carefully(slow, color, rng, empties, removal_order(board.copy()), THROW_IN)
    random = np.array([seed], np.uint64)
    play_carefully(board, color, random)
    assert {to_column_row(p): int(board[COLOR + p]) for p in board_points(game.size)} == {
        point: slow.stones.get(point, EMPTY) for point in all_points(game.size)
    }
    assert int(random[0]) == rng.state


@given(random_games(largest=6))
def test_answers_are_the_twins(game):
    slow = ReferenceGame(game.size)
    slow.stones = stones_of(game)
    board = board_of(game)
    for last in game.stones(BLACK) + game.stones(WHITE):
        color = 3 - game.color_at(last)
        answer = int(answer_atari(board, color, last))
        expected = twin.answer_atari(slow, color, to_column_row(last))
        assert answer == (PASS if expected is None else to_point(*expected))


@pytest.mark.golden
@pytest.mark.parametrize(("size", "signature"), [(5, (-1758, 3516)), (9, (-11256, 174728))])
def test_golden_signature(size, signature):
    """The same surveys on every machine, with the JIT on and off."""
    if size > 5 and not JIT_ENABLED:
        pytest.skip("too slow without the JIT")
    game = Game(size)
    game.setup([to_point(3, 3)], [to_point(4, 4)], BLACK)
    owned, _ = survey(game, 8)
    weights = np.arange(AREA)
    found = (int((owned * weights).sum()), int((owned * owned * weights).sum()))
    assert found == signature
    assert int(game.board[COLOR + to_point(3, 3)]) == BLACK


@given(random_games(smallest=4, largest=6), st.integers(1, 2**63), st.sampled_from([-1, 1]))
def test_a_survey_counts_only_expected_ends(game, seed, owner):
    """It counts the same roll-outs that ended like this, one by one."""
    point = to_point(2, 2)
    expected = np.zeros(AREA, np.int64)
    expected[point] = owner
    owned, neutral = np.zeros(AREA, np.int64), np.zeros(AREA, np.int64)
    rng = np.array([seed], np.uint64)
    work = np.zeros(BOARD_CELLS, np.uint16)
    counted = survey_fates(game.board, 6, rng, expected, owned, neutral, work)
    assert owned[point] == owner * counted
    before, kept = survey(game, 0, seed), []
    for rollouts in range(1, 7):
        after = survey(game, rollouts, seed)
        if after[0][point] - before[0][point] == owner:
            kept.append((after[0] - before[0], after[1] - before[1]))
        before = after
    assert counted == len(kept)
    assert (owned == sum(one for one, _ in kept)).all()
    assert (neutral == sum(one for _, one in kept)).all()
