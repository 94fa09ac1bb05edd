"""Races on a full board: which of two opposing groups is captured first (semeai)?

A race is two questions, each with the same side to move first. Is the one captured before the
other, and is the other captured before the one? If neither is, both live: in seki, with eyes, or
because they got out. Each question is a search over life and death with a rival (``search``), which
considers all legal moves of a region. The region contains the stones of both groups, their
liberties, and empty points around these as far as they fit. It also contains all chains that have
no liberty elsewhere. Nothing is played outside. A stone that touches an empty point outside, or a
friend there, therefore cannot be captured any more. The caller may say which of these points count,
for both sides alike.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace

from engine.go.board import BLACK, Ownership
from engine.go.geometry import neighbors
from engine.life.goal import LifeQuestion, add_weak, build_question
from engine.life.groups import ways_out_for_both
from engine.picture.picture import Picture, Stones

_RINGS = (2, 1, 0)  # rings of empty points around the liberties; the largest number that fits

Saves = Callable[[int, int], bool]


def saved_above(ownership: Ownership, least: float) -> Saves:
    """Return the rule that a point outside saves a stone unless it is too much the opponent's.

    ownership  float64[AREA], who owns each point in roll-outs: -1 White .. 1 Black
    least      net share of the stone's color above which a point saves it
    """

    def saves(color: int, point: int) -> bool:
        return (1.0 if color == BLACK else -1.0) * float(ownership[point]) > least

    return saves


def race_questions(
    picture: Picture, one: Stones, other: Stones, saves: Saves
) -> tuple[LifeQuestion, LifeQuestion] | None:
    """Return the questions whether one group is captured before another, and the other before it.

    Arguments as in ``race_question``; None if no region fits.
    """
    first = race_question(picture, one, other, saves)
    second = race_question(picture, other, one, saves)
    # The points are the same in both questions, so one fits where the other does.
    return None if first is None or second is None else (first, second)


def race_question(
    picture: Picture, one: Stones, other: Stones, saves: Saves
) -> LifeQuestion | None:
    """Return the question whether one group is captured before an opposing one.

    one, other  whole chains
    saves       as in ``ways_out_for_both``
    returns     None if no region fits
    """
    defender = picture.colors[min(one)]
    for rings in _RINGS:
        question = build_question(picture, defender, _points(picture, one | other, rings))
        if question is not None:
            return _with_outside(picture, question, one, other, saves)
    return None


def _points(picture: Picture, stones: Stones, rings: int) -> set[int]:
    """Return the region of a race between some stones, whole chains of both colors."""
    points = set(stones)
    for _ in range(rings + 1):
        points |= {n for p in points for n in neighbors(p) if picture.is_empty(n)}
    add_weak(picture, points)
    return points


def _with_outside(
    picture: Picture, question: LifeQuestion, one: Stones, other: Stones, saves: Saves
) -> LifeQuestion:
    """Return a question as one about a race, with the outside as it counts there."""
    open_question = ways_out_for_both(picture, question, saves)
    group, rival = question.bits_of(one), question.bits_of(other)
    return replace(open_question, group=group, rival=rival)


def chains_touching(picture: Picture, one: Stones, other: Stones) -> Stones:
    """Return the stones of the chains of a group that touch another group."""
    touching = {n for point in other for n in neighbors(point)} & one
    return frozenset().union(*(chain.stones for chain in picture.chains_of(touching)))


def rivals_of(picture: Picture, group: Stones, chains: Iterable[Stones]) -> list[Stones]:
    """Return the given opposing chains that touch a group, so that it may race with them."""
    return [chain for chain in chains if chains_touching(picture, group, chain)]
