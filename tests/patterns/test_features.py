"""Facts and the eight features of a move: computed without playing it = found by playing it."""

import numpy as np
import pytest
from sgfmill import ascii_boards

from engine.go.board import BLACK, HEAD, Board, empty_board
from engine.go.geometry import parse_vertex, to_column_row
from engine.patterns.features import (
    CAPTURED,
    CHAIN,
    FACTS,
    FREED,
    LIST_SIZE,
    OPPONENT,
    SAVED,
    THREATENED,
    THREATS,
    feature_bits,
    forget_liberties,
    list_liberties,
    new_liberties,
    study_move,
)
from tests.diagrams import game_of
from tests.reference import patterns as twin
from tests.reference.games import COLOR_NAME, legal_moves, random_game

CHAINS = new_liberties()


def study(board: Board, point: int, color: int) -> np.ndarray:
    facts = np.zeros(FACTS, np.int64)
    forget_liberties(CHAINS)
    study_move(board, CHAINS, np.int64(point), color, facts)
    return facts


CASES = [  # name, diagram, Black's move, expected facts, features (liberties, opponent, escapes)
    (
        "gives two ataris",
        "...../.X.X./.O.O./.X.X./.....",
        "C3",
        {THREATS: 2, THREATENED: 2, OPPONENT: 1},
        (1, 0, 0),
    ),
    (
        "frees a far chain by capturing",
        "XO.../.X.../...../...../.....",
        "C5",
        {CAPTURED: 1, FREED: 1, SAVED: 0, OPPONENT: 0},
        (2, 0, 1),
    ),
]


@pytest.mark.parametrize(
    ("diagram", "vertex", "expected", "features"),
    [case[1:] for case in CASES],
    ids=[case[0] for case in CASES],
)
def test_worked_positions(
    diagram: str, vertex: str, expected: dict[int, int], features: tuple[int, int, int]
) -> None:
    board = game_of(diagram).board
    facts = study(board, parse_vertex(vertex, 5), BLACK)
    assert {slot: int(facts[slot]) for slot in expected} == expected
    bits = feature_bits(board, BLACK, facts)
    assert (bits & 3, bits >> 2 & 3, bits >> 5 & 1) == features


@pytest.mark.parametrize(
    ("vertex", "value"), [("A10", 0), ("C10", 0), ("D10", 1), ("E10", 2), ("F10", 3), ("K10", 3)]
)
def test_line_is_the_corrected_one(vertex: str, value: int) -> None:
    """Third line and below are one value: the printed {< 3, 4, 5, > 5} would lose it."""
    board = empty_board(19)
    assert feature_bits(board, BLACK, study(board, parse_vertex(vertex, 19), BLACK)) >> 6 == value


@pytest.mark.parametrize(
    ("size", "length", "seed"),
    [(3, 20, 1), (5, 60, 2), (7, 120, 3), (7, 120, 4), (9, 200, 5), (9, 200, 6)],
)
def test_features_are_those_of_the_twin(size: int, length: int, seed: int) -> None:
    for turn in random_game(size, length, seed):
        for point in legal_moves(turn.board, size, turn.color):
            bits = feature_bits(turn.board, turn.color, study(turn.board, point, turn.color))
            assert bits == twin.features(
                turn.oracle, to_column_row(point), COLOR_NAME[turn.color], turn.ko != 0
            ), f"{ascii_boards.render_board(turn.oracle)}\n{turn.color} {to_column_row(point)}"


def test_listed_liberties_are_those_of_the_twin() -> None:
    for turn in random_game(9, 150, seed=7):
        forget_liberties(CHAINS)
        for chain in {
            frozenset(twin.chain_of(turn.oracle, (c, r)))
            for c in range(1, 10)
            for r in range(1, 10)
            if twin.color_at(turn.oracle, (c, r)) in "bw"
        }:
            heads = {int(turn.board[HEAD + r * 26 + c]) for c, r in chain}
            assert len(heads) == 1
            head = heads.pop()
            expected = twin.liberties_of(turn.oracle, chain)
            count = list_liberties(turn.board, CHAINS, np.int64(head))
            assert count == min(len(expected), LIST_SIZE)
            if count < LIST_SIZE:
                listed = CHAINS[head * CHAIN : head * CHAIN + count]
                assert {to_column_row(int(point)) for point in listed} == expected
