"""The surroundings that the prover gives a group: its friends, ways out, and prisoners."""

from collections.abc import Iterable, Iterator

from engine.go.board import COLOR, EMPTY, Board, Ownership
from engine.go.chains import liberties_of
from engine.life.goal import LifeQuestion, Stones, chains_at
from engine.life.groups import points_beside
from engine.life.races import saved_above
from engine.life.regions import MASK_FIRM

_SURE = 0.4  # net share of a point above which it is the opponent's and no way out
_FRIEND = 0.5  # net share of a friend that a new stone may join; roll-outs invade open boards


def all_liberties(board: Board, stones: Iterable[int]) -> set[int]:
    """Return the liberties of all chains that some stones belong to."""
    return {p for chain in chains_at(board, stones) for p in liberties_of(board, min(chain))}


def shut_in_with(board: Board, question: LifeQuestion, chain: Stones) -> Iterator[Stones]:
    """Yield the opposing chains of a region without way out that share liberties with a chain."""
    firm = set(question.points_of(int(question.region.masks[MASK_FIRM])))
    liberties = set(liberties_of(board, min(chain)))
    for other in chains_at(board, question.points_of(question.attackers)):
        if not other & firm and liberties & set(liberties_of(board, min(other))):
            yield other


def shut_in(board: Board, question: LifeQuestion, ownership: Ownership) -> LifeQuestion:
    """Return the question whether a group lives, or reaches a point not surely the opponent's.

    ownership  float64[AREA], who owns each point in roll-outs: -1 White .. 1 Black
    """
    opponent = 3 - question.defender
    is_theirs = saved_above(ownership, _SURE)

    def is_firm(point: int) -> bool:
        return board[COLOR + point] in (EMPTY, opponent) and is_theirs(opponent, point)

    def is_exit(point: int) -> bool:
        return board[COLOR + point] in (EMPTY, question.defender) and not is_firm(point)

    return question.with_outside(points_beside(question, is_exit), points_beside(question, is_firm))


def joining_friends(board: Board, question: LifeQuestion, ownership: Ownership) -> LifeQuestion:
    """Return the question whether a group lives, or reaches friends that live in roll-outs.

    ownership  float64[AREA], as above
    """
    color, saved = question.defender, saved_above(ownership, _FRIEND)

    def is_friend(point: int) -> bool:
        return bool(board[COLOR + point] == color) and saved(color, point)

    return question.with_outside(points_beside(question, is_friend))
