"""Chains in atari whose capture nothing prevents: they are no wall around other groups.

Roll-outs capture such a chain at a random time, and mostly too late for the groups that it cuts
off. These captures are therefore played before the roll-outs (``survey``).
"""

from collections.abc import Callable, Iterator, Set
from typing import NamedTuple

from engine.captures.reader import CaptureReader
from engine.facts.chain_facts import limit_for
from engine.go.board import KO, Board, is_legal, place
from engine.go.chains import chain_size, count_liberties
from engine.go.geometry import neighbors
from engine.go.history import Game

_NODES = 600  # of one reading; a chain in atari takes few

Share = Callable[[Game, list[int]], float]


class SureCapture(NamedTuple):
    """A capture that works even if the owner of the chain moves first.

    stones  of the captured chain
    color   of the side that captures
    point   of its move
    """

    stones: frozenset[int]
    color: int
    point: int


def sure_captures(
    game: Game, share: Share, secure: float, proved: Set[int]
) -> tuple[SureCapture, ...]:
    """Return the sure captures that matter: of chains in doubt, or beside chains in doubt.

    A chain beside it must live beyond doubt without the capture. Otherwise the chain may be a
    sacrifice inside the eye space of a group that dies.
    share   returns the net share of roll-outs in which a chain lives, from -1 to 1
    secure  share from which on a chain lives beyond doubt
    proved  stones whose fate is proved, and therefore in no doubt
    """

    def lives(chain: list[int]) -> float:
        """Return the share of roll-outs in which a chain lives, 1 if there is no doubt."""
        return 1.0 if chain[0] in proved else share(game, chain)

    return tuple(
        capture
        for capture in _captures_in_one(game)
        if not capture.stones & proved
        and _matters(game, capture, lives, secure)
        and _is_sure(game, capture)
    )


def _captures_in_one(game: Game) -> Iterator[SureCapture]:
    """Yield the captures of all chains in atari."""
    for chain in game.chains():
        liberty, *others = game.liberties(chain[0])
        if not others:
            yield SureCapture(frozenset(chain), 3 - game.color_at(chain[0]), liberty)


def _matters(
    game: Game, capture: SureCapture, lives: Callable[[list[int]], float], secure: float
) -> bool:
    """Return whether a capture decides about a chain in doubt, as ``sure_captures`` says."""
    beside = {near for stone in capture.stones for near in neighbors(stone)}
    captors = {
        tuple(sorted(game.chain(near))) for near in beside if game.color_at(near) == capture.color
    }
    shares = [lives(list(chain)) for chain in captors]
    if not any(each >= secure for each in shares):
        return False
    return abs(lives(sorted(capture.stones))) < secure or any(each < secure for each in shares)


def _is_sure(game: Game, capture: SureCapture) -> bool:
    """Return whether a capture is proved, with the owner of the chain to move first."""
    board = game.board.copy()
    board[KO] = 0
    stone = min(capture.stones)
    if not _holds(board, capture):
        return False
    reader = CaptureReader("pns", _NODES)
    return reader.read_chain(board, stone, False, limit_for(board, stone)).value == "captured"


def _holds(board: Board, capture: SureCapture) -> bool:
    """Return whether the capturing stones cannot be taken at once, except in a ko."""
    if not is_legal(board, capture.point, capture.color):
        return False
    after = board.copy()
    place(after, capture.point, capture.color)
    if count_liberties(after, capture.point, 2) >= 2:
        return True
    return len(capture.stones) == 1 and chain_size(after, capture.point) == 1
