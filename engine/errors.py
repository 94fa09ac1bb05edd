"""The errors that yomi raises on purpose, and the codes of a move's legality.

Kernels never raise: they return a ``MoveCode``, and the Python functions turn it into an error.
"""

from enum import IntEnum


class MoveCode(IntEnum):
    """The legality of a move, or the reason why it is illegal."""

    LEGAL = 0
    OCCUPIED = 1
    SUICIDE = 2
    KO = 3
    SUPERKO = 4
    OFF_BOARD = 5


class YomiError(Exception):
    """The base of all errors that yomi raises on purpose; its text is one clear line."""


class IllegalMove(YomiError, ValueError):  # noqa: N818 - the field's word, as in python-chess
    """A move that the rules forbid; ``code`` gives the rule."""

    def __init__(self, message: str, code: MoveCode) -> None:
        super().__init__(message)
        self.code = code


class BadVertex(YomiError, ValueError):  # noqa: N818
    """A text that is not a point of the present board."""


class BadSetup(YomiError, ValueError):  # noqa: N818
    """A requested set-up of stones, handicap or size is impossible."""


class SgfError(YomiError, ValueError):
    """A game record that cannot be read or replayed."""


class ModelFormatError(YomiError, ValueError):
    """A table file is damaged, of another version, or not ours."""


class BadSum(YomiError, ValueError):  # noqa: N818
    """A sum of games breaks the rules of its model, or is too large to solve."""


class EpDiverged(YomiError, ArithmeticError):  # noqa: N818
    """Expectation propagation diverged: a variance became negative or NaN."""
