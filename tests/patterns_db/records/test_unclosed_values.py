"""Unclosed values: where they end, and how equal values are written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sgfmill import sgf_grammar

from patterns_db.records.sgf_syntax import continues, sealed, swallowed_at


@pytest.mark.parametrize(
    ("value", "place"),
    [
        (b"good move;W[bb", 9),
        (b"Ann ; B [", 4),
        (b"hm\\](;GM[1", 4),
        (b"hm( ; SZ[9", 2),
        (b"good move", None),
        (b"try ;B[dd\\] then", None),
        (b"see [1", None),
        (b"W[bb", None),
        (b";W\\[bb", None),
        (b"(;GM[1\\])", None),
    ],
)
def test_the_end_of_an_unclosed_value(value, place):
    assert swallowed_at(value) == place


@pytest.mark.parametrize(("rest", "goes_on"), [(b"", True), (b"C[x]", True), (b"\n;", True),
                                               (b" is good]", False), (b"]", False)])  # fmt: skip
def test_a_quotation_is_followed_by_words(rest, goes_on):
    assert continues(b"x" + rest, 1) is goes_on


@given(st.lists(st.sampled_from([b";", b"W", b"[", b"b", b"\\\\", b"(;GM", b" ", b"\\]"])))
def test_a_sealed_value_is_equal_and_looks_closed(parts):
    value = b"".join(parts)
    assert swallowed_at(sealed(value)) is None
    assert sgf_grammar.text_value(sealed(value)) == sgf_grammar.text_value(value)
