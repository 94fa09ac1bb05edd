"""Proofs of groups that die, live by their eyes or live in seki, with either side to move first.

Careful roll-outs take an eye space that only a large sacrifice kills for a seki, or are unsure of
it. They also take stones that need two more moves to be captured for alive. The solver of life and
death is asked about these (``life``). Its proofs take the surroundings of a group as given. A proof
is therefore only looked for where these are in little doubt. All chains around the group must live,
and not in seki, which might be one with the group. The chains that share liberties with it must
live beyond doubt. Points outside that are not surely the opponent's save a group that is to be
proved dead, or without eyes. They do not help a group that is to be proved alive. Groups without a
proof are tried again with less certain chains around them, each less in doubt than the group.
Groups whose readings were too short, and those in a ko, are read longer at the end. If nothing
around a group may be given, only a proof that it gets two eyes is looked for. Groups with few
liberties are read shortly, too: roll-outs may be sure of them and wrong.

Small groups are left out: roll-outs sacrifice them as they sacrifice others. The exception is a
small group beside one that was proved to live by its eyes. A group that is in seki with no other is
dead, or it lives, too.
"""

from collections.abc import Iterable, Iterator, Set
from typing import NamedTuple

from engine.facts.group_prover import PROVER, AskedGroup, GroupProver
from engine.go.board import Board, Ownership
from engine.go.geometry import neighbors
from engine.life.evidence import LifeWeights
from engine.life.goal import LifeQuestion
from engine.life.groups import (
    ASKED_GROUPS,
    besiegers,
    find_groups,
    questions_about,
    with_weak_besiegers,
)
from engine.life.races import saved_above
from engine.picture.picture import Chain, Picture, Stones, join_chains, picture_of


class ProofShares(NamedTuple):
    """Net shares of roll-outs that a proof takes for granted."""

    # Of a group that is asked about although roll-outs are sure of it
    few_liberties: int = 4
    secure: float = 0.9  # net share of roll-outs in which a chain lives beyond doubt
    # The same for a chain that is only given. A stone thrown into sure territory costs all chains
    # around it some of their share, 0.94 to 0.88 in a game. That is no reason to prove nothing
    # there.
    standing: float = 0.8
    # The same for a chain that may be given if it is less in doubt than the group. On 360 counted
    # handicap games and 706 counted 9x9 games this corrects two scores and breaks none. Without the
    # comparison it breaks two.
    likely: float = 0.6


SHARES = ProofShares()


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
    returning  their capture enables a new stone that cannot be captured. Opposing stones beside
              them of which this is true are included. Under territory rules they live in seki
    """

    dead: Stones = frozenset()
    critical: Stones = frozenset()
    kos: Stones = frozenset()
    won_kos: Stones = frozenset()
    alive: Stones = frozenset()
    seki: Stones = frozenset()
    returning: Stones = frozenset()


def prove_fates(
    board: Board,
    unsure: Set[int],
    sharing: Set[int],
    ownership: Ownership,
    weights: LifeWeights | None = None,
    nodes: int = PROVER.longer_nodes,
) -> ProvedFates:
    """Return the proofs about groups in doubt; they do not depend on the side to move.

    board      uint16[BOARD_CELLS]
    unsure     stones of whole chains about which roll-outs are not sure
    sharing    stones of chains that may live in seki
    ownership  float64[AREA], who owns each point in roll-outs: -1 White .. 1 Black
    weights    learned weights of the solver; None: all moves are even
    nodes      of all readings of groups that a short one does not decide
    """
    fates: dict[str, set[int]] = {name: set() for name in ProvedFates._fields}
    doubtful, picture = unsure | sharing, picture_of(board)
    secure = _living(picture, doubtful, ownership, SHARES.secure)
    standing = _living(picture, sharing, ownership, SHARES.standing)
    prover = GroupProver(board, ownership, weights, nodes)

    def prove(groups: Iterable[Stones], secure: Set[int], is_brief: bool = False) -> None:
        for group in _asked(picture, groups, secure, standing, ownership):
            if not prover.is_waiting(group):
                for fate, stones in prover.fates(group._replace(is_brief=is_brief)):
                    fates[fate] |= stones

    groups = join_chains(picture.chains_of(doubtful))
    large = [group for group in groups if len(group) >= ASKED_GROUPS.fewest_stones]
    prove(large, secure)
    for group in large:
        if not any(group & stones for stones in fates.values()):
            share = max(SHARES.likely, _certainty(group, ownership))
            prove([group], secure | _likely(picture, sharing, ownership, share))
    if fates["alive"]:
        # A group that lives by its eyes is in no seki, so it is given for the groups beside it.
        proved = set().union(*fates.values())
        beside = {near for stone in fates["alive"] for near in neighbors(stone)}
        rest = [group for group in groups if group & beside and not group & proved]
        prove(rest, secure | fates["alive"])
    # Roll-outs can be sure and wrong: they fill a space that nobody may fill, as in a seki.
    sure = [group for group in find_groups(picture) if not group & doubtful]
    narrow = [group for group in sure if len(picture.liberties_of(group)) <= SHARES.few_liberties]
    prove(narrow, secure, is_brief=True)
    for fate, stones in prover.longer():
        fates[fate] |= stones
    return ProvedFates._make(frozenset(fates[name]) for name in ProvedFates._fields)


def _asked(
    picture: Picture,
    groups: Iterable[Stones],
    secure: Set[int],
    standing: Set[int],
    ownership: Ownership,
) -> Iterator[AskedGroup]:
    """Yield groups with the questions about them.

    secure    stones of chains that live beyond doubt
    standing  stones of chains that may be given, too, where they share no liberty with the group; a
              chain that has to fill shared liberties may live by the capture alone
    """
    # A besieger is not weak if it can capture other stones.
    saved = saved_above(ownership, 0.0)

    def lives(chain: Chain) -> bool:
        return all(saved(chain.color, point) for point in chain.stones)

    def is_given(question: LifeQuestion, liberties: set[int]) -> bool:
        return all(
            chain.stones <= secure
            or (chain.stones <= standing and liberties.isdisjoint(chain.liberties))
            for chain in besiegers(picture, question)
        )

    for group in groups:
        for tight in questions_about(picture, group):
            liberties = picture.liberties_of(tight.goal)
            givens = is_given(tight, liberties)
            request = AskedGroup(tight, tight, givens, givens)
            wider = with_weak_besiegers(picture, tight)
            if wider is not None:
                wide = AskedGroup(wider, tight, is_given(wider, liberties), givens)
                request = wide if all(map(lives, wide.friends_behind(picture))) else request
            yield request


def _certainty(group: Stones, ownership: Ownership) -> float:
    """Return the net share of roll-outs in which a group lives, or dies."""
    return abs(float(ownership[list(group)].mean()))


def _likely(picture: Picture, sharing: Set[int], ownership: Ownership, share: float) -> Stones:
    """Return the stones of all chains that live in that share of roll-outs and not as in a seki."""
    saved = saved_above(ownership, share)
    chains = [chain for chain in picture.chains if not chain.stones & sharing]
    return frozenset(p for chain in chains for p in chain.stones if saved(chain.color, p))


def _living(picture: Picture, doubtful: Set[int], ownership: Ownership, share: float) -> Stones:
    """Return the stones of chains that live in that share of roll-outs, with none in doubt near.

    doubtful  stones of chains that must not share liberties with them
    """
    saved = saved_above(ownership, share)
    return frozenset(
        stone
        for group in picture.groups
        # A chain that lives in seki needs its friends, and has no other eyes.
        if not group & doubtful
        for stone in group
        if saved(picture.colors[stone], stone)
    )
