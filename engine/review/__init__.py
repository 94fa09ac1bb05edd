"""Reviews of games: what every move lost, how surely, and why; knows no files.

Read ``looks`` (searches of one position; ``equal_moves`` counts symmetric moves once),
``mistakes`` (what counts as one), ``judging`` (the game as one path), then the words that are made
of it: ``reasons`` (why a move was a mistake), ``remarks`` (the mistakes worth a remark).
The names below are what other packages use.
"""

from engine.review.judging import (
    DOUBTFUL,
    Judgement,
    OnLook,
    Position,
    Review,
    Thought,
    review_game,
)
from engine.review.looks import LEAD, SURE, Lookout, Stopped
from engine.review.mistakes import least_mistake
from engine.review.remarks import (
    Level,
    Remark,
    describe_lead,
    describe_loss,
    describe_remark,
    doubts_of,
    likelihood,
    read_level,
    remarks_of,
    who_leads,
)

__all__ = [
    "DOUBTFUL",
    "LEAD",
    "SURE",
    "Judgement",
    "Level",
    "Lookout",
    "OnLook",
    "Position",
    "Remark",
    "Review",
    "Stopped",
    "Thought",
    "describe_lead",
    "describe_loss",
    "describe_remark",
    "doubts_of",
    "least_mistake",
    "likelihood",
    "read_level",
    "remarks_of",
    "review_game",
    "who_leads",
]
