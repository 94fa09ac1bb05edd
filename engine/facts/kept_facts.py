"""Facts kept from move to move, as long as everything that their readings looked at is unchanged.

A reading looks at the moves that it lists and at the liberties of chains near them. Whether these
stay the same depends on the surroundings of both (``mark_region``). The slow twin is
tests/reference/tactics.py.
"""

from collections.abc import Iterable
from typing import Generic, TypeVar

import numpy as np

from engine.go.board import COLOR, EMPTY, HEAD, KO, KO_COLOR, Board, Mask, Points
from engine.go.chains import chain_size, next_stone
from engine.go.geometry import AREA, PASS, neighbors
from engine.jit import kernel
from engine.picture.picture import StoneList, picture_of
from engine.proof.graph import EDGE_MOVE, META_EDGES, ProofTree

Fact = TypeVar("Fact")

_NEAR, _FAR = 1, 2  # see ``mark_region``


class FactMemory(Generic[Fact]):
    """Keeps the facts of the chains of one position for the next one, by their sorted stones."""

    def __init__(self) -> None:
        self._entries: dict[StoneList, tuple[Fact | None, Points, bytes]] = {}
        self._listed, self._marks, self._steps = np.zeros((3, AREA), np.uint8)

    def forget(self) -> None:
        """Start the next position from nothing."""
        self._entries.clear()

    def recall(self, board: Board, chains: Iterable[StoneList]) -> dict[StoneList, Fact | None]:
        """Return the facts of some chains that still hold, and forget all others."""
        entries = ((stones, self._entries.get(stones)) for stones in chains)
        self._entries = {
            stones: entry
            for stones, entry in entries
            if entry is not None and _content(board, entry[1]) == entry[2]
        }
        return {stones: facts for stones, (facts, _, _) in self._entries.items()}

    def begin(self, board: Board, stones: StoneList) -> None:
        """Note where a chain's readings begin: with its stones and liberties."""
        self._listed[:] = 0
        self._listed[list(stones)] = 1
        # A move there that is illegal now is listed for neither side.
        self._listed[list(picture_of(board).chain_at(stones[0]).liberties)] = 1

    def note_moves(self, tree: ProofTree) -> None:
        """Note the moves that a search has listed."""
        self._listed[tree.edges[: tree.meta[META_EDGES], EDGE_MOVE]] = 1
        self._listed[PASS] = 0

    def keep(self, board: Board, stones: StoneList, facts: Fact | None) -> None:
        """Keep the facts of the readings since ``begin``."""
        mark_region(board, self._listed, self._marks, self._steps)
        region = np.flatnonzero(self._marks)
        self._entries[stones] = facts, region, _content(board, region)


def _content(board: Board, region: Points) -> bytes:
    """Return the stones in a region, and the ban if it lies there."""
    stones = board[COLOR + region].tobytes()
    banned = int(board[KO])
    return stones + board[[KO, KO_COLOR]].tobytes() if banned and banned in region else stones


@kernel
def mark_region(board: Board, listed: Mask, marks: Mask, steps: Mask) -> None:
    """Mark all points that a reading may have looked at, from the moves that it listed.

    Near chains are those on or beside a listed point. Far chains are those beside a near one or
    beside a liberty of it. Marked are these chains and all points beside them, beside listed points
    and beside the liberties of near chains. ``steps`` is scratch space by a chain's head.
    """
    for point in range(AREA):
        marks[point] = 0
        steps[point] = 0
    for point in range(AREA):
        if listed[point]:
            _mark(board, point, _NEAR, marks, steps)
            for near in neighbors(point):
                _mark(board, near, _NEAR, marks, steps)
    for step in (_NEAR, _FAR):
        # Point 0 is never a head.
        for head in range(1, AREA):
            if steps[head] == step:
                _mark_chain(board, head, step, marks, steps)


@kernel(inlined=True)
def _mark(board: Board, point: int, step: int, marks: Mask, steps: Mask) -> None:
    """Mark a point, and note the chain there, if it was not met before."""
    marks[point] = 1
    if steps[board[HEAD + point]] == 0:
        steps[board[HEAD + point]] = step


@kernel
def _mark_chain(board: Board, head: int, step: int, marks: Mask, steps: Mask) -> None:
    """Mark a chain and the points beside it; near ones with the points beside their liberties."""
    stone = np.int64(head)
    for _ in range(chain_size(board, head)):
        marks[stone] = 1
        for near in neighbors(stone):
            _mark(board, near, step + 1, marks, steps)
            if step == _NEAR and board[COLOR + near] == EMPTY:
                for far in neighbors(near):
                    _mark(board, far, step + 1, marks, steps)
        stone = next_stone(board, stone)
