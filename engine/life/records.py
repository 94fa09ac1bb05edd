"""Written proofs of life and death: everything that an independent checker needs to replay them.

A proof names the ``region`` in which it holds, the ``group``, the ``rival`` of a race, and the
``aim`` (``fight``), and lists nodes, the root first, that refer to each other by number::

    {"play": "D4", "then": 3}                the proving side plays D4 (or "pass"), node 3 answers
    {"replies": {"E5": 7, "pass": 9}}        the node after each reply of the other side; any other
                                             legal reply ends the fight at once
    {}                                       the fight is over: dead, or alive, as it stands

The proving side takes no ko, so the other side may ignore every ban.
"""

from typing import Any

from engine.arrays import ROOT
from engine.go.geometry import format_vertex
from engine.life.reader import AIMS, LifeReader
from engine.proof import graph
from engine.proof.graph import DEFENDER_MOVES, TRUE, UNKNOWN
from engine.proof.records import Step, number_nodes, position_record, replies_of


def life_proof_record(reader: LifeReader) -> dict[str, Any]:
    """Return the proof of a reader's last search. Raises ValueError if it decided nothing."""
    tree = reader.tree
    if tree.values[ROOT] == UNKNOWN:
        raise ValueError("the last search decided nothing")
    position, _, defender, to_move = position_record(tree)
    region = [int(point) for point in reader.goal.fight.region.points if point]
    question = reader.goal.question
    aim = next(name for name, code in AIMS.items() if code == reader.goal.fight.aim[0])
    fighters = {"group": question.goal}
    if question.rival:
        fighters["rival"] = question.points_of(question.rival)
    return {
        **position,
        "defender": defender,
        "to_move": to_move,
        "status": "dead" if tree.values[ROOT] == TRUE else "alive",
        "region": [format_vertex(point) for point in region],
        **{name: [format_vertex(point) for point in points] for name, points in fighters.items()},
        "aim": aim,
        "nodes": number_nodes(lambda node: _step_at(reader, node)),
    }


def _step_at(reader: LifeReader, node: int) -> Step:
    tree = reader.tree
    if not tree.flags[node] & graph.EXPANDED:
        return {}
    if bool(tree.flags[node] & DEFENDER_MOVES) == (tree.values[ROOT] == TRUE):
        return replies_of(tree, node, reader.point_of)
    proof = tree.edges[tree.nodes[node, graph.NODE_PROOF]]
    move = format_vertex(reader.point_of(int(proof[graph.EDGE_MOVE])))
    return {"play": move, "then": int(proof[graph.EDGE_CHILD])}
