"""Best-first descent: from the root to the most promising leaf (Algorithms 1, 3 and 4).

Source: Stern, Herbrich & Graepel (2007), section 3. Values come from decided children only, so an
open node whose lines all run in circles stays open, and a descent never enters its own path. When
only such nodes are left, play can go on forever, and the root counts against the side that obeys
the ko ban.

# Deviates: the paper's Algorithm 4 never ends on a disproof. Here a search ends on both values, and
when its descents have met MOST_STEPS nodes for each node allowed.
"""

import numpy as np
import numpy.typing as npt

from engine.arrays import ROOT
from engine.go.board import BLACK, WHITE
from engine.go.geometry import AREA
from engine.jit import kernel
from engine.proof import graph
from engine.proof.graph import DEFENDER_MOVES, FALSE, NONE, TRUE, UNKNOWN, ProofTree

Path = npt.NDArray[np.int64]
# Nodes that descents may meet for each node that a search may have; usually they meet 10. In fights
# with several kos a descent may walk through thousands of dead ends.
MOST_STEPS = 200
MOST_PLIES = 8 * AREA  # plies of a path. Kos can make lines longer; the search gives such lines up

SOLVED, SPENT, FULL, PAUSED = 0, 1, 2, 3  # why a search returned


@kernel
def best_edge(tree: ProofTree, node: int) -> int:
    """Return the edge to the best open child that this descent has not met yet, or NONE.

    Source: Stern et al. (2007), Algorithm 1. The attacker follows the most probable child, the
    defender the least probable one, or the smallest proof or disproof number.
    """
    is_and = tree.flags[node] & DEFENDER_MOVES != 0
    column, sign = graph.BELIEF_DISPROOF_NUMBER if is_and else graph.BELIEF_PROOF_NUMBER, 1.0
    if tree.meta[graph.META_METHOD] == graph.BY_PROBABILITY:
        column, sign = graph.BELIEF_LOG_ODDS, 1.0 if is_and else -1.0
    best = np.int64(NONE)
    least = np.inf
    edge = np.int64(tree.nodes[node, graph.NODE_FIRST_CHILD])
    while edge != NONE:
        child = tree.edges[edge, graph.EDGE_CHILD]
        if graph.is_open(tree, edge) and (
            # A descent never enters its own path, nor a dead end that it has left.
            child < 0 or tree.marks[child, graph.MARK_ON_PATH] != tree.meta[graph.META_ROUND]
        ):
            cost = sign * graph.edge_belief(tree, edge, column)
            # Strictly less: the first generated child wins ties.
            if cost < least:
                least = cost
                best = edge
        edge = np.int64(tree.edges[edge, graph.EDGE_NEXT_CHILD])
    return best


@kernel
def find_best_leaf(tree: ProofTree, path: Path) -> tuple[int, int]:
    """Return (node, edge) at the end of the path of best play, or (NONE, NONE) if there is none.

    Source: Stern et al. (2007), Algorithm 1. Either the node is a leaf and the edge NONE, or the
    edge is a move of the node not played yet. A node whose open children are all on the path, or
    dead ends themselves, is a dead end.
    path  int64[any], overwritten: the nodes from the root on
    """
    tree.meta[graph.META_ROUND] += 1
    current = tree.meta[graph.META_ROUND]
    depth = 0
    path[0] = ROOT
    tree.marks[ROOT, graph.MARK_ON_PATH] = current
    while depth >= 0:
        tree.meta[graph.META_STEPS] += 1
        node = path[depth]
        if tree.flags[node] & graph.EXPANDED == 0:
            return node, np.int64(NONE)
        edge = best_edge(tree, node)
        # Go back one step. The dead end stays marked, so it is not entered again in this round.
        if edge == NONE or depth + 1 == len(path):
            depth -= 1
            continue
        child = np.int64(tree.edges[edge, graph.EDGE_CHILD])
        if child == NONE:
            return node, edge
        tree.marks[child, graph.MARK_ON_PATH] = current
        depth += 1
        path[depth] = child
    return np.int64(NONE), np.int64(NONE)


@kernel
def next_leaf(tree: ProofTree, path: Path, max_nodes: int) -> tuple[int, int, int]:
    """Return (state, node, edge): PAUSED and the next leaf, or the reason why the search ends.

    Source: Stern et al. (2007), Algorithm 4.
    """
    none = np.int64(NONE)
    if tree.values[ROOT] != UNKNOWN:
        return SOLVED, none, none
    steps = tree.meta[graph.META_STEPS]
    if tree.meta[graph.META_NODES] >= max_nodes or steps >= MOST_STEPS * max_nodes:
        return SPENT, none, none
    if not graph.has_room(tree):
        return FULL, none, none
    leaf, edge = find_best_leaf(tree, path)
    if leaf == NONE:
        # Endless play; when both obey the ban, it counts against the side to move.
        obeys = tree.meta[graph.META_OBEYS_BAN]
        if obeys != BLACK and obeys != WHITE:
            obeys = graph.to_move(tree, ROOT)
        attacker_obeys = obeys == tree.meta[graph.META_ATTACKER]
        tree.values[ROOT] = FALSE if attacker_obeys else TRUE
        tree.meta[graph.META_KO_USED] = 1
        return SOLVED, none, none
    return PAUSED, leaf, edge
