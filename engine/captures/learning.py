"""Learning from a finished search: every solved node is an observation.

Source: Stern, Herbrich & Graepel (2007), section 4.2. The search decides which nodes are solved,
but each value is a fact about the game. This choice therefore does not bias the learning.

# Deviates: the paper observes every solved node of a search. Here only the first ``most`` are
observed, in the order in which they came into the graph (3,000 a search in training).

# Deviates: training tries failed problems again, as in the paper (section 5.2). Every pass observes
the solved nodes of these problems anew, so one node may count several times.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.captures.expansion import Scratch, rebuild
from engine.captures.goal_templates import GOAL_TEMPLATES, context_of
from engine.captures.goals import META_GOAL, META_LIMIT, play_goal_move, value_of
from engine.captures.priors import SETTING_FEATURES, SolverPriors, enter_stack, name_stack, observe
from engine.captures.reader import CaptureReader
from engine.go.board import copy_into
from engine.jit import kernel
from engine.proof import graph
from engine.proof.graph import TRUE, UNKNOWN, ProofTree


class CaptureObservations(NamedTuple):
    """Solved nodes of a search, ready to be learned; n of them.

    keys    uint64[n, GOAL_TEMPLATES], of the patterns around the move that led to the node
    counts  int8[n], number of templates of that stack
    values  bool[n], TRUE or FALSE
    """

    keys: npt.NDArray[np.uint64]
    counts: npt.NDArray[np.int8]
    values: npt.NDArray[np.bool_]


@kernel
def _is_observed(tree: ProofTree, node: int) -> bool:
    """Return whether a node was solved by searching."""
    # A node that the rules decide at once never asks for a prior, so it must not teach one.
    return tree.values[node] != UNKNOWN and tree.flags[node] & graph.EXPANDED != 0


@kernel
def _name_patterns(tree: ProofTree, scratch: Scratch, priors: SolverPriors, node: int) -> int:
    """Write the patterns around the move to a node to ``priors.wanted``; return their number.

    Source: Stern et al. (2007), section 4.1.
    The root has none: no move led there.
    """
    before = scratch.boards[0]
    after = scratch.boards[1]
    goal = tree.meta[META_GOAL]
    parent = np.int64(tree.nodes[node, graph.NODE_BIRTH])
    move = np.int64(tree.nodes[node, graph.NODE_MOVE])
    # Follow the line that first led there: the patterns surround the move that made the node.
    rebuild(tree, parent, before, scratch)
    copy_into(before, after)
    mover = graph.to_move(tree, parent)
    play_goal_move(after, move, mover, tree.meta[graph.META_OBEYS_BAN], scratch.zobrist)
    _, liberties = value_of(after, goal, tree.meta[META_LIMIT], False, scratch.liberties)
    defender_moved = mover != tree.meta[graph.META_ATTACKER]
    features = priors.settings[SETTING_FEATURES] != 0
    context = context_of(after, move, defender_moved, liberties, tree.meta[META_LIMIT], features)
    # The position before the move, as in matching: the templates are centered on its empty point.
    return name_stack(priors, before, goal, move, context)


@kernel
def _note_all(
    tree: ProofTree,
    scratch: Scratch,
    priors: SolverPriors,
    keys: npt.NDArray[np.uint64],
    counts: npt.NDArray[np.int8],
    values: npt.NDArray[np.bool_],
) -> int:
    """Write the rows of CaptureObservations while there is room; return their number."""
    noted = 0
    for node in range(1, tree.meta[graph.META_NODES]):
        if noted < len(counts) and _is_observed(tree, node):
            count = _name_patterns(tree, scratch, priors, node)
            for template in range(count):
                keys[noted, template] = priors.wanted[template]
            counts[noted] = count
            values[noted] = tree.values[node] == TRUE
            noted += 1
    return noted


def observations_of(reader: CaptureReader, most: int) -> CaptureObservations:
    """Return the solved nodes of a reader's last search by the patterns around their moves.

    Source: Stern et al. (2007), section 4.2.
    most  most observations, in the order in which the nodes came into the graph
    """
    observations = CaptureObservations(
        keys=np.zeros((most, GOAL_TEMPLATES), np.uint64),
        counts=np.zeros(most, np.int8),
        values=np.zeros(most, np.bool_),
    )
    count = _note_all(reader.tree, reader.goal.scratch, reader.goal.priors, *observations)
    return CaptureObservations._make(field[:count].copy() for field in observations)


@kernel
def learn_observations(priors: SolverPriors, observations: CaptureObservations) -> None:
    """Learn the observations that ``observations_of`` returned."""
    for i in range(len(observations.counts)):
        count = np.int64(observations.counts[i])
        for template in range(count):
            priors.wanted[template] = observations.keys[i, template]
        observe(priors, enter_stack(priors, count), observations.values[i])
