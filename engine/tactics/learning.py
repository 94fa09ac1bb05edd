"""Learning from a finished search: every node that was solved is an observation.

Source: Stern, Herbrich & Graepel (2007), section 4.2. The search decides which nodes are solved,
but each value is a fact about the game, so choosing what to look at does not bias what is learned.
"""

import numpy as np

from engine.go.board import copy_into
from engine.jit import kernel
from engine.tactics.goals import TRUE, UNKNOWN, play_goal_move, value_of
from engine.tactics.priors import SETTING_FEATURES, SolverPriors, harvest_stack, observe
from engine.tactics.scratch import Scratch
from engine.tactics.templates import context_of
from engine.tactics.tree import (
    EXPANDED,
    GRAPH_ATTACKER,
    GRAPH_GOAL,
    GRAPH_LIMIT,
    GRAPH_NODES,
    GRAPH_OBEYS_BAN,
    NODE_BIRTH,
    NODE_MOVE,
    ProofTree,
    rebuild,
    to_move,
)


@kernel
def learn_from_search(tree: ProofTree, scratch: Scratch, priors: SolverPriors, most: int) -> int:
    """Harvest and observe the patterns of the solved nodes of a search graph.

    most     int64, observations at most, in the order in which the nodes came into the graph
    returns  int64, how many nodes were observed
    """
    before = scratch.boards[0]
    after = scratch.boards[1]
    goal = tree.meta[GRAPH_GOAL]
    features = priors.settings[SETTING_FEATURES] != 0
    observed = 0
    # Not the root: no move led there, so it has no pattern.
    for node in range(1, tree.meta[GRAPH_NODES]):
        # What the rules decided at once never asks for a prior, so it must not teach one.
        if tree.values[node] == UNKNOWN or tree.flags[node] & EXPANDED == 0 or observed == most:
            continue
        parent = np.int64(tree.nodes[node, NODE_BIRTH])
        move = np.int64(tree.nodes[node, NODE_MOVE])
        # By the line that first led there: a pattern is around the move that made the node.
        rebuild(tree, parent, before, scratch)
        copy_into(before, after)
        mover = to_move(tree, parent)
        play_goal_move(after, move, mover, tree.meta[GRAPH_OBEYS_BAN], scratch.zobrist)
        _, liberties = value_of(after, goal, tree.meta[GRAPH_LIMIT], False, scratch.liberties)
        defender_moved = mover != tree.meta[GRAPH_ATTACKER]
        context = context_of(
            after, move, defender_moved, liberties, tree.meta[GRAPH_LIMIT], features
        )
        # The position before the move, as in matching: the templates lie around where it goes.
        known = harvest_stack(priors, before, goal, move, context)
        observe(priors, known, tree.values[node] == TRUE)
        observed += 1
    return observed
