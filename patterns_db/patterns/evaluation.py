"""Evaluation of move prediction on games: the rank and the probability of the expert's move.

Stern, Herbrich & Graepel (2006), section 4. ``report`` summarizes these outcomes.

# Deviates: candidates are ranked by their predictive probability. The paper ranks by the mean,
which is the same order when all variances are equal. It does not say where equal moves go. Here
candidates of the same classes have the same probability and share their places, so each counts for
a fraction in "among the first k".
"""

import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from engine.arrays import Floats, Ints
from engine.errors import ModelFormatError
from engine.go.board import SIZE
from engine.jit import kernel
from engine.patterns.matching import list_slots, match_moves_into
from engine.patterns.predictor import (
    GRID_POINTS,
    PredictionWork,
    group_moves,
    new_prediction_work,
    predict,
    predict_moves,
)
from engine.patterns.valuing import EVIDENCE_ROWS, PatternKnowledge, load_leaves, no_patterns
from patterns_db.patterns.added_tables import read_context, read_responses, read_trees
from patterns_db.patterns.bernoulli import score_by_rates
from patterns_db.patterns.checkpoints import INDEPENDENT, read_counts
from patterns_db.patterns.packed import (
    PackedMoves,
    Preparer,
    begin_game,
    color_of,
    next_choice,
    position_before,
    preparer_for,
)
from patterns_db.records.archive import POINT_BITS, SETUP_BIT, GameArchive
from patterns_db.store.layouts import positive
from patterns_db.store.model_names import BERNOULLI, path_of
from patterns_db.store.table_files import read_patterns

# Jeffreys' prior for a rate: half a count on either side.
# Deviates: the paper's alpha and beta are the bare counts.
BERNOULLI_PRIOR = 0.5  # with 0 a class that was never played would stay impossible
CALIBRATION_BINS = 20

# Columns of outcomes: number of candidates with a higher score than the played move; number with an
# equal score (itself included); legal moves; the played move's template; log probability of the
# played move [nats]; the same normalized (which differs only for the Bernoulli model).
ABOVE, EQUAL, LEGAL, TEMPLATE, LOG_EVIDENCE, NORMALIZED, OUTCOMES = range(7)


@kernel
def note_outcome(
    outcomes: Floats, index: int, score: Floats, count: int, played: int, calibration: Floats
) -> None:
    """Note the rank of the played candidate, and all predicted probabilities.

    outcomes     float64[moves, OUTCOMES], row ``index`` changes
    score        float64[>= count], probabilities
    calibration  float64[CALIBRATION_BINS, 3], see Evaluation; changes in place
    """
    above = equal = 0
    for candidate in range(count):
        above += score[candidate] > score[played]
        # The comparison is exact: candidates of one group have the same number.
        equal += score[candidate] == score[played]
        # A probability of 1 belongs to the last bin, not to one beyond it.
        column = min(int(score[candidate] * CALIBRATION_BINS), CALIBRATION_BINS - 1)
        calibration[column, 0] += 1.0
        calibration[column, 1] += score[candidate]
        calibration[column, 2] += candidate == played
    outcomes[index, ABOVE] = above
    outcomes[index, EQUAL] = equal
    outcomes[index, LEGAL] = count


@kernel
def judge_game(
    work: PredictionWork,
    calibration: Floats,
    preparer: Preparer,
    knowledge: PatternKnowledge,
    counts: Floats,
    moves: PackedMoves,
    outcomes: Floats,
    plies: Ints,
) -> int:
    """Predict the moves of one game, which is cut at an illegal one; return their number.

    work         PredictionWork of the model's summands; of one summand: patterns alone
    calibration  float64[CALIBRATION_BINS, 3], see Evaluation; changes in place
    preparer     Preparer of this board size, its matcher cleared
    knowledge    PatternKnowledge
    counts       float64[rows, 2] of the Bernoulli model; no row: the ranking model
    outcomes     float64[>= moves, OUTCOMES], overwritten from the front
    plies        int64[>= moves], overwritten from the front: moves made before, passes included
    """
    board, memory, matcher = preparer.board, preparer.memory, preparer.matcher
    score, beta_squared = work.probability, knowledge.beta_squared
    points, slots = work.candidates.points, len(knowledge.keys)
    begin_game(board, memory, np.int64(board[SIZE]))
    index, ply, before = 0, 0, 0
    i = next_choice(board, memory, moves, np.int64(-1))
    while i < len(moves):
        move = np.int64(moves[i])
        while before < i:  # passes count: phases are by the number of the move
            ply += moves[before] & SETUP_BIT == 0
            before += 1
        if work.summands.shape[1] > 1:
            position = position_before(board, memory, move)
            count = predict_moves(knowledge, matcher, position, work)
        else:
            color = color_of(move)
            count = match_moves_into(
                matcher, knowledge.keys, board, memory, color, False, work.candidates
            )
            list_slots(matcher, color, work.candidates, count)
            group_moves(work, count, slots)
        played = 0
        while points[played] != move & POINT_BITS:
            played += 1
        if len(counts) > 0:
            # The scores do not sum to 1. The paper compares them unnormalized, so both are noted.
            total = score_by_rates(counts, work.summands, count, BERNOULLI_PRIOR, score)
            outcomes[index, LOG_EVIDENCE] = score[played]
            outcomes[index, NORMALIZED] = score[played] - total
            for candidate in range(count):
                score[candidate] = np.exp(score[candidate] - total)
        else:
            if work.summands.shape[1] == 1:
                load_leaves(work.choice, knowledge, work.candidates.contenders.sums)
                predict(work.choice, count, beta_squared, GRID_POINTS, score)
            # Probabilities below about 1e-16 become 0, and log(0) would make every mean -inf.
            outcomes[index, LOG_EVIDENCE] = np.log(max(score[played], 1e-300))
            outcomes[index, NORMALIZED] = outcomes[index, LOG_EVIDENCE]
        note_outcome(outcomes, index, score, count, played, calibration)
        outcomes[index, TEMPLATE] = work.candidates.templates[played]
        plies[index] = ply
        index += 1
        i = next_choice(board, memory, moves, i)
    return index


NO_COUNTS = np.zeros((0, 2))


class EvaluatedModel(NamedTuple):
    """A model to evaluate."""

    name: str  # "evidence", "paper" or "bernoulli"
    knowledge: PatternKnowledge  # of the Bernoulli model only the keys count
    counts: Floats = NO_COUNTS  # float64[rows, 2] of the Bernoulli model
    classes: str = "independent"  # "nested" or, as printed, "independent"; see ``training``

    @property
    def summands(self) -> int:
        """The number of a candidate's summands."""
        return self.knowledge.summands if self.name == "evidence" else 1


class Evaluation(NamedTuple):
    """The outcome of each position."""

    outcomes: Floats  # float64[moves, OUTCOMES]
    plies: Ints  # int64[moves], moves made before in its game
    sources: Ints  # int64[moves], index into the archive's names
    # float64[CALIBRATION_BINS, 3], by predicted probability: number, sum of the probabilities,
    # number of played ones
    calibration: Floats
    seconds: float  # CPU time of matching and predicting


def open_model(
    file: Path,
    name: str,
    context: Path | None = None,
    trees: Path | None = None,
    responses: Path | None = None,
) -> EvaluatedModel:
    """Read a model's table. See store.model_names.

    context  table of the context for the model with evidence; None: it does without
    trees    the same for the trees, which need the context
    responses  the same for the responses, which need the trees

    Raises ModelFormatError when the file is missing, damaged or holds another model.
    """
    path = path_of(file, name)
    if path != file and not path.exists():
        raise ModelFormatError(f"{path}: no table of the {name} model; yomi train makes one")
    if name == BERNOULLI:
        keys, counts, manifest = read_counts(path)
        knowledge = no_patterns()._replace(
            keys=keys, beta_squared=positive(path, manifest, "beta_squared")
        )
        return EvaluatedModel(name, knowledge, counts)
    knowledge, manifest = read_patterns(path)
    # FILE may be the table of patterns alone, given by its name. It lacks the rows of the evidence.
    rows = EVIDENCE_ROWS if name == "evidence" else 1
    if len(knowledge.evidence) != rows:
        raise ModelFormatError(f"{path}: {len(knowledge.evidence)} rows of evidence, not {rows}")
    if name == "evidence" and context is not None:
        knowledge = knowledge._replace(context=read_context(context))
    if name == "evidence" and trees is not None:
        knowledge = knowledge._replace(trees=read_trees(trees)[0])
    if name == "evidence" and responses is not None:
        knowledge = knowledge._replace(responses=read_responses(responses))
    classes = "independent" if manifest.get(INDEPENDENT) else "nested"
    return EvaluatedModel(name, knowledge, classes=classes)


def evaluate(
    games: GameArchive,
    model: EvaluatedModel,
    progress: Callable[[int], object] = lambda games: None,
) -> Evaluation:
    """Predict every move of the games.

    progress  called with the number of further finished games
    """
    work, calibration = new_prediction_work(model.summands), np.zeros((CALIBRATION_BINS, 3))
    preparers: dict[int, Preparer] = {}
    outcomes = np.zeros((len(games.moves), OUTCOMES))
    plies, sources = np.zeros((2, len(games.moves)), np.int64)

    def judge_next(game: int, first: int) -> int:
        preparer = preparer_for(preparers, int(games.sizes[game]))
        moves = games.moves[games.starts[game] : games.starts[game + 1]]
        model_arrays, rows = (model.knowledge, model.counts), (outcomes[first:], plies[first:])
        return int(judge_game(work, calibration, preparer, *model_arrays, moves, *rows))

    # One game is judged before the clock starts, and its result is dropped. Otherwise the time
    # would include the compiler's.
    if games.games:
        judge_next(0, 0)
        calibration[:] = 0.0  # it accumulates
    done, start = 0, time.thread_time()  # of this thread, since others share the machine
    for game in range(games.games):
        count = judge_next(game, done)
        # By the game, not by the position in the archive, since games are cut at illegal moves.
        sources[done : done + count] = games.sources[game]
        done += count
        progress(1)
    seconds = time.thread_time() - start
    return Evaluation(outcomes[:done], plies[:done], sources[:done], calibration, seconds)
