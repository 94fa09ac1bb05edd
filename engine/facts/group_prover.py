"""The prover of one group's fate: its questions to the solver, and the conclusions.

Every group is read shortly at first. Groups whose readings were too short are read longer and
longer at the end (``GroupProver.longer``).

A besieger may depend on the group that it besieges: it has only one eye, and has to capture the
group for the second. Such a besieger belongs to the fight (``with_weak_besiegers``). If neither
captures the other, and the group gets no two eyes beside the living besieger, both live in seki.

Stones live, too, if their capture enables a new stone that cannot be captured (Japanese rules of
1989, article 7.1). The commentary's example is "three points without capturing": the four stones
and the stone beside them return after each capture, so both are in seki.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from engine.facts.surroundings import joining_friends, shut_in, shut_in_with
from engine.go.board import Board, Ownership
from engine.go.geometry import neighbors
from engine.life.evidence import LifeWeights
from engine.life.goal import LifeQuestion
from engine.life.groups import alone, seen_from_attackers
from engine.life.reader import Aim, LifeReader, LifeReading, LifeStatus
from engine.picture.picture import Chain, Picture, Stones, picture_of


class ProverLimits(NamedTuple):
    """The readings of a proof about groups."""

    # Nodes of one search: every group is read shortly first. Two stones in four points take 12
    # nodes, three in six 132. The groups left without a proof are read longer, while the budget
    # lasts.
    nodes: int = 500
    more_nodes: tuple[int, int] = (5_000, 40_000)
    # Of all longer readings of a position; one or two seconds
    longer_nodes: int = 120_000
    # Stones of a group that is read for a return; larger shapes are not known
    most_returning: int = 10


PROVER = ProverLimits()


Fate = tuple[str, Stones]
"""A field of ProvedFates, and stones that belong there."""


class AskedGroup(NamedTuple):
    """A group and the questions about it.

    question  with the besiegers that it may capture, if there are any
    tight     with all besiegers given
    is_given  whether the besiegers of ``question`` may be given; if not, only a proof that the
              group lives is worth something
    is_tight  whether all besiegers may be given
    is_brief  whether it is read shortly only
    """

    question: LifeQuestion
    tight: LifeQuestion
    is_given: bool
    is_tight: bool
    is_brief: bool = False

    @property
    def goal(self) -> Stones:
        """The stones of the group."""
        return frozenset(self.tight.goal)

    @property
    def weak_besiegers(self) -> Stones:
        """The stones of besiegers that may fall to the group."""
        if self.question is self.tight:
            return frozenset()
        bits = self.question.attackers
        return self.question.left_out.union(self.question.points_of(bits)) - self.tight.points

    def friends_behind(self, picture: Picture) -> list[Chain]:
        """Return the chains of the group's color on the other side of its weak besiegers."""
        beside = {near for stone in self.weak_besiegers for near in neighbors(stone)}
        color = self.tight.defender
        friends = {p for p in beside - self.question.points if picture.colors[p] == color}
        return picture.chains_of(friends)


class GroupProver:
    """Reads groups with one solver, shortly at first and longer later.

    board      uint16[BOARD_CELLS]
    ownership  float64[AREA], who owns each point in roll-outs: -1 White .. 1 Black
    weights    learned weights of the solver; None: all moves are even
    budget     nodes of all longer readings
    """

    def __init__(
        self,
        board: Board,
        ownership: Ownership,
        weights: LifeWeights | None = None,
        budget: int = PROVER.longer_nodes,
    ) -> None:
        self._board, self._picture = board, picture_of(board)
        self._ownership, self._weights = ownership, weights
        self._budget = budget
        self._reader: LifeReader | None = None
        self._left: dict[Stones, tuple[LifeStatus, AskedGroup]] = {}
        self._most = PROVER.nodes
        self._nodes = 0
        self._was_short = False  # whether a reading ended without a result

    def is_waiting(self, group: AskedGroup) -> bool:
        """Return whether a group is to be read longer: to read it shortly again is in vain."""
        return group.goal in self._left

    def fates(self, group: AskedGroup) -> Iterator[Fate]:
        """Yield the proved fates of a group and its chains.

        A group whose reading was too short is remembered for ``longer``.
        """
        if not group.is_given:
            yield from self._living_by_themselves(group.question)
            return
        question, goal, last = group.question, group.goal, PROVER.more_nodes[-1]
        owner, opponent = question.defender, 3 - question.defender
        helped = shut_in(self._picture, question, self._ownership)
        attacked = self._read(helped, opponent)
        # A group that lives when attacked is not dead: the next search would be in vain. A long
        # search is in vain, too, where the attack is unclear.
        may_be_dead = attacked.status != "alive" and (
            attacked.status != "unknown" or self._most == PROVER.nodes
        )
        is_unclear = attacked.status == "ko" and attacked.threat is None
        returning = self._returning(question) if attacked.status == "dead" else None
        if returning:
            yield "returning", returning
        elif may_be_dead and self._finds("dead", helped, owner):
            yield "dead", goal
        elif is_unclear and self._most != last:
            # The order of threats takes longer to find.
            self._keep("ko", group)
        elif attacked.status in ("dead", "ko"):
            yield "critical", goal
            if attacked.status == "ko":
                # If the search was too short to tell the order of threats, nothing is killed.
                yield "won_kos" if attacked.threat == "other" else "kos", goal
            if attacked.threat == "mover":
                if group.weak_besiegers:
                    yield from self._stand_off(group)
                else:
                    yield from self._seki_in_ko(group, helped)
        elif attacked.status == "alive":
            self._was_short = False
            ways = list(self._ways_to_live(group, helped))
            yield from ways
            # A longer look would take stones inside a dead group for chains of their own.
            if not ways and self._was_short and self._most != last:
                self._keep("unknown", group)
        elif self._most != PROVER.nodes and group.question is not group.tight and group.is_tight:
            # The region with the weak besiegers is too large to be read.
            yield from self.fates(group._replace(question=group.tight))
        elif self._most != last:
            self._keep("unknown", group)

    def _keep(self, status: LifeStatus, group: AskedGroup) -> None:
        if not group.is_brief:
            self._left[group.goal] = status, group

    def longer(self) -> Iterator[Fate]:
        """Yield as ``fates`` does of the groups left: those in kos, then the largest first."""
        self._nodes = 0
        for self._most in PROVER.more_nodes:
            waiting, self._left = self._left, {}
            for goal in sorted(waiting, key=lambda g: (waiting[g][0], -len(g), min(g))):
                if self._nodes + PROVER.nodes < self._budget:
                    yield from self.fates(waiting[goal][1])

    def _living_by_themselves(self, question: LifeQuestion) -> Iterator[Fate]:
        """Yield the chains of a group that get two eyes, even if no chain around them falls."""
        for chain in self._chains_of(question.goal):
            lone = replace(alone(question), group=question.bits_of(chain))
            if self._finds("alive", lone, 3 - question.defender, "eyes"):
                yield "alive", chain

    def _ways_to_live(self, group: AskedGroup, helped: LifeQuestion) -> Iterator[Fate]:
        """Yield the chains of a group that live with eyes or in seki, with the field."""
        question = group.question
        owner, opponent = question.defender, 3 - question.defender
        if group.weak_besiegers and (stand_off := list(self._stand_off(group))):
            yield from stand_off
            return
        # A group is alive when one of its chains is: which?
        for chain in self._chains_of(question.goal):
            bits = question.bits_of(chain)
            lone = replace(alone(question), group=bits)
            if not self._finds("alive", lone, opponent):
                continue
            if self._finds("alive", lone, opponent, "eyes"):
                yield "alive", chain
            elif self._finds("dead", replace(helped, group=bits), owner, "eyes"):
                yield "seki", chain.union(*shut_in_with(self._picture, group.tight, chain))

    def _stand_off(self, group: AskedGroup) -> Iterator[Fate]:
        """Yield the fates of a group and its weak besiegers if neither captures the other.

        Both must live without help, but for a ko whose first threat the other side needs. The group
        must get no two eyes beside the besiegers.
        """
        if not self._gets_no_eyes(shut_in(self._picture, group.tight, self._ownership)):
            return
        ours, theirs = group.question, seen_from_attackers(self._picture, group.question)
        both = group.goal | group.weak_besiegers
        by_ko = False
        for chain in self._chains_of(both):
            side = ours if chain <= group.goal else theirs
            lone = replace(alone(side), group=side.bits_of(chain))
            attacked = self._read(lone, 3 - side.defender)
            if attacked.status != "alive" and attacked.threat != "mover":
                return
            by_ko |= attacked.status == "ko"
        yield "seki", both
        if by_ko:
            yield "kos", both

    def _returning(self, question: LifeQuestion) -> Stones:
        """Return a group that lives by a new stone after its capture, or else no stones.

        Opposing chains without way out that share liberties with it are included if they live, too.
        Their new stones may also stand where the group was.
        """
        group = frozenset(question.goal)
        if len(group) > PROVER.most_returning or not self._comes_back(question):
            return frozenset()
        theirs = seen_from_attackers(self._picture, question)
        shut_in = {
            other
            for chain in self._chains_of(group)
            for other in shut_in_with(self._picture, question, chain)
        }
        rival = theirs.bits_of(group)
        living = [
            other
            for other in shut_in
            if self._comes_back(replace(theirs, group=theirs.bits_of(other), rival=rival))
        ]
        return group.union(*living)

    def _comes_back(self, question: LifeQuestion) -> bool:
        """Return whether a group lives, or a new stone does where it was captured."""
        joined = joining_friends(self._picture, question, self._ownership)
        return self._finds("alive", joined, 3 - question.defender, "return")

    def _seki_in_ko(self, group: AskedGroup, helped: LifeQuestion) -> Iterator[Fate]:
        """Yield the seki of a group that lives in a ko unless its opponent has a threat."""
        eyes = self._read(helped, helped.defender, "eyes")
        if _has_no_eyes(eyes):
            yield "seki", group.goal.union(*self._friends_beside(group.question))
        elif eyes.status != "alive" and eyes.threat is None and self._most != PROVER.more_nodes[-1]:
            self._keep("ko", group)

    def _friends_beside(self, question: LifeQuestion) -> Iterator[Stones]:
        """Yield the chains of a region that share liberties with its group: stones in a ko."""
        liberties = self._picture.liberties_of(question.goal)
        for chain in self._picture.chains_of(question.points_of(question.defenders)):
            if liberties.intersection(chain.liberties):
                yield chain.stones

    def _chains_of(self, stones: Iterable[int]) -> list[Stones]:
        return [chain.stones for chain in self._picture.chains_of(stones)]

    def _gets_no_eyes(self, helped: LifeQuestion) -> bool:
        """Return whether a group gets no two eyes, moving first, where nobody finds a threat."""
        return _has_no_eyes(self._read(helped, helped.defender, "eyes"))

    def _finds(self, status: str, question: LifeQuestion, first: int, aim: Aim = "life") -> bool:
        return self._read(question, first, aim).status == status

    def _read(self, question: LifeQuestion, first: int, aim: Aim = "life") -> LifeReading:
        self._reader = self._reader or LifeReader("pns", PROVER.more_nodes[-1], self._weights)
        most = PROVER.nodes if aim == "return" else self._most
        self._reader.max_nodes = min(most, max(PROVER.nodes, self._budget - self._nodes))
        reading = self._reader.read_group(self._board, question, first, aim=aim)
        self._nodes += reading.nodes
        self._was_short |= reading.status == "unknown"
        return reading


def _has_no_eyes(eyes: LifeReading) -> bool:
    """Return whether the owner got no eyes without a threat, by a reading where it moved first."""
    return eyes.status == "dead" or (eyes.status == "ko" and eyes.threat == "mover")
