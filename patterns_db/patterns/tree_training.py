"""Training of the ranking model's trees on games that the model has not learned from.

A sample of positions gives the trees' questions (``tree_growing``). Then one pass of
assumed-density filtering (Stern, Herbrich & Graepel 2006, section 3.1) over the games learns the
beliefs about their leaves, with all other beliefs fixed, as in ``context_training``.

Games that the model was trained on do not do: it is too sure of their moves.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from engine.arrays import Floats
from engine.go.board import SIZE
from engine.jit import kernel
from engine.patterns.choice import (
    ALL_PI,
    MEAN,
    MESSAGE_PI,
    MESSAGE_TAU,
    OWN_TAU,
    VARIANCE,
)
from engine.patterns.contender_facts import write_facts
from engine.patterns.contenders import CONTENDERS, FACTS
from engine.patterns.matching import clear_matcher
from engine.patterns.position import Position
from engine.patterns.predictor import (
    PredictionWork,
    load_moves,
    new_prediction_work,
    predict_moves,
)
from engine.patterns.ranking import (
    add_message,
    revise_leaf,
    settle_messages,
    total_message,
    weigh_groups,
)
from engine.patterns.trees import LEAVES, Trees, find_leaves
from engine.patterns.valuing import PatternKnowledge, value_moves
from patterns_db.patterns.packed import (
    PackedMoves,
    begin_game,
    can_make_move,
    color_of,
    is_choice,
    make_move,
)
from patterns_db.patterns.positions import Preparer, new_preparer
from patterns_db.patterns.training import TOLERANCE
from patterns_db.patterns.tree_growing import FactSample
from patterns_db.records.archive import POINT_BITS, GameArchive


class TreeTraining(NamedTuple):
    """The fit of the leaves of trees."""

    # Noise of variance 2 a move: a softmax of 1 / 1.1 of the values
    value_of_nat: float = 1.1
    prior_variance: float = 0.005  # of a leaf


TREES = TreeTraining()

LEAST_CHANCE = 1e-9


@kernel
def sample_game(
    preparer: Preparer,
    knowledge: PatternKnowledge,
    work: PredictionWork,
    moves: PackedMoves,
    phase: int,
    every: int,
    sample: FactSample,
    first: int,
) -> int:
    """Write the facts of every so manyth position of a game; return the number of positions so far.

    preparer   Preparer of this board size, its matcher cleared
    knowledge  PatternKnowledge with context, without trees
    work       PredictionWork of its summands
    phase      int64, < every: positions to skip at first
    sample     FactSample, rows from ``first`` on are overwritten
    """
    board, memory, candidates = preparer.board, preparer.memory, work.candidates
    contenders = candidates.contenders
    begin_game(board, memory, np.int64(board[SIZE]))
    for i in range(len(moves)):
        move = np.int64(moves[i])
        if not can_make_move(board, move) or first == len(sample.played):
            break
        if is_choice(move) and i % every == phase:
            position = Position(
                board=board, memory=memory, color=color_of(move), passes=0, komi=0.0, stands=True
            )
            count = predict_moves(knowledge, preparer.matcher, position, work)
            value_moves(
                knowledge, preparer.matcher, position.color, candidates, count, preparer.behind
            )
            chosen = write_facts(
                knowledge, preparer.matcher, position, candidates, count, preparer.behind
            )
            sample.rest[first] = 1.0
            sample.played[first] = -1
            for lane in range(CONTENDERS):
                sample.chances[first, lane] = -np.inf
            for lane in range(chosen):
                candidate = contenders.order[lane]
                for fact in range(FACTS):
                    sample.facts[first, lane, fact] = contenders.facts[fact, lane]
                chance = work.probability[candidate]
                sample.chances[first, lane] = np.log(max(chance, LEAST_CHANCE))
                sample.rest[first] -= chance
                if candidates.points[candidate] == move & POINT_BITS:
                    sample.played[first] = lane
            sample.rest[first] = max(sample.rest[first], LEAST_CHANCE)
            first += 1
        make_move(board, memory, move)
    return first


def sample_facts(
    games: GameArchive,
    knowledge: PatternKnowledge,
    every: int,
    seed: int,
    progress: Callable[[int], object] = lambda games: None,
) -> FactSample:
    """Return about one position in ``every`` of some games.

    knowledge  with context, without trees
    progress   called with the number of further finished games
    """
    rng = np.random.default_rng(seed)
    most = int((-(-np.diff(games.starts) // every)).sum())
    sample = FactSample(
        np.zeros((most, CONTENDERS, FACTS), np.int16),
        np.zeros((most, CONTENDERS), np.float32),
        np.zeros(most),
        np.zeros(most, np.int64),
    )
    preparers: dict[int, Preparer] = {}
    work = new_prediction_work(knowledge.summands)
    done = 0
    for game in range(games.games):
        phase = int(rng.integers(every))
        preparer = preparer_for(preparers, int(games.sizes[game]))
        moves = games.moves[games.starts[game] : games.starts[game + 1]]
        done = sample_game(preparer, knowledge, work, moves, phase, every, sample, done)
        progress(1)
    facts, chances, rest, played = sample
    return FactSample(facts[:done], chances[:done], rest[:done], played[:done])


def preparer_for(preparers: dict[int, Preparer], size: int) -> Preparer:
    """Return the scratch for boards of a size, its matcher cleared; it is made on first use."""
    if size not in preparers:
        preparers[size] = new_preparer(size)
    clear_matcher(preparers[size].matcher, size)
    return preparers[size]


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
    size: int,
) -> None:
    """Learn the beliefs about leaves from the moves of one game.

    preparer   Preparer of this board size, its matcher cleared
    knowledge  PatternKnowledge; the beliefs of its trees change in place
    work       PredictionWork of its summands
    leaves     float64[LEAVES, 6], scratch
    """
    board, memory, candidates, choice = (
        preparer.board,
        preparer.memory,
        work.candidates,
        work.choice,
    )
    begin_game(board, memory, size)
    for i in range(len(moves)):
        move = np.int64(moves[i])
        if not can_make_move(board, move):
            break
        if is_choice(move):
            position = Position(
                board=board, memory=memory, color=color_of(move), passes=0, komi=0.0, stands=True
            )
            count = load_moves(knowledge, preparer.matcher, position, work)
            weigh_groups(choice, knowledge.beta_squared)
            for candidate in range(count):
                if candidates.points[candidate] == move & POINT_BITS:
                    settle_messages(choice, choice.group_of[candidate], TOLERANCE)
                    learn_leaves(knowledge.trees, work, leaves)
        make_move(board, memory, move)


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
    means = trees.means * np.float32(TREES.value_of_nat)
    trees = trees._replace(means=means, variances=np.full_like(means, TREES.prior_variance))
    knowledge = knowledge._replace(trees=trees)
    work, leaves = new_prediction_work(knowledge.summands), np.zeros((LEAVES, 6))
    preparers: dict[int, Preparer] = {}
    for game in range(games.games):
        size = int(games.sizes[game])
        preparer = preparer_for(preparers, size)
        moves = games.moves[games.starts[game] : games.starts[game + 1]]
        learn_game(preparer, knowledge, work, leaves, moves, size)
        progress(1)
    return trees
