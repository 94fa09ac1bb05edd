"""The surroundings that the prover gives a group: its friends, ways out, and prisoners."""

from collections.abc import Iterator

from engine.go.board import EMPTY, Ownership
from engine.life.goal import LifeQuestion
from engine.life.groups import points_beside
from engine.life.races import saved_above
from engine.life.regions import MASK_FIRM
from engine.picture.picture import Picture, Stones


def shut_in_with(picture: Picture, question: LifeQuestion, chain: Stones) -> Iterator[Stones]:
    """Yield the opposing chains of a region without way out that share liberties with a chain."""
    firm = set(question.points_of(int(question.region.masks[MASK_FIRM])))
    liberties = picture.liberties_of(chain)
    for other in picture.chains_of(question.points_of(question.attackers)):
        if not other.stones & firm and liberties.intersection(other.liberties):
            yield other.stones


def shut_in(picture: Picture, question: LifeQuestion, ownership: Ownership) -> LifeQuestion:
    """Return the question whether a group lives, or reaches a point not surely the opponent's.

    ownership  float64[AREA], who owns each point in roll-outs: -1 White .. 1 Black
    """
    opponent = 3 - question.defender
    # Net share of a point above which it is the opponent's and no way out.
    is_theirs = saved_above(ownership, 0.4)

    def is_firm(point: int) -> bool:
        return picture.colors[point] in (EMPTY, opponent) and is_theirs(opponent, point)

    def is_exit(point: int) -> bool:
        return picture.colors[point] in (EMPTY, question.defender) and not is_firm(point)

    return question.with_outside(points_beside(question, is_exit), points_beside(question, is_firm))


def joining_friends(picture: Picture, question: LifeQuestion, ownership: Ownership) -> LifeQuestion:
    """Return the question whether a group lives, or reaches friends that live in roll-outs.

    ownership  float64[AREA], as above
    """
    # Net share of a friend that a new stone may join; roll-outs invade open boards.
    color, saved = question.defender, saved_above(ownership, 0.5)

    def is_friend(point: int) -> bool:
        return picture.colors[point] == color and saved(color, point)

    return question.with_outside(points_beside(question, is_friend))
