"""Text from records and archives, made safe to print: names may contain anything.

This module loads nothing else, so that ``yomi --version`` is quick.
"""

import sys
import unicodedata
from importlib.metadata import PackageNotFoundError, version

# Control characters command a terminal. Format characters, such as bidirectional overrides, change
# the visible order of a text. Surrogates cannot be printed at all.
_UNSAFE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
# These join letters in Persian, Indic scripts and emoji, and change nothing else.
_JOINERS = "\u200c\u200d"


def printable(text: str) -> str:
    """Return a text as one line of visible characters. Others are shown as their codes."""
    return "".join(
        character.encode("unicode_escape").decode()
        if unicodedata.category(character) in _UNSAFE and character not in _JOINERS
        else character
        for character in text
    )


def program_version() -> str:
    """Return the version of the installed distribution, which pyproject.toml names."""
    try:
        return version("yomi-go")
    except PackageNotFoundError:
        return "unknown (not installed)"


def how_to_install(*packages: str) -> str:
    """Return the command that installs packages beside yomi."""
    return f"{sys.executable} -m pip install {' '.join(packages)}"
