"""Knowledge learned from games and passed in from outside: the engine itself opens no files."""

from typing import NamedTuple

from engine.belief.calibration import Calibration
from engine.captures.odds import CaptureOdds
from engine.captures.priors import PriorTable
from engine.life.priors import LifeWeights
from engine.patterns.valuing import PatternKnowledge
from engine.people.model import PeopleModel
from engine.rollout.guided import GuidedPolicy


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
