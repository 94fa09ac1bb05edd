"""Learning roll-out weights: small made-up games with a planted preference."""

import numpy as np
import pytest

from engine import BLACK, WHITE
from engine.go.board import COLOR, EMPTY, empty_board, place
from engine.go.geometry import PASS, board_points
from engine.jit import JIT_ENABLED
from engine.patterns.choice import MEAN
from engine.rollout.guided import (
    KIND_BESIDE,
    KIND_CAPTURES,
    KIND_DIAGONAL,
    KIND_FARTHER,
    KIND_SELF_ATARI,
    KINDS,
    NEIGHBORHOODS,
    list_local,
    new_guided_scratch,
)
from engine.rollout.uniform import is_playable
from patterns_db.records.games import DecodedGame
from patterns_db.search_tables.rollout_training import (
    ELSEWHERE,
    learn_policy,
    new_beliefs,
    to_policy,
)

SIZE = 7
NOTHING = np.zeros(0, np.int64)


def capturing_game(seed: int, moves: int) -> tuple[DecodedGame, int]:
    """Return a game whose players take the last move's chain when they can, and a count.

    Else they play anywhere. The count is of moves that had a local candidate.
    """
    random = np.random.default_rng(seed)
    board, work = empty_board(SIZE), new_guided_scratch()
    colors, points = [], []
    last, local = PASS, 0
    for number in range(moves):
        color = BLACK if number % 2 == 0 else WHITE
        count = int(list_local(board, color, last, work))
        local += count > 0
        takes = [int(work.points[i]) for i in range(count) if work.kinds[i] & KIND_CAPTURES]
        free = [
            p
            for p in board_points(SIZE)
            if board[COLOR + p] == EMPTY and is_playable(board, p, color)
        ]
        last = takes[0] if takes else int(random.choice(free)) if free else PASS
        colors.append(color)
        points.append(last)
        if last != PASS:
            place(board, last, color)
        else:
            local -= count > 0
    game = DecodedGame(SIZE, NOTHING, NOTHING, np.array(colors), np.array(points), "")
    return game, local


@pytest.fixture(scope="module")
def learned():
    games, counts = zip(
        *(capturing_game(s, 60) for s in range(30 if JIT_ENABLED else 4)), strict=True
    )
    beliefs, count = learn_policy(games)
    assert count == sum(counts)
    return beliefs


def test_a_planted_preference_is_learned(learned):
    kinds = learned[NEIGHBORHOODS:ELSEWHERE, MEAN]
    captures = kinds[KIND_FARTHER | KIND_CAPTURES]
    assert captures > kinds[KIND_BESIDE] + 1.0
    assert captures > kinds[KIND_DIAGONAL] + 1.0
    assert learned[ELSEWHERE, MEAN] > max(kinds[KIND_BESIDE], kinds[KIND_DIAGONAL])


def test_weights_are_exponentials_of_the_means(learned):
    policy = to_policy(learned, 0.5)
    assert policy.neighborhood.shape == (NEIGHBORHOODS,)
    assert policy.kind.shape == (KINDS,)
    weights = np.concatenate([policy.neighborhood, policy.kind, policy.elsewhere])
    assert weights.dtype == np.float32
    expected = np.exp(1.2021 * learned[:, MEAN])
    expected[ELSEWHERE] *= 0.5
    # A self-atari weighs no more than the same move without it, whatever was never met.
    for kind in range(NEIGHBORHOODS, ELSEWHERE):
        if (kind - NEIGHBORHOODS) & KIND_SELF_ATARI:
            expected[kind] = min(expected[kind], expected[kind - KIND_SELF_ATARI])
    np.testing.assert_allclose(weights, expected, rtol=1e-3)
    assert all(part.flags.c_contiguous for part in policy)


def test_nothing_is_learned_from_nothing():
    beliefs, count = learn_policy([])
    assert count == 0
    np.testing.assert_array_equal(beliefs, new_beliefs())


def test_a_game_is_broken_off_where_it_cannot_be_played():
    game, _ = capturing_game(1, 20)
    twice = DecodedGame(SIZE, NOTHING, NOTHING, game.colors, game.moves, "")
    twice.moves[10] = next(int(p) for p in game.moves[:10] if p != PASS)
    short = DecodedGame(SIZE, NOTHING, NOTHING, game.colors[:10], game.moves[:10], "")
    beliefs, count = learn_policy([twice])
    expected, expected_count = learn_policy([short])
    assert count == expected_count
    np.testing.assert_array_equal(beliefs, expected)
