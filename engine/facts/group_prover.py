"""The prover of one group's fate: its questions to the solver, and the conclusions.

Every group is read shortly at first. Groups whose readings were too short are read longer and
longer at the end (``GroupProver.longer``).

A besieger may depend on the group that it besieges: it has only one eye, and has to capture the
group for the second. Such a besieger belongs to the fight (``with_weak_besiegers``). If neither
captures the other, and the group gets no two eyes beside the living besieger, both live in seki.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from engine.go.board import COLOR, EMPTY, Board, Ownership
from engine.go.chains import liberties_of
from engine.go.geometry import neighbors
from engine.life.evidence import LifeWeights
from engine.life.goal import LifeQuestion, Stones, chains_at
from engine.life.groups import alone, points_beside, seen_from_attackers
from engine.life.races import saved_above
from engine.life.reader import Aim, LifeReader, LifeReading, LifeStatus
from engine.life.regions import MASK_FIRM

# Nodes of one search: every group is read shortly first. Two stones in four points take 12 nodes,
# three in six 132. The groups left without a proof are read longer, while the budget lasts.
_NODES = 500
_MORE_NODES = (5_000, 40_000)
_BUDGET = 120_000  # nodes of all longer readings of a position; one or two seconds
_SURE = 0.4  # net share of a point above which it is the opponent's and no way out

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

    def friends_behind(self, board: Board) -> list[Stones]:
        """Return the chains of the group's color on the other side of its weak besiegers."""
        beside = {near for stone in self.weak_besiegers for near in neighbors(stone)}
        color = self.tight.defender
        friends = {p for p in beside - self.question.points if board[COLOR + p] == color}
        return chains_at(board, friends)


class GroupProver:
    """Reads groups with one solver, shortly at first and longer later.

    board      uint16[BOARD_CELLS]
    ownership  float64[AREA], who owns each point in roll-outs: -1 White .. 1 Black
    weights    learned weights of the solver; None: all moves are even
    """

    def __init__(
        self, board: Board, ownership: Ownership, weights: LifeWeights | None = None
    ) -> None:
        self._board, self._ownership, self._weights = board, ownership, weights
        self._reader: LifeReader | None = None
        self._left: dict[Stones, tuple[LifeStatus, AskedGroup]] = {}
        self._most = _NODES
        self._nodes = 0
        self._was_short = False  # whether a reading ended without a result

    def is_waiting(self, asked: AskedGroup) -> bool:
        """Return whether a group is to be read longer: to read it shortly again is in vain."""
        return asked.goal in self._left

    def fates(self, asked: AskedGroup) -> Iterator[Fate]:
        """Yield the proved fates of a group and its chains.

        A group whose reading was too short is remembered for ``longer``.
        """
        if not asked.is_given:
            yield from self._living_by_themselves(asked.question)
            return
        question, goal, last = asked.question, asked.goal, _MORE_NODES[-1]
        owner, opponent = question.defender, 3 - question.defender
        helped = _shut_in(self._board, question, self._ownership)
        attacked = self._read(helped, opponent)
        # A group that lives when attacked is not dead: the next search would be in vain. So is a
        # long one where the attack is unclear.
        may_be_dead = attacked.status != "alive" and (
            attacked.status != "unknown" or self._most == _NODES
        )
        is_unclear = attacked.status == "ko" and attacked.threat is None
        if may_be_dead and self._finds("dead", helped, owner):
            yield "dead", goal
        elif is_unclear and self._most != last:
            # The order of threats takes longer to find.
            self._keep("ko", asked)
        elif attacked.status in ("dead", "ko"):
            yield "critical", goal
            if attacked.status == "ko":
                # If the search was too short to tell the order of threats, nothing is killed.
                yield "won_kos" if attacked.threat == "other" else "kos", goal
            if attacked.threat == "mover":
                if asked.weak_besiegers:
                    yield from self._stand_off(asked)
                elif self._gets_no_eyes(helped):
                    yield "seki", goal.union(*self._friends_beside(question))
        elif attacked.status == "alive":
            self._was_short = False
            yield from self._ways_to_live(asked, helped)
            if self._was_short and self._most != last:
                self._keep("unknown", asked)
        elif self._most != _NODES and asked.question is not asked.tight and asked.is_tight:
            # The region with the weak besiegers is too large to be read.
            yield from self.fates(asked._replace(question=asked.tight))
        elif self._most != last:
            self._keep("unknown", asked)

    def _keep(self, status: LifeStatus, asked: AskedGroup) -> None:
        if not asked.is_brief:
            self._left[asked.goal] = status, asked

    def longer(self) -> Iterator[Fate]:
        """Yield as ``fates`` does of the groups left: those in kos, then the largest first."""
        self._nodes = 0
        for self._most in _MORE_NODES:
            waiting, self._left = self._left, {}
            for goal in sorted(waiting, key=lambda g: (waiting[g][0], -len(g), min(g))):
                if self._nodes < _BUDGET:
                    yield from self.fates(waiting[goal][1])

    def _living_by_themselves(self, question: LifeQuestion) -> Iterator[Fate]:
        """Yield the chains of a group that get two eyes, whatever becomes of those around them."""
        for chain in chains_at(self._board, question.goal):
            lone = replace(alone(question), group=question.bits_of(chain))
            if self._finds("alive", lone, 3 - question.defender, "eyes"):
                yield "alive", chain

    def _ways_to_live(self, asked: AskedGroup, helped: LifeQuestion) -> Iterator[Fate]:
        """Yield the chains of a group that live with eyes or in seki, with the field."""
        question = asked.question
        owner, opponent = question.defender, 3 - question.defender
        if asked.weak_besiegers and (stand_off := list(self._stand_off(asked))):
            yield from stand_off
            return
        # A group is alive when one of its chains is: which?
        for chain in chains_at(self._board, question.goal):
            group = question.bits_of(chain)
            lone = replace(alone(question), group=group)
            if not self._finds("alive", lone, opponent):
                continue
            if self._finds("alive", lone, opponent, "eyes"):
                yield "alive", chain
            elif self._finds("dead", replace(helped, group=group), owner, "eyes"):
                yield "seki", chain.union(*_shut_in_with(self._board, asked.tight, chain))

    def _stand_off(self, asked: AskedGroup) -> Iterator[Fate]:
        """Yield the fates of a group and its weak besiegers if neither captures the other.

        Both must live without help, but for a ko whose first threat the other side needs. The group
        must get no two eyes beside the besiegers.
        """
        if not self._gets_no_eyes(_shut_in(self._board, asked.tight, self._ownership)):
            return
        ours, theirs = asked.question, seen_from_attackers(self._board, asked.question)
        both = asked.goal | asked.weak_besiegers
        by_ko = False
        for chain in chains_at(self._board, both):
            side = ours if chain <= asked.goal else theirs
            lone = replace(alone(side), group=side.bits_of(chain))
            attacked = self._read(lone, 3 - side.defender)
            if attacked.status != "alive" and attacked.threat != "mover":
                return
            by_ko |= attacked.status == "ko"
        yield "seki", both
        if by_ko:
            yield "kos", both

    def _friends_beside(self, question: LifeQuestion) -> Iterator[Stones]:
        """Yield the chains of a region that share liberties with its group: stones in a ko."""
        liberties = all_liberties(self._board, question.goal)
        for chain in chains_at(self._board, question.points_of(question.defenders)):
            if liberties & all_liberties(self._board, chain):
                yield chain

    def _gets_no_eyes(self, helped: LifeQuestion) -> bool:
        """Return whether a group gets no two eyes, moving first, where nobody finds a threat."""
        eyes = self._read(helped, helped.defender, "eyes")
        return eyes.status == "dead" or (eyes.status == "ko" and eyes.threat == "mover")

    def _finds(self, status: str, asked: LifeQuestion, first: int, aim: Aim = "life") -> bool:
        return self._read(asked, first, aim).status == status

    def _read(self, asked: LifeQuestion, first: int, aim: Aim = "life") -> LifeReading:
        self._reader = self._reader or LifeReader("pns", _MORE_NODES[-1], self._weights)
        self._reader.max_nodes = min(self._most, max(_NODES, _BUDGET - self._nodes))
        reading = self._reader.read_group(self._board, asked, first, aim=aim)
        self._nodes += reading.nodes
        self._was_short |= reading.status == "unknown"
        return reading


def all_liberties(board: Board, stones: Iterable[int]) -> set[int]:
    """Return the liberties of all chains that some stones belong to."""
    return {p for chain in chains_at(board, stones) for p in liberties_of(board, min(chain))}


def _shut_in_with(board: Board, question: LifeQuestion, chain: Stones) -> Iterator[Stones]:
    """Yield the opposing chains of a region without way out that share liberties with a chain."""
    firm = set(question.points_of(int(question.region.masks[MASK_FIRM])))
    liberties = set(liberties_of(board, min(chain)))
    for other in chains_at(board, question.points_of(question.attackers)):
        if not other & firm and liberties & set(liberties_of(board, min(other))):
            yield other


def _shut_in(board: Board, question: LifeQuestion, ownership: Ownership) -> LifeQuestion:
    """Return the question whether a group lives, or reaches a point not surely the opponent's."""
    opponent = 3 - question.defender
    is_theirs = saved_above(ownership, _SURE)

    def is_firm(point: int) -> bool:
        return board[COLOR + point] in (EMPTY, opponent) and is_theirs(opponent, point)

    def is_exit(point: int) -> bool:
        return board[COLOR + point] in (EMPTY, question.defender) and not is_firm(point)

    return question.with_outside(points_beside(question, is_exit), points_beside(question, is_firm))
