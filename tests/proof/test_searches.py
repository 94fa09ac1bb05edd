"""Searches on random small positions: equal values, legal lines, graph invariants."""

import argparse

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import BLACK, EMPTY, PASS, WHITE, Game, MoveCode, to_point
from engine.arrays import ROOT
from engine.captures.reader import CaptureReader
from engine.captures.records import proof_record
from engine.jit import JIT_ENABLED
from engine.proof.descent import MOST_PLIES, MOST_STEPS, PAUSED, SPENT, next_leaf
from engine.proof.graph import (
    DEFENDER_MOVES,
    EDGE_CHILD,
    EDGE_MOVE,
    EDGE_NEXT_CHILD,
    EDGE_NEXT_PARENT,
    EDGE_PARENT,
    EXPANDED,
    FALSE,
    META_NODES,
    META_STEPS,
    NODE_FIRST_CHILD,
    NODE_FIRST_PARENT,
    NODE_PROOF,
    NONE,
    TRUE,
    UNKNOWN,
    add_node,
    cell_of,
    proof_tree,
)
from scripts.check.proofs import check
from scripts.reproduce.stern2007_printed import PrintedGoal
from tests.diagrams import PLAIN, chains_of, liberties_at, random_games
from tests.symmetries import transform

LIMIT = 4
NODES_ALLOWED = 1_000 if JIT_ENABLED else 60
EXAMPLES = 12 if JIT_ENABLED else 2
READERS = {
    "pns": CaptureReader("pns", NODES_ALLOWED),
    "pp": CaptureReader("pp", NODES_ALLOWED),
    "pns as printed": CaptureReader("pns", NODES_ALLOWED),
    "pp as printed": CaptureReader("pp", NODES_ALLOWED),
}
for name, reader in READERS.items():
    if "printed" in name:
        reader.goal = PrintedGoal()


@st.composite
def problems(draw):
    """Return (game without a ko, a stone of a chain with few liberties)."""
    played = draw(random_games(smallest=3, largest=5, rules=PLAIN, most_moves=30))
    game = Game(played.size, PLAIN)
    game.setup(played.stones(BLACK), played.stones(WHITE), BLACK)
    weak = [chain[0] for chain in chains_of(game) if len(liberties_at(game, chain[0])) < LIMIT]
    if not weak:
        game = Game(3, PLAIN)
        weak = [to_point(1, 1)]
        game.setup(weak, [to_point(2, 1)], BLACK)
    return game, draw(st.sampled_from(weak))


def read(name, game, goal, attacker_first):
    return READERS[name].read_chain(game.board, goal, attacker_first, LIMIT)


@settings(max_examples=EXAMPLES)
@given(problems(), st.booleans())
def test_all_methods_find_the_same(problem, attacker_first):
    values = {read(name, *problem, attacker_first).value for name in READERS} - {"unknown"}
    assert len(values) <= 1


@pytest.mark.parametrize("name", READERS)
@settings(max_examples=EXAMPLES)
@given(problem=problems(), symmetry=st.integers(1, 7), swap=st.booleans())
def test_symmetries_and_colors_do_not_matter(name, problem, symmetry, swap):
    game, goal = problem
    stones = [
        [transform(point, game.size, symmetry) for point in game.stones(color)]
        for color in (BLACK, WHITE)
    ]
    image = Game(game.size, PLAIN)
    image.setup(*(stones[::-1] if swap else stones), BLACK)
    for attacker_first in (True, False):
        one = read(name, game, goal, attacker_first)
        other = read(name, image, transform(goal, game.size, symmetry), attacker_first)
        if "unknown" not in (one.value, other.value):
            assert one.value == other.value


@pytest.mark.parametrize("name", READERS)
@settings(max_examples=EXAMPLES)
@given(problem=problems(), attacker_first=st.booleans())
def test_the_main_line_can_be_played(name, problem, attacker_first):
    """Moves in turn, legal except for kos, ending in the search's result."""
    game, goal = problem
    found = read(name, game, goal, attacker_first)
    defender = game.color_at(goal)
    color = 3 - defender if attacker_first else defender
    line = list(READERS[name].main_line())
    for point in line:
        assert game.color_at(goal) == defender  # no side plays on after the decision
        assert game.legality(color, point) in (MoveCode.LEGAL, MoveCode.KO)
        if game.legality(color, point) == MoveCode.KO:
            return
        game.play(color, point)
        color = 3 - color
    if found.value == "captured":
        assert found.move in (line[0], None)
        assert game.color_at(goal) == EMPTY
    wanted = ("captured", "ko") if attacker_first else ("safe", "ko")
    assert (found.move is not None) <= (found.value in wanted)


@pytest.mark.parametrize("name", READERS)
@settings(max_examples=EXAMPLES)
@given(problem=problems(), attacker_first=st.booleans())
def test_captures_have_proofs_that_the_checker_confirms(name, problem, attacker_first):
    if read(name, *problem, attacker_first).value != "captured":
        return
    record = proof_record(READERS[name])
    options = argparse.Namespace(positions=5000, foreign=1, random=10, seed=1)
    assert check({"id": name, **record}, options)[0] != "refuted"
    numbers = [node["then"] for node in record["nodes"] if "then" in node]
    numbers += [
        n for node in record["nodes"] if "replies" in node for n in node["replies"].values()
    ]
    assert set(numbers) <= set(range(len(record["nodes"])))
    assert {0, *numbers} == set(range(len(record["nodes"])))  # no node is left over


@settings(max_examples=EXAMPLES)
@given(problems())
def test_a_higher_limit_only_helps_the_attacker(problem):
    """A second reading changes nothing."""
    game, goal = problem
    reader = READERS["pns"]
    low = reader.read_chain(game.board, goal, True, 3)
    high = reader.read_chain(game.board, goal, True, 5)
    if low.value == "captured" and high.value != "unknown":
        assert high.value == "captured"
    assert high.liberty_limit <= 5
    again = reader.read_chain(game.board, goal, True, 5)
    assert (again.value, again.move, again.nodes) == (high.value, high.move, high.nodes)


def edges_of(tree, node, first, following):
    """Yield the edges of a node along one of its two lists."""
    edge = int(tree.nodes[node, first])
    while edge != NONE:
        yield edge
        edge = int(tree.edges[edge, following])


@pytest.mark.parametrize("name", READERS)
@settings(max_examples=EXAMPLES)
@given(problem=problems(), attacker_first=st.booleans())
def test_the_graph_is_sound(name, problem, attacker_first):
    read(name, *problem, attacker_first)
    tree = READERS[name].tree
    count = int(tree.meta[META_NODES])
    assert len(set(tree.keys[:count].tolist())) == count
    assert np.count_nonzero(tree.cells) == count
    for node in range(count):
        assert tree.cells[cell_of(tree, tree.keys[node])] == node + 1
        children = list(edges_of(tree, node, NODE_FIRST_CHILD, EDGE_NEXT_CHILD))
        moves = [int(tree.edges[edge, EDGE_MOVE]) for edge in children]
        assert len(moves) == len(set(moves))
        for edge in children:
            assert tree.edges[edge, EDGE_PARENT] == node
            child = int(tree.edges[edge, EDGE_CHILD])
            if child >= 0:
                assert edge in edges_of(tree, child, NODE_FIRST_PARENT, EDGE_NEXT_PARENT)
                turn = tree.flags[node] & DEFENDER_MOVES
                assert turn != tree.flags[child] & DEFENDER_MOVES
        assert (PASS in moves) <= bool(tree.flags[node] & DEFENDER_MOVES)  # attackers never pass


@pytest.mark.parametrize("name", READERS)
@settings(max_examples=EXAMPLES)
@given(problem=problems(), attacker_first=st.booleans())
def test_values_follow_from_decided_children(name, problem, attacker_first):
    read(name, *problem, attacker_first)
    tree = READERS[name].tree
    for node in range(int(tree.meta[META_NODES])):
        if not tree.flags[node] & EXPANDED:
            continue
        below = [
            int(tree.values[child])
            for edge in edges_of(tree, node, NODE_FIRST_CHILD, EDGE_NEXT_CHILD)
            if (child := int(tree.edges[edge, EDGE_CHILD])) >= 0
        ]
        value = int(tree.values[node])
        deciding = FALSE if tree.flags[node] & DEFENDER_MOVES else TRUE
        if value == deciding:
            proof = int(tree.nodes[node, NODE_PROOF])
            assert tree.edges[proof, EDGE_PARENT] == node
            assert tree.values[tree.edges[proof, EDGE_CHILD]] == deciding
        elif value == 3 - deciding:
            assert deciding not in below
            # The root alone may be decided by endless play.
            assert node == ROOT or UNKNOWN not in below


def test_a_search_out_of_nodes_knows_nothing():
    game = Game(5, PLAIN)
    game.setup([to_point(2, 3), to_point(3, 3)], [to_point(2, 4)], WHITE)
    reader = CaptureReader("pns", 1000)
    found = reader.read_chain(game.board, to_point(2, 3), True, 6, max_nodes=1)
    assert (found.value, found.move, found.liberty_limit) == ("unknown", None, 0)
    assert not list(reader.main_line())
    assert reader.tree.values[ROOT] == UNKNOWN
    with pytest.raises(ValueError, match="no capture"):
        proof_record(reader)


@pytest.mark.parametrize(
    ("steps", "state"), [(MOST_STEPS * 50 - 1, PAUSED), (MOST_STEPS * 50, SPENT)]
)
def test_a_search_ends_when_its_descents_have_met_too_many_nodes(steps, state):
    tree = proof_tree(1000, 2)
    add_node(tree, np.uint64(1), 1, NONE, NONE)
    tree.meta[META_STEPS] = steps
    assert next_leaf(tree, np.zeros(MOST_PLIES, np.int64), 50)[0] == state
