"""The largest match of every legal move: incremental = from scratch = the twin's."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.go.board import BLACK, WHITE, Board, empty_board, place
from engine.go.geometry import to_column_row, to_point
from engine.patterns.evidence import GROUP_SIZES, GROUPS, new_memory, remember_move
from engine.patterns.matching import (
    NO_MATCH,
    Candidates,
    Matcher,
    clear_matcher,
    match_moves_into,
    move_keys_into,
    new_candidates,
    new_matcher,
)
from engine.patterns.table import find_slot
from engine.patterns.templates import TEMPLATES
from tests.reference import patterns as twin
from tests.reference.games import COLOR_NAME, legal_moves, random_game

FOUND, AGAIN = new_candidates(), new_candidates()
MEMORY = new_memory()


def table_of(keys: set[int]) -> np.ndarray:
    """Return an open-addressing table, a fifth to two fifths full."""
    size = 1 << max(4, (len(keys) * 5).bit_length() - 1)
    table = np.zeros(size, np.uint64)
    for key in keys:
        slot = key % size
        while table[slot]:
            slot = (slot + 1) % size
        table[slot] = key
    return table


def harvest(size: int, length: int, seed: int) -> np.ndarray:
    """Return a table of classes of a random game's legal moves, up to random templates."""
    rng = random.Random(seed)
    matcher = new_matcher(size)
    keys = np.zeros(TEMPLATES, np.uint64)
    found: set[int] = set()
    for turn in random_game(size, length, seed):
        for point in legal_moves(turn.board, size, turn.color):
            if rng.random() < 0.5:
                move_keys_into(matcher, turn.board, np.int64(point), turn.color, keys)
                found.update(keys[: rng.randint(0, TEMPLATES)].tolist())
    return table_of(found)


def match(
    matcher: Matcher, table: np.ndarray, board: Board, color: int, into: Candidates = FOUND
) -> list[tuple[int, int, int, int]]:
    count = match_moves_into(matcher, table, board, MEMORY, color, False, into)
    columns = (into.points, into.templates, into.slots, into.features)
    return list(zip(*(column[:count].tolist() for column in columns), strict=True))


@pytest.mark.parametrize(("size", "length"), [(2, 8), (5, 40), (9, 120)])
def test_incremental_equals_from_scratch(size: int, length: int) -> None:
    table = harvest(size, length, seed=11)
    matcher = new_matcher(size)
    largest = set()
    for seed in (11, 12):
        for turn in random_game(size, length, seed):
            found = match(matcher, table, turn.board, turn.color)
            assert found == match(new_matcher(size), table, turn.board, turn.color, AGAIN)
            assert [move[0] for move in found] == legal_moves(turn.board, size, turn.color)
            largest.update(move[1] for move in found)
    assert len(largest) > (2 if size == 2 else 8)  # the walk stopped at many different templates


def test_matches_are_those_of_the_twin() -> None:
    size, rng = 7, random.Random(3)
    table = harvest(size, 40, seed=21)
    known = set(table[table > 0].tolist())
    matcher = new_matcher(size)
    for number, turn in enumerate(random_game(size, 40, seed=21)):
        moves = match(matcher, table, turn.board, turn.color)
        if number % 8 != 3:
            continue
        for point, template, slot, features in rng.sample(moves, 5):
            place_, name = to_column_row(point), COLOR_NAME[turn.color]
            bits = twin.features(turn.oracle, place_, name, turn.ko != 0)
            keys = twin.class_keys(turn.oracle, place_, name, bits)
            expected, key = twin.largest_match(keys, known)
            assert (template, features) == (expected, bits)
            assert (int(table[slot]) if slot != NO_MATCH else 0) == key


@given(seeds=st.lists(st.integers(0, 50), min_size=2, max_size=5), color=st.integers(1, 2))
@settings(max_examples=15, deadline=None)
def test_jumping_between_positions(seeds: list[int], color: int) -> None:
    """Undo, captures, another game: the matcher follows the board, however it changed."""
    table = harvest(5, 20, seed=1)
    matcher = new_matcher(5)
    for seed in seeds:
        for turn in random_game(5, 3 + seed % 20, seed):
            board = turn.board
        found = match(matcher, table, board, color)
        assert found == match(new_matcher(5), table, board, color, AGAIN)


def test_only_nearby_points_are_looked_up_again() -> None:
    """With all classes of size 4 and none larger, a far stone leaves matches as they are."""
    matcher = new_matcher(19)
    board, keys, known = empty_board(19), np.zeros(TEMPLATES, np.uint64), set()
    for point in legal_moves(board, 19, BLACK):
        move_keys_into(matcher, board, np.int64(point), BLACK, keys)
        known.update(keys[:4].tolist())
    table = table_of(known)
    assert {move[1] for move in match(matcher, table, board, BLACK)} == {4}
    place(board, np.int64(to_point(10, 10)), WHITE)
    before = matcher.slots.copy()
    after = match(matcher, table, board, BLACK)
    smaller = [to_column_row(move[0]) for move in after if move[1] < 4]
    assert len(smaller) == 12  # T_4 has 13 points, one of them is taken
    assert np.array_equal(matcher.slots, before)


def test_an_empty_table_matches_nothing() -> None:
    moves = match(new_matcher(5), np.zeros(2, np.uint64), empty_board(5), BLACK)
    assert len(moves) == 25
    assert {move[1:3] for move in moves} == {(0, NO_MATCH)}


def test_clearing_lets_a_matcher_meet_another_table_and_size() -> None:
    matcher = new_matcher(5)
    table = harvest(5, 20, seed=1)
    match(matcher, table, empty_board(5), BLACK)
    clear_matcher(matcher, 7)
    other = harvest(7, 20, seed=2)
    found = match(matcher, other, empty_board(7), WHITE)
    assert found == match(new_matcher(7), other, empty_board(7), WHITE, AGAIN)


def test_evidence_comes_with_the_moves() -> None:
    matcher, memory, board = new_matcher(9), new_memory(), empty_board(9)
    place(board, np.int64(to_point(3, 3)), BLACK)
    remember_move(board, memory, to_point(3, 3), BLACK)
    count = match_moves_into(matcher, np.zeros(2, np.uint64), board, memory, WHITE, True, FOUND)
    rows = FOUND.evidence.reshape(-1, GROUPS)[:count]
    assert count == 80
    assert (rows < GROUP_SIZES).all()
    assert rows[FOUND.points[:count] == to_point(3, 4), 0] == [2]


def test_find_slot_walks_past_collisions() -> None:
    table = np.zeros(8, np.uint64)
    table[7], table[0] = 15, 23
    assert [find_slot(table, np.uint64(key)) for key in (15, 23, 31, 6)] == [7, 0, -1, -1]
