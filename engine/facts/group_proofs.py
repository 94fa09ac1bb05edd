"""Proofs of groups that die, live by their eyes or live in seki, with either side to move first.

Careful roll-outs take an eye space that only a large sacrifice kills for a seki, or are unsure of
it. They also take stones that need two more moves to be captured for alive. The solver of life and
death is asked about these (``life``). Its proofs take the surroundings of a group as given. A proof
is therefore only looked for where these are in little doubt. All chains around the group must live,
and not in seki, which might be one with the group. The chains that share liberties with it must
live beyond doubt. Points outside that are not surely the opponent's save a group that is to be
proved dead, or without eyes. They do not help a group that is to be proved alive. Groups without a
proof are tried again with less certain chains around them, each less in doubt than the group.
Groups whose readings were too short, and those in a ko, are read longer at the end.

Small groups are left out: roll-outs sacrifice them as they sacrifice others. The exception is a
small group beside one that was proved to live by its eyes. A group that is in seki with no other is
dead, or it lives, too.
"""

from collections.abc import Iterable, Iterator, Set
from dataclasses import replace
from typing import NamedTuple

from engine.go.board import COLOR, EMPTY, Board, Ownership
from engine.go.chains import liberties_of
from engine.go.geometry import neighbors
from engine.life.goal import LifeQuestion, Stones, chains_at
from engine.life.groups import (
    FEWEST_STONES,
    all_chains,
    alone,
    besiegers,
    joined,
    points_beside,
    questions_about,
)
from engine.life.races import saved_above
from engine.life.reader import Aim, LifeReader, LifeReading
from engine.life.regions import MASK_FIRM

# Nodes of one search: every group is read shortly first. Two stones in four points take 12 nodes,
# three in six 132. The groups left without a proof are read longer, while the budget lasts.
_NODES = 500
_MORE_NODES = 20_000
_BUDGET = 100_000  # nodes of all longer readings of a position; about a second
_SECURE = 0.9  # net share of roll-outs in which a chain lives beyond doubt
# The same for a chain that is only given. A stone thrown into sure territory costs all chains
# around it some of their share, 0.94 to 0.88 in a game. That is no reason to prove nothing there.
_STANDING = 0.8
# The same for a chain that may be given if it is less in doubt than the group. On 360 counted
# handicap games and 706 counted 9x9 games this corrects two scores and breaks none. Without the
# comparison it breaks two.
_LIKELY = 0.6
_SURE = 0.4  # net share of a point above which it is the opponent's and no way out


class ProvedFates(NamedTuple):
    """Stones of groups whose status is proved.

    dead      they die though their owner moves first
    critical  they die if their opponent does, or else a ko decides
    kos       those of them that live where nobody finds a threat, as their opponent needs the
              first, or where that was not found out
    won_kos   those that die in a ko where nobody finds a threat, as their owner needs the first
    alive     they get two eyes though their opponent moves first
    seki      they are not captured then, and get no eyes though their owner moves first; with them
              opposing stones shut in there, which share liberties with them. Those among ``kos``
              are so where nobody finds a threat: double ko seki, ten thousand year ko
    """

    dead: Stones = frozenset()
    critical: Stones = frozenset()
    kos: Stones = frozenset()
    won_kos: Stones = frozenset()
    alive: Stones = frozenset()
    seki: Stones = frozenset()


def prove_fates(
    board: Board, unsure: Set[int], sharing: Set[int], ownership: Ownership
) -> ProvedFates:
    """Return the proofs about groups in doubt; they do not depend on the side to move.

    board      uint16[BOARD_CELLS]
    unsure     stones of whole chains about which roll-outs are not sure
    sharing    stones of chains that may live in seki
    ownership  float64[AREA], who owns each point in roll-outs: -1 White .. 1 Black
    """
    found: dict[str, set[int]] = {name: set() for name in ProvedFates._fields}
    secure = _living(board, unsure | sharing, ownership, _SECURE)
    standing = _living(board, sharing, ownership, _STANDING)
    prover = _Prover(board, ownership)

    def prove(groups: Iterable[Stones], secure: Set[int]) -> None:
        for question in _questions(board, groups, secure, standing):
            if not prover.is_waiting(question):
                for fate, stones in prover.fates(question):
                    found[fate] |= stones

    groups = joined(board, chains_at(board, unsure | sharing), 1)
    large = [group for group in groups if len(group) >= FEWEST_STONES]
    prove(large, secure)
    for group in large:
        if not any(group & stones for stones in found.values()):
            share = max(_LIKELY, _certainty(group, ownership))
            prove([group], secure | _likely(board, sharing, ownership, share))
    if found["alive"]:
        # A group that lives by its eyes is in no seki, so it is given for the groups beside it.
        known = set().union(*found.values())
        beside = {near for stone in found["alive"] for near in neighbors(stone)}
        rest = [group for group in groups if group & beside and not group & known]
        prove(rest, secure | found["alive"])
    for fate, stones in prover.longer():
        found[fate] |= stones
    return ProvedFates(*(frozenset(found[name]) for name in ProvedFates._fields))


def _questions(
    board: Board, groups: Iterable[Stones], secure: Set[int], standing: Set[int]
) -> Iterator[LifeQuestion]:
    """Yield the question whether groups live, where all chains around them may be given.

    secure    stones of chains that live beyond doubt
    standing  stones of chains that may be given, too, where they share no liberty with the group; a
              chain that has to fill shared liberties may live by the capture alone
    """
    for group in groups:
        for question in questions_about(board, group):
            liberties = _liberties(board, question.goal)
            if all(
                chain <= secure or (chain <= standing and not liberties & _liberties(board, chain))
                for chain in besiegers(board, question)
            ):
                yield question


def _liberties(board: Board, stones: Iterable[int]) -> set[int]:
    """Return the liberties of all chains that some stones belong to."""
    return {p for chain in chains_at(board, stones) for p in liberties_of(board, min(chain))}


class _Prover:
    """Reads groups with one solver, shortly at first and longer later.

    board      uint16[BOARD_CELLS]
    ownership  as in ``prove_fates``
    """

    def __init__(self, board: Board, ownership: Ownership) -> None:
        self._board, self._ownership = board, ownership
        self._reader: LifeReader | None = None
        self._kos: dict[Stones, LifeQuestion] = {}
        self._unknown: dict[Stones, LifeQuestion] = {}
        self._most = _NODES
        self._nodes = 0

    def is_waiting(self, question: LifeQuestion) -> bool:
        """Return whether a group is to be read longer: to read it shortly again is in vain."""
        return frozenset(question.goal) in self._kos | self._unknown

    def fates(self, question: LifeQuestion) -> Iterator[tuple[str, Stones]]:
        """Yield fields of ProvedFates and the stones that belong there, of the group in question.

        A group whose reading was too short is remembered for ``longer``.
        """
        owner, opponent = question.defender, 3 - question.defender
        goal = frozenset(question.goal)
        helped = _shut_in(self._board, question, self._ownership)
        attacked = self._read(helped, opponent)
        # A group that lives when attacked is not dead: the next search would be in vain.
        if attacked.status != "alive" and self._finds("dead", helped, owner):
            yield "dead", goal
        elif attacked.status == "ko" and self._most == _NODES:
            # The order of threats takes longer to find.
            self._kos[goal] = question
        elif attacked.status in ("dead", "ko"):
            yield "critical", goal
            if attacked.status == "ko":
                # If the search was too short to tell the order of threats, nothing is killed.
                yield "won_kos" if attacked.threat == "other" else "kos", goal
            if attacked.threat == "mover" and self._gets_no_eyes(helped):
                yield "seki", goal.union(*self._friends_beside(question))
        elif attacked.status == "alive":
            yield from self._ways_to_live(question, helped)
        else:
            self._unknown[goal] = question

    def longer(self) -> Iterator[tuple[str, Stones]]:
        """Yield as ``fates`` does of the groups left: those in kos, then the largest first."""
        self._most, self._nodes = _MORE_NODES, 0
        for waiting in (self._kos, self._unknown):
            for goal in sorted(waiting, key=lambda stones: (-len(stones), min(stones))):
                if self._nodes < _BUDGET:
                    yield from self.fates(waiting[goal])

    def _ways_to_live(
        self, question: LifeQuestion, helped: LifeQuestion
    ) -> Iterator[tuple[str, Stones]]:
        """Yield the chains of a group that live with eyes or in seki, with the field."""
        owner, opponent = question.defender, 3 - question.defender
        # A group is alive when one of its chains is: which?
        for chain in chains_at(self._board, question.goal):
            group = question.bits_of(chain)
            lone = replace(alone(question), group=group)
            if not self._finds("alive", lone, opponent):
                continue
            if self._finds("alive", lone, opponent, "eyes"):
                yield "alive", chain
            elif self._finds("dead", replace(helped, group=group), owner, "eyes"):
                yield "seki", chain.union(*_shut_in_with(self._board, question, chain))

    def _friends_beside(self, question: LifeQuestion) -> Iterator[Stones]:
        """Yield the chains of a region that share liberties with its group: stones in a ko."""
        liberties = _liberties(self._board, question.goal)
        for chain in chains_at(self._board, question.points_of(question.defenders)):
            if liberties & _liberties(self._board, chain):
                yield chain

    def _gets_no_eyes(self, helped: LifeQuestion) -> bool:
        """Return whether a group gets no two eyes, moving first, where nobody finds a threat."""
        eyes = self._read(helped, helped.defender, "eyes")
        return eyes.status == "dead" or (eyes.status == "ko" and eyes.threat == "mover")

    def _finds(self, status: str, asked: LifeQuestion, first: int, aim: Aim = "life") -> bool:
        return self._read(asked, first, aim).status == status

    def _read(self, asked: LifeQuestion, first: int, aim: Aim = "life") -> LifeReading:
        # No weights: in spaces as small as these even moves are proved as fast.
        self._reader = self._reader or LifeReader("pns", _MORE_NODES)
        self._reader.max_nodes = self._most
        reading = self._reader.read_group(self._board, asked, first, aim=aim)
        self._nodes += reading.nodes
        return reading


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


def _certainty(group: Stones, ownership: Ownership) -> float:
    """Return the net share of roll-outs in which a group lives, or dies."""
    return abs(float(ownership[list(group)].mean()))


def _likely(board: Board, sharing: Set[int], ownership: Ownership, share: float) -> Stones:
    """Return the stones of all chains that live in that share of roll-outs and not as in a seki."""
    saved = saved_above(ownership, share)
    chains = [chain for chain in all_chains(board) if not chain & sharing]
    return frozenset(p for chain in chains for p in chain if saved(int(board[COLOR + p]), p))


def _living(board: Board, doubtful: Set[int], ownership: Ownership, share: float) -> Stones:
    """Return the stones of chains that live in that share of roll-outs, with none in doubt near.

    doubtful  stones of chains that must not share liberties with them
    """
    saved = saved_above(ownership, share)
    return frozenset(
        stone
        for group in joined(board, all_chains(board), 1)
        # A chain that lives in seki needs its friends, and has no other eyes.
        if not group & doubtful
        for stone in group
        if saved(int(board[COLOR + stone]), stone)
    )
