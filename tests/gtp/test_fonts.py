"""Names in any script in plots: no warning, no formula."""

import warnings
from pathlib import Path

import pytest

pytest.importorskip("matplotlib")

from gtp import fonts
from gtp.fonts import MISSING, fit_fonts, fonts_for
from gtp.plotting import figure_bytes, new_figure

NAMES = (
    "\u674e\u660c\u9396", "\uc774\uc138\ub3cc", "\u30bb\u30c9\u30eb", "\u0e01", "\x07",
    "$x^$", "$", "\U0001f600",
)  # fmt: skip


@pytest.mark.parametrize("kind", [".png", ".svg", ".pdf"])
@pytest.mark.parametrize("name", NAMES)
def test_any_name_can_be_drawn(kind, name, monkeypatch):
    monkeypatch.setattr(fonts, "_installed", dict)  # a system without other fonts
    figure = new_figure(Path(f"a{kind}"), 3, 2)
    figure.suptitle(f"{name} against Lee", parse_math=False)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert figure_bytes(figure, kind)


def test_a_character_without_a_font_becomes_a_square(monkeypatch):
    monkeypatch.setattr(fonts, "_installed", dict)
    figure = new_figure(Path("a.svg"), 3, 2)
    title = figure.suptitle("\u674e against S\u00f3ng")
    fit_fonts(figure)
    assert title.get_text() == f"{MISSING} against S\u00f3ng"


def test_as_few_fonts_as_will_do(monkeypatch):
    have = {"one": "ab", "two": "abc", "three": "d"}
    monkeypatch.setattr(fonts, "_installed", lambda: have)
    monkeypatch.setattr(fonts, "_characters_of", lambda name: frozenset(have[name]))
    assert fonts_for("abcd?") == ("two", "three")
    assert fonts_for("?") == ()
