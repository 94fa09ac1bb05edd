"""The questions that the prover asks about a group, by what is given around it.

Roll-outs judge the surroundings: the friends that save the group, its ways out, and prisoners.
"""

from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from engine.go.board import BLACK, EMPTY, WHITE, Ownership
from engine.life.goal import LifeQuestion
from engine.life.groups import (
    alone,
    besiegers,
    points_beside,
    questions_about,
    seen_from_attackers,
    with_weak_besiegers,
)
from engine.life.regions import MASK_FIRM
from engine.picture.picture import Chain, Picture, Stones

_SURE = 0.4  # net share of a point above which it is the opponent's and no way out
_FRIEND = 0.5  # net share of a friend that a new stone may join; roll-outs invade open boards


class GroupSurroundings:
    """The stones of a position that are in little doubt, by their owners in roll-outs."""

    def __init__(self, picture: Picture, ownership: Ownership) -> None:
        self.picture = picture
        self.shares = {BLACK: ownership.tolist(), WHITE: (-ownership).tolist()}

    def living(self, stones: Iterable[int], share: float) -> frozenset[int]:
        """Return those of some stones whose net share of roll-outs is above one."""
        colors = self.picture.colors
        return frozenset(stone for stone in stones if self.shares[colors[stone]][stone] > share)

    def groups(self, doubtful: Set[int], share: float) -> Stones:
        """Return the stones that live in that share, of groups without doubtful stones.

        A chain that lives in seki needs its friends, and has no other eyes.
        """
        sure = (group for group in self.picture.groups if not group & doubtful)
        return self.living((stone for group in sure for stone in group), share)

    def chains(self, sharing: Set[int], share: float) -> Stones:
        """Return the stones that live in that share, of chains that do not live as in a seki."""
        sure = (chain for chain in self.picture.chains if not chain.stones & sharing)
        return self.living((stone for chain in sure for stone in chain.stones), share)

    def certainty(self, group: Stones) -> float:
        """Return the net share of roll-outs in which a group lives, or dies."""
        return abs(float(np.mean([self.shares[BLACK][stone] for stone in group])))


@dataclass(frozen=True)
class AskedGroup:
    """A group and the questions about it."""

    standing: GroupSurroundings
    question: LifeQuestion  # with the besiegers that it may capture, if there are any
    tight: LifeQuestion  # with all besiegers given
    # Whether the besiegers of ``question`` may be given; if not, only a proof that the group lives
    # is worth something
    is_given: bool
    is_tight: bool  # whether those of ``tight`` may be given
    is_brief: bool = False  # whether it is read shortly only

    @property
    def owner(self) -> int:
        """The group's color."""
        return self.question.defender

    @property
    def goal(self) -> Stones:
        """The stones of the group."""
        return frozenset(self.tight.goal)

    @property
    def chains(self) -> list[Stones]:
        """The chains of the group."""
        return [chain.stones for chain in self.standing.picture.chains_of(self.goal)]

    @property
    def weak_besiegers(self) -> Stones:
        """The stones of besiegers that may fall to the group."""
        if self.question is self.tight:
            return frozenset()
        bits = self.question.attackers
        return self.question.left_out.union(self.question.points_of(bits)) - self.tight.points

    @property
    def friends_behind(self) -> list[Chain]:
        """The chains of the group's color on the other side of its weak besiegers."""
        picture = self.standing.picture
        beside = picture.around(self.weak_besiegers, self.owner)
        return picture.chains_of(beside - self.question.points)

    @property
    def friends_beside(self) -> Iterator[Stones]:
        """The chains of the region that share liberties with the group: stones in a ko."""
        picture, question = self.standing.picture, self.question
        liberties = picture.liberties_of(self.goal)
        for chain in picture.chains_of(question.points_of(question.defenders)):
            if liberties.intersection(chain.liberties):
                yield chain.stones

    def prisoners_beside(self, chain: Stones, question: LifeQuestion) -> Iterator[Stones]:
        """Yield the opposing chains without way out that share liberties with a chain."""
        picture = self.standing.picture
        firm = set(question.points_of(int(question.region.masks[MASK_FIRM])))
        liberties = picture.liberties_of(chain)
        for other in picture.chains_of(question.points_of(question.attackers)):
            if not other.stones & firm and liberties.intersection(other.liberties):
                yield other.stones

    # -- the questions ------------------------------------------------------------------------

    @cached_property
    def helped(self) -> LifeQuestion:
        """Whether the group lives, or reaches a point that is not surely the opponent's."""
        opponent, colors = 3 - self.owner, self.standing.picture.colors
        theirs = self.standing.shares[opponent]

        def is_firm(point: int) -> bool:
            return colors[point] in (EMPTY, opponent) and theirs[point] > _SURE

        def is_exit(point: int) -> bool:
            return colors[point] in (EMPTY, self.owner) and not is_firm(point)

        exits, firm = (points_beside(self.question, counts) for counts in (is_exit, is_firm))
        return self.question.with_outside(exits, firm)

    def lone(self, chain: Stones) -> LifeQuestion:
        """Return whether a chain lives although no friend outside helps."""
        return alone(self.question).about(chain)

    @property
    def fighters(self) -> Iterator[LifeQuestion]:
        """The questions about each chain of the group and its weak besiegers, without help."""
        theirs = seen_from_attackers(self.standing.picture, self.question)
        for chain in self.standing.picture.chains_of(self.goal | self.weak_besiegers):
            side = self.question if chain.stones <= self.goal else theirs
            yield alone(side).about(chain.stones)

    @property
    def returning(self) -> LifeQuestion:
        """Whether the group lives, or a new stone does where it was captured."""
        return self._joining_friends(self.question)

    @property
    def prisoners(self) -> Iterator[tuple[Stones, LifeQuestion]]:
        """The opposing chains shut in beside the group, and whether each of them returns."""
        theirs = seen_from_attackers(self.standing.picture, self.question)
        for other in {o for c in self.chains for o in self.prisoners_beside(c, self.question)}:
            yield other, self._joining_friends(theirs.about(other, self.goal))

    def _joining_friends(self, question: LifeQuestion) -> LifeQuestion:
        """Return the question whether stones live, or reach friends that live in roll-outs."""
        color, colors = question.defender, self.standing.picture.colors
        shares = self.standing.shares[color]
        return question.with_outside(
            points_beside(question, lambda p: colors[p] == color and shares[p] > _FRIEND)
        )


def asked_groups(
    standing: GroupSurroundings, groups: Iterable[Stones], secure: Set[int], given: Set[int]
) -> Iterator[AskedGroup]:
    """Yield groups with the questions about them.

    secure  stones of chains that live beyond doubt
    given   stones of chains that may be given, too, where they share no liberty with the group; a
            chain that has to fill shared liberties may live by the capture alone
    """
    picture = standing.picture

    def may_be_given(question: LifeQuestion, liberties: set[int]) -> bool:
        return all(
            chain.stones <= secure
            or (chain.stones <= given and liberties.isdisjoint(chain.liberties))
            for chain in besiegers(picture, question)
        )

    for group in groups:
        for tight in questions_about(picture, group):
            liberties = picture.liberties_of(tight.goal)
            is_tight = may_be_given(tight, liberties)
            asked = AskedGroup(standing, tight, tight, is_tight, is_tight)
            wider = with_weak_besiegers(picture, tight)
            if wider is not None:
                is_given = may_be_given(wider, liberties)
                wide = replace(asked, question=wider, is_given=is_given)
                behind = {p for chain in wide.friends_behind for p in chain.stones}
                # A besieger is not weak if it can capture other stones.
                asked = wide if behind.issubset(standing.living(behind, 0.0)) else asked
            yield asked
