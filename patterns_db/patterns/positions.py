"""Positions of games, prepared for the models: each candidate's class and added evidence.

Matching does not depend on learned values, so one thread prepares the next games while others learn
from these.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.arrays import Floats, Ints
from engine.go.board import Board, empty_board
from engine.jit import kernel
from engine.patterns.choice import MEAN, VARIANCE
from engine.patterns.contender_facts import rank_moves
from engine.patterns.contenders import CONTEXT_GROUPS, LANES
from engine.patterns.evidence import EVIDENCE_GROUPS, new_memory
from engine.patterns.hashing import Bytes
from engine.patterns.matching import (
    Candidates,
    Matcher,
    clear_matcher,
    list_slots,
    match_moves_into,
    new_candidates,
    new_matcher,
)
from engine.patterns.position import Position
from engine.patterns.templates import TEMPLATES
from engine.patterns.trees import sum_leaves
from engine.patterns.valuing import PatternKnowledge
from patterns_db.patterns.packed import (
    PackedMoves,
    begin_game,
    can_make_move,
    color_of,
    is_choice,
    make_move,
)
from patterns_db.records.archive import POINT_BITS, SETUP_BIT, GameArchive

MOVES, CANDIDATES = 0, 1  # slots of PreparedPositions.meta

CandidateSlots = npt.NDArray[np.int32]


class PreparedPositions(NamedTuple):
    """The positions of some games, in order.

    begins     int64[moves + 1], first candidate of each position
    played     int64[moves], the expert's candidate, counted from the position's first
    plies      int64[moves], moves made before it in its game, passes included
    game       int64[moves], number of its game in the archive
    templates  uint8[candidates], the largest template that matches, 0 if none
    slots      int32[candidates, TEMPLATES], slots of the classes of template 1, 2, ..., -1 beyond
    evidence   uint8[candidates, EVIDENCE_GROUPS], classes of the added evidence
    context    int32[candidates, CONTEXT_GROUPS], rows of the context; no row where it is not wanted
    order      int16[moves, LANES], the contenders; no row where trees are not wanted
    sums       float64[moves, LANES, 2], means and variances of their leaves' sums
    chosen     int64[moves], number of contenders
    meta       int64[2], see MOVES, CANDIDATES
    """

    begins: Ints
    played: Ints
    plies: Ints
    game: Ints
    templates: Bytes
    slots: CandidateSlots
    evidence: Bytes
    context: CandidateSlots
    order: npt.NDArray[np.int16]
    sums: Floats
    chosen: Ints
    meta: Ints


def new_positions(
    moves: int, candidates: int, with_context: bool = False, with_trees: bool = False
) -> PreparedPositions:
    """Return room for a number of positions with a total number of candidates.

    with_context  whether a model wants the context, too
    with_trees    whether it wants the contenders and their trees, too
    """
    judged = moves if with_trees else 0
    played, plies, game = np.zeros((3, moves), np.int64)
    return PreparedPositions(
        # The types are the smallest possible, since a move has hundreds of candidates.
        begins=np.zeros(moves + 1, np.int64),
        played=played,
        plies=plies,
        game=game,
        templates=np.zeros(candidates, np.uint8),
        slots=np.zeros((candidates, TEMPLATES), np.int32),
        evidence=np.zeros((candidates, EVIDENCE_GROUPS), np.uint8),
        context=np.zeros((candidates if with_context else 0, CONTEXT_GROUPS), np.int32),
        order=np.zeros((judged, LANES), np.int16),
        sums=np.zeros((judged, LANES, 2)),
        chosen=np.zeros(judged, np.int64),
        meta=np.zeros(2, np.int64),
    )


class Preparer(NamedTuple):
    """Scratch of one thread that prepares games on boards of one size."""

    board: Board
    memory: Ints
    matcher: Matcher
    candidates: Candidates
    behind: Floats


def new_preparer(size: int) -> Preparer:
    """Return scratch for boards of a size."""
    return Preparer(
        empty_board(size), new_memory(), new_matcher(size), new_candidates(), np.zeros(size**2)
    )


@kernel
def prepare_game(
    preparer: Preparer,
    knowledge: PatternKnowledge,
    moves: PackedMoves,
    size: int,
    game: int,
    with_evidence: bool,
    positions: PreparedPositions,
) -> None:
    """Append the positions of one game, which is cut at an illegal move.

    preparer       Preparer of this board size, its matcher cleared
    knowledge      PatternKnowledge; its keys alone count where no context is wanted
    moves          uint16[n], the packed moves of this game
    size, game     int64, its board size and number
    with_evidence  bool, whether the added evidence is wanted; without it all classes are 0
    positions      PreparedPositions with room for them, changes in place
    """
    board, memory, found = preparer.board, preparer.memory, preparer.candidates
    found.evidence[:] = 0  # without evidence it is never written, and it is kept with the rest
    begin_game(board, memory, size)
    ply = 0
    for i in range(len(moves)):
        move = np.int64(moves[i])
        if not can_make_move(board, move):
            break
        if is_choice(move):
            color = color_of(move)
            if len(positions.context) > 0:
                position = Position(
                    board=board, memory=memory, color=color, passes=0, komi=0.0, stands=True
                )
                count = rank_moves(knowledge, preparer.matcher, position, found, preparer.behind)
                trees = knowledge.trees
                sum_leaves(trees.questions, trees.variances, found.contenders, VARIANCE)
            else:
                count = match_moves_into(
                    preparer.matcher, knowledge.keys, board, memory, color, with_evidence, found
                )
            list_slots(preparer.matcher, color, found, count)
            index = positions.meta[MOVES]
            positions.plies[index] = ply
            positions.game[index] = game
            keep_candidates(positions, found, count, move & POINT_BITS)
        ply += move & SETUP_BIT == 0  # passes count: phases are by the number of the move
        make_move(board, memory, move)


@kernel
def keep_candidates(
    positions: PreparedPositions, found: Candidates, count: int, played: int
) -> None:
    """Append the candidates of one position, in a third of their room.

    positions  PreparedPositions with room for them, changes in place
    found      Candidates with slots and evidence
    count      int64, number of candidates
    played     int64, the point that the expert chose
    """
    index = positions.meta[MOVES]
    first = positions.meta[CANDIDATES]
    for i in range(count):
        if found.points[i] == played:
            positions.played[index] = i
        to = first + i
        positions.templates[to] = found.templates[i]
        for j in range(TEMPLATES):
            positions.slots[to, j] = found.slots[i * TEMPLATES + j]
        for group in range(EVIDENCE_GROUPS):
            positions.evidence[to, group] = found.evidence[i * EVIDENCE_GROUPS + group]
        if len(positions.context) > 0:
            for group in range(CONTEXT_GROUPS):
                positions.context[to, group] = found.context[i * CONTEXT_GROUPS + group]
    if len(positions.order) > 0:
        positions.chosen[index] = found.contenders.count[0]
        for lane in range(found.contenders.count[0]):
            positions.order[index, lane] = found.contenders.order[lane]
            for part in (MEAN, VARIANCE):
                positions.sums[index, lane, part] = found.contenders.sums[lane, part]
    positions.begins[index] = first
    positions.begins[index + 1] = first + count
    positions.meta[MOVES] = index + 1
    positions.meta[CANDIDATES] = first + count


@kernel
def recall_candidates(positions: PreparedPositions, index: int, found: Candidates) -> int:
    """Return the candidates of one position in the format of ``valuing.summands_into``.

    index    int64, number of the position
    found    Candidates, overwritten but for their points, which were not kept
    returns  int64, number of candidates
    """
    first = positions.begins[index]
    count = positions.begins[index + 1] - first
    for i in range(count):
        at = first + i
        found.templates[i] = positions.templates[at]
        for j in range(TEMPLATES):
            found.slots[i * TEMPLATES + j] = positions.slots[at, j]
        for group in range(EVIDENCE_GROUPS):
            found.evidence[i * EVIDENCE_GROUPS + group] = positions.evidence[at, group]
        if len(positions.context) > 0:
            for group in range(CONTEXT_GROUPS):
                found.context[i * CONTEXT_GROUPS + group] = positions.context[at, group]
    if len(positions.order) > 0:
        found.contenders.count[0] = positions.chosen[index]
        for lane in range(positions.chosen[index]):
            found.contenders.order[lane] = positions.order[index, lane]
            for part in (MEAN, VARIANCE):
                found.contenders.sums[lane, part] = positions.sums[index, lane, part]
    return count


def prepare_games(
    preparers: dict[int, Preparer],
    knowledge: PatternKnowledge,
    games: GameArchive,
    first: int,
    last: int,
    positions: PreparedPositions,
    with_evidence: bool = True,
) -> None:
    """Overwrite ``positions`` with those of the games first..last - 1.

    preparers      by board size; added to
    knowledge      see ``prepare_game``
    with_evidence  whether any model wants the added evidence; otherwise none is computed
    """
    positions.meta[:] = 0
    for game in range(first, last):
        size = int(games.sizes[game])
        if size not in preparers:
            preparers[size] = new_preparer(size)
        preparer = preparers[size]
        # The matcher is cleared. Following the board back to empty would toggle each stone of the
        # last game, and the table may be another one.
        clear_matcher(preparer.matcher, size)
        moves = games.moves[games.starts[game] : games.starts[game + 1]]
        prepare_game(preparer, knowledge, moves, size, game, with_evidence, positions)


def blocks_of_games(games: GameArchive, start: int, most: int) -> list[tuple[int, int]]:
    """Cut the games from ``start`` on into runs of at most ``most`` candidates, or of one game."""
    # A position has at most as many candidates as points. Counting them would need a replay.
    needed = np.diff(games.starts) * games.sizes.astype(np.int64) ** 2
    blocks = []
    first, total = start, 0
    for game in range(start, games.games):
        # A block has at least one game of any size: room_for makes room for the largest.
        if game > first and total + needed[game] > most:
            blocks.append((first, game))
            first, total = game, 0
        total += int(needed[game])
    if first < games.games:
        blocks.append((first, games.games))
    return blocks


def room_for(games: GameArchive, most: int) -> tuple[int, int]:
    """Return the most moves and candidates of any block of ``blocks_of_games``."""
    lengths = np.diff(games.starts)
    largest = int((lengths * games.sizes.astype(np.int64) ** 2).max(initial=1))
    candidates = max(most, largest)
    smallest = int(games.sizes.min(initial=19))
    # Blocks count every point of a position as a candidate, so they have at most this many moves.
    return candidates // smallest**2 + 1, candidates
