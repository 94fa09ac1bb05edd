"""Ring hashes: incremental = from scratch, classes invariant under all 16 transformations."""

import numpy as np
import pytest

from engine.errors import BadSetup
from engine.go.board import BLACK, WHITE, empty_board, place
from engine.go.geometry import board_points, to_column_row, to_point
from engine.patterns.hashing import (
    follow_board,
    new_hashes,
    random_numbers,
    splitmix64,
)
from tests.patterns.keys import class_keys
from tests.reference import patterns as twin
from tests.reference.games import COLOR_NAME, random_game


def test_splitmix64_gives_its_published_numbers() -> None:
    first = [6457827717110365317, 3203168211198807973, 9817491932198370423]
    assert splitmix64(1234567, 3).tolist() == first


def test_keys_on_disk_keep_their_meaning() -> None:
    """If this fails, PATTERN_KEY_VERSION must change: earlier tables become invalid."""
    hashes = new_hashes(19)
    board = empty_board(19)
    place(board, np.int64(to_point(4, 4)), BLACK)
    follow_board(hashes, board)
    keys = class_keys(hashes, WHITE, to_point(3, 6), 0b10110)
    assert keys[0] == 0xC9E6D00B264D57D0
    assert keys[6] == 0xFA70105DA1C52FC7
    assert keys[13] == 0xAFB015952960A9E5


def test_random_numbers_differ() -> None:
    numbers = np.concatenate([part.reshape(-1) for part in random_numbers()])
    assert len(set(numbers.tolist())) == len(numbers)
    assert 0 not in numbers


@pytest.mark.parametrize(("size", "length"), [(2, 6), (5, 30), (9, 60), (19, 40)])
def test_incremental_keys_are_those_of_the_twin(size: int, length: int) -> None:
    hashes = new_hashes(size)
    rng = np.random.default_rng(size)
    for number, turn in enumerate(random_game(size, length, seed=size)):
        follow_board(hashes, turn.board)
        if number % 10 != 5:
            continue
        for point in {turn.move, int(rng.choice(board_points(size)))}:
            for color in (BLACK, WHITE):
                features = int(rng.integers(256))
                assert class_keys(hashes, color, point, features) == twin.class_keys(
                    turn.oracle, to_column_row(point), COLOR_NAME[color], features
                )


@pytest.mark.parametrize("size", [0, 1, 26])
def test_sizes_that_do_not_exist(size: int) -> None:
    with pytest.raises(BadSetup, match="size"):
        new_hashes(size)
