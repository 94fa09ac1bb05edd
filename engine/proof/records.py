"""Written proofs as JSON-ready objects: the common part of captures and of life.

The nodes of a proof are a list, the root first, and refer to each other by number: ``then`` is the
node after the proving side's move, ``replies`` are the nodes after each move of the other side.
"""

from collections.abc import Callable
from typing import Any

from engine.arrays import ROOT
from engine.go.board import SIZE, colors_of
from engine.go.geometry import format_vertex
from engine.go.played import COLOR_NAMES
from engine.proof import graph
from engine.proof.graph import DEFENDER_MOVES, EDGE_CHILD, EDGE_MOVE, ProofTree

Step = dict[str, Any]  # a node of a proof; it names others by their numbers in the graph


def position_record(tree: ProofTree) -> tuple[dict[str, Any], str, str, str]:
    """Return the root's size and board, and the names of attacker, defender, and side to move."""
    rows = ("".join(".XO"[color] for color in row) for row in colors_of(tree.root)[::-1])
    attacker = int(tree.meta[graph.META_ATTACKER])
    sides = COLOR_NAMES[attacker], COLOR_NAMES[3 - attacker]
    position = {"size": int(tree.root[SIZE]), "board": "/".join(rows)}
    return position, *sides, sides[bool(tree.flags[ROOT] & DEFENDER_MOVES)]


def replies_of(tree: ProofTree, node: int, point_of: Callable[[int], int] = int) -> Step:
    """Return a node as the list of its replies, without moves that never became a node."""
    followed = (edge for edge in graph.edges_of(tree, node) if tree.edges[edge, EDGE_CHILD] >= 0)
    moves = {
        point_of(int(tree.edges[e, EDGE_MOVE])): int(tree.edges[e, EDGE_CHILD]) for e in followed
    }
    return {"replies": {format_vertex(point): child for point, child in moves.items()}}


def children_of(step: Step) -> list[int]:
    """Return the nodes to which a step refers, by their numbers in the graph."""
    return [step["then"]] if "then" in step else [*step.get("replies", {}).values()]


def number_nodes(step_at: Callable[[int], Step]) -> list[Step]:
    """Return a proof's nodes, breadth first from the root, with their places as their numbers."""
    numbers = {ROOT: 0}
    order = [ROOT]
    written = []
    for node in order:  # the list grows during the loop
        step = dict(step_at(node))
        for child in children_of(step):
            if child not in numbers:
                numbers[child] = len(order)
                order.append(child)
        if "then" in step:
            step["then"] = numbers[step["then"]]
        if "replies" in step:
            step["replies"] = {move: numbers[child] for move, child in step["replies"].items()}
        written.append(step)
    return written
