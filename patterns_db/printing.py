"""Text from records and archives, made safe to show: names may hold whatever somebody put there."""

import unicodedata

# Control characters command a terminal; format characters, the bidirectional overrides among them,
# show text in another order than it has; surrogates cannot be printed at all.
_UNSAFE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
# They join letters in Persian, Indic scripts and emoji, and change nothing else.
_JOINERS = "\u200c\u200d"
_MARKDOWN = str.maketrans(
    {"<": "&lt;", ">": "&gt;", "&": "&amp;"} | {sign: f"\\{sign}" for sign in "\\`*_[]|~$"}
)


def printable(text: str) -> str:
    """Return a text as one line in which every character is shown, an escape as its code."""
    return "".join(
        character.encode("unicode_escape").decode()
        if unicodedata.category(character) in _UNSAFE and character not in _JOINERS
        else character
        for character in text
    )


def markdown(text: str) -> str:
    """Return a text that a page of Markdown shows as it is, on one line: no link, no HTML."""
    return printable(" ".join(text.split())).translate(_MARKDOWN)
