"""Moves without a search: the ranking model's first choice, where a clock leaves no more time.

Such a move has to cost a few milliseconds. Late in a game the ranking model alone would fill its
own territory, because it has learned no passes. From ``LATE`` on, and after the opponent's pass, a
few careful roll-outs exclude sure points and the liberties of a seki. Without others it passes.
"""

from collections.abc import Generator, Iterable, Iterator, Set
from functools import cached_property

import numpy as np

from engine.belief.calibration import no_calibration
from engine.belief.knowledge import Knowledge
from engine.belief.posterior import Posterior, prior_of
from engine.belief.report import SearchReport, unsearched
from engine.belief.root_moves import occupied_share
from engine.errors import MoveCode
from engine.explain.kinds import Effect, Kind
from engine.facts.final_status import STATUS
from engine.facts.position_facts import Facts
from engine.facts.survey import SURVEY
from engine.go.board import BLACK, Ownership
from engine.go.geometry import AREA, PASS, board_points
from engine.go.history import Game
from engine.patterns.predictor import Predictor
from engine.patterns.valuing import PatternKnowledge
from engine.picture.picture import picture_of
from engine.player.decision import Decision, expected_move
from engine.rollout.uniform import is_playable

# Share of the board with stones from which on points may be settled. In own games on 9x9 no first
# choice of the ranking model lay on a sure point before 0.45, and no position was settled before.
LATE = 0.4
# Careful roll-outs of a late position, and their net share from which on a point is sure. Under
# territory rules a needless stone costs a point, so the bound is that of a settled position, and
# more roll-outs are needed to tell. On 19x19 50 of them take 1 ms.
ROLLOUTS = {"area": 48, "territory": 128}
SURE = {"area": SURVEY.secure, "territory": STATUS.clear}


class InstantMoves:
    """Chooses moves by the ranking model alone; facts give the owners of a late position."""

    def __init__(self, patterns: PatternKnowledge, knowledge: Knowledge, facts: Facts) -> None:
        self._patterns, self._facts = patterns, facts
        self._calibration = knowledge.calibration or no_calibration()

    @cached_property
    def _predictor(self) -> Predictor:
        # Made when first needed: its scratch takes some MiB.
        return Predictor(self._patterns)

    def think(
        self, game: Game, color: int, avoid: Set[int], cause: Kind
    ) -> Generator[SearchReport, None, Decision]:
        """Report once and return the move; ``cause`` is why there was no search."""
        scoring = game.rules.scoring
        counts = self._facts.few_rollouts(game, ROLLOUTS[scoring]) if is_late(game) else None
        owners = np.zeros(AREA) if counts is None else counts.owned / ROLLOUTS[scoring]
        chances = self._chances(game, color)
        is_open = np.abs(owners) < SURE[scoring]
        if counts is not None:
            is_open &= 2 * counts.neutral <= ROLLOUTS[scoring]
        point = next(playable(game, color, (p for p in chances if is_open[p]), avoid), PASS)
        if point == PASS and game.rules.capture_dead:
            near = liberties_of_dead(game, color, owners)
            point = next(playable(game, color, (p for p in chances if p in near), avoid), PASS)
        chance = chances.get(point, 1.0)  # a pass is the only move
        why = Effect(Kind.NO_OPEN_POINT, 0.0)
        if point != PASS:
            why = expected_move(color, point, chance)
        posterior = self._posterior(game, color, None if counts is None else owners)
        report = unsearched({point: chance}, posterior, owners, color)
        yield report
        return Decision(point, False, (Effect(cause, 0.0), why), report.moves[0].win_rate, 0)

    def expect(self, game: Game, color: int, avoid: Set[int]) -> SearchReport:
        """Return the ranking model's probabilities of all moves, as a report before any search."""
        chances = self._chances(game, color)
        moves = {point: chances[point] for point in playable(game, color, chances, avoid)}
        posterior = self._posterior(game, color, None)
        return unsearched(moves or {PASS: 1.0}, posterior, np.zeros(AREA), color)

    def _chances(self, game: Game, color: int) -> dict[int, float]:
        """Return the probability of each legal move, the most likely first."""
        chances = self._predictor.of_game(game, color)
        # The lowest point wins a tie, so that a position always gets the same move.
        order = sorted(chances, key=lambda point: (-chances[point], point))
        return {point: chances[point] for point in order}

    def _posterior(self, game: Game, color: int, owners: Ownership | None) -> Posterior:
        """Return the posterior of the final margin: by the owners, or else the prior."""
        komi = game.area_komi(color)
        if owners is not None:
            # Open points are treated as perfectly correlated, like the stones of one chain.
            on_board = owners[board_points(game.size)]
            deviation = float(np.sqrt(1.0 - on_board**2).sum())
            return Posterior.of_board(game.size, komi, float(on_board.sum()) - komi, deviation)
        occupied = occupied_share(game.board)
        # What earlier searches believed is left out: following their path takes 5 ms.
        return prior_of(game.size, occupied, komi, game.handicap, self._calibration)


def is_late(game: Game) -> bool:
    """Return whether some points may be settled, so that a few roll-outs are needed."""
    return game.passes > 0 or occupied_share(game.board) >= LATE


def playable(game: Game, color: int, points: Iterable[int], avoid: Set[int]) -> Iterator[int]:
    """Yield those of some points that a color may play and that are no own eyes, in order."""
    for point in points:
        is_move = point not in avoid and is_playable(game.board, point, color)
        if is_move and game.legality(color, point) == MoveCode.LEGAL:
            yield point


def liberties_of_dead(game: Game, color: int, owners: Ownership) -> set[int]:
    """Return the liberties of the opponent's stones that surely end as a color's points."""
    sign = 1.0 if color == BLACK else -1.0
    stones = [stone for stone in game.stones(3 - color) if sign * owners[stone] >= SURVEY.secure]
    return picture_of(game.board).liberties_of(stones)
