"""Notes in a record: other properties stay, and earlier notes are replaced."""

import pytest

from engine import BLACK, PASS, parse_vertex
from patterns_db.records.annotations import Note, Variation, annotate
from patterns_db.records.sgf import read_main_line, read_record

# A value of each kind that no reader understands, in a node of its own.
ODD = (
    b"TR[zz]", b"LB[dd]", b"LB[tt:A]", b"LB[:]", b"SQ[aa:zz]", b"CR[]", b"MA[cc:aa]",
    b"TR[aa:bb:cc]", b"C[a]C[b]", b"C[a][b]", b"SBKV[x]", b"BM[9]DO[]", b"DD[?]", b"VW[z]",
    b"XX[\\]]", b"TW[aa][zz]", b"KO[]MN[x]", b"LB[aa:a\\:b]", b"N[]", b"GW[7]", b"TR[\n]",
    b"LB[c\xe9:A]",
)  # fmt: skip


def note(comment="Black wins 50.0 %\n\nBest: C3", **more):
    point = parse_vertex("C3", 5)
    return Note(0.5, 1.0, ((point, "A"), (parse_vertex("D4", 5), "B")), point, comment, **more)


def reviewed(data, **more):
    line = read_main_line(data)
    notes = [note(**more) for _ in line.nodes]
    better = Variation(BLACK, (parse_vertex("E5", 5), PASS), "better")
    notes[0] = notes[0]._replace(instead=(better,) if len(notes) > 1 else ())
    return annotate(line, notes)


def values(data):
    """Return all properties of the main line except a review's, by node."""
    added = {"SBKV", "SBKS", "YOMI", "CA"}
    nodes = read_main_line(data).file.get_main_sequence()
    return [
        {name: node.get_raw_list(name) for name in node.properties() if name not in added}
        for node in nodes
    ]


@pytest.mark.parametrize("odd", ODD)
def test_unknown_values_stay(odd):
    data = b"(;SZ[5];B[aa]" + odd + b";W[bb])"
    before, after = values(data)[1], values(reviewed(data))[1]
    for name, kept in before.items():
        if name == "C":  # one comment, with the text of all
            assert all(value in after["C"][0] for value in kept)
        else:
            assert after[name][: len(kept)] == kept


@pytest.mark.parametrize("odd", [b"", *ODD])
def test_a_review_of_a_review_replaces_it(odd):
    data = b"(;SZ[5];B[aa]" + odd + b";W[bb](;B[cc])(;B[dd]C[mine]))"
    once = reviewed(data, judgement="BM")
    assert reviewed(once, judgement="BM") == once
    again = reviewed(once, comment="another\n\ntext")
    assert again.count(b"another") == 4
    assert b"Black wins" not in again
    assert b"BM[1]" not in again
    assert again.count(b"C[better]") == 1


def test_without_new_notes_the_record_is_the_old_one():
    data = b"(;SZ[5]CA[UTF-8]KM[1]C[mine\n];B[aa]LB[cc:x]C[];W[bb])"
    once = read_main_line(reviewed(data, judgement="IT"))
    assert annotate(once, [None] * 3).replace(b"\n", b"") == data.replace(b"\n", b"")


def test_later_additions_of_a_person_stay():
    once = reviewed(b"(;SZ[5];B[aa]C[mine];W[bb])")
    edited = once.replace(b"Best: C3", b"Best: C3\nI doubt it\n\nSo do I", 1)
    edited = edited.replace(b"W[]", b"W[];B[ba]C[and this]", 1)
    again = reviewed(edited)
    for text in (b"mine", b"I doubt it", b"So do I", b"W[]", b"B[ba]C[and this]"):
        assert text in again or text in again.replace(b"\n", b"")  # long lines are wrapped
    assert again.count(b"Best: C3") == 3
    assert b"I doubt it\n\nSo do I" in values(again)[0]["C"][0]
    assert read_record(again) == read_record(once)


def test_line_ends_of_an_editor_are_no_edit():
    once = reviewed(b"(;SZ[5];B[aa]C[mine];W[bb])")
    assert reviewed(once.replace(b"\n", b"\r\n")).count(b"Black wins") == 3


@pytest.mark.parametrize("written", [b"[SZ]", b"[B:aa]", b"[C:zz]", b"[]", b"[LB:x][C]", b"[YOMI]"])
def test_a_foreign_property_of_our_name_loses_nothing(written):
    data = b"(;SZ[5];B[aa]C[mine]LB[cc:x]YOMI" + written + b";W[bb])"
    assert read_record(reviewed(data)) == read_record(data)
    assert b"mine" in reviewed(data)
    assert b"[cc:x]" in reviewed(data)


def test_two_moves_of_a_node_keep_their_order():
    data = b"(;SZ[5];W[aa]B[bb];W[cc])"
    assert read_record(reviewed(data)).moves == read_record(data).moves


def test_a_value_that_looks_unclosed_reads_the_same_after_writing():
    data = b"(;SZ[5]KM[7.;B[ee]x;B[aa];W[bb])"
    once = annotate(read_main_line(data), [None] * 3)
    assert read_record(once).moves == read_record(data).moves
    assert annotate(read_main_line(once), [None] * 3) == once
