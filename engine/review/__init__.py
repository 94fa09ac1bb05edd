"""Reviews of games: the loss of every move, its certainty and its reason; without files.

Read ``looks`` (searches of one position), ``comparisons`` (a move beside a better one),
``mistakes`` (the definition of one), ``course`` (the game as one path), ``closer`` (where to look
closer: ``attention``, at which moves: ``alternatives``), ``judging`` (the verdict on every move),
``move_loss`` (the number, interval and word of a loss), ``choices`` (the moves that could be
played), ``figures`` (losses by side and phase), then the words: ``reasons`` (why a move was a
mistake), ``remarks`` (what is said of the moves that are ``worth`` it), ``lessons`` (the whole game
in a few sentences). The names below are what other packages use.
"""

from engine.review.choices import MoveChoice, choices_of
from engine.review.closer import OnLook
from engine.review.course import GamePosition, Thought
from engine.review.figures import by_phase, side_figures
from engine.review.judging import Judgement, Review, review_game
from engine.review.lessons import (
    GameLessons,
    GameResult,
    GoodMove,
    good_moves,
    lessons_of,
)
from engine.review.looks import LEAD, Lookout, Stopped
from engine.review.mistakes import MISTAKES
from engine.review.move_loss import points_words
from engine.review.remarks import (
    Remark,
    also_words,
    better_words,
    describe_lead,
    describe_loss,
    describe_remark,
    lost_words,
    remarks_of,
    who_leads,
    with_again,
)
from engine.review.worth import Level, own_levels, read_level

__all__ = [
    "LEAD",
    "MISTAKES",
    "GameLessons",
    "GamePosition",
    "GameResult",
    "GoodMove",
    "Judgement",
    "Level",
    "Lookout",
    "MoveChoice",
    "OnLook",
    "Remark",
    "Review",
    "Stopped",
    "Thought",
    "also_words",
    "better_words",
    "by_phase",
    "choices_of",
    "describe_lead",
    "describe_loss",
    "describe_remark",
    "good_moves",
    "lessons_of",
    "lost_words",
    "own_levels",
    "points_words",
    "read_level",
    "remarks_of",
    "review_game",
    "side_figures",
    "who_leads",
    "with_again",
]
