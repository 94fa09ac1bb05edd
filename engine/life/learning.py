"""Learning from a finished fight over life: every solved node is an observation.

As in Stern, Herbrich & Graepel (2007), section 4.2, for captures. Only the features of a move are
kept (``evidence``).
"""

import numpy as np
import numpy.typing as npt

from engine.jit import kernel
from engine.life.evidence import FEATURES
from engine.life.fight import PASS_BIT, RegionSearch, judge_fight, play_in_fight
from engine.life.search import note_features
from engine.proof import graph
from engine.proof.graph import DEFENDER_MOVES, TRUE, UNKNOWN, ProofTree


@kernel
def observe_fight(
    tree: ProofTree,
    fight: RegionSearch,
    features: npt.NDArray[np.int64],
    dies: npt.NDArray[np.bool_],
) -> int:
    """Observe the moves to the solved nodes of a search graph, in the order of the nodes.

    features  int64[N, FEATURES], dies  bool[N], whether the group dies then: overwritten
    returns   int64, number of observations, at most N
    """
    observed = 0
    for node in range(1, tree.meta[graph.META_NODES]):
        if observed == len(dies):
            break
        # A node that the rules decide at once never asks for evidence, so it must not teach any.
        if tree.values[node] == UNKNOWN or tree.flags[node] & graph.EXPANDED == 0:
            continue
        parent = np.int64(tree.nodes[node, graph.NODE_BIRTH])
        move = np.int64(tree.nodes[node, graph.NODE_MOVE])
        defends = tree.flags[parent] & DEFENDER_MOVES != 0
        play_in_fight(fight, parent, PASS_BIT, defends)
        _, room_before = judge_fight(fight, defends)
        play_in_fight(fight, parent, move, defends)
        _, room = judge_fight(fight, not defends)
        note_features(tree, fight, parent, move, room_before, room)
        for feature in range(FEATURES):
            features[observed, feature] = fight.features[feature]
        dies[observed] = tree.values[node] == TRUE
        observed += 1
    return observed
