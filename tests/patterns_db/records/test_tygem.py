"""Records of Tygem: handmade files with every part that is read."""

import pytest

from engine import BLACK, PASS, WHITE, SgfError, parse_vertex
from patterns_db.records.games import GameReader
from patterns_db.records.members import record_bytes
from patterns_db.records.sgf import Play, SetupStones, read_record
from patterns_db.records.tygem import to_sgf

GIB = b"""\\HS\r
\\[GAMEBLACKNAME=b]\\a (3D)\\]\r
\\[GAMEWHITENAME=\xb1\xe8(4K)\\]\r
\\[GAMEINFOMAIN=GBKIND:3,GTYPE:0,GTIME:1200-30-3,GRLT:1,ZIPSU:35,DUM:0,GONGJE:65,TCNT:3\\]\r
\\HE\r
\\GS\r
2 1 0\r
3 0 &4\r
INI 0 1 3 &4\r
STO 0 2 2 15 15\r
STO 0 3 1 13 16\r
SKI 0 4\r
\\GE\r
"""
NGF = b"""Rated game
19
white      7D+
black      5K
server
0
0
7
20060101 [10:10]
5
White wins by 1.5
3
PMABBQEQ
PMACWAAA
PMADBEDD
"""


def point(vertex):
    return parse_vertex(vertex, 19)


def test_a_record_of_tygem(tmp_path):
    (tmp_path / "a.GIB").write_bytes(GIB)
    data = record_bytes(tmp_path / "a.GIB")
    assert b"PB[b\\]\\\\a]" in data
    assert "PW[김]".encode() in data
    record = read_record(data)
    assert (record.komi, record.result, record.handicap) == (6.5, "W+3.5", 3)
    assert (record.black_rank, record.white_rank) == ("3d", "4k")
    stones = tuple(sorted(map(point, ("D4", "Q16", "D16"))))
    assert record.events == (
        SetupStones(stones, (), ()),
        Play(WHITE, point("Q4")),
        Play(BLACK, point("O3")),
        Play(WHITE, PASS),
    )


def test_a_record_of_new_tygem(tmp_path):
    (tmp_path / "a.ngf").write_bytes(NGF)
    ((source, data),) = GameReader([tmp_path]).records()
    record = read_record(data)
    assert (source, record.komi, record.result) == ("a.ngf", 7.5, "W+")
    assert (record.black_rank, record.white_rank) == ("5k", "7d")
    assert record.events == (
        Play(BLACK, point("Q16")),
        Play(WHITE, PASS),
        Play(BLACK, point("D17")),
    )
    assert [game.source for game in GameReader([tmp_path])] == ["a.ngf"]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.gib", b""),
        ("a.gib", b"\\HS\nSTO 1"),
        ("a.gib", b"\\HS\nSTO 0 1 3 1 1"),
        ("a.gib", b"\\HS\nSTO 0 1 1 19 1"),
        ("a.gib", b"\\HS\nINI 0 1 99"),
        ("a.ngf", b"\\HS"),
        ("a.ngf", NGF.replace(b"PMABBQEQ", b"PMABBABB")),
    ],
)
def test_other_content_is_refused_with_a_hint(tmp_path, name, data):
    with pytest.raises(SgfError, match="another program may convert it to SGF"):
        to_sgf(data, name)
    (tmp_path / name).write_bytes(data)
    (tmp_path / "b.ngf").write_bytes(NGF)
    reader = GameReader([tmp_path])
    assert [game.source for game in reader] == ["b.ngf"]
    assert reader.damaged == 1


def test_sgf_under_any_name_stays_as_it_is():
    for name in ("a.gib", "a.sgf", "a"):
        assert to_sgf(b"\n(;B[aa])", name) == b"\n(;B[aa])"
