"""The position after a move, with all that is known of it: proofs and roll-outs."""

import math
from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

from engine.explain.kinds import Effect, Kind
from engine.facts.chain_facts import CHAINS, limit_for
from engine.facts.group_facts import GroupFacts
from engine.facts.group_prover import ReadingBudget
from engine.facts.position_facts import Facts
from engine.go.board import BLACK, EMPTY, Ownership
from engine.go.geometry import PASS
from engine.go.history import Game
from engine.picture.picture import StoneList, Stones, picture_of


class ReadingLimits(NamedTuple):
    """Nodes of the solvers for a position after a move; 1,000 take about 10 ms."""

    attack: int = 300  # of a search whether a chain can be captured
    defense: int = 600  # whether it can be saved
    groups: int = 600  # of all readings of groups


READING = ReadingLimits()


class Outcome:
    """The position after a color's move, with the opponent to move, and what is known of it.

    owners    float64[AREA], -1 White .. 1 Black, in roll-outs
    line      the moves that a search expects next
    rollouts  that the owners rest on
    about     stones whose groups are read
    """

    def __init__(
        self,
        game: Game,
        color: int,
        move: int,
        owners: Ownership,
        facts: Facts,
        line: tuple[int, ...] = (),
        rollouts: float = math.inf,
    ) -> None:
        self.move, self.owners, self.line, self.rollouts = move, owners, line, rollouts
        self.facts, self.about = facts, Stones()
        self.statuses: dict[StoneList, tuple[str, int]] = {}  # so far, as ``status`` returns them
        self.game = game.copy()
        self.game.play(color, move, forced=True)  # a record may force a move (KO)

    # Readings take milliseconds, so only what somebody asks for is read.
    @cached_property
    def groups(self) -> Sequence[GroupFacts]:
        """The proofs about groups in doubt."""
        budget = ReadingBudget(READING.groups)
        return self.facts.groups(self.game.board, self.owners, budget, self.about)

    def status(self, stones: StoneList) -> tuple[str, int]:
        """Return the proved status of a chain, and the move that captures it, if it has one.

        "gone": it was taken; "": nothing is proved; the others are those of ``ChainStatus``.
        """
        if stones not in self.statuses:
            self.statuses[stones] = self._read(stones[0])
        return self.statuses[stones]

    def _read(self, stone: int) -> tuple[str, int]:
        if self.game.color_at(stone) == EMPTY:
            return "gone", PASS
        board, chain = self.game.board, picture_of(self.game.board).chain_at(stone)
        # Chains with more are not read: they are safe for now.
        if len(chain.liberties) > CHAINS.most_liberties:
            return "safe", PASS
        read, limit = self.facts.read_chain, limit_for(chain)
        attack = read(board, stone, True, READING.attack, limit=limit)
        if attack.value != "captured" or attack.move is None:
            return ("safe" if attack.value == "safe" else ""), PASS
        defense = read(board, stone, False, READING.defense, limit=limit).value
        if defense == "captured":
            return "dead", PASS
        return ("critical" if defense == "safe" else "attackable"), attack.move

    def has_group(self, stones: StoneList, *, dead: bool = False) -> bool:
        """Return whether a group with these stones is in danger, or proved to be dead."""
        return any(
            stones[0] in group.stones and (group.status == "dead" or not dead)
            for group in self.groups
        )


class MovePair(NamedTuple):
    """A choice between two moves of a color, given the game before either move."""

    game: Game
    color: int
    first: Outcome
    second: Outcome

    def shares(self, stones: StoneList) -> tuple[float, float]:
        """Return the shares of continuations in which stones live after either move."""
        owner = self.game.color_at(stones[0])
        first, second = (share_alive(stones, owner, o.owners) for o in (self.first, self.second))
        return first, second

    def gain(self, stones: StoneList) -> float:
        """Return by how much more of the continuations suit the mover after the first move."""
        lives, lived = self.shares(stones)
        return lives - lived if self.game.color_at(stones[0]) == self.color else lived - lives

    @property
    def chains(self) -> list[StoneList]:
        """The sorted stones of all chains before the move, the largest chains first."""
        chains = (tuple(sorted(chain.stones)) for chain in picture_of(self.game.board).chains)
        return sorted(chains, key=lambda stones: -len(stones))

    def effect(self, kind: Kind, points: float, *stones: StoneList, **fields: Any) -> Effect:
        """Return an effect of the choice; the fields are places and numbers."""
        moves = self.first.move, self.second.move
        return Effect(kind, points, stones, self.color, moves)._replace(**fields)


def share_alive(stones: Sequence[int], color: int, owners: Ownership) -> float:
    """Return the share of continuations in which stones of a color live."""
    # The points of a chain stay its color's exactly if it lives.
    sign = 1.0 if color == BLACK else -1.0
    return 0.5 + 0.5 * sign * float(owners[list(stones)].mean())
