"""Knowledge learned from games and passed in from outside: the engine itself opens no files."""

from typing import NamedTuple

from engine.belief.calibration import Calibration
from engine.captures.priors import PriorTable
from engine.life.priors import LifeWeights
from engine.patterns.valuing import PatternKnowledge
from engine.people.model import PeopleModel
from engine.rollout.guided import GuidedPolicy


class Knowledge(NamedTuple):
    """Knowledge learned from games; None where there is none: thinkers then do without it."""

    policy: GuidedPolicy | None = None  # weights of the guided roll-outs
    patterns: PatternKnowledge | None = None  # the ranking model of moves
    calibration: Calibration | None = None  # confidence of the win rates that are shown
    solver: PriorTable | None = None  # prior of a move in the solver of captures
    life: LifeWeights | None = None  # prior of a move in the solver of life and death
    people: PeopleModel | None = None  # how players of each rank choose their moves
