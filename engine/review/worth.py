"""Which moves are worth a remark to a player of some level.

These are each player's three costliest moves, mistakes or moves that may be one, and the other
mistakes that help the player. After the game was decided only the costliest moves count.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from engine.go.board import BLACK, WHITE
from engine.player.levels import STRONGEST, WEAKEST, level_number
from engine.review.judging import Judgement, Review, better_of
from engine.review.mistakes import MISTAKES
from engine.review.move_loss import LOSS


class WorthLimits(NamedTuple):
    """Thresholds of moves that are worth a remark."""

    costliest: int = 3  # moves of each player that always get a remark
    decided: float = 0.97  # least chance of one side from a move on, if the game was decided


WORTH = WorthLimits()


class Level(NamedTuple):
    """What a player can use."""

    # Points that a mistake must lose for a remark, in units of MISTAKES.least_loss
    least: float = 1.0
    most: int = 1000  # remarks for each color
    # Least probability that a strong player plays the better move, by the ranking model: a move
    # that comes to nobody's mind teaches little
    chance: float = 0.0


Levels = Level | Mapping[int, Level]
"""What the reader of a review can use: one level, or one for each color."""


def read_level(text: str) -> Level:
    """Return what a player of a grade can use, "20k" to "1k" and "1d" to "5d". Raises BadSetup."""
    return level_of(level_number(text.strip()))


def level_of(number: float) -> Level:
    """Return what a player of so many kyu can use, WEAKEST to STRONGEST; 1d is 0."""
    share = (WEAKEST - min(max(number, STRONGEST), WEAKEST)) / (WEAKEST - STRONGEST)
    return Level(3.5 - 2.5 * share, round(3 + 17 * share), 0.05 * (1.0 - share))


def own_levels(review: Review) -> dict[int, Level]:
    """Return what each player can use, by the posterior of their ranks; unknown: everything."""
    return {
        color: level_of(review.ranks[color].median) if color in review.ranks else Level()
        for color in (BLACK, WHITE)
    }


def _for_color(level: Levels, color: int) -> Level:
    return level if isinstance(level, Level) else level[color]


def worth_remarks(review: Review, level: Levels) -> list[list[Judgement]]:
    """Return the moves that are worth a remark to a level, in their order.

    Each comes with the player's others that leave the same point open. Mistakes come with as many
    remarks as the level can use. Each player's costliest moves have one at any level.
    """
    chosen: list[list[Judgement]] = []
    for color in (BLACK, WHITE):
        used = _for_color(level, color)
        costly = [
            one
            for one in review.judgements
            if one.play.color == color
            and (one.certainty != "perhaps" or _may_be(one, color in review.stronger))
        ]
        points = open_points(costly)
        chosen += points[: min(WORTH.costliest, used.most)]
        least = used.least * MISTAKES.least_loss
        chosen += [
            point
            for point in points[WORTH.costliest : used.most]
            if point[0].certainty != "perhaps"
            and not _is_decided(review, point[0])
            and point[0].loss.points >= least
            and _chance(review, point[0]) >= used.chance
        ]
    return sorted(chosen, key=lambda point: point[0].after)


def _is_decided(review: Review, judgement: Judgement) -> bool:
    """Return whether one side surely wins before a move and ever after."""
    rates = review.win_rates[judgement.before :]
    return min(rates) >= WORTH.decided or max(rates) <= 1.0 - WORTH.decided


def _may_be(judgement: Judgement, stronger: bool) -> bool:
    """Return whether a move that is not called a mistake may be a costly one.

    stronger  whether its player is stronger than the engine
    """
    doubted = judgement.verdict == "uncertain" and judgement.better_moves
    least = LOSS.large if stronger else MISTAKES.least_loss
    return bool(doubted) and judgement.loss.points >= least


def _chance(review: Review, judgement: Judgement) -> float:
    """Return the probability that a strong player plays the better move; 1.0 if it is unknown."""
    chances = review.thoughts[judgement.before].chances
    return chances.get(better_of(judgement), 0.0) if chances else 1.0


def open_points(costly: Sequence[Judgement]) -> list[list[Judgement]]:
    """Put together the moves of a player that leave the same point open, the costliest first.

    A point that stays the largest on the board is worth one remark, not one at every move. It is
    on the costliest mistake: a move that is none may leave the same point open, and seem to cost
    more.
    """
    points: dict[int, list[Judgement]] = {}
    for one in sorted(costly, key=lambda one: (one.certainty == "perhaps", -one.loss.points)):
        points.setdefault(better_of(one), []).append(one)
    return sorted(points.values(), key=lambda point: -point[0].loss.points)
