"""A sample of positions of games with the facts about their contenders, to grow trees from.

Games that the model was trained on do not do: it is too sure of their moves.
"""

from collections.abc import Callable

import numpy as np

from engine.go.board import SIZE
from engine.jit import kernel
from engine.patterns.contender_facts import write_facts
from engine.patterns.contenders import CONTENDERS, FACTS
from engine.patterns.predictor import PredictionWork, new_prediction_work, predict_moves
from engine.patterns.valuing import PatternKnowledge, value_moves
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
from patterns_db.patterns.tree_growing import FactSample
from patterns_db.records.archive import POINT_BITS, GameArchive

LEAST_CHANCE = 1e-9


@kernel
def sample_game(
    preparer: Preparer,
    knowledge: PatternKnowledge,
    work: PredictionWork,
    moves: PackedMoves,
    picked: tuple[int, int],
    owners: OwnerRollouts,
    sample: FactSample,
    first: int,
) -> int:
    """Write the facts of every so manyth position of a game; return the number of positions so far.

    preparer   Preparer of this board size, its matcher cleared
    knowledge  PatternKnowledge with context; with trees, the sample is for those about owners
    work       PredictionWork of its summands
    picked     numbers a < b: positions a, a + b, a + 2 b, ...
    owners     roll-outs that tally the owners, where wanted
    sample     FactSample, rows from ``first`` on are overwritten
    """
    board, memory, candidates = preparer.board, preparer.memory, work.candidates
    matcher, contenders = preparer.matcher, candidates.contenders
    begin_game(board, memory, np.int64(board[SIZE]))
    i = next_choice(board, memory, moves, np.int64(-1))
    while i < len(moves) and first < len(sample.played):
        if i % picked[1] == picked[0]:
            move = np.int64(moves[i])
            position = position_before(board, memory, move)
            tally_owners(position, owners, contenders.tallies)
            count = predict_moves(knowledge, matcher, position, work)
            chosen = np.int64(contenders.count[0])
            if len(knowledge.trees.questions) == 0:
                value_moves(knowledge, matcher, position.color, candidates, count, work.behind)
                chosen = write_facts(knowledge, matcher, position, candidates, count, work.behind)
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
        i = next_choice(board, memory, moves, i)
    return first


def sample_facts(
    games: GameArchive,
    knowledge: PatternKnowledge,
    every: int,
    seed: int,
    progress: Callable[[int], object] = lambda games: None,
    policy: GuidedPolicy | None = None,
) -> FactSample:
    """Return about one position in ``every`` of some games.

    knowledge  with context; without trees, or with them for a sample of trees about owners
    policy     of the roll-outs that tally owners; None: there are none
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
    owners = new_owner_rollouts(policy, seed)
    done = 0
    for game in range(games.games):
        phase = int(rng.integers(every))
        preparer = preparer_for(preparers, int(games.sizes[game]))
        moves = games.moves[games.starts[game] : games.starts[game + 1]]
        picked = phase, every
        done = sample_game(preparer, knowledge, work, moves, picked, owners, sample, done)
        progress(1)
    facts, chances, rest, played = sample
    return FactSample(facts[:done], chances[:done], rest[:done], played[:done])
