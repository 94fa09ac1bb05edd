"""The first move in a fight over life that no proof decides, judged by the search.

The solver's question about a group in a region becomes a board, which the playing search looks at
as at any game. The outside becomes the attacker's, with two eyes. Komi is such that the side wins
whose aim for the group is reached.
"""

from collections.abc import Callable
from typing import NamedTuple

from engine.belief.knowledge import Knowledge
from engine.belief.searcher import Searcher
from engine.errors import BadSetup
from engine.go.board import BLACK, COLOR, EMPTY, SIZE, WHITE, Board
from engine.go.components import components
from engine.go.geometry import PASS, board_points, diagonals, lines_apart, neighbors
from engine.go.history import Game
from engine.go.rules import RULESETS
from engine.life.goal import LifeQuestion
from engine.patterns.position import position_of
from engine.search.grower import Root
from engine.search.model import SearchModel, by_visits


class StageLimits(NamedTuple):
    """The fights that a stage of a board holds."""

    eyes: int = 2  # in every part of the outside
    # Points: a defender with no more left, such as a stone thrown in, is dead
    dead: int = 2
    memory: int = 256 << 20
    # Roll-outs between two checks of the clock: some ten milliseconds
    batch: int = 500


STAGE = StageLimits()


def staged(board: Board, question: LifeQuestion, to_move: int) -> Game | None:
    """Return the fight as a game on a board where all points outside are the attacker's.

    The attacker wins when the defender has at most two points. None: the outside has no room for
    two eyes, or friends save the group there; a part of it without such room stays as it is.
    """
    size, region = int(board[SIZE]), question.points
    attacker = 3 - question.defender
    points = board_points(size)
    outside = {point for point in points if point not in region}
    for point in outside:
        if board[COLOR + point] == question.defender and region & set(neighbors(point)):
            return None
    filled: set[int] = set()
    eyes: set[int] = set()
    for part in map(set, components(outside)):
        part_eyes = _eyes(board, part)
        if len(part_eyes) == STAGE.eyes:
            filled |= part
            eyes |= part_eyes
    if not eyes:
        return None
    stones: dict[int, list[int]] = {BLACK: [], WHITE: []}
    for point in points:
        color = attacker if point in filled else int(board[COLOR + point])
        if color != EMPTY and point not in eyes:
            stones[color].append(point)
    # The attacker wins with all points but those of a dead defender; a win is by one point.
    komi = float(size * size - 2 * STAGE.dead - 1)
    game = Game(size, RULESETS["chinese"], komi if attacker == BLACK else -komi)
    try:
        game.setup(stones[BLACK], stones[WHITE], to_move)
    except BadSetup:  # a chain that had its last liberty outside
        return None
    return game


def _eyes(board: Board, part: set[int]) -> set[int]:
    """Return the empty points that a part of the outside needs for eyes, if it has them."""
    size = int(board[SIZE])
    on_board = set(board_points(size))
    eyes: set[int] = set()
    for point in sorted(part):
        around = {*neighbors(point), *diagonals(point)} & on_board
        apart = all(lines_apart(point, eye) > 1 for eye in eyes)
        if board[COLOR + point] == EMPTY and around <= part and apart:
            eyes.add(point)
            if len(eyes) == STAGE.eyes:
                break
    return eyes


class FightJudge:
    """Finds the most promising first move of fights; its kernels are ready once it is made."""

    def __init__(self, knowledge: Knowledge, clock: Callable[[], float]) -> None:
        # Experts' choices in games tell nothing about a staged fight.
        self._searcher = Searcher(by_visits(SearchModel()), knowledge, 1, STAGE.memory, 1)
        self._clock = clock
        self._search(Game(5), frozenset({PASS}), 0.0)

    def best_move(
        self, board: Board, question: LifeQuestion, to_move: int, seconds: float
    ) -> int | None:
        """Return the best first move in the region; None: not ``staged``, or no move is left."""
        start = self._clock()
        game = staged(board, question, to_move)
        if game is None:
            return None
        allowed = question.points & set(game.legal_points(to_move))
        if not allowed:
            return None
        moves = self._search(game, frozenset({*allowed, PASS}), start + seconds)
        # The question is a move to play, so a pass is no answer, however promising.
        return next((move for move in moves if move != PASS), None)

    def _search(self, game: Game, allowed: frozenset[int], deadline: float) -> list[int]:
        """Return some moves of a game, the best first, after a search until a deadline."""
        searcher = self._searcher
        searcher.forget()
        searcher.set_root(Root(position_of(game, game.to_play), allowed), None)
        count = 1  # a first call that only compiles needs no more
        while searcher.run(count, None) and self._clock() < deadline:
            count = STAGE.batch
        return [move.point for move in searcher.report().moves]
