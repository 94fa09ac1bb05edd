"""When a game comes down to a sum of small fights: the moves that are right, exactly.

The player asks before it searches. Two questions come first: is most of the board decided (cheap),
and which points belong to whom if every chain meets the fate it is judged to meet (roll-outs)?
Where the rest is a sum of small fights, ``fights`` solves it. Area rules only: under territory
rules dame are worth nothing and a move inside one's own area costs a point, so the games differ.
"""

import numpy as np
import numpy.typing as npt

from engine.errors import BadSum
from engine.go.board import BLACK, BOARD_CELLS, COLOR, EMPTY, KO, SIZE, Board
from engine.go.geometry import AREA, board_points
from engine.go.history import Game
from engine.jit import warm_up
from engine.pcg.fights import SumAdvice, best_moves, find_fights
from engine.pcg.point_games import Shapes
from engine.rollout.careful import survey_fates

BUDGET = 20_000
"""Comparisons and positions at most, for one position of the board."""
ROLLOUTS, LEAST_ROLLOUTS = 300, 50
DECIDED = 0.6
"""A chain's fate counts as known when its owner wins this share of the roll-outs, net."""
OPEN_SHARE = 0.3
"""A position is late when at most this share of its points is less decided than that."""


def advise(game: Game, color: int, ownership: npt.NDArray[np.float64]) -> SumAdvice | None:
    """Return the best moves where the position is a sum of small fights, else None.

    ownership  float64[AREA], -1 White .. 1 Black, from roll-outs that either side begins
    None also when no fight is left: the search decides how to end the game. The same position
    always gets the same advice.
    """
    if game.rules.scoring != "area":
        return None
    seed = game.position_hash | 1
    return advise_on_board(game.board, color, ownership, seed)


def advise_on_board(
    board: Board, color: int, ownership: npt.NDArray[np.float64], seed: int
) -> SumAdvice | None:
    """Do as ``advise``; seed  of the roll-outs, above 0."""
    if not _is_late(board, ownership):
        return None
    given = ownership_given_fates(board, ownership, seed)
    if given is None:
        return None
    shapes = Shapes(BUDGET)
    try:
        found = find_fights(board, given, shapes)
        return None if found is None else best_moves(*found, color, shapes)
    except BadSum:
        return None


def explain(advice: SumAdvice, color: int, komi: float) -> str:
    """Return in words why a move was chosen.

    komi  points for White, handicap compensation included
    """
    margin = advice.margin - komi if color == BLACK else komi - advice.margin
    fights = "one small fight" if advice.fights == 1 else f"{advice.fights} small fights"
    end = "jigo" if margin == 0 else f"{'won' if margin > 0 else 'lost'} by {abs(margin):g}"
    return f"all settled but {fights}: worth {advice.worth} points, {end} with best play"


def _is_late(board: Board, ownership: npt.NDArray[np.float64]) -> bool:
    """Return whether most of the board is decided: the cheap test before all others."""
    points = board_points(int(board[SIZE]))
    return int(np.sum(np.abs(ownership[points]) < DECIDED)) <= OPEN_SHARE * len(points)


def ownership_given_fates(
    board: Board, ownership: npt.NDArray[np.float64], seed: int
) -> npt.NDArray[np.float64] | None:
    """Return ownership from roll-outs in which no chain met another fate than it mostly does.

    Roll-outs kill living groups now and then, with all their territory: that says nothing about
    fights elsewhere, and all points of a group share it. None when too few roll-outs are left.
    """
    expected = np.zeros(AREA, np.int64)
    for point in board_points(int(board[SIZE])):
        if board[COLOR + point] != EMPTY and abs(ownership[point]) >= DECIDED:
            expected[point] = 1 if ownership[point] > 0 else -1
    bare = board.copy()
    bare[KO] = 0
    owned, neutral = np.zeros((2, AREA), np.int64)
    rng = np.array([seed], np.uint64)
    work = np.zeros(BOARD_CELLS, np.uint16)
    counted = int(survey_fates(bare, ROLLOUTS, rng, expected, owned, neutral, work))
    return owned / counted if counted >= LEAST_ROLLOUTS else None


@warm_up("advice on endings", playing=True)
def _warm_up() -> None:
    game = Game(5)
    advise(game, BLACK, np.zeros(AREA))
    ownership_given_fates(game.board, np.zeros(AREA), 1)
