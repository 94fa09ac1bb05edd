"""Races on a full board: which of two opposing groups is captured first (semeai)?

A race is two questions, each with the same side to move first: is the one captured before the
other, and the other before the one? If neither is, both live. Each is a search with a rival
(``fight``). The region contains both groups, their liberties, empty points around these as far as
they fit, and all chains that have no liberty elsewhere. Nothing is played outside. A stone that
touches an empty point outside, or a friend there, cannot be captured any more.
"""

from collections.abc import Callable, Iterable

from engine.go.board import BLACK, EMPTY, Ownership
from engine.go.geometry import neighbors
from engine.life.goal import LifeQuestion, add_weak, build_question
from engine.life.groups import ways_out_for_both
from engine.picture.picture import Picture, Stones

_RINGS = (2, 1, 0)  # rings of empty points around the liberties; the largest number that fits

Saves = Callable[[int, int], bool]


def saved_above(ownership: Ownership, least: float) -> Saves:
    """Return the rule that a net share above ``least`` at a point outside saves a stone."""

    def saves(color: int, point: int) -> bool:
        return (1.0 if color == BLACK else -1.0) * float(ownership[point]) > least

    return saves


def race_questions(
    picture: Picture, one: Stones, other: Stones, saves: Saves
) -> tuple[LifeQuestion, LifeQuestion] | None:
    """Return the questions whether one group is captured before another, and vice versa."""
    first = race_question(picture, one, other, saves)
    second = race_question(picture, other, one, saves)
    return None if first is None or second is None else (first, second)


def race_question(
    picture: Picture, one: Stones, other: Stones, saves: Saves
) -> LifeQuestion | None:
    """Return the question whether one group, whole chains, is captured before an opposing one.

    saves    as in ``ways_out_for_both``
    returns  None if no region fits
    """
    for rings in _RINGS:
        points = set(one | other)
        for _ in range(rings + 1):
            points |= picture.around(points, EMPTY)
        add_weak(picture, points)
        closed = build_question(picture, picture.colors[min(one)], points)
        if closed is not None:
            return ways_out_for_both(picture, closed, saves).about(one, other)
    return None


def chains_touching(picture: Picture, one: Stones, other: Stones) -> Stones:
    """Return the stones of the chains of a group that touch another group."""
    touching = {n for point in other for n in neighbors(point)} & one
    return frozenset().union(*(chain.stones for chain in picture.chains_of(touching)))


def rivals_of(picture: Picture, group: Stones, chains: Iterable[Stones]) -> list[Stones]:
    """Return the given opposing chains that touch a group, so that it may race with them."""
    return [chain for chain in chains if chains_touching(picture, group, chain)]
