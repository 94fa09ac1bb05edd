"""Choices of players of known rank from game records, with features of each candidate.

Matching and predicting do not depend on the weights learned from people, so they run once. The
positions are studied by the kernels that levels play with, so that a review compiles none.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.arrays import Floats, Ints
from engine.go.board import BLACK, KO, place
from engine.go.geometry import PASS
from engine.go.setup import set_up_board
from engine.patterns.evidence import new_memory, remember_move
from engine.patterns.position import Position
from engine.patterns.valuing import PatternKnowledge
from engine.people.features import GROUPS, PHASES
from engine.people.model import INPUTS, KINKS, VALUE_GAP, PeoplePredictor, model_of_patterns
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

    def recall(self, index: int) -> tuple[Floats, Ints]:
        """Return float64[n, INPUTS] and int64[n, GROUPS], of the candidates of a position."""
        candidates = slice(self.begins[index], self.begins[index + 1])
        chances = self.chances[candidates]
        inputs = np.zeros((len(chances), INPUTS))
        inputs[:, self.phase[index]] = chances
        for kink, lowest in enumerate(KINKS):
            inputs[:, PHASES + kink] = np.maximum(chances, lowest)
        inputs[:, VALUE_GAP] = self.gaps[candidates]
        return inputs, self.rows[candidates].astype(np.int64)


def _positions(game: DecodedGame) -> Iterator[tuple[Position, int]]:
    """Yield each position with a move that is no pass, and that move; the arrays are reused."""
    board, memory = set_up_board(game.size, game.black.tolist(), game.white.tolist()), new_memory()
    for color, point in zip(game.colors.tolist(), game.moves.tolist(), strict=True):
        if point == PASS:  # place is not called, so the ban of the move before must end here
            board[KO] = 0
        else:
            position = Position(
                board=board, memory=memory, color=color, passes=0, komi=0.0, stands=True
            )
            yield position, point
            place(board, point, color)
        remember_move(board, memory, point)


def collect_choices(
    games: Iterable[DecodedGame], knowledge: PatternKnowledge, counted_up: bool = False
) -> PeopleChoices:
    """Return the choices of all players of some games. Unknown ranks become UNKNOWN.

    counted_up  see ``kyu_of``
    """
    predictor = PeoplePredictor(knowledge, model_of_patterns())
    work = predictor.work
    moves: list[tuple[int, ...]] = []
    # Not empty lists, because a concatenation needs an array.
    chances, gaps = [np.zeros(0, np.float32)], [np.zeros(0, np.float32)]
    rows = [np.zeros((0, GROUPS), np.uint16)]
    for number, game in enumerate(games):
        ranks = [kyu_of(rank, counted_up) for rank in game.ranks]
        for position, point in _positions(game):
            count = predictor.study(position, game.size)
            inputs = work.inputs[:count]
            # One candidate's inputs show the phase: the inputs of other phases are 0. Only a
            # certain candidate has a log probability of 0.
            in_phase = int(inputs[:, :PHASES].any(axis=0).argmax())
            index = int((work.prediction.candidates.points[:count] == point).argmax())
            rank = ranks[position.color - BLACK]
            of_mover = UNKNOWN if rank is None else rank
            moves.append((count, index, of_mover, position.color, number, in_phase))
            chances.append(inputs[:, in_phase].astype(np.float32))
            gaps.append(inputs[:, VALUE_GAP].astype(np.float32))
            rows.append(work.rows[:count].astype(np.uint16))
    counts, played, kyu, color, of_game, phase = np.array(moves, np.int64).reshape(-1, 6).T
    return PeopleChoices(
        begins=np.cumsum([0, *counts]), played=played, kyu=kyu, color=color, game=of_game,
        phase=phase, chances=np.concatenate(chances), gaps=np.concatenate(gaps),
        rows=np.concatenate(rows),
    )  # fmt: skip
