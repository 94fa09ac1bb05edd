"""Which groups die whoever moves first, and which if they are attacked: proved where it can be.

Careful roll-outs take an eye space that only a large sacrifice kills for a seki, or are not sure of
it. So there the solver of life and death is asked (``life``). Its proofs take what is around a
group as given. So one is looked for only where that is beyond doubt: all chains around the group
live, and not in seki, which might be one with the group; and whatever outside is not surely the
opponent's saves the group, and no stone of his.

Only death is told. A group that is not killed may live by its eyes or in seki, which the solver
does not tell apart; what stands inside it is dead in the one case and alive in the other.
"""

from collections.abc import Iterator, Set
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from engine.go.board import COLOR, EMPTY, Board
from engine.tactics.board_groups import (
    FEWEST_STONES,
    Stones,
    all_chains,
    besiegers,
    chains_at,
    joined,
    outside_of,
    questions_about,
)
from engine.tactics.board_races import Ownership, saved_above
from engine.tactics.eyespace import MASK_EXIT, MASK_FIRM
from engine.tactics.groups import Question
from engine.tactics.life import LifeReader

_NODES = 500  # of one search; two stones in four points take 12, three in six 132
_SECURE = 0.9  # net share of roll-outs in which what is around a group lives
_SURE = 0.4  # net share of a point above which it is the opponent's, and no way out


class ProvedFates(NamedTuple):
    """Stones of groups whose fate is proved.

    dead      they die though their owner moves first
    critical  they die if their opponent does, or else a ko decides
    """

    dead: Stones
    critical: Stones


def prove_fates(board: Board, doubtful: Set[int], ownership: Ownership) -> ProvedFates:
    """Return what is proved of groups in doubt; it does not depend on who is to move.

    board      uint16[BOARD_CELLS]
    doubtful   stones of whole chains: in seki, or in doubt
    ownership  float64[AREA], who owns each point in roll-outs: -1 White .. 1 Black
    """
    dead: set[int] = set()
    critical: set[int] = set()
    # No weights: in spaces as small as these even moves are proved as fast.
    reader: LifeReader | None = None
    for question in _questions(board, doubtful, ownership):
        reader = reader or LifeReader("pns", _NODES)
        if reader.read_group(board, question, question.defender).status == "dead":
            dead.update(question.goal)
        elif reader.read_group(board, question, 3 - question.defender).status in ("dead", "ko"):
            critical.update(question.goal)
    return ProvedFates(frozenset(dead), frozenset(critical))


def _questions(board: Board, doubtful: Set[int], ownership: Ownership) -> Iterator[Question]:
    """Yield whether groups in doubt live, where it can be asked.

    Groups of few stones are left out, which roll-outs sacrifice as they sacrifice others.
    """
    given = _beyond_doubt(board, doubtful, ownership)
    for group in joined(board, chains_at(board, doubtful), 1):
        if len(group) < FEWEST_STONES:
            continue
        for question in questions_about(board, group):
            if all(chain <= given for chain in besiegers(board, question)):
                yield _shut_in(board, question, ownership)


def _shut_in(board: Board, question: Question, ownership: Ownership) -> Question:
    """Return the question whether a group lives, or gets to what is not surely the opponent's."""
    opponent = 3 - question.defender
    is_theirs = saved_above(ownership, _SURE)
    firm = exits = 0
    for bit, _, around in outside_of(question):
        for near in around:
            if board[COLOR + near] in (EMPTY, opponent) and is_theirs(opponent, near):
                firm |= 1 << bit
            elif board[COLOR + near] in (EMPTY, question.defender):
                exits |= 1 << bit
    masks = question.region.masks.copy()
    masks[MASK_FIRM], masks[MASK_EXIT] = np.uint64(firm), np.uint64(exits)
    return replace(question, region=question.region._replace(masks=masks))


def _beyond_doubt(board: Board, doubtful: Set[int], ownership: Ownership) -> Stones:
    """Return the stones of all chains that surely live, with what they share liberties with."""
    secure = saved_above(ownership, _SECURE)
    return frozenset(
        stone
        for group in joined(board, all_chains(board), 1)
        # What lives in seki needs its friends, and has no other eyes.
        if not group & doubtful
        for stone in group
        if secure(int(board[COLOR + stone]), stone)
    )
