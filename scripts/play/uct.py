"""Plain UCT and UCT-RAVE: the baselines of the playing search, for measuring only.

Sources: Kocsis & Szepesvari (2006), UCB1 on the mover's win rate; Gelly & Silver (2011),
"Monte-Carlo tree search and rapid action value estimation in computer Go", the minimum-MSE
schedule beta = n~ / (n + n~ + 4 n n~ b^2), n visits, n~ all-moves-as-first visits, b the bias.

Only the choice of a child and the update of a node differ from our own search. Arena, expansion,
prior moves, roll-outs and reuse of the tree are shared. Only for one thread. In the arena ``wins``
and ``visits`` count as in our search, ``lateral`` holds counts (its columns below), ``evidence`` is
unused.
"""

import math
from typing import NamedTuple

import numpy as np

from engine.arrays import ROOT
from engine.belief.knowledge import Knowledge
from engine.belief.searcher import Searcher
from engine.gaussian import cdf
from engine.go.board import BLACK
from engine.go.geometry import PASS
from engine.jit import kernel
from engine.patterns.position import Position, play_move
from engine.patterns.valuing import PatternKnowledge
from engine.randomness import RandomState, draw
from engine.rollout.guided import GuidedPolicy
from engine.search.children import expand
from engine.search.grower import Root
from engine.search.model import MAX_PLIES, SearchModel, by_visits
from engine.search.playouts import play_to_end
from engine.search.tree import NO_NODE, STEP_MEAN, Tree
from engine.search.work import SearchWork, enter

# Columns of Tree.lateral as the baselines use it: n~ and Black's wins among them.
LATERAL_VISITS, LATERAL_WINS = 0, 1
UNTRIED = 1e3  # above every other index


class UctModel(NamedTuple):
    """Constants of a baseline."""

    c: float = 0.4  # exploration of UCB1
    # Squared bias of all-moves-as-first win rates; negative: plain UCT, without any
    b2: float = -1.0
    # Virtual visits of a new child, won as often as the ranking model's step says
    prior_visits: float = 0.0


@kernel
def rate_child(
    tree: Tree, child: int, color: int, log_visits: float, uct: UctModel, rng: RandomState
) -> float:
    """Return the index of a child: the mover's estimated win rate plus exploration.

    color       int64, the mover
    log_visits  float64, log of the parent's visits
    rng         breaks ties
    """
    visits = tree.visits[child] + uct.prior_visits
    wins = tree.wins[child]
    lateral = tree.lateral[child, LATERAL_VISITS]
    lateral_wins = tree.lateral[child, LATERAL_WINS]
    sign = 1.0
    if color != BLACK:
        wins, lateral_wins, sign = tree.visits[child] - wins, lateral - lateral_wins, -1.0
    noise = draw(rng, 1000)
    if uct.b2 < 0.0:
        lateral = 0.0
    if visits + lateral == 0.0:
        return UNTRIED + noise
    # Plain UCT tries every child once; RAVE already has an estimate by its other wins.
    if uct.b2 < 0.0 and visits == 0.0:
        return UNTRIED + noise
    rate = 0.0
    weight = 0.0
    if lateral > 0.0:
        # Gelly & Silver's beta falls towards 0 with visits, the sooner the larger the bias.
        weight = lateral / (visits + lateral + 4.0 * visits * lateral * uct.b2)
        rate = weight * lateral_wins / lateral
    if visits > 0.0:
        # The step's own chance to win, so that both searches get the same information about a move.
        wins += uct.prior_visits * cdf(sign * tree.step[child, STEP_MEAN])
        rate += (1.0 - weight) * wins / visits
    # At most 0.001 of noise, which decides among equals and has almost no other effect.
    return rate + uct.c * math.sqrt(log_visits / max(visits, 1.0)) + 1e-6 * noise


@kernel
def choose_best(tree: Tree, node: int, color: int, uct: UctModel, rng: RandomState) -> int:
    """Return the child with the largest index for the mover."""
    first = tree.first_child[node]
    log_visits = math.log(max(np.float64(tree.visits[node]), 1.0))
    best = np.int64(first)
    best_index = -np.inf
    for child in range(first, first + tree.children[node]):
        index = rate_child(tree, child, color, log_visits, uct, rng)
        if index > best_index:
            best_index = index
            best = np.int64(child)
    return best


@kernel
def descend_by_rates(
    tree: Tree,
    position: Position,
    uct: UctModel,
    model: SearchModel,
    patterns: PatternKnowledge,
    work: SearchWork,
) -> tuple[int, Position]:
    """Go from the root to a leaf; arguments and result as ``best_first.descend``."""
    node = ROOT
    depth = 0
    work.path[0] = ROOT
    while position.passes < 2 and depth < MAX_PLIES - 1:
        if tree.first_child[node] == NO_NODE and (
            (tree.visits[node] < model.expand_visits and node != ROOT)
            or not expand(tree, node, position, model, patterns, work)
        ):
            break
        node = choose_best(tree, node, position.color, uct, work.rng)
        depth += 1
        work.path[depth] = node
        position = play_move(position, np.int64(tree.move[node]))
    return depth, position


@kernel
def count_result(tree: Tree, depth: int, color: int, margin: float, work: SearchWork) -> None:
    """Count a result at every node of the path; arguments as ``best_first.back_up``."""
    win = 1.0 if margin > 0.0 else 0.5 if margin == 0.0 else 0.0
    for up in range(depth, -1, -1):
        node = work.path[up]
        tree.visits[node] += 1
        tree.wins[node] += win
        tree.margins[node] += margin
        first = tree.first_child[node]
        if first != NO_NODE:
            for child in range(first, first + tree.children[node]):
                if work.first[tree.move[child]] == color:
                    tree.lateral[child, LATERAL_VISITS] += 1.0
                    tree.lateral[child, LATERAL_WINS] += win
        color = 3 - color
        if tree.move[node] != PASS:
            work.first[tree.move[node]] = color


@kernel
def search_by_rates(
    tree: Tree,
    position: Position,
    descents: int,
    uct: UctModel,
    model: SearchModel,
    policy: GuidedPolicy,
    patterns: PatternKnowledge,
    work: SearchWork,
) -> None:
    """Grow the tree by a number of descents; arguments as ``best_first.search``."""
    if descents == 0 and tree.first_child[ROOT] == NO_NODE:
        expand(tree, ROOT, enter(position, work), model, patterns, work)
    for _ in range(descents):
        depth, leaf = descend_by_rates(tree, enter(position, work), uct, model, patterns, work)
        _, margin = play_to_end(leaf, depth, 0, model, policy, work)
        count_result(tree, depth, leaf.color, margin, work)


class UctSearcher(Searcher):
    """A searcher whose trees grow by win rates; reports visits and win rates, values stay 0."""

    def __init__(
        self,
        uct: UctModel,
        model: SearchModel,
        knowledge: Knowledge,
        threads: int,
        memory: int,
        seed: int,
    ) -> None:
        super().__init__(by_visits(model), knowledge, threads, memory, seed)
        self.uct = uct

    def _add_rollouts(self, thread: int, root: Root, count: int) -> None:
        search_by_rates(
            self._tree,
            root.position,
            count,
            self.uct,
            self.model,
            self.policy,
            self.patterns,
            self._works[thread],
        )
