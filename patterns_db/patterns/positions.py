"""Positions of games, prepared for the models: each candidate's class and added evidence.

Matching does not depend on learned values, so one thread prepares the next games while others learn
from these.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.arrays import Ints
from engine.go.board import Board, empty_board
from engine.jit import kernel
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
from engine.patterns.table import TableKeys
from engine.patterns.templates import TEMPLATES
from patterns_db.patterns.packed import PackedMoves, begin_game, color_of, next_choice
from patterns_db.records.archive import POINT_BITS, GameArchive

MOVES, CANDIDATES = 0, 1  # slots of PreparedPositions.meta

CandidateSlots = npt.NDArray[np.int32]


class PreparedPositions(NamedTuple):
    """The positions of some games, in order.

    begins     int64[moves + 1], first candidate of each position
    played     int64[moves], the expert's candidate, counted from the position's first
    templates  uint8[candidates], the largest template that matches, 0 if none
    slots      int32[candidates, TEMPLATES], slots of the classes of template 1, 2, ..., -1 beyond
    evidence   uint8[candidates, EVIDENCE_GROUPS], classes of the added evidence
    meta       int64[2], see MOVES, CANDIDATES
    """

    begins: Ints
    played: Ints
    templates: Bytes
    slots: CandidateSlots
    evidence: Bytes
    meta: Ints


def new_positions(moves: int, candidates: int) -> PreparedPositions:
    """Return room for a number of positions with a total number of candidates."""
    return PreparedPositions(
        # The types are the smallest possible, since a move has hundreds of candidates.
        begins=np.zeros(moves + 1, np.int64),
        played=np.zeros(moves, np.int64),
        templates=np.zeros(candidates, np.uint8),
        slots=np.zeros((candidates, TEMPLATES), np.int32),
        evidence=np.zeros((candidates, EVIDENCE_GROUPS), np.uint8),
        meta=np.zeros(2, np.int64),
    )


class Preparer(NamedTuple):
    """Scratch of one thread that prepares games on boards of one size."""

    board: Board
    memory: Ints
    matcher: Matcher
    candidates: Candidates


def preparer_for(preparers: dict[int, Preparer], size: int) -> Preparer:
    """Return the scratch for boards of a size, its matcher cleared; it is made on first use."""
    if size not in preparers:
        board, matcher = empty_board(size), new_matcher(size)
        preparers[size] = Preparer(board, new_memory(), matcher, new_candidates())
    # Following the board back to empty would toggle each stone of the last game, and the table may
    # be another one.
    clear_matcher(preparers[size].matcher, size)
    return preparers[size]


@kernel
def prepare_game(
    preparer: Preparer,
    keys: TableKeys,
    moves: PackedMoves,
    size: int,
    with_evidence: bool,
    positions: PreparedPositions,
) -> None:
    """Append the positions of one game, which is cut at an illegal move.

    preparer       Preparer of this board size, its matcher cleared
    keys           uint32[slots], see engine.patterns.table
    moves          uint16[n], the packed moves of this game
    size           int64, its board size
    with_evidence  bool, whether the added evidence is wanted; without it all classes are 0
    positions      PreparedPositions with room for them, changes in place
    """
    board, memory, found = preparer.board, preparer.memory, preparer.candidates
    found.evidence[:] = 0  # without evidence it is never written, and it is kept with the rest
    begin_game(board, memory, size)
    i = next_choice(board, memory, moves, np.int64(-1))
    while i < len(moves):
        move = np.int64(moves[i])
        color = color_of(move)
        count = match_moves_into(preparer.matcher, keys, board, memory, color, with_evidence, found)
        list_slots(preparer.matcher, color, found, count)
        keep_candidates(positions, found, count, move & POINT_BITS)
        i = next_choice(board, memory, moves, i)


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
    return count


def prepare_games(
    preparers: dict[int, Preparer],
    keys: TableKeys,
    games: GameArchive,
    first: int,
    last: int,
    positions: PreparedPositions,
    with_evidence: bool = True,
) -> None:
    """Overwrite ``positions`` with those of the games first..last - 1.

    preparers      by board size; added to
    keys           uint32[slots], see engine.patterns.table
    with_evidence  whether any model wants the added evidence; otherwise none is computed
    """
    positions.meta[:] = 0
    for game in range(first, last):
        size = int(games.sizes[game])
        preparer = preparer_for(preparers, size)
        moves = games.moves[games.starts[game] : games.starts[game + 1]]
        prepare_game(preparer, keys, moves, size, with_evidence, positions)


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
