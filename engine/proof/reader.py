"""The reader: a solver with its memory, which searches one goal for one question after another."""

import sys
from collections.abc import Callable
from typing import Generic, Literal, Protocol, TypeVar

import numpy as np

from engine.arrays import ROOT
from engine.go.board import Board
from engine.proof import graph
from engine.proof.descent import PAUSED
from engine.proof.graph import ProofTree

Method = Literal["pp", "pns"]
"""Probability propagation, or proof-number search."""
SPARE_NODES = 4096  # The last expansion may exceed a search's limit by its moves.


class Goal(Protocol):
    """The question of a search: its first node, and its moves and decisions.

    edges_per_node  edges to allot for each node; nodes keep their waiting moves as edges
    slice           expansions between two checks of the clock: some milliseconds
    """

    edges_per_node: int
    slice: int

    def set_up(self, tree: ProofTree, defends: bool) -> None:
        """Make the root node, with the defender to move or not."""

    def search(self, tree: ProofTree, most_nodes: int, expansions: int) -> int:
        """Develop some leaves; return SOLVED, SPENT, FULL or PAUSED (``descent``)."""


GoalType = TypeVar("GoalType", bound=Goal)


class Reader(Generic[GoalType]):
    """A solver with its memory; all searches of a question share its budget of nodes and time.

    max_nodes  most nodes of one search; 450 bytes each, touched only when used
    clock      returns the time in seconds

    ``nodes`` and ``expansions`` count the positions put into the graph, and developed, for the
    question so far. ``on_search_end`` is called after each search, to learn from its graph.
    """

    def __init__(
        self, goal: GoalType, method: Method, max_nodes: int, clock: Callable[[], float]
    ) -> None:
        self.goal, self.max_nodes, self._clock = goal, max_nodes, clock
        self.tree = graph.proof_tree(max_nodes + SPARE_NODES, goal.edges_per_node)
        self.tree.meta[graph.META_METHOD] = (
            graph.BY_PROBABILITY if method == "pp" else graph.BY_PROOF_NUMBERS
        )
        self.on_search_end: Callable[[], None] | None = None
        self._start, self._most_nodes = 0.0, sys.maxsize
        self.nodes = self.expansions = 0

    def begin(self, board: Board, defender: int, most_nodes: int = sys.maxsize) -> None:
        """Begin a question; ``most_nodes`` is the budget of all its searches together."""
        self._start, self._most_nodes = self._clock(), most_nodes
        self.nodes = self.expansions = 0
        self.tree.root[:] = board
        self.tree.meta[graph.META_ATTACKER] = 3 - defender

    def taken(self) -> float:
        """Return the seconds since the question began."""
        return self._clock() - self._start

    def search(self, defends: bool, obeys_ban: int, seconds: float) -> int:
        """Run one search and return the root's value.

        obeys_ban  the color that obeys the ko ban, or BOTH
        seconds    since the question began, after which the search ends
        """
        tree = self.tree
        tree.meta[graph.META_OBEYS_BAN] = obeys_ban
        # Keys and bit operations wrap around; numpy warns of it when nothing is compiled.
        with np.errstate(over="ignore"):
            self.goal.set_up(tree, defends)
            room = min(self.max_nodes, self._most_nodes - self.nodes)
            while self.goal.search(tree, room, self.goal.slice) == PAUSED:
                if self.taken() > seconds:
                    break
        self.nodes += int(tree.meta[graph.META_NODES])
        self.expansions += int(tree.meta[graph.META_EXPANSIONS])
        # If both sides obey the ban, values have another meaning, so nothing is learned from them.
        if self.on_search_end is not None and obeys_ban != graph.BOTH:
            self.on_search_end()
        return int(tree.values[ROOT])
