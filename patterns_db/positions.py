"""Positions of games made ready for the models: each candidate's class and added evidence.

Matching does not depend on what is learned, so one thread prepares the next games while others
learn from these ones.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.go.board import Board, empty_board
from engine.go.geometry import AREA
from engine.jit import kernel
from engine.patterns.choice import NO_SUMMAND
from engine.patterns.evidence import GROUPS, new_memory
from engine.patterns.features import Integers
from engine.patterns.matching import (
    NO_MATCH,
    Candidates,
    Matcher,
    clear_matcher,
    match_moves_into,
    new_candidates,
    new_matcher,
)
from engine.patterns.templates import TEMPLATES
from engine.patterns.valuing import FIRST_ROWS
from patterns_db.archive import POINT_BITS, SETUP_BIT, GameArchive
from patterns_db.packed import Moves, begin_game, color_of, is_choice, is_playable, make_move

MOVES, CANDIDATES = 0, 1  # slots of Positions.meta

CandidateSlots = npt.NDArray[np.int32]
Classes = npt.NDArray[np.uint8]


class Positions(NamedTuple):
    """The positions of some games, in order.

    begins     int64[moves + 1], first candidate of each position
    played     int64[moves], the expert's candidate, counted from the position's first
    plies      int64[moves], moves made before it in its game, passes included
    game       int64[moves], number of its game in the archive
    templates  uint8[candidates], the largest template that matches, 0 if none
    slots      int32[candidates, TEMPLATES], slots of the classes of template 1, 2, ..., -1 beyond
    evidence   uint8[candidates, GROUPS], classes of the added evidence
    meta       int64[2], see MOVES, CANDIDATES
    """

    begins: Integers
    played: Integers
    plies: Integers
    game: Integers
    templates: Classes
    slots: CandidateSlots
    evidence: Classes
    meta: Integers


def new_positions(moves: int, candidates: int) -> Positions:
    """Return room for so many positions with so many candidates in all."""
    played, plies, game = np.zeros((3, moves), np.int64)
    return Positions(
        begins=np.zeros(moves + 1, np.int64),
        played=played,
        plies=plies,
        game=game,
        templates=np.zeros(candidates, np.uint8),
        slots=np.zeros((candidates, TEMPLATES), np.int32),
        evidence=np.zeros((candidates, GROUPS), np.uint8),
        meta=np.zeros(2, np.int64),
    )


class Preparer(NamedTuple):
    """Scratch of one thread that prepares games on boards of one size."""

    board: Board
    memory: Integers
    matcher: Matcher
    candidates: Candidates


def new_preparer(size: int) -> Preparer:
    """Return scratch for boards of a size."""
    return Preparer(empty_board(size), new_memory(), new_matcher(size), new_candidates())


@kernel
def prepare_game(
    preparer: Preparer,
    keys: npt.NDArray[np.uint32],
    moves: Moves,
    start: int,
    end: int,
    size: int,
    game: int,
    with_evidence: bool,
    positions: Positions,
) -> None:
    """Append the positions of one game; it is cut at an illegal move.

    preparer       Preparer, its matcher cleared
    keys           uint32[slots], the table of pattern classes
    moves          uint16[...], the game is moves[start:end]
    game           int64, its number
    with_evidence  bool, whether the added evidence is wanted; without it all classes are 0
    positions      Positions with room for them, changes in place
    """
    board, found = preparer.board, preparer.candidates
    found.evidence[:] = 0
    begin_game(board, preparer.memory, size)
    ply = 0
    for i in range(start, end):
        move = np.int64(moves[i])
        if not is_playable(board, move):
            break
        if is_choice(move):
            color = color_of(move)
            count = match_moves_into(
                preparer.matcher, keys, board, preparer.memory, color, with_evidence, found
            )
            index = positions.meta[MOVES]
            first = positions.meta[CANDIDATES]
            for candidate in range(count):
                if found.points[candidate] == move & POINT_BITS:
                    positions.played[index] = candidate
                to = first + candidate
                matched = found.templates[candidate]
                positions.templates[to] = matched
                vertex = (color - 1) * AREA + found.points[candidate]
                for smaller in range(TEMPLATES):
                    slot = preparer.matcher.slots[vertex * TEMPLATES + smaller]
                    positions.slots[to, smaller] = slot if smaller < matched else NO_MATCH
                for group in range(GROUPS):
                    positions.evidence[to, group] = found.evidence[candidate * GROUPS + group]
            positions.plies[index] = ply
            positions.game[index] = game
            positions.begins[index] = first
            positions.begins[index + 1] = first + count
            positions.meta[MOVES] = index + 1
            positions.meta[CANDIDATES] = first + count
        ply += move & SETUP_BIT == 0
        make_move(board, preparer.memory, move)


def prepare_games(
    preparers: dict[int, Preparer],
    keys: npt.NDArray[np.uint32],
    games: GameArchive,
    first: int,
    last: int,
    positions: Positions,
    with_evidence: bool = True,
) -> None:
    """Overwrite ``positions`` with those of the games first..last - 1.

    preparers      by board size; added to
    with_evidence  whether any model wants the added evidence; without it none is found
    """
    positions.meta[:] = 0
    for game in range(first, last):
        size = int(games.sizes[game])
        if size not in preparers:
            preparers[size] = new_preparer(size)
        preparer = preparers[size]
        clear_matcher(preparer.matcher, size)
        start, end = int(games.starts[game]), int(games.starts[game + 1])
        prepare_game(preparer, keys, games.moves, start, end, size, game, with_evidence, positions)


@kernel
def rows_into(
    positions: Positions, first: int, count: int, slots: int, smaller: bool, rows: Integers
) -> None:
    """Name the summands of one position's candidates by their rows in the beliefs.

    positions  Positions
    first      int64, first candidate of the position
    count      int64, number of candidates
    slots      int64, number of pattern rows; the rows of the added evidence follow
    smaller    bool, whether the classes of all templates are wanted, not of the largest one alone
    rows       int64[>= count, width], overwritten: pattern classes, TEMPLATES if ``smaller`` or
               else one, then, if there is room, the added evidence; -1 = none
    """
    classes = TEMPLATES if smaller else 1
    for candidate in range(count):
        at = first + candidate
        matched = positions.templates[at]
        if smaller:
            for i in range(TEMPLATES):
                rows[candidate, i] = positions.slots[at, i]
        else:
            rows[candidate, 0] = positions.slots[at, max(matched, 1) - 1]
        if matched == 0:
            rows[candidate, 0] = slots
        if rows.shape[1] > classes:
            for group in range(GROUPS):
                found = np.int64(positions.evidence[at, group])
                row = slots + FIRST_ROWS[group] + found
                rows[candidate, classes + group] = row if found > 0 else NO_SUMMAND


def blocks_of_games(games: GameArchive, start: int, most: int) -> list[tuple[int, int]]:
    """Cut the games from ``start`` on into runs with at most ``most`` candidates, one at least."""
    needed = np.diff(games.starts) * games.sizes.astype(np.int64) ** 2
    blocks = []
    first, total = start, 0
    for game in range(start, games.games):
        if game > first and total + needed[game] > most:
            blocks.append((first, game))
            first, total = game, 0
        total += int(needed[game])
    if first < games.games:
        blocks.append((first, games.games))
    return blocks


def room_for(games: GameArchive, most: int) -> tuple[int, int]:
    """Return the moves and candidates that any block of ``blocks_of_games`` may have."""
    lengths = np.diff(games.starts)
    largest = int((lengths * games.sizes.astype(np.int64) ** 2).max(initial=1))
    candidates = max(most, largest)
    smallest = int(games.sizes.min(initial=19))
    return candidates // smallest**2 + 1, candidates
