"""The positions of a record's main line."""

import pytest

from engine import BLACK, WHITE, SgfError
from gtp.review.positions import positions_of
from patterns_db.records.sgf import read_main_line
from tests.review.examples import CHINESE


def test_the_next_move_says_whose_turn_it_is():
    line = read_main_line(b"(;SZ[5];B[aa];B[bb];AW[cc];W[dd])")
    _, positions = positions_of(line, CHINESE, 0.5)
    games = [position.game for position in positions]
    assert [game.to_play for game in games] == [BLACK, BLACK, WHITE, WHITE, BLACK]
    assert [len(game.moves) for game in games] == [0, 1, 2, 0, 1]


def test_an_illegal_move_ends_the_line_and_is_named():
    line = read_main_line(b"(;SZ[5];B[aa];W[bb];B[aa];W[cc])")
    shorter, positions = positions_of(line, CHINESE, 0.5)
    assert [position.number for position in positions] == [0, 1, 2]
    assert len(shorter.nodes) == 3
    note = shorter.record.notes[-1]
    assert note.startswith("at move 3: illegal move: black A5 (")
    assert note.endswith("; the review ends there")
    with pytest.raises(SgfError, match="at move 2: illegal move"):
        positions_of(read_main_line(b"(;SZ[5]B[aa]W[aa])"), CHINESE, 0.5)
