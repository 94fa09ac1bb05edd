"""Proofs of groups that die, live by their eyes or live in seki, with either side to move first.

Careful roll-outs take an eye space that only a large sacrifice kills for a seki, or are unsure of
it. They also take stones that need two more moves to be captured for alive. The solver of life and
death is asked about these (``life``). Its proofs take the surroundings of a group as given. A proof
is therefore only looked for where these are in little doubt. All chains around the group must live,
and not in seki, which might be one with the group. The chains that share liberties with it must
live beyond doubt. Points outside that are not surely the opponent's save a group that is to be
proved dead, or without eyes. They do not help a group that is to be proved alive. Groups without a
proof are tried again with less certain chains around them. Each of these must be less in doubt than
the group.

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
from engine.life.reader import Aim, LifeReader
from engine.life.regions import MASK_FIRM

_NODES = 500  # of one search; two stones in four points take 12, three in six 132
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

    dead      they die although their owner moves first
    critical  they die if their opponent moves first, or else a ko decides
    kos       critical stones that live where neither side finds a threat, as their opponent needs
              the first, or where the order of threats is unknown
    won_kos   stones that die in a ko where neither side finds a threat, as their owner needs the
              first
    alive     they get two eyes although their opponent moves first
    seki      they are not captured then, and get no eyes although their owner moves first; with
              them the opposing stones shut in there that share liberties with them
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
    reader: LifeReader | None = None

    def prove(groups: Iterable[Stones], secure: Set[int]) -> None:
        nonlocal reader
        for question in _questions(board, groups, secure, standing):
            # No weights: in such small spaces proofs with even moves are as fast.
            reader = reader or LifeReader("pns", _NODES)
            for fate, stones in _fates(reader, board, question, ownership):
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


def _fates(
    reader: LifeReader, board: Board, question: LifeQuestion, ownership: Ownership
) -> Iterator[tuple[str, Stones]]:
    """Yield a field of ProvedFates with the stones that belong there, for the group in question."""
    owner, opponent = question.defender, 3 - question.defender
    helped, unhelped = _shut_in(board, question, ownership), alone(question)

    def finds(status: str, asked: LifeQuestion, first: int, aim: Aim = "life") -> bool:
        return reader.read_group(board, asked, first, aim=aim).status == status

    if finds("dead", helped, owner):
        yield "dead", frozenset(question.goal)
        return
    attacked = reader.read_group(board, helped, opponent)
    if attacked.status in ("dead", "ko"):
        yield "critical", frozenset(question.goal)
        if attacked.status == "ko":
            # If the search was too short to tell who needs the threat, nothing is killed.
            kind = "won_kos" if attacked.threat == "other" else "kos"
            yield kind, frozenset(question.goal)
    else:
        # A group is alive when one of its chains is: find which one.
        for chain in chains_at(board, question.goal):
            group = question.bits_of(chain)
            lone = replace(unhelped, group=group)
            if not finds("alive", lone, opponent):
                continue
            if finds("alive", lone, opponent, "eyes"):
                yield "alive", chain
            elif finds("dead", replace(helped, group=group), owner, "eyes"):
                yield "seki", chain.union(*_shut_in_with(board, question, chain))


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
