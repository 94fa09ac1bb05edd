"""The grammar: tolerated faults with notes, refused ones, and agreement with sgfmill."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sgfmill import sgf_grammar

from patterns_db.records.sgf import read_record
from patterns_db.records.sgf_syntax import parse_game


def moves(data):
    tree = parse_game(data).tree
    nodes = list(sgf_grammar.main_sequence_iter(tree))
    return [value for node in nodes for name in "BW" for value in node.get(name, ())]


@pytest.mark.parametrize(
    ("data", "note"),
    [
        (b"(\nTE[Cup]\nKO[7.5]\n;B[aa];W[bb])", "semicolon"),
        (b"(;SZ[9];B[aa];W[bb]", "not closed"),
        (b"(;SZ[9](;B[aa](;W[bb])", "not closed"),
        (b"(;GM[1]SZ[9];B[aa];W[bb]\n(;GM[1]SZ[9];B[cc])", "not closed"),
        (b"From: me (and you)\n\n(;SZ[9];B[aa];W[bb])\nbye", ""),
        (b";SZ[9];B[aa];W[bb]", "parentheses"),
        (b"(;GaMe[1]SiZe[9];Black[aa];White[bb])", ""),
        (b"(;gm[1]sz[9];b[aa];w[bb])", ""),
        (b"((;SZ[9];B[aa](;W[bb])()))", ""),
        (b"(;SZ[9];B[aa]C[see [1] here];W[bb])", "outside of properties"),
        (b"(;SZ[9];\x00B[aa],;W[bb]C)", "outside of properties"),
        (b"(;SZ[9];B[aa][bb])", ""),
        (b"(;SZ[9];B[aa]B[bb])", ""),
        (b"(;Gm[1]Sz[9];Bl[aa];Wh[bb])", ""),
        (b"(;game[1]size[9];black[aa];white[bb])", ""),
        (b"(;SZ[9];B[aa];W[bb]C[[1] b or w])", "outside of properties"),
        (b"(;SZ[9];B[aa];W[bb];B[c", "ends inside of B[c"),
        (b"(;SZ[9];B[aa];W[bb]C[and so on", "ends inside of C[and so on"),
        (b"(;SZ[9];B[aa];W[bb]C[a\\]", "ends inside of C[a"),
        (b"(;SZ[9];B[aa]TR[aa][b;W[bb])", "not closed"),
        (b"(;SZ[9]PB[Ann;B[aa];W[bb])", "not closed"),
        (b"(;SZ[9];B[aa]C[oops;W[bb])", "not closed"),
        (b"(;SZ[9];B[aa;W[bb])", "not closed"),
        (b"(;SZ[9];B[aa];W[bb]C[good(;GM[1]SZ[9];B[cc])", "not closed"),
        (b"(;GM[1]SZ[9]C[Lee(;GM[1]SZ[9];B[aa];W[bb])", "passed over"),
        (b"(;GM[1]SZ[9]\n(;GM[1]SZ[9];B[aa];W[bb])", "passed over"),
        (b"(;SZ[9];B[aa]C[try ;B[cc\\]];W[bb])", ""),
    ],
)
def test_tolerated_faults_lose_no_moves(data, note):
    assert moves(data) == [b"aa", b"bb"]
    assert note in " ".join(parse_game(data).notes)
    if not note:
        assert parse_game(data).notes == ()


def same(one, other):
    waiting = [(one, other)]
    while waiting:
        one, other = waiting.pop()
        if one.sequence != other.sequence or len(one.children) != len(other.children):
            return False
        waiting += zip(one.children, other.children, strict=True)
    return True


@settings(max_examples=300)
@given(
    st.lists(
        st.sampled_from(
            ["(", ")", ";", "B[aa]", "W[bb]", "C[x\\]y]", "AB[aa][bb]", " ", "AddBlack[cc]"]
        )
    )
)
def test_records_that_sgfmill_reads_are_read_equally(parts):
    data = "".join(["(;", *parts]).encode()
    try:
        expected = sgf_grammar.parse_sgf_game(data)
    except ValueError:
        return
    parsed = parse_game(data)
    # sgfmill loses the order of such moves.
    if parsed.notes == ("a semicolon is missing",):
        return
    assert same(parsed.tree, expected)
    assert parsed.notes == ()


def test_an_unclosed_game_with_one_move_is_the_first_game():
    assert moves(b"(;GM[1]SZ[9];B[aa]\n(;GM[1]SZ[9];B[cc];W[dd])") == [b"aa"]


def test_other_games_are_mentioned():
    record = read_record(b"(;SZ[9];B[aa])\n(;SZ[9];B[bb])")
    assert len(record.moves) == 1
    assert record.notes == ("the file holds several games: only the first is read",)


@pytest.mark.parametrize("part", [b"(;GM[1", b"(", b"(;C[\\", b"[", b"\\", b"(;B[aa]x"])
def test_deep_and_damaged_records_end(part):
    assert parse_game(b"(;GM[1];B[aa]" + part * 20_000).notes
