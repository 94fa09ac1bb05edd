"""Fonts for names in any script. The default font of plots lacks Chinese, Japanese and Korean."""

from collections.abc import Iterable
from contextlib import suppress
from functools import lru_cache
from typing import Any

# A square, which the default font has. Players with such names have seen it elsewhere.
MISSING = "\u25a1"


def fit_fonts(figure: Any) -> None:
    """Give every text of a figure fonts that have its characters.

    A character that no installed font has becomes MISSING. Otherwise matplotlib would print a
    warning for each on stderr.
    """
    from matplotlib.text import Text

    for text in figure.findobj(Text):
        missing = _missing(text.get_text(), ())
        if not missing:
            continue
        fonts = fonts_for(missing)
        for character in _missing(missing, fonts):
            text.set_text(text.get_text().replace(character, MISSING))
        text.set_fontfamily([*text.get_fontfamily(), *fonts])


def fonts_for(characters: str) -> tuple[str, ...]:
    """Return a small set of installed fonts that together have the characters."""
    found: list[str] = []
    wanted = set(characters)
    # One font for all characters looks best.
    having = {name: wanted & _characters_of(name) for name in _installed()}
    while wanted:
        best = max(sorted(having), key=lambda name: len(having[name] & wanted), default="")
        if not best or not having[best] & wanted:
            break
        found.append(best)
        wanted -= having[best]
    return tuple(found)


def _missing(text: str, fonts: Iterable[str]) -> str:
    """Return the characters of a text that neither the default font nor the given fonts have."""
    if text.isascii() and text.isprintable():
        return ""
    have = _default_characters().union(*map(_characters_of, fonts))
    return "".join(sorted(set(text) - have - {"\n"}))


@lru_cache
def _default_characters() -> frozenset[str]:
    from matplotlib.font_manager import FontProperties, findfont, get_font

    return frozenset(map(chr, get_font(findfont(FontProperties())).get_charmap()))


@lru_cache
def _installed() -> dict[str, str]:
    """Return the file of each font by its name.

    The font that draws every character as an empty frame is left out. Fonts installed after
    matplotlib built its list are included.
    """
    from matplotlib.font_manager import findSystemFonts, fontManager

    known = {str(font.fname) for font in fontManager.ttflist}
    for file in findSystemFonts():
        if file not in known:
            # This is a color emoji font or a damaged one.
            with suppress(OSError, RuntimeError, ValueError):
                fontManager.addfont(file)
    files = {font.name: str(font.fname) for font in reversed(fontManager.ttflist)}
    return {name: file for name, file in files.items() if not name.startswith("Last Resort")}


@lru_cache
def _characters_of(name: str) -> frozenset[str]:
    from matplotlib.font_manager import get_font

    # findfont is not used: it complains about fonts without a normal weight.
    try:
        font = get_font(_installed()[name])
    except (OSError, RuntimeError, ValueError):
        return frozenset()
    return frozenset(map(chr, font.get_charmap()))
