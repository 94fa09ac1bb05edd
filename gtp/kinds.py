"""Kinds of values of settings: how a text is read, and how the accepted texts are described."""

from collections.abc import Callable
from typing import Any, NamedTuple

from gtp import arguments
from gtp.protocol import FormError


class ValueKind(NamedTuple):
    """A kind of value."""

    read: Callable[[str], Any]  # returns the value of a text; raises GtpError or YomiError
    takes: str  # the accepted texts, in words
    metavar: str = ""  # placeholder for the value in the help of the command line
    gogui: str = "string"  # GoGui's name of the kind: string, bool, or list with the choices


def whole_number_kind(least: int, most: int, metavar: str, unit: str = "") -> ValueKind:
    """Return the kind of whole numbers in a range."""

    def read(text: str) -> int:
        number = arguments.integer(text)
        if not least <= number <= most:
            raise FormError
        return number

    return ValueKind(read, f"a whole number{unit} from {least} to {most}", metavar)


def decimal_kind(most: float, takes: str, metavar: str) -> ValueKind:
    """Return the kind of numbers from 0 to ``most``."""

    def read(text: str) -> float:
        number = arguments.decimal(text)
        if not 0.0 <= number <= most:
            raise FormError
        return number

    return ValueKind(read, f"{takes} from 0 to {most:,.0f}", metavar)


def word_kind(words: tuple[str, ...], metavar: str = "KIND", **aliases: str) -> ValueKind:
    """Return the kind of a choice of words, in upper or lower case."""

    def read(text: str) -> str:
        word = aliases.get(text.lower(), text.lower())
        if word not in words:
            raise FormError
        return word

    return ValueKind(
        read, f"one of {', '.join([*words, *aliases])}", metavar, f"list/{'/'.join(words)}"
    )


def list_kind(words: tuple[str, ...], metavar: str) -> ValueKind:
    """Return the kind of lists of some words, with commas between them, in upper or lower case."""

    def read(text: str) -> frozenset[str]:
        listed = frozenset(word.strip() for word in text.lower().split(","))
        if not listed <= set(words):
            raise FormError
        return listed

    return ValueKind(read, f"a list of {', '.join(words)}", metavar)


def _truth(text: str) -> bool:
    # GoGui sends 0 and 1; the others send words.
    truths = {"0": False, "1": True, "false": False, "true": True}
    if text.lower() not in truths:
        raise FormError
    return truths[text.lower()]


SWITCH = ValueKind(_truth, "true or false", gogui="bool")
FILE = ValueKind(str, "a file", "FILE")
