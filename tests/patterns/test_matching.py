"""The largest match of every legal move: incremental = from scratch = the twin's."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.go.board import BLACK, KO, KO_COLOR, WHITE, Board, empty_board, place
from engine.go.geometry import AREA, to_column_row, to_point
from engine.patterns.evidence import EVIDENCE_GROUPS, GROUP_SIZES, new_memory, remember_move
from engine.patterns.hashing import new_hashes
from engine.patterns.matching import (
    NO_MATCH,
    Candidates,
    Matcher,
    clear_matcher,
    list_slots,
    match_moves_into,
    new_candidates,
    new_matcher,
)
from engine.patterns.table import claim_slot, find_slot, slots_for
from engine.patterns.templates import TEMPLATES
from tests.patterns.keys import move_keys
from tests.reference import patterns as twin
from tests.reference.games import COLOR_NAME, legal_moves, random_game

FOUND, AGAIN = new_candidates(), new_candidates()
MEMORY = new_memory()
UNTOUCHED = -9


def table_of(keys: set[int]) -> np.ndarray:
    """Return the keys of a table of classes, four tenths full."""
    table = np.zeros(slots_for(2 * len(keys)), np.uint32)
    for key in sorted(keys):
        assert claim_slot(table, np.uint64(key)) >= 0
    return table


def harvested(size: int, length: int, seed: int) -> set[int]:
    """Return the classes of a random game's legal moves, up to random templates."""
    rng = random.Random(seed)
    hashes = new_hashes(size)
    found: set[int] = set()
    for turn in random_game(size, length, seed):
        for point in legal_moves(turn.board, size, turn.color):
            if rng.random() < 0.5:
                keys = move_keys(hashes, turn.board, point, turn.color)
                found.update(keys[: rng.randint(0, TEMPLATES)])
    return found


def harvest(size: int, length: int, seed: int) -> np.ndarray:
    """Return the table of these classes."""
    return table_of(harvested(size, length, seed))


def match(
    matcher: Matcher, table: np.ndarray, board: Board, color: int, into: Candidates = FOUND
) -> list[tuple[int, int, int, int]]:
    count = match_moves_into(matcher, table, board, MEMORY, color, False, into)
    list_slots(matcher, color, into, count)
    points, templates = into.points[:count], into.templates[:count]
    largest = into.slots[np.arange(count) * TEMPLATES + np.maximum(templates, 1) - 1]
    features = matcher.features[(color - 1) * AREA + points]
    columns = (points, templates, largest, features)
    return list(zip(*(column.tolist() for column in columns), strict=True))


@pytest.mark.parametrize(("size", "length"), [(2, 8), (5, 40), (9, 80)])
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
    known = harvested(size, 40, seed=21)
    table = table_of(known)
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
            assert slot == (find_slot(table, np.uint64(key)) if key else NO_MATCH)
            start = [move[0] for move in moves].index(point) * TEMPLATES
            assert FOUND.slots[start : start + TEMPLATES].tolist() == [
                find_slot(table, np.uint64(key)) if i < template else NO_MATCH
                for i, key in enumerate(keys)
            ]


@given(seeds=st.lists(st.integers(0, 50), min_size=2, max_size=5), color=st.integers(1, 2))
@settings(max_examples=15, deadline=None)
def test_jumping_between_positions(seeds: list[int], color: int) -> None:
    """Undo, captures, another game: the matcher follows every change of the board."""
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
    board, known = empty_board(19), set()
    for point in legal_moves(board, 19, BLACK):
        known.update(move_keys(matcher.hashes, board, point, BLACK)[:4])
    table = table_of(known)
    assert {move[1] for move in match(matcher, table, board, BLACK)} == {4}
    place(board, np.int64(to_point(10, 10)), WHITE)
    matcher.slots[:] = UNTOUCHED
    after = match(matcher, table, board, BLACK)
    assert sum(template < 4 for _, template, _, _ in after) == 12  # T_4 less the point taken
    assert sum(slot != UNTOUCHED for _, _, slot, _ in after) == 4  # its neighbors: features
    board[KO], board[KO_COLOR] = to_point(1, 1), BLACK
    assert all(slot != UNTOUCHED for _, _, slot, _ in match(matcher, table, board, BLACK))


def test_an_empty_table_matches_nothing() -> None:
    moves = match(new_matcher(5), np.zeros(2, np.uint32), empty_board(5), BLACK)
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
    remember_move(board, memory, to_point(3, 3))
    count = match_moves_into(matcher, np.zeros(2, np.uint32), board, memory, WHITE, True, FOUND)
    rows = FOUND.evidence.reshape(-1, EVIDENCE_GROUPS)[:count]
    assert count == 80
    assert (rows < GROUP_SIZES).all()
    assert rows[FOUND.points[:count] == to_point(3, 4), 0] == [2]
