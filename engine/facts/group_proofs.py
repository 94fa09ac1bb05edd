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

from collections.abc import Iterable, Set
from dataclasses import replace
from typing import NamedTuple

from engine.facts.group_prover import LONG_READING, GroupProver, ProvedFates, ReadingBudget
from engine.facts.group_questions import GroupSurroundings, asked_groups
from engine.go.board import Board, Ownership
from engine.go.geometry import neighbors
from engine.life.evidence import LifeWeights
from engine.life.groups import ASKED_GROUPS, find_groups
from engine.picture.picture import Stones, join_chains, picture_of


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


def prove_fates(
    board: Board,
    unsure: Set[int],
    sharing: Set[int],
    ownership: Ownership,
    weights: LifeWeights | None = None,
    budget: ReadingBudget = LONG_READING,
) -> ProvedFates:
    """Return the proofs about groups in doubt; they do not depend on the side to move.

    board      uint16[BOARD_CELLS]
    unsure     stones of whole chains about which roll-outs are not sure
    sharing    stones of chains that may live in seki
    ownership  float64[AREA], who owns each point in roll-outs: -1 White .. 1 Black
    weights    learned weights of the solver; None: all moves are even
    budget     of all readings of groups; see ``Facts.status``
    """
    fates: dict[str, set[int]] = {name: set() for name in ProvedFates._fields}
    doubtful, picture = unsure | sharing, picture_of(board)
    standing = GroupSurroundings(picture, ownership)
    secure, standing_stones = (
        standing.groups(doubtful, SHARES.secure),
        standing.groups(sharing, SHARES.standing),
    )
    prover = GroupProver(board, weights, budget)

    def prove(groups: Iterable[Stones], secure: Set[int], is_brief: bool = False) -> None:
        for group in asked_groups(standing, groups, secure, standing_stones):
            if not prover.is_waiting(group):
                for fate, stones in prover.fates(replace(group, is_brief=is_brief)):
                    fates[fate] |= stones

    groups = join_chains(picture.chains_of(doubtful))
    large = [group for group in groups if len(group) >= ASKED_GROUPS.fewest_stones]
    prove(large, secure)
    for group in large:
        if not any(group & stones for stones in fates.values()):
            share = max(SHARES.likely, standing.certainty(group))
            prove([group], secure | standing.chains(sharing, share))
    if fates["alive"]:
        # A group that lives by its eyes is in no seki, so it is given for the groups beside it.
        decided = set().union(*fates.values())
        beside = {near for stone in fates["alive"] for near in neighbors(stone)}
        rest = [group for group in groups if group & beside and not group & decided]
        prove(rest, secure | fates["alive"])
    # Roll-outs can be sure and wrong: they fill a space that nobody may fill, as in a seki.
    sure = [group for group in find_groups(picture) if not group & doubtful]
    narrow = [group for group in sure if len(picture.liberties_of(group)) <= SHARES.few_liberties]
    prove(narrow, secure, is_brief=True)
    for fate, stones in prover.longer():
        fates[fate] |= stones
    return ProvedFates._make(frozenset(fates[name]) for name in ProvedFates._fields)
