"""Knowledge learned from games and passed in from outside: the engine itself opens no files."""

from typing import NamedTuple

import numpy as np

from engine.captures.odds import CaptureOdds
from engine.captures.priors import PriorTable
from engine.life.evidence import LifeWeights
from engine.patterns.valuing import PatternKnowledge
from engine.people.model import PeopleModel
from engine.rollout.guided import KINDS, NEIGHBORHOODS, GuidedPolicy
from engine.search.calibration import Calibration
from engine.search.model import SearchModel


class Knowledge(NamedTuple):
    """Knowledge learned from games; None where there is none: thinkers then do without it.

    policy       weights of the guided roll-outs
    patterns     the ranking model of moves
    calibration  confidence of the win rates that are shown
    solver       prior of a move in the solver of captures
    life         prior of a move in the solver of life and death
    people       how players of each rank choose their moves
    odds         of a capture that the solver did not prove
    """

    policy: GuidedPolicy | None = None
    patterns: PatternKnowledge | None = None
    calibration: Calibration | None = None
    solver: PriorTable | None = None
    life: LifeWeights | None = None
    people: PeopleModel | None = None
    odds: CaptureOdds | None = None

    def fit(self, model: SearchModel) -> SearchModel:
        """Return the model of a search that does without missing knowledge."""
        return model._replace(
            guided=model.guided and self.policy is not None,
            informed=model.informed and self.patterns is not None,
        )


def no_policy() -> GuidedPolicy:
    """Return weights for a search without learned ones; they are never used."""
    return GuidedPolicy(
        np.ones(NEIGHBORHOODS, np.float32), np.ones(KINDS, np.float32), np.ones(1, np.float32)
    )
