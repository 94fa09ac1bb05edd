"""patterns_db.records.splitting: a game that is cut off loses only itself."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import SgfError
from patterns_db.records import splitting
from patterns_db.records.splitting import split_games

GAME = b"(;GM[1]SZ[9]C[one \\] or [two(s)];B[cc]N[(;a](;W[gg];B[])(;W[ge]C[never]))"
HOSTILE = [
    b"(;GM[1]C[ (;GM[1\\]",
    b"(;GM[\\]",
    b"(;GM[1]",
    b"(;GM[1]C[",
    b"(;X)",
    b"(;",
    b"(",
    b"(;GM[1]C[\\",
    b"(;AB[aa]",
    b"[",
    b"(;GM[1](;GM[1]",
    b"(;SZ[9]C[(;GM[1]C[\xe4",
]


def read(data):
    """Return the numbers of the games that were read."""
    return [number for number, _, record in split_games(data) if not isinstance(record, SgfError)]


@given(st.lists(st.integers(0, len(GAME)), max_size=8))
def test_whole_games_are_found_after_any_cut_off_game(cuts):
    """Cut anywhere, between values or inside one; a whole game follows each cut one."""
    data = b"".join(GAME[:cut] + GAME + b"\n" for cut in cuts)
    found = [piece for _, piece, record in split_games(data) if not isinstance(record, SgfError)]
    # A parenthesis that belongs to no game may stand before it.
    whole = [piece for piece in found if piece.strip() in (GAME, b"(" + GAME)]
    assert len(whole) == len(cuts) + cuts.count(len(GAME))


def test_many_cut_off_games(monkeypatch):
    parsed = []
    real = splitting.read_record
    monkeypatch.setattr(splitting, "read_record", lambda data: parsed.append(data) or real(data))
    for cut in (b"(;GM[1]SZ[9];B[cc];W[gg]\n", b"(;GM[1]SZ[9];B[cc];W[g", b"(;GM[1]SZ[9]C[hm\\"):
        parsed.clear()
        assert read(cut * 500 + GAME)[-1] == 501
        assert b"".join(parsed) == cut * 500 + GAME  # each byte once


@pytest.mark.parametrize("piece", HOSTILE)
@pytest.mark.parametrize("end", [b"", b"]", b")"])
def test_no_byte_is_parsed_often(piece, end, monkeypatch):
    parsed = []
    real = splitting.read_record
    monkeypatch.setattr(
        splitting, "read_record", lambda data: parsed.append(len(data)) or real(data)
    )
    data = piece * 300 + end
    assert len(list(split_games(data))) <= 2 * 300 + 1
    assert sum(parsed) <= splitting._READINGS * len(data)


def test_skipped_parts_are_reported(monkeypatch):
    monkeypatch.setattr(splitting, "_READINGS", 0.5)
    *_, (_, piece, record) = split_games(b"(;GM[2]" * 300)
    assert piece == b""
    assert str(record) == "too much damage: the rest of the file is skipped"
