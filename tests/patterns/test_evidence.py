"""The added evidence of a move equals the twin's, which plays the move."""

import numpy as np
import pytest
from sgfmill import ascii_boards

from engine.go.board import BLACK, KO, WHITE, Board, empty_board, place
from engine.go.geometry import PASS, parse_vertex, to_column_row, to_point
from engine.patterns.evidence import (
    BEFORE_GROUP,
    CONTACT_GROUP,
    EVIDENCE_GROUPS,
    GROUP_SIZES,
    KO_AGE,
    KO_FIGHT_GROUP,
    KO_MEMORY,
    KO_POINT,
    LAST_GROUP,
    LAST_MOVE,
    MOVE_BEFORE,
    classes_into,
    new_memory,
    new_surroundings,
    remember_move,
    survey_surroundings,
)
from engine.patterns.features import FACTS, forget_liberties, new_liberties, study_move
from tests.patterns.group_names import GROUP_NAMES
from tests.reference import patterns as twin
from tests.reference.games import COLOR_NAME, legal_moves, random_game

CHAINS, AROUND = new_liberties(), new_surroundings()


def survey(board: Board, memory: np.ndarray, color: int) -> None:
    forget_liberties(CHAINS)
    survey_surroundings(board, CHAINS, memory, color, AROUND)


def classes(board: Board, memory: np.ndarray, point: int, color: int) -> list[int]:
    """Return a move's classes; needs survey() of the same position."""
    facts = np.zeros(FACTS, np.int64)
    found = np.full(EVIDENCE_GROUPS + 2, -1, np.int64)
    study_move(board, CHAINS, np.int64(point), color, facts)
    classes_into(board, AROUND, memory, np.int64(point), color, facts, found, 1)
    assert found[0] == found[-1] == -1
    return [int(value) for value in found[1:-1]]


def to_pair(point: int) -> tuple[int, int] | None:
    return to_column_row(int(point)) if point != PASS else None


@pytest.mark.parametrize(
    ("size", "length", "seed"),
    [(3, 20, 1), (5, 80, 2), (5, 80, 8), (7, 150, 3), (9, 200, 5), (9, 250, 6)],
)
def test_classes_are_those_of_the_twin(size: int, length: int, seed: int) -> None:
    memory = new_memory()
    for turn in random_game(size, length, seed):
        survey(turn.board, memory, turn.color)
        for point in legal_moves(turn.board, size, turn.color):
            found = classes(turn.board, memory, point, turn.color)
            expected = twin.evidence(
                turn.oracle,
                to_column_row(point),
                COLOR_NAME[turn.color],
                to_pair(memory[LAST_MOVE]),
                to_pair(memory[MOVE_BEFORE]),
                turn.ko != 0,
                to_pair(memory[KO_POINT]),
            )
            assert dict(zip(GROUP_NAMES, found, strict=True)) == expected, (
                f"{ascii_boards.render_board(turn.oracle)}\n{turn.color} {to_column_row(point)}"
            )
            assert all(value < most for value, most in zip(found, GROUP_SIZES, strict=True))
        after = turn.board.copy()
        place(after, np.int64(turn.move), turn.color)
        remember_move(after, memory, turn.move)


def test_passes_leave_no_place() -> None:
    board, memory = empty_board(9), new_memory()
    place(board, np.int64(to_point(3, 3)), BLACK)
    remember_move(board, memory, to_point(3, 3))
    remember_move(board, memory, PASS)
    survey(board, memory, BLACK)
    found = classes(board, memory, to_point(3, 4), BLACK)
    assert (found[LAST_GROUP], found[BEFORE_GROUP], found[CONTACT_GROUP]) == (0, 2, 0)


def test_a_ko_is_remembered_for_a_while() -> None:
    board, memory = empty_board(9), new_memory()
    for vertex, color in [("B1", 1), ("A2", 1), ("B3", 1), ("C1", 2), ("C3", 2), ("D2", 2)]:
        place(board, np.int64(parse_vertex(vertex, 9)), color)
    place(board, np.int64(parse_vertex("C2", 9)), BLACK)
    place(board, np.int64(parse_vertex("B2", 9)), WHITE)  # takes the ko
    assert board[KO] == parse_vertex("C2", 9)
    remember_move(board, memory, parse_vertex("B2", 9))
    board[KO] = 0
    survey(board, memory, BLACK)
    assert classes(board, memory, parse_vertex("C2", 9), BLACK)[KO_FIGHT_GROUP] == 1
    survey(board, memory, WHITE)
    assert classes(board, memory, parse_vertex("C2", 9), WHITE)[KO_FIGHT_GROUP] == 2
    for _ in range(KO_MEMORY):
        remember_move(board, memory, PASS)
    assert memory[KO_POINT] != 0
    remember_move(board, memory, PASS)
    assert memory[KO_POINT] == 0
    assert memory[KO_AGE] == KO_MEMORY + 1
