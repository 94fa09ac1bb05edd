"""The search whether a group lives: the moves of a fight in the graph, decided or judged.

*Ko.* In each search one side obeys the ban and the other ignores it. A ko that the obeying side
takes is retaken at once, so this side takes no kos, and positions need no ban. In a third search
both obey, and the side that is kept from a ko by the ban may pass. This search finds the side that
loses a ko when neither finds a threat.
"""

from typing import NamedTuple

import numpy as np

from engine.arrays import ROOT
from engine.go.geometry import PASS
from engine.jit import kernel
from engine.life.fight import (
    AIM_LIFE,
    AIM_RETURN,
    PASS_BIT,
    RegionSearch,
    is_ko_capture,
    judge_fight,
    play_in_fight,
    position_key,
)
from engine.life.priors import find_features, weigh
from engine.life.regions import (
    ATTACKERS,
    BANNED,
    DEFENDERS,
    GOAL,
    MASK_PLAY,
    MOST_POINTS,
    RIVAL,
    TAKEN,
)
from engine.proof import graph
from engine.proof.beliefs import guess_edge, set_even, take_guess
from engine.proof.descent import (
    PAUSED,
    SOLVED,
    Path,
    begin_update,
    look_at_children,
    next_leaf,
    next_to_settle,
    settle_belief,
    tell_parents,
)
from engine.proof.graph import DEFENDER_MOVES, FALSE, NONE, TRUE, UNKNOWN, ProofTree


class FightModel(NamedTuple):
    """Constants of the search of a fight."""

    trust: float = 0.5  # share of the prior's log-odds, on top of ``FirstBeliefs.trust``
    hint: float = 3.0  # extra log-odds of a move that is known to work elsewhere
    # Share of all proof numbers but the largest: most lead to the same few positions, so a full sum
    # would count these repeatedly
    others: float = 0.3
    # Of proof numbers, relative: shared positions have many ancestors here
    least_change: float = 0.05


FIGHT = FightModel()
_NONE, _ONE = np.uint64(0), np.uint64(1)


@kernel
def _add_position(
    tree: ProofTree, fight: RegionSearch, key: np.uint64, cell: int, parent: int, move: int
) -> int:
    """Append the position on ``fight.after`` as a node without value; return it."""
    node = graph.add_node(tree, key, cell, parent, move)
    for i in range(TAKEN):
        fight.stones[node, i] = fight.after[i]
    return node


@kernel
def set_up_fight(tree: ProofTree, fight: RegionSearch, defender_moves: bool) -> None:
    """Make the root node from the first row of ``fight.stones`` (Stern et al. 2007, section 3)."""
    graph.clear(tree)
    play_in_fight(fight, ROOT, PASS_BIT, defender_moves)
    key = position_key(fight.after, defender_moves)
    node = _add_position(tree, fight, key, graph.cell_of(tree, key), NONE, PASS)
    tree.flags[node] = DEFENDER_MOVES if defender_moves else 0
    value, _ = judge_fight(fight)
    # A race that is decided still needs a first move.
    tree.values[node] = UNKNOWN if fight.stones[ROOT, RIVAL] != _NONE else value
    set_even(tree, node)


@kernel
def note_features(
    tree: ProofTree, fight: RegionSearch, node: int, move: int, room_before: int, room: int
) -> None:
    """Find the features of a node's move, which was just played on ``fight.after``."""
    last = np.int64(PASS_BIT) if node == ROOT else np.int64(tree.nodes[node, graph.NODE_MOVE])
    defends = tree.flags[node] & DEFENDER_MOVES != 0
    moves, rooms = (last, np.int64(move)), (np.int64(room_before), np.int64(room))
    find_features(fight.region, fight.after, moves, rooms, defends, fight.features)


@kernel
def _offer(
    tree: ProofTree,
    fight: RegionSearch,
    node: int,
    move: int,
    room_before: int,
    judgment: tuple[int, int],
) -> int:
    """Add a move just played on ``fight.after`` as a waiting edge; return the value after it."""
    defends = tree.flags[node] & DEFENDER_MOVES != 0
    deciding, useless = (FALSE, TRUE) if defends else (TRUE, FALSE)
    after = fight.after
    value, room = judgment
    if value == useless:
        return value
    if is_ko_capture(fight, move, defends):
        obeys = tree.meta[graph.META_OBEYS_BAN]
        if obeys == graph.BOTH:
            if fight.stones[node, BANNED] == _ONE << np.uint64(move):
                return useless
            after[BANNED] = after[TAKEN]
        elif value == UNKNOWN:
            # Noted before the move is dropped: it decides whether a second search is needed.
            tree.meta[graph.META_KO_USED] = 1
            if graph.to_move(tree, node) == obeys:
                return useless
    key = position_key(fight.after, not defends)
    cell = graph.cell_of(tree, key)
    shared = np.int64(tree.cells[cell]) - 1
    if shared >= 0:
        graph.add_edge(tree, node, shared, move)
        return np.int64(tree.values[shared])
    if value == deciding:
        child = _add_position(tree, fight, key, cell, node, move)
        tree.values[child] = value
        graph.add_edge(tree, node, child, move)
        return value
    edge = tree.meta[graph.META_EDGES]
    graph.add_edge(tree, node, NONE, move)
    note_features(tree, fight, node, move, room_before, room)
    log_odds = FIGHT.trust * weigh(fight.weights, fight.features)
    if node == ROOT and move == fight.hint[0]:
        log_odds += -FIGHT.hint if defends else FIGHT.hint
    guess_edge(tree, edge, log_odds)
    return value


@kernel
def develop_fight(tree: ProofTree, fight: RegionSearch, node: int) -> None:
    """Add the moves of a leaf; a move that decides it at once is the last (Algorithm 3)."""
    tree.flags[node] |= graph.EXPANDED
    tree.meta[graph.META_EXPANSIONS] += 1
    defends = tree.flags[node] & DEFENDER_MOVES != 0
    deciding = FALSE if defends else TRUE
    # A pass keeps the position and gives the move to the other side.
    play_in_fight(fight, node, PASS_BIT, defends)
    value, room = judge_fight(fight)
    # Waiting never helps a side that has to reach something.
    aim = fight.aim[0]
    is_kept = aim == AIM_LIFE or (aim == AIM_RETURN and fight.stones[node, GOAL] != _NONE)
    may_pass = defends == is_kept or fight.stones[node, BANNED] != _NONE
    if may_pass and _offer(tree, fight, node, PASS_BIT, room, (value, room)) == deciding:
        return
    taken = fight.stones[node, DEFENDERS] | fight.stones[node, ATTACKERS]
    waiting = fight.region.masks[MASK_PLAY] & ~taken
    for move in range(MOST_POINTS):
        if (waiting >> np.uint64(move)) & _ONE == _NONE:
            continue
        if play_in_fight(fight, node, move, defends):
            judgment = judge_fight(fight)
            if _offer(tree, fight, node, move, room, judgment) == deciding:
                return


@kernel
def _follow(tree: ProofTree, fight: RegionSearch, node: int, edge: int) -> int:
    """Turn an edge's move into a node and return it."""
    move = np.int64(tree.edges[edge, graph.EDGE_MOVE])
    defends = tree.flags[node] & DEFENDER_MOVES != 0
    play_in_fight(fight, node, move, defends)
    if tree.meta[graph.META_OBEYS_BAN] == graph.BOTH and is_ko_capture(fight, move, defends):
        fight.after[BANNED] = fight.after[TAKEN]
    key = position_key(fight.after, not defends)
    cell = graph.cell_of(tree, key)
    child = np.int64(tree.cells[cell]) - 1
    if child < 0:
        # The move was judged when it was offered, and it was undecided.
        child = _add_position(tree, fight, key, cell, node, move)
        take_guess(tree, child, edge)
    graph.link_child(tree, edge, child)
    return child


@kernel
def _settle(tree: ProofTree, node: int) -> bool:
    """Recompute an undecided node from its children; return whether it changed (Algorithm 2)."""
    edge, undecided = look_at_children(tree, node)
    if edge == NONE and undecided > 0:
        return settle_belief(tree, node, FIGHT.others, FIGHT.least_change)
    is_and = tree.flags[node] & DEFENDER_MOVES != 0
    tree.values[node] = TRUE if (edge != NONE) != is_and else FALSE
    tree.nodes[node, graph.NODE_PROOF] = edge
    return True


@kernel
def search_fight(
    tree: ProofTree, path: Path, fight: RegionSearch, max_nodes: int, expansions: int
) -> int:
    """Develop at most ``expansions`` leaves; return why it ended (Algorithms 2 and 4)."""
    for _ in range(expansions):
        state, leaf, edge = next_leaf(tree, path, max_nodes)
        if state != PAUSED:
            return state
        parent = leaf
        if edge != NONE:
            leaf = _follow(tree, fight, parent, edge)
        # After a transposition the node is known, and only this parent must be told.
        if tree.values[leaf] != UNKNOWN or tree.flags[leaf] & graph.EXPANDED:
            leaf = parent
        else:
            tree.meta[graph.META_DEPTH] = graph.depth_of(tree, leaf)
            develop_fight(tree, fight, leaf)
        begin_update(tree, leaf)
        node = next_to_settle(tree)
        while node != NONE:
            if _settle(tree, node):
                tell_parents(tree, node)
            node = next_to_settle(tree)
    return SOLVED if tree.values[ROOT] != UNKNOWN else PAUSED
