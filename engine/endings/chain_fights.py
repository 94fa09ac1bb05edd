"""Regions too large to play out in which one chain decides everything: captured or saved.

The solver reads the chain for each side moving first (``engine.facts.open_chains``). A proof has
probability 1 or 0. Otherwise learned odds turn the numbers of the search into a probability. The
points at stake are the region's, counted by roll-outs that end with each fate. The region thus
becomes Zhao & Mueller's subgame: a two-point distribution for each side moving first (their
Section 2).

A region is left alone in four cases. The chain depends on a ko. Its solution leads out of the
region, so it is not independent of the rest. Another chain in it has no clear fate once the first
one's is known (two fights that share points or chains). Or a chain that the solver saves from
capture mostly dies anyway. Slow twin: tests/reference/fights.py.
"""

from typing import NamedTuple

import numpy as np

from engine.endings.outlook import DECIDED, ownership_given
from engine.endings.regions import EndgameRegion
from engine.facts.chain_facts import MOST_LIBERTIES, ChainFacts
from engine.facts.open_chains import ChanceReader
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

# A region needs two or three of these: a third of the survey's.
FIGHT_ROLLOUTS, LEAST_FIGHT_ROLLOUTS = 100, 20


class ChainFight(NamedTuple):
    """A region whose points depend on one chain.

    chances   by color, the probability that the chain is captured if that color moves first
    captured  Black's points minus White's in the region if it is captured
    saved     the same if it is not
    moves     by color, the solver's first moves
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
    """The known facts of a position.

    expected  int64[AREA], from ``outlook.expected_owners``
    facts     by each chain's first stone
    seed      of roll-outs, above 0
    """

    expected: Points
    facts: dict[int, ChainFacts]
    seed: int


def find_chain_fight(
    board: Board, region: EndgameRegion, outlook: Outlook, reader: ChanceReader
) -> ChainFight | None:
    """Return a region as a fight for its largest open chain; None if it must be left alone."""
    stones = _open_chain(board, region, outlook.expected)
    if not stones:
        return None
    attack, defense = _readings(board, stones[0], outlook, reader)
    # Moving first must help the attacker. Otherwise the readings are too uncertain for a fight.
    if attack is None or defense is None or attack.chance <= defense.chance:
        return None
    named = {*attack.moves, *attack.line, *defense.moves, *defense.line} - {PASS}
    # A line that leaves the region ties it to its surroundings: it is not an independent summand.
    if not named <= set(region.points):
        return None
    color = int(board[COLOR + stones[0]])
    fates = _Fates(board, region, stones, outlook)
    saved = fates.margin(defense.moves[0], color, color)
    captured = fates.margin(attack.moves[0], 3 - color, 3 - color)
    if saved is None or captured is None:
        return None
    # If saving the chain gains nothing in the roll-outs, they contradict the reading.
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
    board: Board, stone: int, outlook: Outlook, reader: ChanceReader
) -> tuple[_Reading | None, _Reading | None]:
    """Return the readings of a chain with its attacker and with its defender to move."""
    facts = outlook.facts.get(stone)
    # Both are already proved: the survey's own search need not be repeated.
    if facts is not None and facts.status == "critical":
        return _Reading(1.0, facts.attacks, facts.line), _Reading(0.0, facts.defenses, ())
    return _read(board, stone, reader, True), _read(board, stone, reader, False)


def _read(board: Board, stone: int, reader: ChanceReader, attacker_first: bool) -> _Reading | None:
    """Return the solver's proof or estimate; None for a ko, or without a move."""
    found = reader.read(board, stone, attacker_first)
    if found is None or found.move is None or found.move == PASS:
        return None
    return _Reading(found.chance, (found.move,), found.line)


class _Fates:
    """The points of a region if its chain is captured, and if it is saved."""

    def __init__(
        self, board: Board, region: EndgameRegion, stones: list[int], outlook: Outlook
    ) -> None:
        self.board = board
        self.points = list(region.points)
        self.stones = stones
        self.occupied = [p for p in self.points if board[COLOR + p] != EMPTY]
        self.expected = outlook.expected.copy()
        # The region's own fates are the question. All others stay as expected.
        self.expected[self.points] = 0
        self.seed = outlook.seed

    def margin(self, point: int, mover: int, owner: int) -> int | None:
        """Return Black's points minus White's after a move, if a color gets the chain's points.

        None if roll-outs do not mostly end this way, or leave another chain's fate open.
        """
        if not is_legal(self.board, point, mover):
            return None
        after = self.board.copy()
        place(after, point, mover)
        sign = 1 if owner == BLACK else -1
        if owner == self.board[COLOR + self.stones[0]]:  # not captured soon; does it also live?
            free = self._ownership(after)
            if free is None or sign * np.mean(free[self.stones]) < DECIDED:
                return None
        self.expected[self.stones] = sign
        owned = self._ownership(after)
        # Reset to open for the next question. The outlook's own array was copied.
        self.expected[self.stones] = 0
        # A second chain without a fate shares these points: two fights are not one summand.
        if owned is None or np.any(np.abs(owned[self.occupied]) < DECIDED):
            return None
        return round(float(np.sum(owned[self.points])))

    def _ownership(self, board: Board) -> Ownership | None:
        return ownership_given(
            board, self.expected, self.seed, FIGHT_ROLLOUTS, LEAST_FIGHT_ROLLOUTS
        )
