"""The words that explanations of moves and reviews of games share: chains and their status."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine.go.board import BLACK, Ownership
from engine.go.geometry import format_vertex
from engine.go.history import Game
from engine.go.played import COLOR_NAMES

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def color_name(color: int) -> str:
    """Return a color at the beginning of a sentence: "Black"."""
    return COLOR_NAMES[color].capitalize()


def the_chain(stones: Sequence[int]) -> str:
    """Return the name of a chain in a sentence: "the stone at D4", "the three stones at D4"."""
    place = format_vertex(min(stones))
    if len(stones) == 1:
        return f"the stone at {place}"
    number = _NUMBERS[len(stones)] if len(stones) < len(_NUMBERS) else str(len(stones))
    return f"the {number} stones at {place}"


def the_group(stones: Sequence[int]) -> str:
    """Return the name of a group in a sentence: "the group of the three stones at D4"."""
    return f"the group of {the_chain(stones)}" if len(stones) > 1 else the_chain(stones)


def count_stones(stones: Sequence[int]) -> str:
    """Return the number of stones, as "3 stones"."""
    return f"{len(stones)} stone{'s' if len(stones) != 1 else ''}"


def named(stones: Sequence[int]) -> str:
    """Return the name of stones in reasons, as "D4 (3 stones)"; D4 is the first of their points."""
    return f"{format_vertex(min(stones))} ({count_stones(stones)})"


def share_alive(stones: Sequence[int], color: int, owners: Ownership) -> float:
    """Return the share of continuations in which stones of a color live.

    owners  float64[AREA], -1 White .. 1 Black
    """
    # The points of a chain stay its color's exactly if it lives.
    sign = 1.0 if color == BLACK else -1.0
    return 0.5 + 0.5 * sign * float(owners[list(stones)].mean())


class ChainFate(NamedTuple):
    """The status of a chain after each of two moves.

    lives, lived  share of all continuations in which it lives, after the one and after the other
    """

    stones: list[int]
    color: int
    lives: float
    lived: float


def chain_fates(game: Game, first: Ownership, second: Ownership) -> Iterator[ChainFate]:
    """Yield the status of all chains of a position after each of two moves.

    game           before either move
    first, second  float64[AREA], -1 White .. 1 Black, after the one and after the other
    """
    for chain in game.chains():
        stones = list(chain)
        color = game.color_at(stones[0])
        lives, lived = (share_alive(stones, color, owners) for owners in (first, second))
        yield ChainFate(stones, color, lives, lived)
