"""Training of the ranking model's context, with all other beliefs fixed.

One pass of assumed-density filtering (Stern, Herbrich & Graepel 2006, section 3.1), as in
``training``. Only the beliefs about the context's classes change. Games that the ranking model
itself was trained on tell less: it is too sure of their moves (2.13 instead of 2.20 nats).
"""

from collections.abc import Callable

import numpy as np

from engine.arrays import Floats
from engine.jit import kernel
from engine.patterns.choice import (
    CHOICE_LEAVES,
    MEAN,
    VARIANCE,
    Choice,
    fetch_beliefs,
    group_candidates,
)
from engine.patterns.context import CONTEXT_ROWS
from engine.patterns.ranking import learn_from_messages, settle_messages, weigh_groups
from engine.patterns.valuing import (
    CONTEXT_SUMMANDS,
    EVIDENCE_ROWS,
    PatternKnowledge,
    beliefs_of,
    summands_into,
)
from patterns_db.patterns.positions import (
    MOVES,
    PreparedPositions,
    Preparer,
    blocks_of_games,
    new_positions,
    prepare_games,
    recall_candidates,
    room_for,
)
from patterns_db.patterns.training import BLOCK_CANDIDATES, TOLERANCE, Learner, new_learner
from patterns_db.records.archive import GameArchive

PRIOR_VARIANCE = 0.1  # of a class: most pairs of facts add little to the facts themselves


@kernel
def store_from(choice: Choice, beliefs: Floats, first: int) -> None:
    """Copy the beliefs of this position's summands back, of rows from ``first`` on alone."""
    for leaf in range(choice.meta[CHOICE_LEAVES]):
        row = choice.summand[leaf]
        if row >= first:
            beliefs[row, MEAN] = choice.leaves[leaf, MEAN]
            beliefs[row, VARIANCE] = choice.leaves[leaf, VARIANCE]


@kernel
def learn_context(
    learner: Learner,
    positions: PreparedPositions,
    slots: int,
    beliefs: Floats,
    beta_squared: float,
    tolerance: float,
) -> None:
    """Learn from the positions of a block.

    learner    Learner of CONTEXT_SUMMANDS
    positions  PreparedPositions with context
    slots      int64, of the table of patterns
    beliefs    float64[slots + EVIDENCE_ROWS + CONTEXT_ROWS, 2], the context's change in place
    Twin: tests/patterns_db/patterns/test_context_training.py
    """
    choice = learner.choice
    for index in range(positions.meta[MOVES]):
        count = recall_candidates(positions, index, learner.candidates)
        summands_into(learner.candidates, count, slots, False, learner.summands)
        group_candidates(choice, learner.summands, count)
        fetch_beliefs(choice, beliefs)
        weigh_groups(choice, beta_squared)
        settle_messages(choice, choice.group_of[positions.played[index]], tolerance)
        learn_from_messages(choice)
        store_from(choice, beliefs, slots + EVIDENCE_ROWS)


def new_context() -> Floats:
    """Return the prior, float64[CONTEXT_ROWS, 2]."""
    beliefs = np.zeros((CONTEXT_ROWS, 2))
    beliefs[:, VARIANCE] = PRIOR_VARIANCE
    return beliefs


def train_context(
    games: GameArchive,
    knowledge: PatternKnowledge,
    start: Floats | None = None,
    progress: Callable[[int], object] = lambda games: None,
) -> Floats:
    """Return the beliefs about the context's classes after some games, float64[CONTEXT_ROWS, 2].

    knowledge  the ranking model beside which they are learned; its own context is not used
    start      float64[CONTEXT_ROWS, 2], the prior; None: ``new_context``
    progress   called with the number of further finished games
    """
    context = new_context() if start is None else start
    knowledge = knowledge.plain()._replace(context=context)
    beliefs = beliefs_of(knowledge)
    slots = np.int64(len(knowledge.keys))
    learner = new_learner(CONTEXT_SUMMANDS)
    preparers: dict[int, Preparer] = {}
    positions = new_positions(*room_for(games, BLOCK_CANDIDATES), with_context=True)
    for first, last in blocks_of_games(games, 0, BLOCK_CANDIDATES):
        prepare_games(preparers, knowledge, games, first, last, positions)
        learn_context(learner, positions, slots, beliefs, knowledge.beta_squared, TOLERANCE)
        progress(last - first)
    return beliefs[-CONTEXT_ROWS:].copy()
