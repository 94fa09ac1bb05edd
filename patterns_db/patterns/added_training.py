"""Training of the context, or of the leaves of trees, with all other beliefs fixed.

One pass of assumed-density filtering (Stern, Herbrich & Graepel 2006, section 3.1), as in
``training``. Games that the ranking model itself was trained on tell less: it is too sure of their
moves (2.13 instead of 2.20 nats).
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from engine.arrays import Floats
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
from engine.patterns.context import CONTEXT_ROWS
from engine.patterns.predictor import PredictionWork, load_moves, new_prediction_work
from engine.patterns.ranking import (
    add_message,
    learn_from_messages,
    revise_leaf,
    settle_messages,
    total_message,
    weigh_groups,
)
from engine.patterns.trees import LEAVES, Trees, find_leaves
from engine.patterns.valuing import EVIDENCE_ROWS, PatternKnowledge
from engine.rollout.guided import GuidedPolicy
from engine.rollout.owner_tallies import OwnerRollouts, new_owner_rollouts, tally_owners
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
    leaf_variance: float = 0.002  # of a leaf; the mean square of what the games change is as large
    # Noise of variance 2 a move: a softmax of 1 / 1.1 of the values
    value_of_nat: float = 1.1


ADDED = AddedTraining()


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
def learn_leaves(trees: Trees, work: PredictionWork, leaves: Floats) -> None:
    """Fold the settled messages of a position into the beliefs about its contenders' leaves.

    trees   Trees; means and variances change in place
    work    PredictionWork of a position, its messages settled (ranking.settle_messages)
    leaves  float64[LEAVES, 6], scratch: of one tree, the columns of Choice.leaves
    """
    choice, contenders = work.choice, work.candidates.contenders
    total_pi, total_tau = total_message(choice)
    own = contenders.leaves
    for tree in range(len(trees.questions)):
        find_leaves(trees.questions, tree, contenders.facts, own)
        for lane in range(contenders.count[0]):
            leaf = np.int64(own[lane])
            leaves[leaf, MEAN] = trees.means[tree, leaf]
            leaves[leaf, VARIANCE] = trees.variances[tree, leaf]
            for column in range(ALL_PI, OWN_TAU + 1):
                leaves[leaf, column] = 0.0
        for lane in range(contenders.count[0]):
            group = choice.group_of[contenders.order[lane]]
            pi, tau = choice.star[group, MESSAGE_PI], choice.star[group, MESSAGE_TAU]
            add_message(leaves, np.int64(own[lane]), pi, tau)
        for lane in range(contenders.count[0]):
            leaf = np.int64(own[lane])
            if leaves[leaf, ALL_PI] > 0.0:  # 0: a lane before had this leaf
                revise_leaf(leaves, leaf, total_pi, total_tau)
                trees.means[tree, leaf] = leaves[leaf, MEAN]
                trees.variances[tree, leaf] = leaves[leaf, VARIANCE]
                leaves[leaf, ALL_PI] = 0.0


@kernel
def learn_game(
    preparer: Preparer,
    knowledge: PatternKnowledge,
    work: PredictionWork,
    leaves: Floats,
    moves: PackedMoves,
    picked: tuple[int, int],
    owners: OwnerRollouts,
) -> None:
    """Learn from some moves of one game: the leaves of the trees, or the context without trees.

    preparer   Preparer of this board size, its matcher cleared
    knowledge  PatternKnowledge; the beliefs of its trees or of its context change in place
    work       PredictionWork of its summands
    leaves     float64[LEAVES, 6], scratch
    picked     numbers a < b: the moves a, a + b, a + 2 b, ...
    owners     roll-outs that tally the owners: then the leaves about owners are learned
    Twins: tests/patterns_db/patterns/test_added_training.py
    """
    board, memory, choice = preparer.board, preparer.memory, work.choice
    begin_game(board, memory, np.int64(board[SIZE]))
    i = next_choice(board, memory, moves, np.int64(-1))
    while i < len(moves):
        if i % picked[1] != picked[0]:
            i = next_choice(board, memory, moves, i)
            continue
        move = np.int64(moves[i])
        position = position_before(board, memory, move)
        tally_owners(position, owners, work.candidates.contenders.tallies)
        count = load_moves(knowledge, preparer.matcher, position, work)
        weigh_groups(choice, knowledge.beta_squared)
        for candidate in range(count):
            if work.candidates.points[candidate] == move & POINT_BITS:
                settle_messages(choice, choice.group_of[candidate], TOLERANCE)
        if owners.rollouts > 0:
            learn_leaves(knowledge.owner_trees, work, leaves)
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
    every: int = 1,
    policy: GuidedPolicy | None = None,
) -> None:
    """Learn from about one move in ``every`` of some games; see ``learn_game``."""
    work, leaves = new_prediction_work(knowledge.summands), np.zeros((LEAVES, 6))
    preparers: dict[int, Preparer] = {}
    owners = new_owner_rollouts(policy, games.games)
    for game in range(games.games):
        preparer = preparer_for(preparers, int(games.sizes[game]))
        moves = games.moves[games.starts[game] : games.starts[game + 1]]
        picked = game % every, every
        learn_game(preparer, knowledge, work, leaves, moves, picked, owners)
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
    every: int = 1,
    policy: GuidedPolicy | None = None,
) -> Trees:
    """Return trees with the beliefs about their leaves after one move in ``every`` of some games.

    knowledge  the ranking model with context, beside which they are learned
    trees      with the leaves' weights [nats] as means, of ``tree_growing``
    policy     for trees about owners, which roll-outs tally
    progress   called with the number of further finished games
    """
    means = trees.means * np.float32(ADDED.value_of_nat)
    trees = Trees(trees.questions, means, np.full_like(means, ADDED.leaf_variance))
    beside = knowledge._replace(owner_trees=trees)
    if policy is None:
        beside = knowledge._replace(trees=trees)
    learn_games(games, beside, progress, every, policy)
    return trees
