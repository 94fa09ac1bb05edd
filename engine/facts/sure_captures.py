"""Chains in atari whose capture nothing prevents: they are no wall around other groups.

Roll-outs capture such a chain at a random time, and mostly too late for the groups that it cuts
off. These captures are therefore played before the roll-outs (``survey``).
"""

from collections.abc import Callable, Set
from typing import NamedTuple

from engine.captures.reader import CaptureReader
from engine.facts.chain_facts import limit_for
from engine.go.board import Board, is_legal, place
from engine.picture.picture import Chain, Picture, picture_of

_NODES = 600  # of one reading; a chain in atari takes few

Share = Callable[[Chain], float]


class SureCapture(NamedTuple):
    """A capture that works even if the owner of the chain moves first.

    stones  of the captured chains: one move may take several
    color   of the side that captures
    point   of its move
    """

    stones: frozenset[int]
    color: int
    point: int


def sure_captures(
    board: Board, picture: Picture, share: Share, secure: float, proved: Set[int]
) -> tuple[SureCapture, ...]:
    """Return the sure captures that matter: of chains in doubt, or beside chains in doubt.

    A chain beside it must live beyond doubt without the capture. Otherwise the chain may be a
    sacrifice inside the eye space of a group that dies.
    board   uint16[BOARD_CELLS], without a ko; ``picture`` is the board's
    share   returns the net share of roll-outs in which a chain lives, from -1 to 1
    secure  share from which on a chain lives beyond doubt
    proved  stones whose fate is proved, and therefore in no doubt
    """

    def matters(chain: Chain) -> bool:
        captors = picture.opponents_of(chain)
        shares = [1.0 if captor.first in proved else share(captor) for captor in captors]
        if not any(each >= secure for each in shares):
            return False
        return abs(share(chain)) < secure or any(each < secure for each in shares)

    sure: dict[int, SureCapture] = {}
    for chain in picture.chains:
        if chain.in_atari and not chain.stones & proved and matters(chain):
            point, captor = chain.liberties[0], 3 - chain.color
            capture = sure.get(point, SureCapture(frozenset(), captor, point))
            if capture.color == captor and _is_sure(board, chain):
                sure[point] = capture._replace(stones=capture.stones | chain.stones)
    return tuple(sure.values())


def _is_sure(board: Board, chain: Chain) -> bool:
    """Return whether a capture is proved, with the owner of the chain to move first."""
    if not _holds(board, chain):
        return False
    reader, limit = CaptureReader("pns", _NODES), limit_for(chain)
    return reader.read_chain(board, chain.first, False, limit).value == "captured"


def _holds(board: Board, chain: Chain) -> bool:
    """Return whether the capturing stones cannot be taken at once, except in a ko."""
    captor, point = 3 - chain.color, chain.liberties[0]
    if not is_legal(board, point, captor):
        return False
    after = board.copy()
    place(after, point, captor)
    capturing = picture_of(after).chain_at(point)
    is_ko = len(chain.stones) == len(capturing.stones) == 1
    return is_ko or not capturing.in_atari
