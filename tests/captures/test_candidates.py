"""Goals and the candidate moves for them, on random positions: against sets and symmetries."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import BLACK, EMPTY, PASS, WHITE, Game, board_points
from engine.captures.goals import EVERYBODY, MAX_LIMIT, list_candidates, play_goal_move, value_of
from engine.go.board import KO, KO_COLOR
from engine.go.geometry import AREA
from engine.go.zobrist import hash_position, zobrist_keys
from engine.proof.graph import FALSE, TRUE, UNKNOWN
from tests.captures.test_zones import positions
from tests.diagrams import (
    PLAIN,
    chain_of,
    chains_of,
    game_of,
    liberties_at,
    points_marked,
    random_games,
    rim_of,
)
from tests.symmetries import transform

LISTS = "attacks", "defenses"


def candidates(name, game, goal, wide=0):
    """Return the moves in their order; the marks must be as clean afterwards as before."""
    marks, moves = np.zeros(AREA, np.uint8), np.zeros(AREA, np.int64)
    board = game.board.copy()
    count = int(list_candidates(board, goal, name == "defenses", wide, marks, moves))
    assert not marks.any()
    assert np.array_equal(board, game.board)
    return moves[:count].tolist()


@pytest.mark.parametrize("name", LISTS)
@given(position=positions(), wide=st.integers(0, 1))
def test_candidates_are_legal_and_named_once(name, position, wide):
    game, goal, _ = position
    owner = game.color_at(goal)
    found = candidates(name, game, goal, wide)
    assert len(found) == len(set(found))
    assert set(found) <= set(game.legal_points(3 - owner if name == "attacks" else owner))


@given(positions(), st.integers(0, 1))
def test_the_liberties_come_first(position, wide):
    game, goal, _ = position
    legal = set(game.legal_points(3 - game.color_at(goal)))
    liberties = set(liberties_at(game, goal)) & legal
    assert set(candidates("attacks", game, goal, wide)[: len(liberties)]) == liberties
    for name in LISTS:
        legal = game.legal_points(
            3 - game.color_at(goal) if name == "attacks" else game.color_at(goal)
        )
        assert set(liberties_at(game, goal)) & set(legal) <= set(candidates(name, game, goal, wide))


def within(game, goal, steps):
    """Return the empty points within a number of king's moves over empty points from a liberty."""
    found = set(liberties_at(game, goal))
    for _ in range(steps):
        rows = found | {point + step for point in found for step in (26, -26)}
        near = {point + step for point in rows for step in (-1, 0, 1)}
        found |= {p for p in near & set(board_points(game.size)) if game.color_at(p) == EMPTY}
    return found


@given(positions(), st.integers(0, 1))
def test_candidates_are_near_the_chain_or_take_liberties_of_weak_ones(position, wide):
    game, goal, _ = position
    legal = set(game.legal_points(3 - game.color_at(goal)))
    found = set(candidates("attacks", game, goal, wide))
    near = within(game, goal, 2 * wide + 1)
    assert near & legal <= found
    most = 4 if wide else 3
    weak = [chain[0] for chain in chains_of(game) if len(liberties_at(game, chain[0])) <= most]
    assert found - near <= {point for stone in weak for point in liberties_at(game, stone)}


@given(positions())
def test_in_atari_the_defender_extends_or_captures(position):
    game, goal, _ = position
    if len(liberties_at(game, goal)) != 1:
        return
    stones = chain_of(game, goal)
    attackers = {p for p in rim_of(game, stones) if game.color_at(p) == 3 - game.color_at(goal)}
    rescues = set(liberties_at(game, goal))
    for stone in attackers:
        if len(liberties_at(game, stone)) == 1:
            rescues |= set(liberties_at(game, stone))
    legal = set(game.legal_points(game.color_at(goal)))
    assert set(candidates("defenses", game, goal)) == rescues & legal


@pytest.mark.parametrize("name", LISTS)
@given(position=positions(), symmetry=st.integers(0, 7), wide=st.integers(0, 1))
def test_symmetries_and_color_swap_do_not_matter(name, position, symmetry, wide):
    game, goal, _ = position
    size = game.size

    def image_of(points):
        return [transform(point, size, symmetry) for point in points]

    plain, image = Game(size, PLAIN), Game(size, PLAIN)
    plain.setup(game.stones(BLACK), game.stones(WHITE), BLACK)
    image.setup(image_of(game.stones(WHITE)), image_of(game.stones(BLACK)), BLACK)
    found = candidates(name, plain, goal, wide)
    other = candidates(name, image, transform(goal, size, symmetry), wide)
    assert sorted(image_of(found)) == sorted(other)


@given(positions(), st.integers(2, MAX_LIMIT), st.booleans())
def test_values_are_what_the_liberties_say(position, limit, attacker_moves):
    game, goal, _ = position
    liberties = liberties_at(game, goal)
    seen = np.full(MAX_LIMIT, -7, np.int64)
    value, count = value_of(game.board, goal, limit, attacker_moves, seen)
    assert count == min(len(liberties), limit)
    if len(liberties) >= limit:
        assert value == FALSE
    else:
        assert sorted(seen[:count].tolist()) == liberties
        capture = attacker_moves and len(liberties) == 1 and game.board[KO] != liberties[0]
        assert value == (TRUE if capture else UNKNOWN)
    empty = next((p for p in board_points(game.size) if game.color_at(p) == EMPTY), None)
    if empty is not None:
        assert value_of(game.board, empty, limit, attacker_moves, seen) == (TRUE, 0)


@given(random_games(smallest=2, largest=6, rules=PLAIN), st.sampled_from([EVERYBODY, BLACK, WHITE]))
def test_moves_for_a_goal_are_moves_of_the_game(game, obeys):
    """Stones and hash are the game's; a ban is kept only for the side that obeys it."""
    zobrist = zobrist_keys()
    for color in (BLACK, WHITE):
        for point in [PASS, *game.legal_points(color)[:8]]:
            board = game.board.copy()
            change = play_goal_move(board, point, color, obeys, zobrist)
            after = game.copy()
            after.play(color, point)
            before = hash_position(game.board, zobrist)
            assert before ^ change == hash_position(after.board, zobrist)
            assert hash_position(board, zobrist) == after.position_hash
            kept = after.board[KO] if obeys in (EVERYBODY, after.board[KO_COLOR]) else 0
            assert board[KO] == kept


def test_a_banned_capture_is_no_capture():
    diagram = """
        . . . .
        . X O .
        X o . O
        . X O ."""
    game = game_of(diagram, BLACK)
    (goal,) = points_marked(diagram, "o")
    (liberty,) = liberties_at(game, goal)
    assert value_of(game.board, goal, 4, True, np.zeros(MAX_LIMIT, np.int64))[0] == TRUE
    game.play(BLACK, liberty)  # takes the stone; now White may not take back at once
    (banned,) = liberties_at(game, liberty)
    seen = np.zeros(MAX_LIMIT, np.int64)
    assert value_of(game.board, liberty, 4, True, seen) == (UNKNOWN, 1)
    assert seen[0] == banned
