"""The reader of single chains: entry point to the solver of captures.

A goal is searched with the liberty limit L = liberties + 1, then + 2, and so on, as in the paper. A
proof at any limit holds at all larger ones. The chain is safe when the widest list of attacks fails
at the largest limit, even if the attacker wins every ko. It hangs on a ko when that attacker
succeeds and an attacker who obeys the ban does not.
"""

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from engine.arrays import ROOT, Floats
from engine.captures.expansion import new_scratch, rebuild, set_up
from engine.captures.goals import MAX_LIMIT, META_GOAL, META_LIMIT, META_WIDE
from engine.captures.odds import odds_features
from engine.captures.priors import SolverPriors, even_priors
from engine.captures.search import search
from engine.errors import BadSetup
from engine.go.board import BLACK, COLOR, WHITE, Board, empty_board, place
from engine.go.chains import last_liberty, list_liberties
from engine.go.geometry import PASS, to_point
from engine.proof import graph
from engine.proof.graph import DEFENDER_MOVES, FALSE, NONE, TRUE, UNKNOWN, ProofTree
from engine.proof.reader import Method, Reader

CaptureValue = Literal["captured", "safe", "ko", "unknown"]

_MOST_LINE = 100


@dataclass(frozen=True)
class CaptureReading:
    """The result of reading a chain."""

    value: CaptureValue  # "captured", "safe" (up to the largest limit), "ko" or "unknown"
    # The first move of the side to move that makes it so, None if there is none; PASS where a
    # defender need not answer
    move: int | None
    liberty_limit: int  # the limit at which the value was established, 0 when unknown
    nodes: int  # positions put into the graph, over all limits
    expansions: int  # those of them that were developed, the paper's count
    seconds: float


class CaptureGoal:
    """The goal to capture a chain; slots of the graph name the chain and the liberty limit."""

    edges_per_node = 8  # many more moves wait than are followed
    slice = 200

    def __init__(self, priors: SolverPriors | None = None) -> None:
        self.priors = even_priors() if priors is None else priors
        self.scratch = new_scratch()

    def set_up(self, tree: ProofTree, defends: bool) -> None:
        """Make the root node from ``tree.root`` and the chain in ``tree.meta``."""
        set_up(tree, self.scratch, defends)

    def search(self, tree: ProofTree, most_nodes: int, expansions: int) -> int:
        """Develop some leaves; return why it ended."""
        return int(search(tree, self.scratch, self.priors, most_nodes, expansions))


class CaptureReader(Reader[CaptureGoal]):
    """A solver of captures with its memory; without priors every leaf is even. See ``Reader``."""

    def __init__(
        self,
        method: Method = "pns",
        max_nodes: int = 100_000,
        priors: SolverPriors | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        super().__init__(CaptureGoal(priors), method, max_nodes, clock)
        self._max_liberties = MAX_LIMIT

    def read_chain(
        self,
        board: Board,
        goal: int,
        attacker_to_move: bool,
        max_liberties: int = 6,
        max_nodes: int | None = None,
        seconds: float = float("inf"),
    ) -> CaptureReading:
        """Read whether the chain at ``goal`` can be captured, with one side to move first.

        max_liberties  largest liberty limit to try, <= MAX_LIMIT
        max_nodes      nodes over all searches; None: as many as one search may have
        Raises BadSetup when there is no stone at ``goal`` or the limit is out of range.
        """
        if board[COLOR + goal] not in (BLACK, WHITE):
            raise BadSetup("the goal is no stone")
        if not 2 <= max_liberties <= MAX_LIMIT:
            raise BadSetup(f"liberty limit out of range: {max_liberties} (2 to {MAX_LIMIT})")
        most_nodes = self.max_nodes if max_nodes is None else max_nodes
        self.begin(board, int(board[COLOR + goal]), most_nodes)
        self.tree.meta[META_GOAL] = goal
        self._max_liberties = max_liberties
        value, limit = self._settle(attacker_to_move, seconds)
        wanted = ("captured", "ko") if attacker_to_move else ("safe", "ko")
        return CaptureReading(
            value=value,
            move=next(self.main_line(), None) if value in wanted else None,
            liberty_limit=limit,
            nodes=self.nodes,
            expansions=self.expansions,
            seconds=self.taken(),
        )

    def open_search(self) -> Floats:
        """Return the numbers of the last search as ``odds_features``, after one without a proof."""
        tree = self.tree
        beliefs = tree.beliefs[ROOT]
        log_odds = float(beliefs[graph.BELIEF_LOG_ODDS])
        if tree.meta[graph.META_METHOD] == graph.BY_PROOF_NUMBERS:
            log_odds = math.log(
                beliefs[graph.BELIEF_DISPROOF_NUMBER] / beliefs[graph.BELIEF_PROOF_NUMBER]
            )
        attacker_first = not tree.flags[ROOT] & DEFENDER_MOVES
        limits_left = self._max_liberties - int(tree.meta[META_LIMIT])
        return odds_features(log_odds, attacker_first, bool(tree.meta[META_WIDE]), limits_left)

    def replies(self) -> dict[int, int]:
        """Return the attacker's answers, by the owner's move, in the last reading's proof.

        Empty unless a chain was captured although its owner moved first. If a move occurs in
        several positions, the answer is that of the position nearest to the root.
        """
        tree = self.tree
        if tree.values[ROOT] != TRUE or not tree.flags[ROOT] & DEFENDER_MOVES:
            return {}
        answers: dict[int, int] = {}
        order, met = [ROOT], {ROOT}
        for node in order:  # the list grows during the loop
            for edge in graph.edges_of(tree, node):
                move = int(tree.edges[edge, graph.EDGE_MOVE])
                child = int(tree.edges[edge, graph.EDGE_CHILD])
                # Dropped children are no part of the proof.
                if child < 0 or tree.values[child] != TRUE:
                    continue
                proof = int(tree.nodes[child, graph.NODE_PROOF])
                if move != PASS and move not in answers and (answer := self.proving_move(child)):
                    answers[move] = answer
                after = int(tree.edges[proof, graph.EDGE_CHILD]) if proof != NONE else NONE
                if after >= 0 and after not in met:
                    met.add(after)
                    order.append(after)
        return dict(sorted(answers.items()))

    def proving_move(self, node: int) -> int:
        """Return the move that proves a TRUE node of the attacker; PASS: its line is too long."""
        tree = self.tree
        proof = int(tree.nodes[node, graph.NODE_PROOF])
        if proof != NONE:
            return int(tree.edges[proof, graph.EDGE_MOVE])
        # At a leaf the chain is in atari: the move takes it.
        board = self.goal.scratch.boards[0]
        whole = rebuild(tree, node, board, self.goal.scratch)
        return int(last_liberty(board, int(tree.meta[META_GOAL]))) if whole else PASS

    def _settle(self, attacker_to_move: bool, seconds: float) -> tuple[CaptureValue, int]:
        """Return the value and the limit where it was established (section 5)."""
        tree, widest = self.tree, self._max_liberties
        attacker = int(tree.meta[graph.META_ATTACKER])

        def value_at(limit: int, obeys_ban: int = attacker, wide: bool = False) -> int:
            tree.meta[META_LIMIT] = limit
            tree.meta[META_WIDE] = wide
            return self.search(not attacker_to_move, obeys_ban, seconds)

        liberties = list_liberties(tree.root, tree.meta[META_GOAL], np.zeros(MAX_LIMIT, np.int64))
        # Small limits first: their graphs are small. "Safe" rests on the list of attacks, so the
        # question is repeated with the widest.
        limits = [*range(min(liberties + 1, widest), widest + 1), widest]
        for number, limit in enumerate(limits, 1):
            value = value_at(limit, wide=number == len(limits))
            if value != FALSE:
                return ("captured", limit) if value == TRUE else ("unknown", 0)
        # Without a ko in any line, both one-sided searches are the same search.
        if tree.meta[graph.META_KO_USED]:
            value = value_at(widest, 3 - attacker, wide=True)
            if value != FALSE:
                return ("ko", widest) if value == TRUE else ("unknown", 0)
        return "safe", widest

    def main_line(self) -> Iterator[int]:
        """Yield the moves of a line that shows the last reading's value, if it has one.

        The losing side resists longest.
        """
        # From the graph of the last search, which established the value.
        tree = self.tree
        node = ROOT
        for _ in range(_MOST_LINE if tree.values[ROOT] != UNKNOWN else 0):
            edge = int(tree.nodes[node, graph.NODE_PROOF])
            proved_attack = tree.values[node] == TRUE and not tree.flags[node] & DEFENDER_MOVES
            if edge == NONE and proved_attack:
                yield self.proving_move(node)
                return
            if edge == NONE or (tree.values[node] == TRUE and not proved_attack):
                edge = self._longest_resistance(node)
            if edge == NONE:
                return
            yield int(tree.edges[edge, graph.EDGE_MOVE])
            node = int(tree.edges[edge, graph.EDGE_CHILD])

    def _longest_resistance(self, node: int) -> int:
        """Return the edge of a lost node with the farthest-reaching refutation; a rough measure."""
        tree, sizes = self.tree, {NONE: -1}
        for edge in graph.edges_of(tree, node):
            child = int(tree.edges[edge, graph.EDGE_CHILD])
            if child >= 0 and tree.values[child] == tree.values[node]:
                zone = int(np.bitwise_count(tree.zones[child]).sum())
                sizes[edge] = zone if tree.values[child] == TRUE else int(tree.flags[child])
        return max(sizes, key=sizes.__getitem__)


def compile_solver() -> None:
    """Compile or load everything that a reader needs, so that no clock has to pay for it."""
    board = empty_board(5)
    for column, row, color in ((2, 2, WHITE), (1, 2, BLACK), (2, 1, BLACK)):
        place(board, to_point(column, row), color)
    for method in get_args(Method):
        reader = CaptureReader(method, 1000)
        for attacker_first in (True, False):
            reader.read_chain(board, to_point(2, 2), attacker_first, 4, 200)
        reader.read_chain(board, to_point(2, 2), True, 4, 1)  # too few nodes for a proof
