"""Proofs of groups that die, live by their eyes or live in seki, with either side to move first.

Small groups are left out, because roll-outs sacrifice them, but for one beside a group that was
proved to live by its eyes.

A proof takes the surroundings as given, so these must be in little doubt. All chains around the
group must live, and not in seki, which might be one with the group. Those that share liberties with
it must live beyond doubt. Points outside that are not surely the opponent's save a group that is to
be proved dead, or without eyes, and do not help one that is to be proved alive.

A besieger that has to capture the group for its second eye belongs to the fight
(``with_weak_besiegers``). If neither captures the other, and the group gets no two eyes beside the
living besieger, both live in seki. Stones live, too, if their capture enables a new stone that
cannot be captured (Japanese rules of 1989, article 7.1: "three points without capturing").
"""

import math
import time
from collections.abc import Callable, Iterable, Iterator, Set
from dataclasses import replace
from typing import NamedTuple

from engine.facts.group_questions import AskedGroup, GroupSurroundings, asked_groups
from engine.go.board import Board, Ownership
from engine.go.geometry import neighbors
from engine.life.goal import LifeQuestion
from engine.life.groups import ASKED_GROUPS, find_groups
from engine.life.priors import LifeWeights
from engine.life.reader import Aim, LifeReader, LifeReading, LifeStatus
from engine.picture.picture import Stones, join_chains, picture_of


class ProverLimits(NamedTuple):
    """The readings of a proof about groups, and what they take as given."""

    # Nodes of one search: every group is read shortly first. Two stones in four points take 12
    # nodes, three in six 132.
    nodes: int = 500
    more_nodes: tuple[int, int] = (5_000, 40_000)
    # Of all longer readings of a position; one or two seconds
    longer_nodes: int = 120_000
    # Of a survey of chains, where time bounds it, or where nothing else does
    analysis_nodes: int = 20_000
    # Stones of a group that is read for a return; larger shapes are not known
    most_returning: int = 10
    few_liberties: int = 4  # of a group that is read although roll-outs are sure of it
    # Net shares of roll-outs in which a chain lives beyond doubt, and in which it is given. A stone
    # thrown into sure territory costs all chains around it some: 0.94 to 0.88 in a game.
    secure: float = 0.9
    standing: float = 0.8
    # The same for a chain that may be given if it is less in doubt than the group. On 360 counted
    # handicap games and 706 counted 9x9 games this corrects two scores and breaks none. Without the
    # comparison it breaks two.
    likely: float = 0.6


PROVER = ProverLimits()


class ReadingBudget(NamedTuple):
    """The limits of the readings of a position."""

    nodes: int = PROVER.analysis_nodes  # solver nodes of all readings together
    deadline: float = math.inf  # in time.monotonic() seconds
    # Ends it early when it returns True; asked between readings
    stopped: Callable[[], bool] = lambda: False

    def is_over(self) -> bool:
        """Return whether no reading should begin any more."""
        return self.stopped() or time.monotonic() >= self.deadline


LONG_READING = ReadingBudget(PROVER.longer_nodes)


Fate = tuple[str, Stones]  # a field of ProvedFates, and stones that belong there


class ProvedFates(NamedTuple):
    """Stones of groups whose status is proved."""

    dead: Stones = frozenset()  # they die though their owner moves first
    critical: Stones = frozenset()  # they die if their opponent does, or else a ko decides
    # Those of them that live where nobody finds a threat, or where that is unknown
    kos: Stones = frozenset()
    # Those that die in a ko where nobody finds a threat, though their owner moves first
    won_kos: Stones = frozenset()
    alive: Stones = frozenset()  # they get two eyes though their opponent moves first
    # They are not captured then, and get no eyes though their owner moves first; with them opposing
    # stones shut in there, which share liberties with them. Those among ``kos`` are so where nobody
    # finds a threat: double ko seki, ten thousand year ko
    seki: Stones = frozenset()
    # Their capture enables a new stone that cannot be captured; with such opposing stones beside
    # them. Under territory rules they live in seki
    returning: Stones = frozenset()

    @property
    def in_no_doubt(self) -> Stones:
        """The stones whose status does not depend on the first move."""
        return self.dead | self.alive | self.seki | self.returning


class GroupProver:
    """Reads groups with one solver, shortly at first and longer later, by the budget's nodes."""

    def __init__(
        self, board: Board, weights: LifeWeights | None = None, budget: ReadingBudget = LONG_READING
    ) -> None:
        self._board, self._weights, self._budget = board, weights, budget
        self._reader: LifeReader | None = None
        self._waiting: dict[Stones, tuple[LifeStatus, AskedGroup]] = {}
        self._most = PROVER.nodes
        self._nodes = 0
        self._was_short = False  # whether a reading ended without a result

    def is_waiting(self, asked: AskedGroup) -> bool:
        """Return whether a group is to be read longer: to read it shortly again is in vain."""
        return asked.goal in self._waiting

    def fates(self, asked: AskedGroup) -> Iterator[Fate]:
        """Yield the proved fates of a group and its chains: the table of cases.

        The opponent moves first in the reading that distinguishes the cases. A group whose reading
        was too short is remembered for ``longer``.
        """
        if not asked.is_given:
            yield from self._living_by_themselves(asked)
            return
        goal, attacked = asked.goal, self._read(asked.helped, 3 - asked.owner)
        is_first, is_last = self._most == PROVER.nodes, self._most == PROVER.more_nodes[-1]
        match attacked.status:
            case "dead" if returning := self._returning(asked):
                yield "returning", returning
            case "dead" | "ko" if self._dies_anyway(asked):
                yield "dead", goal
            case "dead":
                yield "critical", goal
            case "ko" if attacked.threat is None and not is_last:
                # The order of threats takes longer to find.
                self._keep("ko", asked)
            case "ko" if attacked.threat == "other":
                yield "critical", goal
                if self._read(asked.helped, asked.owner).threat == "mover":  # else it may win
                    yield "won_kos", goal
            case "ko":
                yield "critical", goal
                # If the search was too short to tell the order of threats, nothing is killed.
                yield "kos", goal
                if attacked.threat == "mover":
                    yield from self._seki_in_ko(asked)
            case "alive":
                yield from self._ways_to_live(asked, is_last)
            # A long search whether a group dies anyway is in vain where the attack is unclear.
            case "unknown" if is_first and self._dies_anyway(asked):
                yield "dead", goal
            case "unknown" if not is_first and asked.is_tight and asked.question is not asked.tight:
                # The region with the weak besiegers is too large to be read.
                yield from self.fates(replace(asked, question=asked.tight))
            case "unknown" if not is_last:
                self._keep("unknown", asked)

    def _keep(self, status: LifeStatus, asked: AskedGroup) -> None:
        if not asked.is_brief:
            self._waiting[asked.goal] = status, asked

    def longer(self) -> Iterator[Fate]:
        """Yield as ``fates`` does of the groups left: those in kos, then the largest first."""
        self._nodes = 0
        for self._most in PROVER.more_nodes:
            waiting, self._waiting = self._waiting, {}
            for goal in sorted(waiting, key=lambda g: (waiting[g][0], -len(g), min(g))):
                if self._nodes + PROVER.nodes < self._budget.nodes:
                    yield from self.fates(waiting[goal][1])

    # -- the cases ----------------------------------------------------------------------------

    def _dies_anyway(self, asked: AskedGroup) -> bool:
        """Return whether a group dies though its owner moves first."""
        return self._finds("dead", asked.helped, asked.owner)

    def _living_by_themselves(self, asked: AskedGroup) -> Iterator[Fate]:
        """Yield the chains of a group that get two eyes, even if no chain around them falls."""
        for chain in asked.chains:
            if self._finds("alive", asked.lone(chain), 3 - asked.owner, "eyes"):
                yield "alive", chain

    def _ways_to_live(self, asked: AskedGroup, is_last: bool) -> Iterator[Fate]:
        """Yield the chains of a group that live with eyes or in seki, with the field."""
        self._was_short = False
        ways = list(self._stand_off(asked)) or list(self._living_chains(asked))
        yield from ways
        # A longer look would take stones inside a dead group for chains of their own.
        if not ways and self._was_short and not is_last:
            self._keep("unknown", asked)

    def _living_chains(self, asked: AskedGroup) -> Iterator[Fate]:
        """Yield the chains that let a group live: it is alive when one of its chains is."""
        for chain in asked.chains:
            lone, opponent = asked.lone(chain), 3 - asked.owner
            if not self._finds("alive", lone, opponent):
                continue
            if self._finds("alive", lone, opponent, "eyes"):
                yield "alive", chain
            elif self._finds("dead", replace(asked.helped, group=lone.group), asked.owner, "eyes"):
                yield "seki", chain.union(*asked.prisoners_beside(chain, asked.tight))

    def _stand_off(self, asked: AskedGroup) -> Iterator[Fate]:
        """Yield the fates of a group and its weak besiegers if neither captures the other."""
        beside = replace(asked, question=asked.tight)
        if not asked.weak_besiegers or not _has_no_eyes(self._read_eyes(beside)):
            return
        # Both must live without help, but for a ko whose first threat the other side needs.
        by_ko = False
        for lone in asked.fighters:
            attacked = self._read(lone, 3 - lone.defender)
            if attacked.status != "alive" and attacked.threat != "mover":
                return
            by_ko |= attacked.status == "ko"
        both = asked.goal | asked.weak_besiegers
        yield "seki", both
        if by_ko:
            yield "kos", both

    def _returning(self, asked: AskedGroup) -> Stones:
        """Return a group that returns after its capture, with such prisoners; else no stones."""
        if len(asked.goal) > PROVER.most_returning or not self._comes_back(asked.returning):
            return frozenset()
        living = [stones for stones, question in asked.prisoners if self._comes_back(question)]
        return asked.goal.union(*living)

    def _comes_back(self, question: LifeQuestion) -> bool:
        """Return whether a group lives, or a new stone does where it was captured."""
        return self._finds("alive", question, 3 - question.defender, "return")

    def _seki_in_ko(self, asked: AskedGroup) -> Iterator[Fate]:
        """Yield the seki of a group that lives in a ko unless its opponent has a threat."""
        if asked.weak_besiegers:
            yield from self._stand_off(asked)
            return
        eyes = self._read_eyes(asked)
        if _has_no_eyes(eyes):
            yield "seki", asked.goal.union(*asked.friends_beside)
        elif eyes.status != "alive" and eyes.threat is None and self._most != PROVER.more_nodes[-1]:
            self._keep("ko", asked)

    # -- reading ------------------------------------------------------------------------------

    def _read_eyes(self, asked: AskedGroup) -> LifeReading:
        return self._read(asked.helped, asked.owner, "eyes")

    def _finds(self, status: str, question: LifeQuestion, first: int, aim: Aim = "life") -> bool:
        return self._read(question, first, aim).status == status

    def _read(self, question: LifeQuestion, first: int, aim: Aim = "life") -> LifeReading:
        if self._budget.is_over():
            return LifeReading("unknown")
        self._reader = self._reader or LifeReader("pns", PROVER.more_nodes[-1], self._weights)
        most = PROVER.nodes if aim == "return" else self._most
        self._reader.max_nodes = min(most, max(PROVER.nodes, self._budget.nodes - self._nodes))
        reading = self._reader.read_group(self._board, question, first, aim=aim)
        self._nodes += reading.nodes
        self._was_short |= reading.status == "unknown"
        return reading


def _has_no_eyes(eyes: LifeReading) -> bool:
    """Return whether the owner got no eyes without a threat, by a reading where it moved first."""
    return eyes.status == "dead" or (eyes.status == "ko" and eyes.threat == "mover")


def prove_fates(
    board: Board,
    unsure: Set[int],
    sharing: Set[int],
    ownership: Ownership,
    weights: LifeWeights | None = None,
    budget: ReadingBudget = LONG_READING,
) -> ProvedFates:
    """Return the proofs about groups in doubt; they do not depend on the side to move.

    unsure   stones of whole chains about which roll-outs are not sure
    sharing  stones of chains that may live in seki
    """
    fates: dict[str, set[int]] = {name: set() for name in ProvedFates._fields}
    prover = GroupProver(board, weights, budget)
    doubtful, picture = unsure | sharing, picture_of(board)
    in_doubt = join_chains(picture.chains_of(doubtful))
    standing = GroupSurroundings(picture, ownership)
    secure = standing.groups(doubtful, PROVER.secure)
    standing_stones = standing.groups(sharing, PROVER.standing)

    def prove(groups: Iterable[Stones], secure: Set[int], is_brief: bool = False) -> None:
        for group in asked_groups(standing, groups, secure, standing_stones):
            if not prover.is_waiting(group):
                for fate, stones in prover.fates(replace(group, is_brief=is_brief)):
                    fates[fate] |= stones

    large = [group for group in in_doubt if len(group) >= ASKED_GROUPS.fewest_stones]
    prove(large, secure)
    for group in large:
        if not any(group & stones for stones in fates.values()):
            share = max(PROVER.likely, standing.certainty(group))
            prove([group], secure | standing.chains(sharing, share))
    if fates["alive"]:
        # A group that lives by its eyes is in no seki, so it is given for the groups beside it.
        decided = set().union(*fates.values())
        beside = {near for stone in fates["alive"] for near in neighbors(stone)}
        rest = [group for group in in_doubt if group & beside and not group & decided]
        prove(rest, secure | fates["alive"])
    # Roll-outs can be sure and wrong: they fill a space that nobody may fill, as in a seki.
    sure = [group for group in find_groups(picture) if not group & doubtful]
    narrow = [group for group in sure if len(picture.liberties_of(group)) <= PROVER.few_liberties]
    prove(narrow, secure, is_brief=True)
    for fate, stones in prover.longer():
        fates[fate] |= stones
    return ProvedFates._make(frozenset(fates[name]) for name in ProvedFates._fields)
