"""Written proofs: everything an independent checker needs to replay a capture.

A proof is a list of nodes, the root first, that name each other by number::

    {"take": "D4"}                           the attacker takes the goal chain there
    {"attack": "D4", "then": 3}              the attacker plays D4, node 3 answers every reply
    {"replies": {"E5": 7, "pass": 9}}        what follows a reply; a reply that is not listed is
                                             treated like the pass: the same attack goes on

Every listed proof holds against every legal reply (``zones`` says why).
"""

from typing import Any

import numpy as np

from engine.arrays import ROOT
from engine.captures.expansion import rebuild
from engine.captures.goals import GRAPH_GOAL, GRAPH_LIMIT
from engine.captures.reader import CaptureReader
from engine.go.board import COLOR, KO, WHITE, colors_of
from engine.go.chains import list_liberties
from engine.go.geometry import format_vertex
from engine.proof.graph import (
    DEFENDER_MOVES,
    EDGE_CHILD,
    EDGE_MOVE,
    EDGE_NEXT_CHILD,
    GRAPH_ATTACKER,
    GRAPH_KO_USED,
    NODE_FIRST_CHILD,
    NODE_PROOF,
    NONE,
    TRUE,
)

ProofStep = tuple[
    dict[str, Any], list[int]
]  # a node and its children, by their numbers in the graph


def proof_record(reader: CaptureReader) -> dict[str, Any]:
    """Return the proof of the search that a reader finished last, as a JSON-ready object.

    Raises ValueError when that search did not prove a capture.
    """
    tree = reader.tree
    if tree.values[ROOT] != TRUE:
        raise ValueError("the last search proved no capture")
    attacker = int(tree.meta[GRAPH_ATTACKER])
    defender_moves = bool(tree.flags[ROOT] & DEFENDER_MOVES)
    names = {1: "black", 2: "white"}
    return {
        "size": int(tree.root[0]),
        "board": _rows(reader),
        "attacker": names[attacker],
        "to_move": names[3 - attacker if defender_moves else attacker],
        "goal": format_vertex(int(tree.meta[GRAPH_GOAL])),
        "liberty_limit": int(tree.meta[GRAPH_LIMIT]),
        "nodes": _nodes(reader),
    }


def _rows(reader: CaptureReader) -> str:
    colors = colors_of(reader.tree.root)
    return "/".join("".join(".XO"[color] for color in row) for row in colors[::-1])


def _nodes(reader: CaptureReader) -> list[dict[str, Any]]:
    """Return the proof's nodes, found breadth first from the root."""
    found = _found(reader)
    # Without a ko no position of a proof can come back.
    shortcuts = _shortcuts(reader, found) if reader.tree.meta[GRAPH_KO_USED] else {}
    numbers = {ROOT: 0}
    order = [ROOT]
    records = []
    for node in order:  # grows while it is walked
        record, children = found[shortcuts.get(node, node)]
        for child in children:
            if child not in numbers:
                numbers[child] = len(order)
                order.append(child)
        if "then" in record:
            record = record | {"then": numbers[record["then"]]}
        if "replies" in record:
            replies = {move: numbers[child] for move, child in record["replies"].items()}
            record = {"replies": replies}
        records.append(record)
    return records


def _found(reader: CaptureReader) -> dict[int, ProofStep]:
    """Return every node of the proof, each after all nodes that its own proof consists of."""
    found: dict[int, ProofStep] = {}
    opened: dict[int, ProofStep] = {}
    # An own stack: a proof may be deeper than Python's recursion allows.
    stack = [ROOT]
    while stack:
        node = stack.pop()
        if node in found:
            continue
        if node in opened:  # all below it is done
            found[node] = opened[node]
            continue
        opened[node] = _node(reader, node)
        stack.append(node)
        stack.extend(child for child in opened[node][1] if child not in opened)
    return found


def _shortcuts(reader: CaptureReader, found: dict[int, ProofStep]) -> dict[int, int]:
    """Return where a proof would come back to the same stones: the node to go on from at once.

    A position is another node of the graph when another move is banned by ko. Where the attacker is
    to move and the proof meets the same stones again, it can as well begin with what is played
    there the last time: otherwise a position would repeat, which counts for the defender.
    """
    board = reader.scratch.boards[0]
    met: dict[bytes, list[tuple[int, str]]] = {}
    shortcuts = {}
    # In ``_found``'s order: a shortcut leads to a node before, which has none itself.
    for node, (record, _) in found.items():
        if "replies" in record:
            continue
        rebuild(reader.tree, node, board, reader.scratch)
        banned = format_vertex(int(board[KO])) if board[KO] else ""
        same = met.setdefault(colors_of(board).tobytes(), [])
        for other, attack in same:
            if attack != banned:
                shortcuts[node] = other
                break
        else:
            same.append((node, record.get("attack") or record["take"]))
    return shortcuts


def _node(reader: CaptureReader, node: int) -> ProofStep:
    """Return a node with its children by their numbers in the graph, and these children."""
    tree = reader.tree
    edge = int(tree.nodes[node, NODE_PROOF])
    if tree.flags[node] & DEFENDER_MOVES:
        replies = {}
        edge = int(tree.nodes[node, NODE_FIRST_CHILD])
        while edge != NONE:
            child = int(tree.edges[edge, EDGE_CHILD])
            if child >= 0:
                replies[format_vertex(int(tree.edges[edge, EDGE_MOVE]))] = child
            edge = int(tree.edges[edge, EDGE_NEXT_CHILD])
        return {"replies": replies}, list(replies.values())
    if edge == NONE:
        board = reader.scratch.boards[0]
        rebuild(tree, node, board, reader.scratch)
        liberty = np.zeros(2, np.int64)
        list_liberties(board, int(tree.meta[GRAPH_GOAL]), liberty)
        return {"take": format_vertex(int(liberty[0]))}, []
    child = int(tree.edges[edge, EDGE_CHILD])
    move = format_vertex(int(tree.edges[edge, EDGE_MOVE]))
    rebuild(tree, child, reader.scratch.boards[0], reader.scratch)
    # Captured by this very move: the checker wants it named so.
    if reader.scratch.boards[0][COLOR + int(tree.meta[GRAPH_GOAL])] not in (1, WHITE):
        return {"take": move}, []
    return {"attack": move, "then": child}, [child]
