"""Compilation of the learning kernels, and the groups of all kernels of yomi."""

import numpy as np

from engine.captures.priors import stack_log_odds
from engine.captures.reader import CaptureReader
from engine.go.board import BLACK, WHITE, empty_board, place
from engine.go.geometry import to_point
from engine.jit import KernelGroup
from engine.life.reader import LifeReader, small_fight
from engine.patterns.valuing import no_patterns
from engine.people.model import model_of_patterns
from engine.warm_ups import GROUPS as ENGINE_GROUPS
from patterns_db.patterns.added_training import train_context
from patterns_db.patterns.evaluation import EvaluatedModel, evaluate
from patterns_db.patterns.harvest import harvest
from patterns_db.patterns.rounds import take_back
from patterns_db.patterns.sightings import new_sightings, with_room
from patterns_db.patterns.training import Trainer, new_learned, place_classes
from patterns_db.people.choices import PeopleChoices, collect_choices
from patterns_db.people.training import judge_people, learn_people
from patterns_db.records.archive import WHITE_BIT, GameArchive
from patterns_db.records.games import DecodedGame
from patterns_db.records.legality import count_legal
from patterns_db.search_tables.rollout_training import learn_policy
from patterns_db.solvers.life_training import observe_life
from patterns_db.solvers.pattern_learning import (
    gaussian_priors,
    learn_observations,
    observations_of,
)
from patterns_db.store.model_names import BERNOULLI, MODELS


def _two_games() -> GameArchive:
    """Return one game twice, since a harvest drops classes that were played once."""
    game = [to_point(2, 2), to_point(3, 3) | WHITE_BIT, to_point(3, 2), to_point(2, 4) | WHITE_BIT]
    return GameArchive(
        moves=np.array(2 * game, np.uint16),
        starts=np.array([0, len(game), 2 * len(game)]),
        sizes=np.array([5, 5], np.uint8),
        sources=np.zeros(2, np.uint16),
        names=("",),
        damaged=0,
    )


def harvesting() -> None:
    """Harvest two games, with a table that grows."""
    # The game is there twice, so that some classes are counted.
    harvest(_two_games())
    with_room(new_sightings(4), 4)


def training() -> None:
    """Learn all models from two games and evaluate them."""
    games = _two_games()
    classes = place_classes(harvest(games))
    # Any numbers will do: kernels are compiled for types.
    learned = new_learned(len(classes.keys))
    Trainer(games, classes, learned, 1.0).run()
    values = np.zeros((len(classes.keys), 2), np.int16)
    knowledge = no_patterns()._replace(keys=classes.keys, values=values)
    for name in MODELS:
        evaluate(games, EvaluatedModel(name, knowledge))
    evaluate(games, EvaluatedModel(BERNOULLI, knowledge, learned.counts))
    take_back(learned.evidence.copy(), learned.evidence)
    train_context(games, no_patterns())


def learning_rollouts() -> None:
    """Learn the weights of roll-outs from a game without moves."""
    nothing = np.zeros(0, np.int64)
    game = DecodedGame(
        size=5, black=nothing, white=nothing, colors=nothing, moves=nothing, source=""
    )
    learn_policy([game])
    count_legal(5, [], [], nothing, nothing)


def learning_solvers() -> None:
    """Read a chain with priors that learn, learn from it and from a fight over life."""
    board, goal = empty_board(5), to_point(2, 2)
    for point, color in ((goal, WHITE), (to_point(1, 2), BLACK), (to_point(2, 1), BLACK)):
        place(board, point, color)
    priors = gaussian_priors()
    reader = CaptureReader("pp", 1000, priors)
    reader.read_chain(board, goal, True, 4, 200)
    learn_observations(priors, observations_of(reader, 100))
    stack_log_odds(priors, 0)
    life = LifeReader("pns", 1000)
    life.read_position(small_fight(), BLACK, 0.1)
    observe_life(life, 9)


def _ranked_choice() -> PeopleChoices:
    """Return a choice that a player with a rank made."""
    nothing, one = np.zeros(0, np.int64), np.array([1])
    game = DecodedGame(
        size=5, black=nothing, white=nothing, colors=one, moves=np.array([to_point(2, 2)]),
        source="", ranks=("9k", None),
    )  # fmt: skip
    return collect_choices([game], no_patterns())


def ranks() -> None:
    """Judge a choice of a player by the models of all ranks."""
    judge_people(_ranked_choice(), model_of_patterns())


def learning_people() -> None:
    """Learn how people choose from one choice."""
    learn_people(_ranked_choice(), knots=(10.0, 1.0))


RANKS = (KernelGroup("ranks", (ranks,)),)
"""What ``yomi level`` needs."""


GROUPS = (
    *ENGINE_GROUPS,
    KernelGroup("training and evaluation", (training,)),
    KernelGroup("learning roll-outs", (learning_rollouts,)),
    KernelGroup("learning solvers", (learning_solvers,)),
    *RANKS,
    KernelGroup("learning people", (learning_people,)),
    KernelGroup("harvesting", (harvesting,)),
)
"""Everything that the command line needs; ``yomi warmup`` compiles it."""
