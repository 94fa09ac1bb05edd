"""Regions too large to be played out in which all hangs on one chain: captured or saved.

The solver reads the chain for either side to move first (``engine.tactics``). What it proves has
probability 1 or 0; otherwise probability propagation says how likely the capture is. The points
at stake are the region's, counted by roll-outs that end with each fate. So the region becomes
Zhao & Mueller's subgame: a two-point distribution for either side to move first (their Section 2).

A region is left alone when the chain hangs on a ko, when its solution leads out of the region
(then it is not independent of the rest), when another chain in it has no clear fate once the
first one's is known (two fights that share points or chains), or when a chain that the solver
saves from capture mostly dies all the same. Slow twin: tests/reference/fights.py.
"""

from typing import NamedTuple

import numpy as np

from engine.captures.reader import CaptureReader
from engine.endings.outlook import DECIDED, ownership_given
from engine.endings.regions import EndgameRegion
from engine.facts.chain_facts import MOST_LIBERTIES, ChainFacts, limit_for
from engine.go.board import (
    BLACK,
    COLOR,
    EMPTY,
    HEAD,
    WHITE,
    Board,
    Ownership,
    Points,
    is_legal,
    place,
)
from engine.go.chains import liberties_of
from engine.go.geometry import PASS

FIGHT_NODES = 300
"""Of one reading."""
# Two or three of these a region: a third of the survey's.
FIGHT_ROLLOUTS, LEAST_FIGHT_ROLLOUTS = 100, 20


class ChainFight(NamedTuple):
    """A region whose points go with one chain.

    chances   by color, the probability that the chain is captured if that color moves first
    captured  Black's points minus White's in the region if it is captured
    saved     the same if it is not
    moves     by color, the first moves that the solver names
    """

    chances: dict[int, float]
    captured: int
    saved: int
    moves: dict[int, frozenset[int]]


class _Reading(NamedTuple):
    """The probability of capture with one side moving first, its first moves, and their lines."""

    chance: float
    moves: tuple[int, ...]
    line: tuple[int, ...]


class Outlook(NamedTuple):
    """What is known of a position.

    expected  int64[AREA], from ``outlook.expected_owners``
    facts     by each chain's first stone
    seed      of roll-outs, above 0
    """

    expected: Points
    facts: dict[int, ChainFacts]
    seed: int


def find_chain_fight(
    board: Board, region: EndgameRegion, outlook: Outlook, reader: CaptureReader
) -> ChainFight | None:
    """Return a region as a fight for its largest open chain; None where it is to be left alone.

    reader  "pp"
    """
    stones = _open_chain(board, region, outlook.expected)
    if not stones:
        return None
    attack, defense = _readings(board, stones[0], outlook, reader)
    # Moving first must help the attacker; otherwise the readings are too unsure to be a fight.
    if attack is None or defense is None or attack.chance <= defense.chance:
        return None
    named = {*attack.moves, *attack.line, *defense.moves, *defense.line} - {PASS}
    # A line that leaves the region ties it to its surroundings: no independent summand.
    if not named <= set(region.points):
        return None
    color = int(board[COLOR + stones[0]])
    fates = _Fates(board, region, stones, outlook)
    saved = fates.margin(defense.moves[0], color, color)
    captured = fates.margin(attack.moves[0], 3 - color, 3 - color)
    if saved is None or captured is None:
        return None
    # Roll-outs that find saving the chain worth nothing contradict what it is about.
    if (saved - captured) * (1 if color == BLACK else -1) <= 0:
        return None
    chances = {color: defense.chance, 3 - color: attack.chance}
    moves = {color: frozenset(defense.moves), 3 - color: frozenset(attack.moves)}
    return ChainFight(chances, captured, saved, moves)


def _open_chain(board: Board, region: EndgameRegion, expected: Points) -> list[int]:
    """Return the largest chain of a region that is short of liberties and has no expected fate."""
    chains: dict[int, list[int]] = {}
    for point in region.points:
        if board[COLOR + point] in (BLACK, WHITE) and expected[point] == 0:
            chains.setdefault(int(board[HEAD + point]), []).append(point)
    short = [c for c in chains.values() if len(liberties_of(board, c[0])) <= MOST_LIBERTIES]
    return max(short, key=len, default=[])


def _readings(
    board: Board, stone: int, outlook: Outlook, reader: CaptureReader
) -> tuple[_Reading | None, _Reading | None]:
    """Return what is known of a chain if its attacker moves first, and if its defender does."""
    facts = outlook.facts.get(stone)
    # Proved both ways already: the survey's own search need not be repeated.
    if facts is not None and facts.status == "critical":
        return _Reading(1.0, facts.attacks, facts.line), _Reading(0.0, facts.defenses, ())
    return _read(board, stone, reader, True), _read(board, stone, reader, False)


def _read(board: Board, stone: int, reader: CaptureReader, attacker_first: bool) -> _Reading | None:
    """Return what the solver finds or believes; None for a ko, or when no move is named."""
    found = reader.read_chain(board, stone, attacker_first, limit_for(board, stone), FIGHT_NODES)
    chance, move = float(found.value == "captured"), found.move
    # No proof within FIGHT_NODES: then the belief is the chance of its two-point distribution.
    if found.value == "unknown":
        chance, move = reader.guess()
    if found.value == "ko" or move is None or move == PASS:
        return None
    return _Reading(chance, (move,), found.line)


class _Fates:
    """The points of a region when its chain is captured or saved."""

    def __init__(
        self, board: Board, region: EndgameRegion, stones: list[int], outlook: Outlook
    ) -> None:
        self.board = board
        self.points = list(region.points)
        self.stones = stones
        self.occupied = [p for p in self.points if board[COLOR + p] != EMPTY]
        self.expected = outlook.expected.copy()
        # The region's own fates are what is asked; all others stay as expected.
        self.expected[self.points] = 0
        self.seed = outlook.seed

    def margin(self, point: int, mover: int, owner: int) -> int | None:
        """Return Black's points minus White's after a move, if a color gets the chain's points.

        None when roll-outs do not mostly end so, or leave another chain's fate open.
        """
        if not is_legal(self.board, point, mover):
            return None
        after = self.board.copy()
        place(after, point, mover)
        sign = 1 if owner == BLACK else -1
        if owner == self.board[COLOR + self.stones[0]]:  # not captured soon: but does it live?
            free = self._ownership(after)
            if free is None or sign * np.mean(free[self.stones]) < DECIDED:
                return None
        self.expected[self.stones] = sign
        owned = self._ownership(after)
        # Back to open for the next question; the outlook's own array was copied.
        self.expected[self.stones] = 0
        # A second chain without a fate shares these points: two fights cannot be one summand.
        if owned is None or np.any(np.abs(owned[self.occupied]) < DECIDED):
            return None
        return round(float(np.sum(owned[self.points])))

    def _ownership(self, board: Board) -> Ownership | None:
        return ownership_given(
            board, self.expected, self.seed, FIGHT_ROLLOUTS, LEAST_FIGHT_ROLLOUTS
        )
