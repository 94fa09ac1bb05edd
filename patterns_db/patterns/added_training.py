"""Training of the context, or of the leaves of trees, with all other beliefs fixed.

One pass of assumed-density filtering (Stern, Herbrich & Graepel 2006, section 3.1), as in
``training``. Games that the ranking model itself was trained on tell less: it is too sure of their
moves (2.13 instead of 2.20 nats).
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from engine.arrays import Floats, Ints
from engine.go.board import SIZE
from engine.jit import kernel
from engine.patterns.choice import (
    ALL_PI,
    CHOICE_LEAVES,
    MEAN,
    MESSAGE_PI,
    MESSAGE_TAU,
    OWN_TAU,
    VARIANCE,
    Choice,
)
from engine.patterns.contenders import LANES, RESPONSES
from engine.patterns.context import CONTEXT_ROWS
from engine.patterns.hashing import Keys
from engine.patterns.predictor import PredictionWork, load_moves, new_prediction_work
from engine.patterns.ranking import (
    add_message,
    learn_from_messages,
    revise_leaf,
    settle_messages,
    total_message,
    weigh_groups,
)
from engine.patterns.responses import Responses
from engine.patterns.table import claim_slot, slots_for
from engine.patterns.trees import LeafValues, Trees, find_leaves
from engine.patterns.valuing import EVIDENCE_ROWS, PatternKnowledge
from patterns_db.patterns.bloom import add_key, new_filter
from patterns_db.patterns.packed import (
    PackedMoves,
    Preparer,
    begin_game,
    next_choice,
    position_before,
    preparer_for,
)
from patterns_db.patterns.training import TOLERANCE
from patterns_db.records.archive import POINT_BITS, GameArchive


class AddedTraining(NamedTuple):
    """The priors of added beliefs."""

    # Of a class of the context: most pairs of facts add little to the facts themselves
    context_variance: float = 0.1
    response_variance: float = 0.03
    leaf_variance: float = 0.002  # of a leaf; the mean square of what the games change is as large
    # Noise of variance 2 a move: a softmax of 1 / 1.1 of the values
    value_of_nat: float = 1.1


ADDED = AddedTraining()
NO_KEYS = np.zeros(0, np.uint64)
# Different classes of responses a move, of all and of those met again; in 2,167,405 moves
CLASSES_MET, CLASSES_KNOWN = 30, 10


@kernel
def store_context(choice: Choice, first: int, context: Floats) -> None:
    """Copy the beliefs of this position's classes of the context back.

    first    int64, row of the context's first class among the summands
    context  float64[CONTEXT_ROWS, 2], changes in place
    """
    for leaf in range(choice.meta[CHOICE_LEAVES]):
        row = choice.summand[leaf] - first
        if row >= 0:
            context[row, MEAN] = choice.leaves[leaf, MEAN]
            context[row, VARIANCE] = choice.leaves[leaf, VARIANCE]


@kernel
def learn_classes(
    work: PredictionWork,
    total: tuple[float, float],
    rows: Ints,
    means: LeafValues,
    variances: LeafValues,
    leaves: Floats,
) -> None:
    """Fold the settled messages of a position into beliefs, one or none a contender.

    work              PredictionWork of a position, its messages settled (ranking.settle_messages)
    total             ranking.total_message of the position
    rows              int64[LANES], of the contenders' beliefs; negative: none
    means, variances  float32[n], change in place
    leaves            float64[LANES, 6], scratch: the columns of Choice.leaves
    """
    choice, contenders = work.choice, work.candidates.contenders
    for lane in range(contenders.count[0]):
        if rows[lane] < 0:
            continue
        first = 0  # lane with this belief
        while rows[first] != rows[lane]:
            first += 1
        if first == lane:
            leaves[lane, MEAN] = means[rows[lane]]
            leaves[lane, VARIANCE] = variances[rows[lane]]
            for column in range(ALL_PI, OWN_TAU + 1):
                leaves[lane, column] = 0.0
        group = choice.group_of[contenders.order[lane]]
        pi, tau = choice.star[group, MESSAGE_PI], choice.star[group, MESSAGE_TAU]
        add_message(leaves, first, pi, tau)
        leaves[lane, ALL_PI] = leaves[lane, ALL_PI] if first == lane else 0.0
    for lane in range(contenders.count[0]):
        if rows[lane] >= 0 and leaves[lane, ALL_PI] > 0.0:  # 0: a lane before had this belief
            revise_leaf(leaves, lane, total[0], total[1])
            means[rows[lane]] = leaves[lane, MEAN]
            variances[rows[lane]] = leaves[lane, VARIANCE]


@kernel
def learn_leaves(trees: Trees, work: PredictionWork, leaves: Floats) -> None:
    """Learn the leaves of each tree from a position; means and variances change in place."""
    contenders, total = work.candidates.contenders, total_message(work.choice)
    rows = contenders.slots[0]  # free: the model has no responses yet
    for tree in range(len(trees.questions)):
        find_leaves(trees.questions, tree, contenders.facts, contenders.leaves)
        for lane in range(contenders.count[0]):
            rows[lane] = contenders.leaves[lane]
        learn_classes(work, total, rows, trees.means[tree], trees.variances[tree], leaves)


@kernel
def learn_responses(
    responses: Responses, names: Keys, seen: Keys, work: PredictionWork, leaves: Floats
) -> None:
    """Learn the known responses from a position; a class becomes known when it is met again.

    responses  Responses with room; changes in place
    names      uint64[slots], keys of the known classes; changes in place
    seen       uint64[...], Bloom filter of the classes met so far; changes in place
    """
    contenders, total = work.candidates.contenders, total_message(work.choice)
    for kind in range(RESPONSES):
        slots = contenders.slots[kind]
        learn_classes(work, total, slots, responses.means, responses.variances, leaves)
        for lane in range(contenders.count[0]):
            key = contenders.keys[kind, lane]
            if slots[lane] < 0 and key != 0 and add_key(seen, key):
                slot = claim_slot(responses.keys, key)
                if slot >= 0:  # else the table is full
                    names[slot] = key


@kernel
def learn_game(
    preparer: Preparer,
    knowledge: PatternKnowledge,
    work: PredictionWork,
    leaves: Floats,
    names: Keys,
    seen: Keys,
    moves: PackedMoves,
) -> None:
    """Learn from the moves of one game: the responses, or the leaves of the trees, or the context.

    preparer   Preparer of this board size, its matcher cleared
    knowledge  PatternKnowledge; the beliefs that are learned change in place:
                the last ones of responses, trees and context that the model has
    work       PredictionWork of its summands
    leaves     float64[LANES, 6], scratch
    names, seen  see learn_responses
    Twins: tests/patterns_db/patterns/test_added_training.py
    """
    board, memory, choice = preparer.board, preparer.memory, work.choice
    begin_game(board, memory, np.int64(board[SIZE]))
    i = next_choice(board, memory, moves, np.int64(-1))
    while i < len(moves):
        move = np.int64(moves[i])
        position = position_before(board, memory, move)
        count = load_moves(knowledge, preparer.matcher, position, work)
        weigh_groups(choice, knowledge.beta_squared)
        for candidate in range(count):
            if work.candidates.points[candidate] == move & POINT_BITS:
                settle_messages(choice, choice.group_of[candidate], TOLERANCE)
        if len(knowledge.responses.keys) > 0:
            learn_responses(knowledge.responses, names, seen, work, leaves)
        elif len(knowledge.trees.questions) > 0:
            learn_leaves(knowledge.trees, work, leaves)
        else:
            learn_from_messages(choice)
            first = len(knowledge.keys) + EVIDENCE_ROWS
            store_context(choice, np.int64(first), knowledge.context)
        i = next_choice(board, memory, moves, i)


def learn_games(
    games: GameArchive,
    knowledge: PatternKnowledge,
    progress: Callable[[int], object],
    names: Keys = NO_KEYS,
    seen: Keys = NO_KEYS,
) -> None:
    """Learn from some games; see ``learn_game``."""
    work, leaves = new_prediction_work(knowledge.summands), np.zeros((LANES, 6))
    preparers: dict[int, Preparer] = {}
    for game in range(games.games):
        preparer = preparer_for(preparers, int(games.sizes[game]))
        moves = games.moves[games.starts[game] : games.starts[game + 1]]
        learn_game(preparer, knowledge, work, leaves, names, seen, moves)
        progress(1)


def new_context() -> Floats:
    """Return the prior, float64[CONTEXT_ROWS, 2]."""
    beliefs = np.zeros((CONTEXT_ROWS, 2))
    beliefs[:, VARIANCE] = ADDED.context_variance
    return beliefs


def train_context(
    games: GameArchive,
    knowledge: PatternKnowledge,
    progress: Callable[[int], object] = lambda games: None,
) -> Floats:
    """Return the beliefs about the context's classes after some games, float64[CONTEXT_ROWS, 2].

    knowledge  the ranking model without context and trees, beside which they are learned
    progress   called with the number of further finished games
    """
    context = new_context()
    learn_games(games, knowledge._replace(context=context), progress)
    return context


def train_trees(
    games: GameArchive,
    knowledge: PatternKnowledge,
    trees: Trees,
    progress: Callable[[int], object] = lambda games: None,
) -> Trees:
    """Return trees with the beliefs about their leaves after some games.

    knowledge  the ranking model with context, beside which they are learned
    trees      with the leaves' weights [nats] as means, of ``tree_growing``
    progress   called with the number of further finished games
    """
    means = trees.means * np.float32(ADDED.value_of_nat)
    trees = Trees(trees.questions, means, np.full_like(means, ADDED.leaf_variance))
    learn_games(games, knowledge._replace(trees=trees), progress)
    return trees


def train_responses(
    games: GameArchive,
    knowledge: PatternKnowledge,
    most: int,
    progress: Callable[[int], object] = lambda games: None,
) -> Responses:
    """Return the ``most`` telling responses of some games.

    knowledge  the ranking model with context and trees, beside which they are learned
    progress   called with the number of further finished games
    """
    moves = len(games.moves)
    slots = slots_for(CLASSES_KNOWN * moves)
    prior = np.full(slots, ADDED.response_variance, np.float32)
    learned = Responses(np.zeros(slots, np.uint32), np.zeros(slots, np.float32), prior)
    names = np.zeros(slots, np.uint64)
    informed = knowledge._replace(responses=learned)
    learn_games(games, informed, progress, names, new_filter(CLASSES_MET * moves))
    # Nearly twice the log likelihood that a class gains.
    told = learned.means**2 * (1.0 / learned.variances - 1.0 / ADDED.response_variance)
    known = np.flatnonzero(learned.keys)
    chosen = known[np.argsort(-told[known], kind="stable")[:most]]
    keys = np.zeros(slots_for(len(chosen)), np.uint32)
    means, variances = np.zeros((2, len(keys)), np.float32)
    for old in chosen:
        slot = claim_slot(keys, names[old])
        means[slot], variances[slot] = learned.means[old], learned.variances[old]
    return Responses(keys, means, variances)
