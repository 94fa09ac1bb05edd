"""Alpha-beta search of artificial game trees, the opponent of Baum (1993).

Moves are ordered by their own evaluations, best first, as the paper's opponent is said to order
well. These evaluations are paid for, even where a cut follows.
Slow twin: tests/reference/bpip.py::alpha_beta.
"""

from typing import NamedTuple

import numpy as np

from engine.arrays import Floats, Ints
from engine.jit import kernel


class AlphaBetaRoom(NamedTuple):
    """Scratch memory of one search; a row for each ply.

    nodes   int64[plies], the node of the line being searched
    tried   int64[plies], the number of its moves that were searched
    order   int64[plies, branching], its children, best first for its mover
    values  float64[plies, 3], for its mover: best value so far, alpha, beta
    """

    nodes: Ints
    tried: Ints
    order: Ints
    values: Floats


def alpha_beta_room(branching: int, plies: int) -> AlphaBetaRoom:
    """Return scratch memory for searches of at most ``plies`` plies."""
    nodes, tried = np.zeros((2, plies), np.int64)
    return AlphaBetaRoom(nodes, tried, np.zeros((plies, branching), np.int64), np.zeros((plies, 3)))


@kernel
def _enter(
    room: AlphaBetaRoom,
    ply: int,
    node: int,
    evaluation: Floats,
    sign: float,
    alpha: float,
    beta: float,
) -> None:
    """Start a node at a ply: order its moves by their evaluations for the mover.

    sign         +1.0 if Black moves there, else -1.0
    alpha, beta  float64, for the mover
    """
    room.nodes[ply], room.tried[ply] = node, 0
    values = room.values[ply]
    values[0], values[1], values[2] = -np.inf, alpha, beta
    branching = room.order.shape[1]
    order = room.order[ply]
    # Insertion keeps equal moves in their order.
    for i in range(branching):
        child = node * branching + 1 + i
        place = i
        while place > 0 and sign * evaluation[order[place - 1]] < sign * evaluation[child]:
            order[place] = order[place - 1]
            place -= 1
        order[place] = child


@kernel
def alpha_beta(
    room: AlphaBetaRoom, evaluation: Floats, node: int, plies: int, sign: float
) -> tuple[int, int, float]:
    """Return the best child of a node, the evaluations it took, and its value for the mover.

    room        AlphaBetaRoom of at least ``plies`` plies, overwritten
    evaluation  float64[nodes], Black's
    plies       int64 >= 1, not beyond the end of the tree
    sign        float64, +1.0 if Black moves at the node, else -1.0
    """
    branching = room.order.shape[1]
    _enter(room, 0, node, evaluation, sign, -np.inf, np.inf)
    used = branching
    chosen = room.order[0, 0]
    ply = 0
    mover = sign
    while True:
        values = room.values[ply]
        if room.tried[ply] == branching or values[0] >= values[2]:
            if ply == 0:
                return chosen, used, values[0]
            value = -values[0]
            ply -= 1
            mover = -mover
        else:
            child = room.order[ply, room.tried[ply]]
            room.tried[ply] += 1
            if ply + 1 < plies:
                ply += 1
                mover = -mover
                alpha, beta = -values[2], -max(values[1], values[0])
                _enter(room, ply, child, evaluation, mover, alpha, beta)
                used += branching
                continue
            value = mover * evaluation[child]
        if value > room.values[ply, 0]:
            room.values[ply, 0] = value
            if ply == 0:
                chosen = room.order[0, room.tried[0] - 1]
