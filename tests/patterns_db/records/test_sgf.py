"""Game records: accepted and refused ones, and agreement of writing and reading."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import SgfError
from engine.go import geometry
from engine.go.geometry import PASS, board_points, parse_vertex
from patterns_db.records import record_values
from patterns_db.records.sgf import (
    BLACK,
    WHITE,
    GameRecord,
    Play,
    SetupStones,
    Turn,
    read_record,
    write_record,
)


def vertices(size, *names):
    return tuple(sorted(parse_vertex(name, size) for name in names))


def test_reads_a_plain_game():
    record = read_record(
        b"(;GM[1]FF[4]SZ[9]KM[6.5]RU[Japanese]RE[W+3.5]DT[2005-11-26]BR[9d]WR[8d]\n"
        b";B[ee];W[aa];B[tt];W[])\n"
    )
    assert record == GameRecord(
        size=9,
        komi=6.5,
        rules="Japanese",
        result="W+3.5",
        black_rank="9d",
        white_rank="8d",
        date="2005-11-26",
        events=(
            Play(BLACK, parse_vertex("E5", 9)),
            Play(WHITE, parse_vertex("A9", 9)),
            Play(BLACK, PASS),
            Play(WHITE, PASS),
        ),
    )


def test_nothing_given_means_nineteen_lines_and_no_facts():
    assert read_record(b"(;)") == GameRecord(size=19)


def test_handicap_and_set_up_in_the_middle():
    record = read_record(b"(;SZ[9]HA[2]AB[cc][gg]PL[W];W[ee];AE[ee]AW[aa:bb]PL[B]C[set up];B[ii])")
    assert record.handicap == 2
    assert record.events == (
        SetupStones(vertices(9, "C7", "G3"), (), ()),
        Turn(WHITE),
        Play(WHITE, parse_vertex("E5", 9)),
        SetupStones((), vertices(9, "A9", "B9", "A8", "B8"), vertices(9, "E5")),
        Turn(BLACK),
        Play(BLACK, parse_vertex("J1", 9)),
    )
    assert record.moves == (record.events[2], record.events[5])


def test_only_the_first_variation_and_the_first_game_are_read():
    data = b"junk (;SZ[9];B[aa](;W[bb](;B[cc])(;B[dd]))(;W[ee])) (;SZ[9];B[ii])"
    assert [move.point for move in read_record(data).moves] == [
        parse_vertex(name, 9) for name in ("A9", "B8", "C7")
    ]


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", "no SGF data"),
        (b"\x00\xff hello", "no SGF data"),
        (b"(;SZ[9];B;W[aa])", "without a point"),
        (b"(;SZ[9];B[aa](;W[bb]);B[cc])", "after a variation"),
        (b"(;GM[2])", "not a game of Go"),
        (b"(;SZ[1])", "board size"),
        (b"(;SZ[26])", "board size"),
        (b"(;SZ[9:13])", "board size"),
        (b"(;SZ[nine])", "board size"),
        (b"(;SZ[" + b"9" * 5000 + b"])", "board size"),
        (b"(;SZ[9];B[jk])", "bad move"),
        (b"(;SZ[9];B[e5])", "bad move"),
        (b"(;SZ[9]AB[aa:zz])", "set-up"),
        (b"(;SZ[9]AB[cc:jj])", "set-up"),
        (b"(;SZ[9]AB[aa]AW[aa])", "a node sets A9 twice"),
        (b"()", "no SGF data|without nodes"),
        (b"(())", "not a readable SGF record"),
    ],
)
def test_refuses_unreadable_records_in_one_line(data, text):
    with pytest.raises(SgfError, match=text) as caught:
        read_record(data)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 120


@given(st.binary(max_size=200))
def test_random_bytes_never_raise_anything_else(data):
    try:
        read_record(b"(;SZ[9]" + data)
    except SgfError:
        pass


@st.composite
def records(draw):
    size = draw(st.integers(2, 25))
    points = st.sampled_from(board_points(size))
    colors = st.sampled_from([BLACK, WHITE])

    @st.composite
    def setups(draw):
        stones = draw(st.lists(points, min_size=1, max_size=6, unique=True))
        owners = draw(st.lists(st.integers(0, 2), min_size=len(stones), max_size=len(stones)))
        return SetupStones(
            *(
                tuple(sorted(s for s, o in zip(stones, owners, strict=True) if o == owner))
                for owner in range(3)
            )
        )

    plays = st.builds(Play, colors, st.one_of(points, st.just(PASS)))
    texts = st.one_of(
        st.none(), st.text(st.characters(codec="utf-8", categories=["L"]), min_size=1)
    )
    return GameRecord(
        size=size,
        komi=draw(
            st.one_of(st.none(), st.integers(-8, 30).map(lambda n: n / 2 if size > 4 else 1.0))
        ),
        rules=draw(texts),
        result=draw(texts),
        handicap=draw(st.sampled_from([0, 2])),
        black_rank=draw(texts),
        events=tuple(draw(st.lists(st.one_of(plays, setups(), st.builds(Turn, colors))))),
    )


@settings(max_examples=100)
@given(records())
def test_writing_and_reading_agree(record):
    assert read_record(write_record(record)) == record


@pytest.mark.parametrize("komi", [3.75, 7.25, 300.0])
def test_the_komi_of_a_written_record_is_points(komi):
    record = GameRecord(size=19, komi=komi)
    assert read_record(write_record(record)).komi == komi
    damaged = write_record(record).replace(b"KM[", b"KM[1 or ")
    assert read_record(damaged).komi is None
    foreign = write_record(record).replace(b"AP[yomi:", b"AP[other:")
    assert read_record(foreign).komi != komi


@pytest.mark.parametrize(
    ("data", "field", "value"),
    [
        *(
            (f"(;SZ[{size}];B[{text}])", "moves", (Play(BLACK, PASS),))
            for size, text in [
                (9, "jj"),
                (9, "tt"),
                (9, "JJ"),
                (9, ""),
                (18, "ss"),
                (19, "tt"),
                (25, "zz"),
            ]
        ),
        ("(;SZ[20];B[tt])", "moves", (Play(BLACK, parse_vertex("U1", 20)),)),
        *((f"(;PL[{text}])", "events", (Turn(BLACK),)) for text in ("B", "1")),
        *((f"(;PL[{text}])", "events", (Turn(WHITE),)) for text in ("w", "white", "2")),
        *((f"(;SZ[{text}])", "size", 19) for text in ("19:19", "")),
        *((f"(;SZ[{text}])", "size", 13) for text in (" 13 ", "13x13")),
        *((f"(;HA[{text}])", "handicap", 3) for text in ("3子", "3 stones", "3.0", "3点")),
        ("(;SZ[9]AW[]AB[ ]AE[])", "events", ()),
    ],
)
def test_values_in_every_form(data, field, value):
    record = read_record(data.encode())
    assert getattr(record, field) == value
    assert record.notes == ()


def test_an_odd_side_to_move_or_handicap_is_reported():
    record = read_record(b"(;SZ[9]PL[Red]HA[two])")
    assert record.events == ()
    assert len(record.notes) == 2


@pytest.mark.parametrize("corners", [b"aa:bc", b"bc:aa", b"ac:ba", b"ba:ac"])
def test_a_rectangle_has_any_two_opposite_corners(corners):
    (stones,) = read_record(b"(;SZ[9]AB[" + corners + b"])").events
    assert len(stones.black) == 6


@pytest.mark.parametrize(
    ("data", "size", "komi"),
    [
        (b"(;;GM[1]SZ[9]KM[3.5];B[aa])", 9, 3.5),
        (b"(;FF[4]GM[1];SZ[9];KM[3.5];B[aa]KO[1])", 9, 3.5),
        (b"(;SZ[13];SZ[9]KM[3.5];B[aa];KM[4.5])", 13, 3.5),
        (b"(;SZ[13];B[aa]KO[1];KM[3.5])", 13, None),
    ],
)
def test_information_stands_anywhere_before_the_first_move(data, size, komi):
    record = read_record(data)
    assert (record.size, record.komi) == (size, komi)


def test_several_values_are_reported():
    record = read_record(b"(;SZ[9]SZ[13]KM[5.5][6.5]HA[2]HA[2])")
    assert (record.size, record.komi) == (9, 5.5)
    assert len(record.notes) == 2
    assert "several values of SZ" in record.notes[0]
    assert "several values of KM" in record.notes[1]


@pytest.mark.parametrize(
    ("data", "moves", "note"),
    [
        (b"(;SZ[9];B[aa]W[bb]B[cc])", "BWB", "semicolon"),
        (b"(;SZ[9];B[aa][aa];W[bb]W[bb];B[cc])", "BWB", "repeats its move"),
        (b"(;SZ[9];B[aa]);W[bb];B[cc])", "B", "after the end of the game"),
    ],
)
def test_moves_in_odd_places(data, moves, note):
    record = read_record(data)
    assert "".join(" BW"[move.color] for move in record.moves) == moves
    assert note in " ".join(record.notes)


def test_no_move_of_a_node_vanishes():
    record = read_record(b"(;SZ[9];B[aa][bb]W[cc])")
    assert [move.point for move in record.moves] == [
        parse_vertex(name, 9) for name in ("A9", "B8", "C7")
    ]
    assert "several moves" in record.notes[0]


def test_a_move_may_be_forced():
    record = read_record(b"(;SZ[9];B[aa]KO[];W[bb])")
    assert [move.forced for move in record.moves] == [True, False]
    assert read_record(write_record(record)) == record


def test_the_fox_server_leaves_out_handicap_stones():
    data = b"(;SZ[19]HA[3]AP[foxwq]KM[0];W[cd])"
    record = read_record(data)
    assert record.events[0] == SetupStones(vertices(19, "D4", "Q16", "D16"), (), ())
    assert "star points" in record.notes[0]
    assert len(read_record(data.replace(b"foxwq", b"other")).events) == 1


def test_the_fox_server_names_itself_last():
    data = b"(;KM[0]RU[Chinese]AP[GNU Go:3.8]AP[foxwq]HA[3];W[dp])"
    record = read_record(data)
    assert record.komi is None
    assert len(record.events[0].black) == 3


@pytest.mark.parametrize(
    ("data", "shown"),
    [
        (b"(;SZ[9\x1b])", "SZ[9\\x1b]"),
        (b"(;SZ[9:8\x1b])", "SZ[9:8\\x1b]"),
        (b"(;AB[\x1b])", "board: \\x1b"),
        (b"(;B[\x1bzz])", "B[\\x1bzz]"),
    ],
)
def test_errors_show_control_characters_as_codes(data, shown):
    with pytest.raises(SgfError) as caught:
        read_record(data)
    assert shown in str(caught.value)


@pytest.mark.parametrize(
    ("data", "shown"),
    [
        (b"(;C[a\x1bb", "C[a\\x1bb, which is left out"),
        (b"(;CA[moon\x1b]C[\xc4\xe3\xba\xc3])", "CA[moon\\x1b] is no known set"),
    ],
)
def test_notes_show_control_characters_as_codes(data, shown):
    assert shown in read_record(data).notes[0]


def test_a_repeated_rectangle_is_unpacked_once(monkeypatch):
    calls = []
    monkeypatch.setattr(
        record_values, "to_point", lambda x, y: calls.append(1) or geometry.to_point(x, y)
    )
    record = read_record(b"(;SZ[19]AB" + b"[aa:sr]" * 1000 + b"[sr:aa][ss])")
    assert len(record.events[0].black) == 343
    assert len(calls) <= 2 * 342 + 1
