"""Small searches for the tests: positions, trees grown from them, and contents of a tree."""

import numpy as np

from engine import BLACK, Game
from engine.go.board import SIZE, Board
from engine.patterns.evidence import new_memory
from engine.patterns.position import Position
from engine.patterns.valuing import no_patterns
from engine.rollout.guided import no_policy
from engine.search.best_first import search
from engine.search.model import SearchModel
from engine.search.tree import NO_NODE, Tree, new_tree
from engine.search.work import SearchWork, new_search_work

UNIFORM = SearchModel(guided=False, informed=False)
NO_POLICY = no_policy()
NO_PATTERNS = no_patterns()


def board_of(game: Game) -> Board:
    """Return a copy of a game's position without a ko, which the slow twins do not know."""
    fresh = Game(game.size)
    fresh.setup(game.stones(1), game.stones(2), BLACK)
    return fresh.board.copy()


def grow(
    tree: Tree,
    board: Board,
    color: int,
    descents: int,
    komi: float = 0.5,
    model: SearchModel = UNIFORM,
    work: SearchWork | None = None,
    passes: int = 0,
) -> SearchWork:
    """Add roll-outs to a tree and return the scratch space used."""
    work = work or work_for(board, 1)
    position = at(board, color, passes, komi)
    search(tree, position, descents, model, NO_POLICY, NO_PATTERNS, work)
    return work


def at(board: Board, color: int, passes: int = 0, komi: float = 0.5) -> Position:
    """Return a position without memory of earlier moves."""
    return Position(board, new_memory(), color, passes, komi, True)


def work_for(board: Board, seed: int) -> SearchWork:
    """Return fresh scratch space for a position."""
    return new_search_work(int(board[SIZE]), seed)


def grown(
    board: Board, color: int, descents: int, komi: float = 0.5, capacity: int = 5000, **more
) -> Tree:
    """Return a new tree after some roll-outs."""
    tree = new_tree(capacity)
    grow(tree, board, color, descents, komi, **more)
    return tree


def children_of(tree: Tree, node: int) -> range:
    """Return a node's children."""
    first = int(tree.first_child[node])
    return range(first, first + int(tree.children[node])) if first != NO_NODE else range(0)


def contents(tree: Tree, node: int = 0) -> tuple:
    """Return all information about a node and its subtree, without its place in the arena."""
    known = [int(tree.move[node]), int(tree.visits[node])]
    known += [float(x[node]) for x in (tree.wins, tree.margins)]
    known += [float(x) for pair in (tree.step, tree.lateral, tree.evidence) for x in pair[node]]
    return (*known, *(contents(tree, child) for child in children_of(tree, node)))


def assert_sound(tree: Tree, expanded_at: int | None = UNIFORM.expand_visits) -> None:
    """Check every link, and that the roll-outs through a node are its own and its children's.

    expanded_at  roll-outs of a node's own before it had children; None: any number
    """
    count = int(tree.meta[0])
    reached, frontier = {0}, [0]
    assert tree.parent[0] == NO_NODE
    while frontier:
        node = frontier.pop()
        children = children_of(tree, node)
        assert (tree.first_child[node] == NO_NODE) == (tree.children[node] == 0)
        assert not children or 0 < children.start < children.stop <= count
        assert not reached.intersection(children)
        moves = tree.move[children.start : children.stop]
        assert len(set(moves)) == len(moves)
        assert (tree.parent[children.start : children.stop] == node).all()
        own = int(tree.visits[node] - tree.visits[children.start : children.stop].sum())
        if children and expanded_at is not None:
            assert own == (0 if node == 0 else expanded_at)
        assert own >= 0
        assert 0.0 <= tree.wins[node] <= tree.visits[node]
        assert (tree.evidence[node, 0] > 0.0) == (tree.visits[node] > 0)
        assert tree.evidence[node, 0] < 10.0 * max(tree.visits[node], 1)
        assert np.isfinite(tree.evidence[node]).all()
        assert np.isfinite(tree.lateral[node]).all()
        reached.update(children)
        frontier += children
