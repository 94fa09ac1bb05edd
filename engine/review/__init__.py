"""Reviews of games: the loss of every move, its certainty and its reason; without files.

Read ``looks`` (searches of one position; ``equal_moves`` counts symmetric moves once),
``comparisons`` (a move beside a better one),
``mistakes`` (the definition of one), ``course`` (the game as one path), ``closer`` (where to look
closer: ``attention``, at which moves: ``alternatives``), ``judging`` (the verdict on every move),
then the words that are made of it: ``reasons`` (why a move was a mistake), ``remarks`` (the
mistakes worth a remark). The names below are what other packages use.
"""

from engine.review.closer import OnLook
from engine.review.course import Position, Ranks, Thought
from engine.review.judging import Judgement, Review, review_game
from engine.review.looks import LEAD, SURE, Lookout, Stopped
from engine.review.mistakes import LEAST_MISTAKE, Verdict
from engine.review.remarks import (
    Level,
    Remark,
    describe_lead,
    describe_loss,
    describe_remark,
    doubts_of,
    likelihood,
    own_levels,
    read_level,
    remarks_of,
    who_leads,
    with_again,
)

__all__ = [
    "LEAD",
    "LEAST_MISTAKE",
    "SURE",
    "Judgement",
    "Level",
    "Lookout",
    "OnLook",
    "Position",
    "Ranks",
    "Remark",
    "Review",
    "Stopped",
    "Thought",
    "Verdict",
    "describe_lead",
    "describe_loss",
    "describe_remark",
    "doubts_of",
    "likelihood",
    "own_levels",
    "read_level",
    "remarks_of",
    "review_game",
    "who_leads",
    "with_again",
]
