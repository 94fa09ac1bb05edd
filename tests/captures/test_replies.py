"""Answers from proofs: against the same proofs walked slowly, and against whole game graphs."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine import WHITE
from engine.arrays import ROOT
from engine.captures.reader import CaptureReader
from engine.facts.chain_facts import Surveyor, chains_in_trouble, limit_for
from engine.go.board import COLOR
from engine.go.geometry import PASS, to_column_row, to_point
from engine.go.setup import set_up_stones
from engine.jit import JIT_ENABLED
from engine.picture.picture import picture_of
from engine.proof.graph import (
    EDGE_CHILD,
    EDGE_MOVE,
    EDGE_NEXT_CHILD,
    META_NODES,
    NODE_FIRST_CHILD,
    NODE_PROOF,
    NONE,
    TRUE,
    ProofTree,
)
from tests.diagrams import game_of, points_marked, random_games, stones_of
from tests.facts.test_chain_facts import CRITICAL, DEAD, Twin, random_stones
from tests.reference.tactics import replies_of

CORNER = """
    . . . . . . .
    . X X X X . .
    X . o o o X .
    . X X . . X .
    . . . X X . .
    . . . . . . .
    . . . . . . ."""


def edges_of(tree: ProofTree, node: int) -> list[tuple[int, int]]:
    """Return (move, child) of a node, except for moves that never became nodes."""
    found = []
    edge = int(tree.nodes[node, NODE_FIRST_CHILD])
    while edge != NONE:
        move, child = (int(tree.edges[edge, column]) for column in (EDGE_MOVE, EDGE_CHILD))
        if child >= 0:
            found.append((move, child))
        edge = int(tree.edges[edge, EDGE_NEXT_CHILD])
    return found


def proof_of(tree: ProofTree) -> dict:
    """Return a proof in the form that ``replies_of`` takes."""

    def place(point):
        return None if point == PASS else to_column_row(point)

    proof = {}
    for node in range(int(tree.meta[META_NODES])):
        proof[node] = []
        for move, child in edges_of(tree, node):
            edge = int(tree.nodes[child, NODE_PROOF])
            answered = None, None
            if edge != NONE:
                answered = (
                    place(int(tree.edges[edge, EDGE_MOVE])),
                    int(tree.edges[edge, EDGE_CHILD]),
                )
            if tree.values[child] == TRUE:
                proof[node].append((place(move), *answered))
    return proof


def read_dead(board, stones, nodes=2_000) -> CaptureReader | None:
    """Return the reader of a chain that is captured although its owner moves first, or None."""
    reader = CaptureReader("pns", nodes)
    limit = limit_for(picture_of(board).chain_at(stones[0]))
    reading = reader.read_chain(board, stones[0], False, limit)
    return reader if reading.value == "captured" else None


@pytest.mark.parametrize("diagram", [DEAD, CORNER])
def test_answers_are_those_of_the_proof(diagram):
    game = game_of(diagram)
    stones = points_marked(diagram, "o")
    reader = read_dead(game.board, stones)
    assert reader is not None
    found = {
        to_column_row(move): to_column_row(answer) for move, answer in reader.replies().items()
    }
    slow = replies_of(proof_of(reader.tree), stones_of(game), 7, to_column_row(stones[0]), WHITE)
    assert found == slow
    assert found


def test_the_last_liberty_answers_moves_that_leave_the_chain_in_atari():
    game = game_of(CORNER)
    (facts,) = (f for f in Surveyor().survey(game.board, 100_000) if f.status == "dead")
    replies = dict(facts.replies)
    assert replies[to_point(4, 4)] == to_point(2, 5)


def test_a_chain_that_can_be_saved_has_no_answers():
    board = game_of(CRITICAL).board
    facts = Surveyor().survey(board, 100_000)
    assert "dead" not in {f.status for f in facts}
    assert not any(f.replies for f in facts)
    reader = CaptureReader("pns", 2_000)
    goal = points_marked(CRITICAL, "o")[0]
    for attacker_first, value in ((True, "captured"), (False, "safe")):
        assert reader.read_chain(board, goal, attacker_first).value == value
        assert reader.replies() == {}


@settings(max_examples=40 if JIT_ENABLED else 3)
@given(random_games(smallest=4, largest=7), st.data())
def test_answers_in_random_positions_are_those_of_the_proof(game, data):
    chains = chains_in_trouble(game.board)
    assume(chains)
    stones = data.draw(st.sampled_from(chains))
    reader = read_dead(game.board, stones, 300)
    assume(reader is not None)
    color = int(game.board[COLOR + stones[0]])
    found = {
        to_column_row(move): to_column_row(answer) for move, answer in reader.replies().items()
    }
    place = to_column_row(stones[0])
    assert found == replies_of(proof_of(reader.tree), stones_of(game), game.size, place, color)


def answers_that_hold(seed: int) -> int:
    """Check the answers to moves from a random 3x3 position; return their number."""
    stones = random_stones(np.random.default_rng(seed))
    board = set_up_stones(
        3, [(to_point(p % 3 + 1, p // 3 + 1), c) for p, c in enumerate(stones) if c]
    )
    count = 0
    for facts in Surveyor().survey(board, 100_000):
        if facts.status != "dead":
            continue
        reader = read_dead(board, facts.stones)
        first = {move for move, _ in edges_of(reader.tree, ROOT)}
        for move, answer in facts.replies:
            if move not in first:
                continue  # met later in the proof, in another position
            twin = Twin(stones, facts)
            tried = twin.after(facts.color, move)
            answered = Twin(tried, facts).after(3 - facts.color, answer)
            assert twin.value(answered, facts.color) == "captured"
            count += 1
    return count


def test_the_chain_dies_after_a_move_and_its_answer():
    assert sum(answers_that_hold(seed) for seed in range(60 if JIT_ENABLED else 4)) > 0
