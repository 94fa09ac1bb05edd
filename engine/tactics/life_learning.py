"""Learning from a finished fight over life: every node that was solved is an observation.

Source: Stern, Herbrich & Graepel (2007), section 4.2, as ``learning`` does for captures.
"""

import numpy as np

from engine.jit import kernel
from engine.tactics.goals import TRUE, UNKNOWN
from engine.tactics.life_priors import GOAL_MARK, life_context, point_of_move
from engine.tactics.life_search import Fight, judge_fight, paint, play_in_fight
from engine.tactics.priors import SolverPriors, harvest_stack, observe
from engine.tactics.scratch import Scratch
from engine.tactics.tree import (
    DEFENDER_MOVES,
    EXPANDED,
    GRAPH_ATTACKER,
    GRAPH_NODES,
    NODE_BIRTH,
    NODE_MOVE,
    ProofTree,
)


@kernel
def learn_from_fight(
    tree: ProofTree, scratch: Scratch, priors: SolverPriors, fight: Fight, most: int
) -> int:
    """Harvest and observe the patterns of the solved nodes of a search graph.

    most     int64, observations at most, in the order in which the nodes came into the graph
    returns  int64, how many nodes were observed
    """
    board = scratch.boards[0]
    observed = 0
    for node in range(1, tree.meta[GRAPH_NODES]):
        # What the rules decided at once never asks for a prior, so it must not teach one.
        if tree.values[node] == UNKNOWN or tree.flags[node] & EXPANDED == 0 or observed == most:
            continue
        parent = np.int64(tree.nodes[node, NODE_BIRTH])
        move = np.int64(tree.nodes[node, NODE_MOVE])
        defends = tree.flags[parent] & DEFENDER_MOVES != 0
        paint(fight, parent, tree.meta[GRAPH_ATTACKER], board)
        play_in_fight(fight, parent, move, defends)
        _, room = judge_fight(fight)
        context = life_context(fight.region, fight.after, move, defends, room)
        known = harvest_stack(priors, board, GOAL_MARK, point_of_move(fight.region, move), context)
        observe(priors, known, tree.values[node] == TRUE)
        observed += 1
    return observed
