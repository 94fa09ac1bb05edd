"""Sums of deeper games, solved exactly when small: fights with sente and gote follow-ups.

Source: Zhao & Mueller, Section 2, points 1-3: the general model. Simple games are its two-level
case. A game is an ``OutcomeDistribution`` (over) or a ``Branch`` with options for both players.
A position of the sum is one node of each tree, written as a mixed-radix number, first tree
first. Within a tree children come after their parents, so every move raises the number. One loop
from the last position down to 0 therefore sees children first. When all games are simple, the
numbers have base 3: a game is open, Left's or Right's. Every move descends one level, so the depths
determine the side to move.
Slow twin: tests/reference/pcg.py::tree_value.
"""

from dataclasses import dataclass
from math import prod
from typing import NamedTuple

import numpy as np

from engine.errors import BadSum
from engine.jit import kernel
from engine.pcg.exact import TIE
from engine.pcg.game import LEFT, RIGHT, OutcomeDistribution, outcome_arrays
from engine.pcg.halves import Half, build_halves, win_split

MAX_POSITIONS = 2**25
"""Maximal number of positions of a sum of trees (8 bytes each)."""


@dataclass(frozen=True)
class Branch:
    """A game that is not over: the possible moves of both players (Section 2, point 2).

    Raises BadSum when a player has no option: such games are not part of the model.
    """

    left: tuple["GameTree", ...]
    right: tuple["GameTree", ...]

    def __post_init__(self) -> None:
        if not self.left or not self.right:
            raise BadSum("a game that is not over needs an option for each player")


GameTree = OutcomeDistribution | Branch


@dataclass(frozen=True)
class TreeSolution:
    """The result of perfect play by both sides in a sum of trees, Left to move.

    value        Left's win probability
    subgame      game of the best first move (lowest on ties), -1 when all games are over
    option       number of the best of Left's options there (lowest on ties), -1 as above
    first_moves  for each game, Left's win probability after each of Left's options there
    """

    value: float
    subgame: int
    option: int
    first_moves: tuple[tuple[float, ...], ...]


class Forest(NamedTuple):
    """All trees of a sum; nodes are numbered within their tree, children after parents."""

    first_node: np.ndarray  # int64[trees + 1], where each tree's nodes begin
    depth: np.ndarray  # int64[nodes], moves from the root
    leaf: np.ndarray  # int64[nodes], number among the tree's leaves; -1 of an inner node
    options: np.ndarray  # int64[nodes, 2, most options], children by player, -1 unused
    radix: np.ndarray  # int64[trees], place value of a node number in a position
    case: np.ndarray  # int64[trees], place value of a leaf number in its half's case


@kernel
def best_option(
    forest: Forest, values: np.ndarray, position: int, nodes: np.ndarray, player: int, slack: float
) -> tuple[float, int, int]:
    """Find the mover's best move in a position, the first one on ties.

    forest    Forest
    values    float64[positions], Left's win probability; all later positions filled
    position  int64
    nodes     int64[trees], this position's node of each tree
    player    int64, LEFT or RIGHT
    slack     float64, the margin by which a later move must be better
    returns   (float64 value, int64 tree, int64 option); tree -1 when all games are over
    """
    sign = 1.0 if player == LEFT else -1.0
    best, best_tree, best_number = -2.0, -1, -1
    for tree in range(nodes.shape[0]):
        node = forest.first_node[tree] + nodes[tree]
        for number in range(forest.options.shape[2]):
            child = forest.options[node, player, number]
            if child < 0:
                break
            # Children have larger numbers, so this entry is already filled.
            value = sign * values[position + (child - nodes[tree]) * forest.radix[tree]]
            # Among moves that differ by rounding alone, the first one wins.
            if value > best + slack:
                best, best_tree, best_number = value, tree, number
    return sign * best, best_tree, best_number


@kernel
def fill_positions(
    forest: Forest, first: Half, second: Half, values: np.ndarray, nodes: np.ndarray
) -> None:
    """Value every position of a sum of trees, the last one first.

    forest         Forest
    first, second  Half, from ``build_halves`` on the trees' leaves
    values         float64[positions], written
    nodes          int64[trees], scratch
    """
    trees = nodes.shape[0]
    for position in range(values.shape[0] - 1, -1, -1):
        moves = 0
        open_trees = 0
        case_first, case_second = np.int64(0), np.int64(0)  # literals have another type
        for tree in range(trees):
            width = forest.first_node[tree + 1] - forest.first_node[tree]
            nodes[tree] = (position // forest.radix[tree]) % width
            node = forest.first_node[tree] + nodes[tree]
            moves += forest.depth[node]
            leaf = forest.leaf[node]
            if leaf < 0:
                open_trees += 1
            elif tree < trees // 2:
                case_first += leaf * forest.case[tree]
            else:
                case_second += leaf * forest.case[tree]
        if open_trees == 0:
            values[position] = win_split(first, second, case_first, case_second)
        else:
            # Every move goes one level down in one tree, so the depths add up to the moves played.
            player = LEFT if moves % 2 == 0 else RIGHT
            values[position] = best_option(forest, values, position, nodes, player, 0.0)[0]


def solve_trees(
    games: tuple[GameTree, ...], offset: int = 0, most: int = MAX_POSITIONS
) -> TreeSolution:
    """Return the exact value of a sum of games of any depth, Left to move.

    Raises BadSum when there is no game, or more than ``most`` positions.
    """
    if not games:
        raise BadSum("a sum has at least one subgame")
    forest, leaves = _plant(games, most)
    first, second = build_halves(outcome_arrays(leaves, offset))
    values = np.empty(np.prod(np.diff(forest.first_node)))
    nodes = np.zeros(len(games), dtype=np.int64)
    fill_positions(forest, first, second, values, nodes)
    nodes[:] = 0
    _, subgame, option = best_option(forest, values, 0, nodes, LEFT, TIE)
    roots = forest.options[forest.first_node[:-1], LEFT]
    first_moves = tuple(
        tuple(float(values[child * radix]) for child in children if child >= 0)
        for children, radix in zip(roots, forest.radix, strict=True)
    )
    return TreeSolution(float(values[0]), int(subgame), int(option), first_moves)


def mirrored(game: GameTree) -> GameTree:
    """Return a game from Right's view, so that Right becomes the first mover.

    The offset of a mirrored sum is 1 - offset. Right wins a sum of 0, and values are
    integers. The rule "negated sum >= 0" is therefore "negated sum + 1 > 0", the usual one for the
    first mover.
    """
    if isinstance(game, OutcomeDistribution):
        return game.negated()
    return Branch(tuple(map(mirrored, game.right)), tuple(map(mirrored, game.left)))


class _Row(NamedTuple):
    """One node of a tree: depth, leaf number or -1, and children by player."""

    depth: int
    leaf: int
    options: tuple[list[int], list[int]]


def _rows(game: GameTree, most: int) -> tuple[list[_Row], list[OutcomeDistribution]]:
    """Return a tree's nodes, breadth first (children after parents), and its leaves.

    Raises BadSum when there are more than ``most`` nodes.
    """
    rows: list[_Row] = []
    leaves: list[OutcomeDistribution] = []
    queue: list[tuple[GameTree, int]] = [(game, 0)]
    for node, depth in queue:  # the loop itself extends the queue
        if len(queue) > most:
            raise BadSum(f"a game of {len(queue)} positions is larger than the {most} allowed")
        if isinstance(node, OutcomeDistribution):
            rows.append(_Row(depth, len(leaves), ([], [])))
            leaves.append(node)
            continue
        options: tuple[list[int], list[int]] = ([], [])
        for side, children in zip(options, (node.left, node.right), strict=True):
            side.extend(range(len(queue), len(queue) + len(children)))
            queue.extend((child, depth + 1) for child in children)
        rows.append(_Row(depth, -1, options))
    return rows, leaves


def _plant(
    games: tuple[GameTree, ...], most_positions: int
) -> tuple[Forest, list[list[OutcomeDistribution]]]:
    """Return the arrays of all trees, and each tree's leaves in their order.

    Raises BadSum when there are more than ``most_positions`` positions.
    """
    trees = [_rows(game, most_positions) for game in games]
    leaves = [tree_leaves for _, tree_leaves in trees]
    rows = [row for tree_rows, _ in trees for row in tree_rows]
    widths = [len(tree_rows) for tree_rows, _ in trees]
    # Python's integers cannot overflow. The check comes before any array is allocated.
    if prod(widths) > most_positions:
        raise BadSum(f"{prod(widths)} positions are more than the {most_positions} allowed")
    most = max(len(side) for row in rows for side in row.options)
    # One extra column: every row ends with -1.
    options = np.full((len(rows), 2, most + 1), -1, dtype=np.int64)
    for node, row in enumerate(rows):
        for player in (LEFT, RIGHT):
            options[node, player, : len(row.options[player])] = row.options[player]
    leaf_counts = [len(tree_leaves) for tree_leaves in leaves]
    half = len(games) // 2
    forest = Forest(
        np.concatenate([[0], np.cumsum(widths)]),
        np.array([row.depth for row in rows], dtype=np.int64),
        np.array([row.leaf for row in rows], dtype=np.int64),
        options,
        _place_values(widths),
        np.concatenate([_place_values(leaf_counts[:half]), _place_values(leaf_counts[half:])]),
    )
    return forest, leaves


def _place_values(widths: list[int]) -> np.ndarray:
    """Return the place value of each digit of a mixed-radix number, least significant first."""
    places = [1]
    for width in widths[:-1]:
        places.append(places[-1] * width)
    return np.array(places[: len(widths)], dtype=np.int64)
