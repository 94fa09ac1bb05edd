"""Character sets: names survive in every set, moves in every case, and guesses are reported."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patterns_db.records.decoding import decode
from patterns_db.records.sgf import read_record

MOVES = "B[pd];W[dp];B[pp]"


def record_of(name, charset=None):
    declared = f"CA[{charset}]" if charset else ""
    return f"(;GM[1]SZ[19]{declared}PB[{name}];{MOVES})"


@pytest.mark.parametrize(
    ("codec", "names", "shown"),
    [
        # Second bytes that look like a backslash, a bracket, or neither.
        ("cp932", ["十段戦", "能登", "ソニー杯", "予選表", "構想"], "Shift-JIS"),
        ("gbk", ["古力九段", "李世石", "马晓春 九段"], "GB18030"),
        ("cp950", ["許功蓋", "林海峰", "蓋世"], "Big5"),
        ("cp949", ["이창호", "박정환 9단", "조훈현"], "EUC-KR"),
        ("latin-1", ["José", "Müller", "François", "Göran Ågren", "Señor"], "Latin-1"),
    ],
)
def test_a_set_that_is_not_named_is_guessed(codec, names, shown):
    for name in names:
        data = record_of(name).encode(codec)
        text, notes = decode(data)
        assert name in text.decode()
        assert len(read_record(data).moves) == 3
        assert len(notes) == 1
        assert shown in notes[0]


@pytest.mark.parametrize(
    ("charset", "codec", "name"),
    [
        ("Windows-31J", "cp932", "予選表"),
        ("x-sjis", "cp932", "能登"),
        ("GB2312", "gbk", "古力"),
        ("Big5", "cp950", "許功蓋"),
        ("EUC-KR", "cp949", "이창호"),
        ("KS_C_5601-1987", "cp949", "이창호"),
        ("ISO-2022-JP", "iso2022_jp", "名人戦"),
        ("ISO-8859-1", "latin-1", "José"),
        ("windows-1251", "cp1251", "Шикшин"),
        ("utf8", "utf-8", "古力"),
    ],
)
def test_a_set_that_is_named_is_used(charset, codec, name):
    text, notes = decode(record_of(name, charset).encode(codec))
    assert name in text.decode()
    assert notes == ()


@pytest.mark.parametrize(
    "charset", ["zip", "hex", "idna", "punycode", "unicode_escape", "rot13", "x"]
)
def test_only_sets_of_characters_are_used(charset):
    text, notes = decode(record_of("古力九段", charset).encode())
    assert "古力九段" in text.decode()
    assert f"CA[{charset}] is no known set" in notes[0]


def test_a_wrong_name_is_not_believed():
    text, notes = decode(record_of("古力九段", "GB2312").encode("utf-8"))
    assert "古力九段" in text.decode()
    assert "UTF-8" in notes[0]
    text, notes = decode(record_of("古力九段", "UTF-8").encode("gbk"))
    assert "古力九段" in text.decode()
    assert "GB18030" in notes[0]


@pytest.mark.parametrize(
    ("codec", "name"),
    [("cp932", "表示能力"), ("cp950", "許功蓋"), ("gbk", "哱刓"), ("cp949", "이창호")],
)
@pytest.mark.parametrize(
    "charset",
    ["UTF-8", "GB2312", "Shift_JIS", "Big5", "EUC-KR", "ISO-8859-1", "windows-1251", "KOI8-R", "?"],
)
@pytest.mark.parametrize("before", [True, False])
def test_a_wrong_name_loses_no_move(codec, name, charset, before):
    declared, names = f"CA[{charset}]", f"PB[{name}]PW[{name[::-1]}]"
    head = declared + names if before else names + declared
    data = f"(;GM[1]SZ[19]{head};B[pd]C[{name}];W[dp];B[pp]N[{name}])".encode(codec)
    record = read_record(data)
    assert len(record.moves) == 3
    assert record.size == 19


def test_half_a_character_at_the_end_of_a_name_loses_no_move():
    for codec, charset in (("cp932", "Shift_JIS"), ("gbk", "GBK"), ("cp950", "Big5")):
        raw = "名人戦戰".encode(codec, "ignore")
        data = b"(;SZ[9]CA[" + charset.encode() + b"]PB[" + raw[:-1] + b"];B[aa];W[bb])"
        assert len(read_record(data).moves) == 2


def test_a_letter_with_an_accent_is_no_chinese_character():
    text, notes = decode(record_of("François", "GB2312").encode())
    assert "François" in text.decode()
    assert "UTF-8" in notes[0]


def test_escapes_of_iso_2022_overrule_another_name():
    text, notes = decode(record_of("名人戦", "Shift_JIS").encode("iso2022_jp"))
    assert "名人戦" in text.decode()
    assert "ISO-2022-JP" in notes[0]


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_marks_and_wide_characters(codec):
    text, notes = decode(record_of("古力").encode(codec))
    assert text.decode() == record_of("古力")
    assert notes == ()


@given(st.binary(max_size=300))
def test_any_bytes_become_utf8(data):
    decode(b"(;GM[1]C[" + data).text.decode("utf-8")
