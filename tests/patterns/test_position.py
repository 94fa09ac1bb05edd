"""Positions: played like a game, with the newest move of the memory as the last one."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from engine import BLACK, RULESETS, Game
from engine.go.board import COLOR, KO
from engine.go.geometry import AREA, PASS, fixed_handicap
from engine.patterns.evidence import KO_AGE, KO_POINT, LAST_MOVE
from engine.patterns.position import memory_of, play_move, position_of
from tests.diagrams import PLAIN, random_games


@given(random_games(largest=5, most_moves=40))
def test_the_newest_move_of_the_memory_is_the_last_one(game):
    last = game.moves[-1].point if game.moves else PASS
    assert memory_of(game)[LAST_MOVE] == last
    assert memory_of(Game(5))[LAST_MOVE] == PASS


@given(
    random_games(largest=5, rules=PLAIN, most_moves=20), st.lists(st.integers(0, 99), max_size=12)
)
def test_a_position_is_played_like_its_game(game, choices):
    """Where suicide is illegal: search and roll-outs know no other rules."""
    color = game.to_play
    position = position_of(game, color)
    position = position._replace(board=position.board.copy())
    after = game.copy()
    for choice in choices:
        moves = [PASS, *after.legal_points(after.to_play, superko=False)]
        move = moves[choice % len(moves)]
        after.play(after.to_play, move)
        position = play_move(position, move)
        assert (position.color, position.passes) == (after.to_play, after.passes)
        assert position.board[KO] == after.board[KO]
        np.testing.assert_array_equal(
            position.board[COLOR : COLOR + AREA], after.board[COLOR : COLOR + AREA]
        )
        memory, expected = position.memory.copy(), memory_of(after)
        if expected[KO_POINT] == 0:  # without a ko, its age has no meaning
            memory[KO_AGE] = expected[KO_AGE]
        np.testing.assert_array_equal(memory, expected)


def test_komi_holds_the_compensation_for_handicap_stones():
    game = Game(9, RULESETS["chinese"], 0.5)
    game.place_handicap(fixed_handicap(9, 3))
    position = position_of(game, game.to_play)
    assert (position.komi, position.passes) == (3.5, 0)
    assert position_of(game, BLACK).color == BLACK
