"""Help at the prompt."""

import pytest

from gtp.handlers.help import FORMS


@pytest.mark.parametrize("word", ["help", "?"])
def test_help_names_what_a_person_needs(talk, word):
    lines = talk(word).split("\n")
    assert lines[0].startswith("play b E5")
    assert any("list_commands" in line for line in lines)
    listed = talk("list_commands").split("\n")
    assert "help" in listed
    assert "?" not in listed
    assert talk("known_command ?") == "true"


def test_every_command_is_explained(talk):
    for name in talk("list_commands").split("\n"):
        first, second = talk(f"help {name}").split("\n")
        assert first.split()[0] == name
        assert second
    assert "COLOR VERTEX" in talk("help play")


NEEDS_STONES = ("countlib", "gg-undo")
NEEDS_MORE = (
    "loadsgf",
    "printsgf",
    "genmove",
    "reg_genmove",
    "place_free_handicap",
    "yomi-level",
    "attack",
    "defend",
)


def test_the_examples_are_accepted(talk):
    for name, form in FORMS.items():
        example = form.partition("for example: ")[2].partition(",")[0]
        if example and name not in NEEDS_MORE:
            talk("boardsize 19")
            if name in NEEDS_STONES:
                talk("play b E5", "play w E6")
            assert not talk(example).startswith("?"), example
