"""patterns_db.printing: the characters of names control neither terminals nor pages."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patterns_db.printing import printable


@given(st.text() | st.text(st.characters(codec=None)))
def test_everything_shown_is_a_character_on_one_line(text):
    shown = printable(text)
    assert not {unicodedata.category(character) for character in shown} & {"Cc", "Cs", "Zl", "Zp"}
    assert len(shown.splitlines()) <= 1
    shown.encode()
    assert printable(shown) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b]0;owned\x07\x9b31m", r"\x1b]0;owned\x07\x9b31m"),
        ("Black\u202eetihW", r"Black\u202eetihW"),
        ("a\nb\r\u2028c", r"a\nb\r\u2028c"),
        ("\udcff.sgf", r"\udcff.sgf"),
        ("趙治勲 9段, Łuść", "趙治勲 9段, Łuść"),
        ("क\u200dष", "क\u200dष"),
    ],
)
def test_shown_texts(text, shown):
    assert printable(text) == shown
