"""Best-first descent to the most promising leaf, and updates back to all its ancestors.

Source: Stern, Herbrich & Graepel (2007), section 3, Algorithms 1 to 4. Values come from decided
children only, so an open node whose lines all run in circles stays open, and a descent never enters
its own path. When only such nodes are left, play can go on forever, and the root counts against the
side that obeys the ko ban. After a leaf was developed, a solver settles one node after another::

    begin_update(tree, leaf)
    while (node := next_to_settle(tree)) != NONE:
        if the solver finds that the node's value or belief changed:
            tell_parents(tree, node)

# Deviates: the paper's Algorithm 4 never ends on a disproof. Here a search ends on both values, and
when its descents have met MOST_STEPS nodes for each node allowed. Algorithm 2 knows one parent.
Here all parents are updated: positions are shared.
"""

import numpy as np
import numpy.typing as npt

from engine.arrays import ROOT
from engine.go.board import BLACK, WHITE
from engine.go.geometry import AREA
from engine.jit import kernel
from engine.proof import graph
from engine.proof.beliefs import propagate_numbers, propagate_probability, set_belief
from engine.proof.graph import DEFENDER_MOVES, FALSE, NONE, TRUE, UNKNOWN, ProofTree

Path = npt.NDArray[np.int64]
# Nodes that descents may meet for each node that a search may have; usually they meet 10. In fights
# with several kos a descent may walk through thousands of dead ends.
MOST_STEPS = 200
MOST_PLIES = 8 * AREA  # plies of a path. Kos can make lines longer; the search gives such lines up

SOLVED, SPENT, FULL, PAUSED = 0, 1, 2, 3  # why a search returned
# Without a threshold every change would go to the root, through all parents.
LEAST_CHANGE = 1e-3  # Smallest relative change of log-odds that parents are told.
_MOST_VISITS = 8  # Visits of one node in one update; more happen in circles only.


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
    """Return (PAUSED, node, edge) of the next leaf, or why the search ends (Algorithm 4)."""
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


@kernel
def look_at_children(tree: ProofTree, node: int) -> tuple[int, int]:
    """Return (first edge to a deciding child, or NONE; open children) (section 2.1)."""
    deciding = FALSE if tree.flags[node] & DEFENDER_MOVES else TRUE
    undecided = 0
    edge = np.int64(tree.nodes[node, graph.NODE_FIRST_CHILD])
    while edge != NONE:
        child = tree.edges[edge, graph.EDGE_CHILD]
        # One child decides: TRUE for the attacker, FALSE for the defender.
        if child >= 0 and tree.values[child] == deciding:
            return edge, undecided
        undecided += graph.is_open(tree, edge)
        edge = np.int64(tree.edges[edge, graph.EDGE_NEXT_CHILD])
    return NONE, undecided


@kernel
def settle_belief(tree: ProofTree, node: int, others: float, least_change: float) -> bool:
    """Recompute the belief about an undecided node; return whether it changed noticeably.

    Source: Stern et al. (2007), Algorithm 2. ``others`` as in ``propagate_numbers``;
    ``least_change`` is the smallest relative change of proof numbers that parents are told.
    """
    if tree.meta[graph.META_METHOD] == graph.BY_PROBABILITY:
        before = tree.beliefs[node, graph.BELIEF_LOG_ODDS]
        log_odds = propagate_probability(tree, node)
        if abs(log_odds - before) <= LEAST_CHANGE * (1.0 + abs(before)):
            return False
        set_belief(tree, node, log_odds)
        return True
    proof, disproof = propagate_numbers(tree, node, others)
    before_proof = tree.beliefs[node, graph.BELIEF_PROOF_NUMBER]
    before_disproof = tree.beliefs[node, graph.BELIEF_DISPROOF_NUMBER]
    # Changes that parents were not told add up until they are large enough.
    if (
        abs(proof - before_proof) <= least_change * before_proof
        and abs(disproof - before_disproof) <= least_change * before_disproof
    ):
        return False
    tree.beliefs[node, graph.BELIEF_PROOF_NUMBER] = proof
    tree.beliefs[node, graph.BELIEF_DISPROOF_NUMBER] = disproof
    return True


@kernel
def begin_update(tree: ProofTree, leaf: int) -> None:
    """Put a developed leaf into the empty queue."""
    tree.queue[0] = leaf
    tree.marks[leaf, graph.MARK_QUEUED] = 1
    tree.meta[graph.META_QUEUE_HEAD] = 0
    tree.meta[graph.META_QUEUE_LENGTH] = 1


@kernel
def next_to_settle(tree: ProofTree) -> int:
    """Take the next undecided node out of the queue; NONE: it is empty (Algorithm 2)."""
    while tree.meta[graph.META_QUEUE_LENGTH] > 0:
        head = tree.meta[graph.META_QUEUE_HEAD]
        node = np.int64(tree.queue[head])
        tree.meta[graph.META_QUEUE_HEAD] = (head + 1) % len(tree.queue)
        tree.meta[graph.META_QUEUE_LENGTH] -= 1
        tree.marks[node, graph.MARK_QUEUED] = 0
        if tree.values[node] == UNKNOWN:
            return node
    return np.int64(NONE)


@kernel
def tell_parents(tree: ProofTree, node: int) -> None:
    """Put the undecided parents of a node that changed into the queue (Algorithm 2)."""
    # A value is final and reaches all parents once; beliefs alone can go round in circles.
    if tree.values[node] == UNKNOWN:
        base = tree.meta[graph.META_ROUND] * _MOST_VISITS
        visits = max(np.int64(tree.marks[node, graph.MARK_VISITS]), base) + 1
        # Beliefs in a circle feed each other without end; the next update continues.
        if visits >= base + _MOST_VISITS:
            return
        tree.marks[node, graph.MARK_VISITS] = visits
    edge = tree.nodes[node, graph.NODE_FIRST_PARENT]
    while edge != NONE:
        parent = tree.edges[edge, graph.EDGE_PARENT]
        if tree.marks[parent, graph.MARK_QUEUED] == 0 and tree.values[parent] == UNKNOWN:
            tree.marks[parent, graph.MARK_QUEUED] = 1
            # A node is in the queue at most once, so a ring with a cell for each node never
            # overflows.
            end = tree.meta[graph.META_QUEUE_HEAD] + tree.meta[graph.META_QUEUE_LENGTH]
            tree.queue[end % len(tree.queue)] = parent
            tree.meta[graph.META_QUEUE_LENGTH] += 1
        edge = tree.edges[edge, graph.EDGE_NEXT_PARENT]
