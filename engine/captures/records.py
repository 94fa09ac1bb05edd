"""Written proofs: everything that an independent checker needs to replay a capture.

A proof is a list of nodes, the root first, that refer to each other by number::

    {"take": "D4"}                           the attacker takes the goal chain there
    {"attack": "D4", "then": 3}              the attacker plays D4, node 3 answers every reply
    {"replies": {"E5": 7, "pass": 9}}        the node after each reply; an unlisted reply is
                                             treated like the pass (``zones`` says why)
"""

from typing import Any

from engine.arrays import ROOT
from engine.captures.expansion import rebuild
from engine.captures.goals import META_GOAL, META_LIMIT
from engine.captures.reader import CaptureReader
from engine.go.board import BLACK, COLOR, KO, WHITE, colors_of
from engine.go.geometry import format_vertex
from engine.proof import graph
from engine.proof.graph import DEFENDER_MOVES, NONE, TRUE
from engine.proof.records import Step, children_of, number_nodes, position_record, replies_of


def proof_record(reader: CaptureReader) -> dict[str, Any]:
    """Return the proof of a reader's last search. Raises ValueError if it proved no capture."""
    tree = reader.tree
    if tree.values[ROOT] != TRUE:
        raise ValueError("the last search proved no capture")
    position, attacker, _, to_move = position_record(tree)
    steps = _steps_of(reader)
    # Without a ko no position of a proof can repeat.
    shortcuts = _shortcuts(reader, steps) if tree.meta[graph.META_KO_USED] else {}
    return {
        **position,
        "attacker": attacker,
        "to_move": to_move,
        "goal": format_vertex(int(tree.meta[META_GOAL])),
        "liberty_limit": int(tree.meta[META_LIMIT]),
        "nodes": number_nodes(lambda node: steps[shortcuts.get(node, node)]),
    }


def _steps_of(reader: CaptureReader) -> dict[int, Step]:
    """Return every node of the proof, each after all nodes that its own proof consists of."""
    steps: dict[int, Step] = {}
    opened: dict[int, Step] = {}
    # An explicit stack: a proof may be deeper than Python's recursion limit.
    stack = [ROOT]
    while stack:
        node = stack.pop()
        if node in steps:
            continue
        if node in opened:  # all below it is done
            steps[node] = opened[node]
            continue
        opened[node] = _step_at(reader, node)
        stack.append(node)
        stack.extend(child for child in children_of(opened[node]) if child not in opened)
    return steps


def _shortcuts(reader: CaptureReader, steps: dict[int, Step]) -> dict[int, int]:
    """Return, for nodes with the same stones as another node, that node to continue from."""
    # The proof begins with the move played there the last time. Otherwise a ko would repeat a
    # position, which counts for the defender.
    board = reader.goal.scratch.boards[0]
    met: dict[bytes, list[tuple[int, str]]] = {}
    shortcuts = {}
    # In this order a shortcut leads to an earlier node, which has no shortcut itself.
    for node, step in steps.items():
        if "replies" in step:
            continue
        rebuild(reader.tree, node, board, reader.goal.scratch)
        banned = format_vertex(int(board[KO])) if board[KO] else ""
        same = met.setdefault(colors_of(board).tobytes(), [])
        for other, attack in same:
            if attack != banned:
                shortcuts[node] = other
                break
        else:
            same.append((node, step.get("attack") or step["take"]))
    return shortcuts


def _step_at(reader: CaptureReader, node: int) -> Step:
    tree = reader.tree
    edge = int(tree.nodes[node, graph.NODE_PROOF])
    if tree.flags[node] & DEFENDER_MOVES:
        return replies_of(tree, node)
    move = format_vertex(reader.proving_move(node))
    if edge == NONE:
        return {"take": move}
    child = int(tree.edges[edge, graph.EDGE_CHILD])
    rebuild(tree, child, reader.goal.scratch.boards[0], reader.goal.scratch)
    # The goal is captured by this very move: the checker expects "take".
    if reader.goal.scratch.boards[0][COLOR + int(tree.meta[META_GOAL])] not in (BLACK, WHITE):
        return {"take": move}
    return {"attack": move, "then": child}
