"""Files that are made, or damaged, to cost time: at this size, more than linear time is minutes."""

import pytest

from engine import BLACK, WHITE
from engine.go.geometry import board_points
from patterns_db.records.games import GameReader
from patterns_db.records.sgf import GameRecord, Play, write_record

POINTS = board_points(19)
MOVES = b"".join(b";%c[%c%c]" % (b"BW"[i % 2], 97 + i % 19, 97 + i // 19) for i in range(40))
GAME = b"(;GM[1]FF[4]SZ[19]PB[a]PW[b]" + MOVES


@pytest.mark.slow
@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    ("piece", "count", "games"),
    [
        (GAME + b")\n", 2000, 2000),
        (GAME + b"\n", 2000, 2000),  # cut off between values
        (GAME + b";B[a\n", 2000, 2000),
        (GAME + b"C[a \\] b\n", 2000, 2000),
        (b"(;GM[1]C[ (;GM[1\\]", 20_000, 20_001),  # roots inside values
        (b"(;GM[\\]", 20_000, 2),
        (b"(;", 200_000, 1),
        (b"(;B[aa]", 100_000, 0),  # nested variations
        (b";", 800_000, 0),
        (b"(;C[", 100_000, 1),
        (b"(;GM[1]C[\xe4 (;GM[\\]", 10_000, 10_001),
    ],
)
def test_reading_takes_linear_time(piece, count, games, tmp_path):
    path = tmp_path / "games.sgf"
    path.write_bytes(piece * count)
    assert sum(1 for _ in GameReader([path])) == games


@pytest.mark.timeout(60)
def test_writing_takes_linear_time():
    moves = tuple(Play((BLACK, WHITE)[i % 2], POINTS[i % len(POINTS)]) for i in range(20_000))
    assert len(write_record(GameRecord(19, events=moves))) > 6 * len(moves)
