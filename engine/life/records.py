"""Written proofs of life and death: everything an independent checker needs to replay them.

A proof says in which ``region`` it holds and lists nodes, the root first, that name each other by
number::

    {"play": "D4", "then": 3}                the proving side plays D4 (or "pass"), node 3 answers
    {"replies": {"E5": 7, "pass": 9}}        what follows a reply of the other side; a legal reply
                                             that is not listed ends the fight at once
    {}                                       the fight is over: dead, or alive, as it stands

The proving side takes no ko, so the other side may ignore every ban. It is about the stones of the
``group``; one about a race names its ``rival``, too, and empty points outside are nobody's then.
One with the ``aim`` "eyes" says whether the group gets any, so that one in seki is as good as dead;
one with the aim "link" whether the stones of the ``group`` become one chain. In both the attacker
may pass, the defender may not.
"""

from typing import Any

from engine.arrays import ROOT
from engine.go.board import colors_of
from engine.go.geometry import format_vertex
from engine.life.reader import AIMS, LifeReader
from engine.proof.graph import (
    DEFENDER_MOVES,
    EDGE_CHILD,
    EDGE_MOVE,
    EDGE_NEXT_CHILD,
    EXPANDED,
    GRAPH_ATTACKER,
    NODE_FIRST_CHILD,
    NODE_PROOF,
    NONE,
    TRUE,
    UNKNOWN,
)

_NAMES = {1: "black", 2: "white"}


def life_proof_record(reader: LifeReader) -> dict[str, Any]:
    """Return the proof of the search that a reader finished last, as a JSON-ready object.

    Raises ValueError when that search decided nothing.
    """
    tree = reader.tree
    if tree.values[ROOT] == UNKNOWN:
        raise ValueError("the last search decided nothing")
    attacker = int(tree.meta[GRAPH_ATTACKER])
    defends = bool(tree.flags[ROOT] & DEFENDER_MOVES)
    colors = colors_of(tree.root)
    region = [int(point) for point in reader.fight.region.points if point]
    question = reader.question
    aim = next(name for name, code in AIMS.items() if code == reader.fight.aim[0])
    fighters = {"group": question.goal}
    if question.rival:
        fighters["rival"] = question.points_of(question.rival)
    return {
        "size": int(tree.root[0]),
        "board": "/".join("".join(".XO"[color] for color in row) for row in colors[::-1]),
        "defender": _NAMES[3 - attacker],
        "to_move": _NAMES[3 - attacker if defends else attacker],
        "status": "dead" if tree.values[ROOT] == TRUE else "alive",
        "region": [format_vertex(point) for point in region],
        **{name: [format_vertex(point) for point in points] for name, points in fighters.items()},
        "aim": aim,
        "nodes": _nodes(reader),
    }


def _nodes(reader: LifeReader) -> list[dict[str, Any]]:
    """Return the proof's nodes, found breadth first from the root."""
    tree = reader.tree
    claim = tree.values[ROOT]
    numbers = {ROOT: 0}
    order = [ROOT]

    def number(child: int) -> int:
        if child not in numbers:
            numbers[child] = len(order)
            order.append(child)
        return numbers[child]

    records: list[dict[str, Any]] = []
    for node in order:  # grows while it is walked
        if not tree.flags[node] & EXPANDED:
            records.append({})
            continue
        proof = int(tree.nodes[node, NODE_PROOF])
        if bool(tree.flags[node] & DEFENDER_MOVES) == (claim != TRUE):
            move = format_vertex(reader.point_of(int(tree.edges[proof, EDGE_MOVE])))
            records.append({"play": move, "then": number(int(tree.edges[proof, EDGE_CHILD]))})
            continue
        replies = {}
        edge = int(tree.nodes[node, NODE_FIRST_CHILD])
        while edge != NONE:
            move = format_vertex(reader.point_of(int(tree.edges[edge, EDGE_MOVE])))
            replies[move] = number(int(tree.edges[edge, EDGE_CHILD]))
            edge = int(tree.edges[edge, EDGE_NEXT_CHILD])
        records.append({"replies": replies})
    return records
