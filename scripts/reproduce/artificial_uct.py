"""Plain UCT on artificial trees: a baseline, for measuring only (Hennig et al. 2010, Sec. 3.5).

Source: Kocsis & Szepesvari (2006), "Bandit based Monte-Carlo planning"; UCB1 on the mover's win
rate, one new node a descent, uniform roll-outs, the most visited move is played.
"""

import math

import numpy as np
import numpy.typing as npt

from engine.jit import kernel
from engine.randomness import RandomState, draw
from scripts.reproduce.papers.hennig.trees import ArtificialTree, mover_sign, roll_down


@kernel
def choose_by_ucb(
    visits: npt.NDArray[np.int64],
    wins: npt.NDArray[np.float64],
    node: int,
    branching: int,
    sign: float,
    exploration: float,
    rng: RandomState,
) -> int:
    """Return the child with the largest UCB1 index for the mover; unvisited ones come first.

    visits, wins  (nodes,) roll-outs through each node, and how many of them Black won
    sign          of the mover
    """
    first = node * branching + 1
    offset = draw(rng, branching)  # ties, unvisited children above all, are broken at random
    # At least 1: a descent goes on below a node only when it was visited before.
    log_visits = math.log(visits[node])
    best = first
    best_index = -np.inf
    for i in range(branching):
        child = first + (i + offset) % branching
        if visits[child] == 0:
            return child
        rate = wins[child] / visits[child]
        if sign < 0.0:
            rate = 1.0 - rate
        index = rate + exploration * math.sqrt(log_visits / visits[child])
        if index > best_index:
            best, best_index = child, index
    return best


@kernel
def uct_descend(
    tree: ArtificialTree,
    visits: npt.NDArray[np.int64],
    wins: npt.NDArray[np.float64],
    branching: int,
    depth: int,
    exploration: float,
    rng: RandomState,
    descents: int,
) -> None:
    """Make some UCT descents from the root; visits, wins and rng change in place."""
    for _ in range(descents):
        node = np.int64(0)
        level = np.int64(0)
        # One new node a descent, from which the roll-out begins.
        while level < depth and visits[node] > 0:
            node = choose_by_ucb(visits, wins, node, branching, mover_sign(level), exploration, rng)
            level += 1
        end = roll_down(node, branching, depth - level, rng)
        won = 1.0 if tree.scores[end] > 0.0 else 0.0
        while True:
            visits[node] += 1
            wins[node] += won
            if node == 0:
                break
            node = (node - 1) // branching


class UctSearch:
    """A UCT search of one artificial tree, from Python; Black moves at the root."""

    def __init__(
        self,
        tree: ArtificialTree,
        branching: int,
        depth: int,
        rng: np.random.Generator,
        exploration: float,
    ) -> None:
        self._tree, self._branching, self._depth = tree, branching, depth
        self._exploration = exploration
        self._visits = np.zeros(len(tree.scores), np.int64)
        self._wins = np.zeros(len(tree.scores))
        self._rng = rng.integers(1, 2**63, 1, np.uint64)

    def run(self, descents: int) -> None:
        """Make some descents."""
        uct_descend(
            self._tree,
            self._visits,
            self._wins,
            self._branching,
            self._depth,
            self._exploration,
            self._rng,
            descents,
        )

    def best_move(self) -> int:
        """Return the root's most visited child."""
        # The most visited child, not the best rate: a rate of few visits is noise.
        return 1 + int(np.argmax(self._visits[1 : self._branching + 1]))
