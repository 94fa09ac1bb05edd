"""A game as one path: its positions, the searches of them, and the posterior of all moves.

The findings after a move inform the judgement before it, by the messages of ``engine.belief``. So
the curve is calm where nothing happened, and jumps where a mistake was.
"""

from collections.abc import Mapping
from itertools import pairwise
from types import MappingProxyType
from typing import NamedTuple

from engine.belief.path import GamePath, PathStep, Sight, follow
from engine.belief.posterior import handicap_share
from engine.belief.root_moves import occupied_share
from engine.go.board import BLACK
from engine.go.geometry import PASS
from engine.go.history import Game
from engine.go.played import Move
from engine.go.symmetry import equal_moves
from engine.people.posterior import RankPosterior
from engine.review.comparisons import Comparison
from engine.review.looks import LOOKS, PositionLook, widened
from engine.review.mistakes import MISTAKES, prior_odds, tempered, tracks_of
from engine.review.move_loss import wildness

Ranks = Mapping[int, RankPosterior]
"""What is believed of the players' ranks, by color; a color may be missing."""


class GamePosition(NamedTuple):
    """One position of a game that is to be reviewed."""

    node: int  # its place in the record that the caller has, which notes are written to
    number: int  # moves made before it
    play: Move | None  # the move that led there; None at the beginning and after a set-up
    game: Game  # up to there; the side to move is that of the next move


class Thought(NamedTuple):
    """The knowledge of one position; the first four fields are those of ``GamePosition``."""

    node: int
    number: int
    play: Move | None
    game: Game
    look: PositionLook
    # Probability of each legal move by the ranking model; empty without one
    chances: dict[int, float]

    def prefers_another(self, move: int) -> bool:
        """Return whether the best move of its search is neither this one nor equal to it."""
        best = self.look.decision.candidates[:1]
        return bool(best) and not equal_moves(self.game, move, best[0].point)


class Course(NamedTuple):
    """The positions of a game, in order, and what is known of its players."""

    thoughts: list[Thought]
    ranks: Ranks = MappingProxyType({})

    @property
    def size(self) -> int:
        """Number of points a side of the board."""
        return self.thoughts[0].game.size

    def steps(self) -> list[int]:
        """Return the numbers of the steps between positions that are one move."""
        return [n for n, pair in enumerate(pairwise(self.thoughts)) if sign_of(*pair)]

    def played(self, step: int) -> int:
        """Return the move of a step that is one."""
        play = self.thoughts[step + 1].play
        assert play is not None
        return play.point

    def wildness(self, step: int) -> float:
        """Return how much was at stake before the move of a step."""
        thought = self.thoughts[step]
        # Handicap stones make leads and deviations larger, but not what is at stake.
        share = handicap_share(thought.game.handicap, occupied_share(thought.game.board))
        return wildness(self.size, thought.look.deviation / (1.0 + share))

    def prior(self, step: int) -> float:
        """Return the log-odds, before any search, that the move of a step was a mistake."""
        play = self.thoughts[step + 1].play
        assert play is not None
        if play.point == PASS:
            return MISTAKES.prior_of_pass
        game, chances = self.thoughts[step].game, self.thoughts[step].chances
        occupied = occupied_share(game.board)
        odds = prior_odds(chances.get(play.point), self.ranks.get(play.color), occupied)
        return odds + MISTAKES.prior_a_line * (self.size - 9)

    def chance_of_mistake(self, path: GamePath, step: int) -> float:
        """Return the probability to tell that the move of a step was a mistake."""
        return tempered(path.mistakes[step], self.prior(step), self.wildness(step))


def path_of(course: Course, compared: Mapping[int, Comparison]) -> GamePath:
    """Return the posterior of a game, given all looks, and comparisons by step."""
    steps = []
    for number, (before, after) in enumerate(pairwise(course.thoughts)):
        sign = sign_of(before, after)
        prior = course.prior(number) if sign else 0.0
        losses = compared[number].losses if number in compared else ()
        steps.append(PathStep(sign, prior, losses))
    sights = [_sight(thought.look) for thought in course.thoughts]
    return follow(tracks_of(course.size), sights, steps)


def _sight(look: PositionLook) -> Sight:
    """Return what a look says of a position: what was counted has no systematic error."""
    if look.counted:
        return Sight(0, look.observations)
    observations = tuple(
        widened(one, bias) for one, bias in zip(look.observations, LOOKS.bias, strict=True)
    )
    return Sight(1 if look.color == BLACK else -1, observations)


def sign_of(before: Thought, after: Thought) -> int:
    """Return +1 for one move of Black's between two positions, -1 for White's, else 0."""
    play = after.play
    # Between them may be a set-up, or a color may have moved twice.
    if play is None or after.number != before.number + 1:
        return 0
    if not before.look.color == play.color != after.look.color:
        return 0
    return 1 if play.color == BLACK else -1
