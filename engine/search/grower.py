"""The tree of a search: it grows by roll-outs and is kept from move to move.

All threads grow the same tree, each with its own random numbers and scratch space, without locks
(see tree). Thompson's random choice separates them, so no virtual loss is needed to look at
different moves. One thread is bit-identical from run to run; several threads update in random
order.
"""

import math
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from engine.arrays import ROOT, Ints
from engine.go.board import BLACK, SIZE
from engine.go.geometry import PASS
from engine.patterns.contenders import ALL, COUNT
from engine.patterns.position import Position
from engine.patterns.valuing import PatternKnowledge, no_patterns
from engine.rollout.guided import GuidedPolicy, KnownReply, no_policy, set_replies
from engine.search.best_first import search
from engine.search.model import SearchModel
from engine.search.root_priors import PriorStep, add_last_liberties, set_prior_steps
from engine.search.tree import (
    BYTES_PER_NODE,
    NO_NODE,
    STEP_VARIANCE,
    TREE_CAPACITY,
    TREE_COUNT,
    Tree,
    add_node,
    clear_tree,
    copy_subtree,
    drop_child,
    find_child,
    new_tree,
    root_children,
    root_moves,
)
from engine.search.work import SearchWork, new_search_work


class GrowthLimits(NamedTuple):
    """Limits of the growth of a tree."""

    batch_seconds: float = 0.02
    # Of one tree, limited by counters of 32 bits: days of analysis
    max_visits: int = 2**31 - 2**20
    # New roll-outs of a root before owners count in its prior steps, which takes 60 more: fewer
    # would be a tax on short searches
    before_owners: int = 400


GROWTH = GrowthLimits()


class Root(NamedTuple):
    """The position to search, and prior knowledge about its moves."""

    position: Position
    # The allowed moves, PASS possible; None: all moves of the tree
    moves: frozenset[int] | None = None
    steps: tuple[PriorStep, ...] = ()  # prior beliefs about single moves
    replies: tuple[KnownReply, ...] = ()  # answers that guided roll-outs give
    handicap: int = 0  # Black's stones before White's first move, 0 if under 2


class TreeGrower:
    """Searches one position after the other and keeps the useful part of the tree.

    model   parts of it without knowledge (policy, patterns) are switched off
    memory  bytes for the tree and its copy; a full tree goes on without new nodes
    """

    def __init__(
        self,
        model: SearchModel,
        policy: GuidedPolicy | None,
        patterns: PatternKnowledge | None,
        threads: int,
        memory: int,
        seed: int,
    ) -> None:
        self.model = model._replace(
            guided=model.guided and policy is not None,
            informed=model.informed and patterns is not None,
            alone=threads == 1,
        )
        self.policy, self.patterns = policy or no_policy(), patterns or no_patterns()
        self.seed = seed
        self.threads = threads
        # Two trees: a subtree that is kept is copied into the spare one.
        capacity = max(2000, memory // (2 * BYTES_PER_NODE))
        self._tree, self._spare = new_tree(capacity), new_tree(capacity)
        self._works: list[SearchWork] = []
        self._root: Root | None = None
        self._fresh = 0  # roll-outs since the root was set
        self._before_owners = 0  # more of the first thread until the owners count; 0: they do
        self.tallies: Ints | None = None  # of the root's position, once the owners count

    def forget(self) -> None:
        """Drop all knowledge of positions."""
        self._root = None

    def set_root(self, root: Root, played: tuple[int, ...] | None) -> None:
        """Start the search of a position.

        played  the moves that lead there from the position before; None: it is a new one
        """
        size = int(root.position.board[SIZE])
        if self._root is None or size != int(self._root.position.board[SIZE]):
            # The matcher's tables have one size; the random numbers start again, too.
            self._works = [new_search_work(size, self.seed, t) for t in range(self.threads)]
            played = None
        self._enter(root, played)
        # The same moves of the same position: its tallies go on, too.
        goes_on = played == () and self._root is not None and root.moves == self._root.moves
        for work in self._works:
            set_replies(work.local, root.replies)
            if not goes_on:
                # They count this root's roll-outs alone: the kept tree saw another position.
                work.owned[:] = 0
                work.sums[:] = 0.0
        if not goes_on:
            counts = self.model.informed and self.model.guided and self.model.owners
            self._before_owners = counts * GROWTH.before_owners // self.threads
            self._fresh, self.tallies = 0, None
        self._root = root

    def _enter(self, root: Root, played: tuple[int, ...] | None) -> None:
        """Make the tree start at the position, with the allowed moves at its root."""
        tree = self._tree
        node = ROOT if played is not None else NO_NODE
        for move in played or ():
            node = find_child(tree, node, move) if node != NO_NODE else NO_NODE
        if node == NO_NODE:
            clear_tree(tree)
        elif node != ROOT:
            copy_subtree(tree, node, self._spare)
            self._tree, self._spare = self._spare, tree
            tree = self._tree
        if node != ROOT or tree.first_child[ROOT] == NO_NODE:
            self._add_rollouts(0, root, 0)
        if root.moves is not None:
            self._restrict(tree, root.moves)
            if self.model.informed:
                # As far behind the best move as the ranking model still includes.
                sign = 1.0 if root.position.color == BLACK else -1.0
                mean = -sign * self.model.prior_scale * self.model.prior_window
                variance = self.model.informed_variance
                add_last_liberties(tree, root.position.board, root.moves, mean, variance)
        set_prior_steps(tree, root.position.color, root.steps)

    def _restrict(self, tree: Tree, moves: frozenset[int]) -> None:
        """Take forbidden moves away from the root; if none is left, the allowed ones are added."""
        # Backwards: the last sibling moves to the place of a dropped one.
        for child in root_children(tree)[::-1]:
            if int(tree.move[child]) not in moves:
                drop_child(tree, child)
        if tree.children[ROOT] == 0:
            if tree.meta[TREE_COUNT] + len(moves) > tree.meta[TREE_CAPACITY]:
                clear_tree(tree)  # nothing below the root is reachable any more
            tree.first_child[ROOT] = tree.meta[TREE_COUNT]
            tree.children[ROOT] = len(moves)
            for move in sorted(moves):
                node = add_node(tree, ROOT, move)
                tree.step[node, STEP_VARIANCE] = self.model.step_variance

    def run(
        self,
        playouts: int | None,
        deadline: float | None,
        stop: Callable[[], bool] = lambda: False,
    ) -> int:
        """Add roll-outs until one of the limits is reached; return how many were added.

        deadline  in time.monotonic() seconds
        stop      asked about every batch_seconds
        returns   0 only when the tree can count no further
        """
        shares = [
            None if playouts is None else playouts // self.threads + (t < playouts % self.threads)
            for t in range(self.threads)
        ]
        # No pool: one thread is the reproducible case, and starting a thread costs time.
        if self.threads == 1:
            done = self._grow(0, shares[0], deadline, stop)
        else:
            with ThreadPoolExecutor(self.threads) as pool:
                jobs = [
                    pool.submit(self._grow, thread, share, deadline, stop)
                    for thread, share in enumerate(shares)
                ]
                done = sum(job.result() for job in jobs)
        self._fresh += done
        return done

    def _grow(
        self, thread: int, playouts: int | None, deadline: float | None, stop: Callable[[], bool]
    ) -> int:
        root = self._root
        assert root is not None, "set_root comes first"
        most = (GROWTH.max_visits - int(self._tree.visits[ROOT])) // self.threads
        if playouts is not None:
            most = min(most, playouts)
        until = math.inf if deadline is None else deadline
        done = 0
        batch = 16  # some ms at most, until the time is known
        while done < most:
            # The kernel releases the GIL, but stop is asked only between batches.
            count = min(batch, most - done)
            if thread == 0 and self._before_owners > 0:
                count = min(count, self._before_owners)
            start = time.monotonic()
            self._add_rollouts(thread, root, count)
            done += count
            if thread == 0 and self._before_owners > 0:
                self._before_owners -= count
                if self._before_owners == 0:
                    self.count_owners()
            now = time.monotonic()
            if stop() or now >= until:
                break
            # Long enough to be cheap, short enough to stop in time.
            seconds = min(GROWTH.batch_seconds, until - now)
            batch = max(1, min(4 * count, int(count * seconds / max(now - start, 1e-6))))
        return done

    def count_owners(self) -> None:
        """Let the owners by some more roll-outs of the root's position count in its prior steps."""
        root, own = self._root, self._works[0].candidates.contenders.tallies
        assert root is not None, "set_root comes first"
        self._before_owners = 0
        self._add_rollouts(0, root, -1)
        set_prior_steps(self._tree, root.position.color, root.steps)
        self.tallies = own.copy()
        own[ALL, COUNT, PASS] = 0  # other nodes of the tree have other owners

    def root_moves(self) -> dict[int, int]:
        """Return the nodes of the root's moves, by point."""
        return root_moves(self._tree)

    def _add_rollouts(self, thread: int, root: Root, count: int) -> None:
        """Let one thread add some roll-outs to the tree; for 0 and -1 see ``search``."""
        knowledge = self.model, self.policy, self.patterns
        search(self._tree, root.position, count, *knowledge, self._works[thread])
