"""Choices of players of known rank from game records, with features of each candidate.

Matching and predicting do not depend on the weights learned from people, so they run once.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from engine.arrays import Floats, Ints
from engine.go.board import BLACK, SIZE
from engine.jit import kernel
from engine.patterns.position import Position
from engine.patterns.predictor import predict_moves
from engine.patterns.valuing import PatternKnowledge
from engine.people.features import GROUPS, PHASES
from engine.people.model import (
    KINKS,
    VALUE_GAP,
    PeopleWork,
    new_people_work,
    order_rivals,
    study_choice,
)
from patterns_db.patterns.packed import (
    PackedMoves,
    Preparer,
    begin_game,
    next_choice,
    position_before,
    preparer_for,
)
from patterns_db.records.archive import POINT_BITS, pack_game
from patterns_db.records.games import DecodedGame
from patterns_db.records.ranks import kyu_of

UNKNOWN = 99  # kyu of a player of unknown rank


class PeopleChoices(NamedTuple):
    """Positions in which the mover's rank is known, with the played moves."""

    begins: Ints  # int64[moves + 1], first candidate of each position
    played: Ints  # int64[moves], the move, counted from the position's first candidate
    kyu: Ints  # int64[moves], the mover's rank
    color: Ints  # int64[moves]
    game: Ints  # int64[moves], number of its game
    phase: Ints  # int64[moves]
    chances: npt.NDArray[np.float32]  # float32[candidates], log probability by the ranking model
    gaps: npt.NDArray[np.float32]  # float32[candidates], its value less the best one's
    rows: npt.NDArray[np.uint16]  # uint16[candidates, GROUPS]

    @property
    def moves(self) -> int:
        """The number of choices."""
        return len(self.played)


def _new_choices(moves: int, candidates: int) -> PeopleChoices:
    played, kyu, color, game, phase = np.zeros((5, moves), np.int64)
    return PeopleChoices(
        begins=np.zeros(moves + 1, np.int64), played=played, kyu=kyu, color=color, game=game,
        phase=phase, chances=np.zeros(candidates, np.float32),
        gaps=np.zeros(candidates, np.float32), rows=np.zeros((candidates, GROUPS), np.uint16),
    )  # fmt: skip


@kernel
def choices_of_game(
    knowledge: PatternKnowledge,
    preparer: Preparer,
    work: PeopleWork,
    moves: PackedMoves,
    choices: PeopleChoices,
) -> int:
    """Write the choices of one game, which is cut at an illegal move. Return their number.

    preparer  Preparer of this board size, its matcher cleared
    work      PeopleWork, scratch
    moves     uint16[n], packed
    choices   PeopleChoices with room for them, overwritten but for kyu and game
    """
    board, memory = preparer.board, preparer.memory
    begin_game(board, memory, np.int64(board[SIZE]))
    index = first = 0
    i = next_choice(board, memory, moves, np.int64(-1))
    while i < len(moves):
        move = np.int64(moves[i])
        mine = position_before(board, memory, move)
        theirs = Position(
            board=board, memory=memory, color=3 - mine.color, passes=0, komi=0.0, stands=True
        )
        # The opponent first, as in PeoplePredictor.study.
        count = predict_moves(knowledge, preparer.matcher, theirs, work.prediction)
        order_rivals(theirs.color, count, work)
        count = predict_moves(knowledge, preparer.matcher, mine, work.prediction)
        study_choice(preparer.matcher, mine, count, work)
        choices.color[index] = mine.color
        _keep(work, choices, index, first, count, move & POINT_BITS)
        index += 1
        first += count
        choices.begins[index] = first
        i = next_choice(board, memory, moves, i)
    return index


@kernel
def _keep(
    work: PeopleWork, choices: PeopleChoices, index: int, first: int, count: int, played: int
) -> None:
    """Copy one position's candidates, from the candidate ``first`` on."""
    # One candidate's inputs show the phase: the inputs of other phases are 0. Only a certain
    # candidate has a log probability of 0.
    for phase in range(PHASES):
        for i in range(count):
            if work.inputs[i, phase] != 0.0:
                choices.phase[index] = phase
                break
    for i in range(count):
        if work.prediction.candidates.points[i] == played:
            choices.played[index] = i
        choices.chances[first + i] = work.inputs[i, choices.phase[index]]
        choices.gaps[first + i] = work.inputs[i, VALUE_GAP]
        for group in range(GROUPS):
            choices.rows[first + i, group] = work.rows[i, group]


@kernel
def recall_choice(choices: PeopleChoices, index: int, inputs: Floats, rows: Ints) -> int:
    """Write the inputs and rows of one position's candidates and return their number.

    inputs  float64[>= count, INPUTS], overwritten
    rows    int64[>= count, GROUPS], overwritten
    """
    first = choices.begins[index]
    count = choices.begins[index + 1] - first
    for i in range(count):
        chance = np.float64(choices.chances[first + i])
        for phase in range(PHASES):
            inputs[i, phase] = chance if phase == choices.phase[index] else 0.0
        for kink in range(len(KINKS)):
            inputs[i, PHASES + kink] = max(chance, KINKS[kink])
        inputs[i, VALUE_GAP] = choices.gaps[first + i]
        for group in range(GROUPS):
            rows[i, group] = choices.rows[first + i, group]
    return count


def collect_choices(
    games: Iterable[DecodedGame], knowledge: PatternKnowledge, counted_up: bool = False
) -> PeopleChoices:
    """Return the choices of all players of some games. Unknown ranks become UNKNOWN.

    counted_up  see ``kyu_of``
    """
    work, knowledge = new_people_work(), knowledge.plain()
    preparers: dict[int, Preparer] = {}
    parts: list[PeopleChoices] = []
    for number, game in enumerate(games):
        size = game.size
        moves = pack_game(game)
        room = _new_choices(len(moves), len(moves) * size * size)
        count = choices_of_game(knowledge, preparer_for(preparers, size), work, moves, room)
        player_ranks = [kyu_of(rank, counted_up) for rank in game.ranks]
        kyu = [UNKNOWN if rank is None else rank for rank in player_ranks]
        room.kyu[:] = np.where(room.color == BLACK, *kyu)
        room.game[:] = number
        parts.append(_cut(room, count))
    return join_choices(parts)


def _cut(choices: PeopleChoices, moves: int) -> PeopleChoices:
    """Return a copy of the first choices."""
    candidates = choices.begins[moves]
    lengths = (moves + 1, *[moves] * 5, *[candidates] * 3)
    arrays: tuple[Any, ...] = tuple(choices)
    return PeopleChoices._make(array[:n].copy() for array, n in zip(arrays, lengths, strict=True))


def join_choices(parts: list[PeopleChoices]) -> PeopleChoices:
    """Return the choices of several parts. Game numbers stay as they are."""
    parts = [_new_choices(0, 0), *parts]
    before = np.cumsum([0, *(part.begins[-1] for part in parts)])
    begins = [part.begins[1:] + first for part, first in zip(parts, before[:-1], strict=True)]
    joined: Any = (np.concatenate(arrays) for arrays in list(zip(*parts, strict=True))[1:])
    return PeopleChoices._make([np.concatenate([np.zeros(1, np.int64), *begins]), *joined])
