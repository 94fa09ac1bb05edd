"""The family of errors that yomi raises on purpose, and the codes of a move's legality.

Kernels never raise: they return a ``MoveCode``; the Python door turns it into an error.
"""

from enum import IntEnum


class MoveCode(IntEnum):
    """Why a move may or may not be played."""

    LEGAL = 0
    OCCUPIED = 1
    SUICIDE = 2
    KO = 3
    SUPERKO = 4
    OFF_BOARD = 5


class YomiError(Exception):
    """Base of all errors that yomi raises on purpose; its text is one clear line."""


class IllegalMove(YomiError, ValueError):  # noqa: N818 - the field's word, as in python-chess
    """A move that the rules forbid; ``code`` says which rule."""

    def __init__(self, message: str, code: MoveCode) -> None:
        super().__init__(message)
        self.code = code


class BadVertex(YomiError, ValueError):  # noqa: N818
    """A text that names no point of the board in use."""


class BadSetup(YomiError, ValueError):  # noqa: N818
    """Stones, handicap or a size that cannot be set up as asked."""


class SgfError(YomiError, ValueError):
    """A game record that cannot be read or replayed."""


class ModelFormatError(YomiError, ValueError):
    """A table file that is damaged, of another version, or not ours."""


class BadSum(YomiError, ValueError):  # noqa: N818
    """A sum of games that breaks the rules of its model, or is too large to be solved."""


class EpDiverged(YomiError, ArithmeticError):  # noqa: N818
    """Expectation propagation left the Gaussians: a variance became negative or NaN."""
