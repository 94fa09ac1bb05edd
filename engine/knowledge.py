"""What was learned from games, handed to the player: the engine itself opens no files."""

from typing import NamedTuple

import numpy as np

from engine.patterns.valuing import PatternKnowledge
from engine.rollout.guided import KINDS, NEIGHBORHOODS, GuidedPolicy
from engine.search.utility import OpinionTable


class Knowledge(NamedTuple):
    """What was learned from games; None where nothing was.

    policy    weights of the guided roll-outs
    patterns  the ranking model of moves
    opinions  how the search's opinions change when it goes on
    """

    policy: GuidedPolicy | None = None
    patterns: PatternKnowledge | None = None
    opinions: OpinionTable | None = None


def no_policy() -> GuidedPolicy:
    """Return weights for a player that has learned none; they are never used."""
    return GuidedPolicy(
        np.ones(NEIGHBORHOODS, np.float32), np.ones(KINDS, np.float32), np.ones(1, np.float32)
    )
