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
from engine.jit import kernel
from engine.patterns.bernoulli import score_by_rates
from engine.patterns.choice import MEAN, VARIANCE, fetch_beliefs
from engine.patterns.contenders import LANES
from engine.patterns.prediction import GRID_POINTS, predict
from engine.patterns.predictor import PredictionWork, group_moves, new_prediction_work
from engine.patterns.valuing import (
    CONTEXT_SUMMANDS,
    EVIDENCE_ROWS,
    TREE_SUMMANDS,
    PatternKnowledge,
    beliefs_of,
    no_patterns,
    summands_into,
)
from patterns_db.patterns.checkpoints import INDEPENDENT, read_counts
from patterns_db.patterns.context_table import read_context
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
from patterns_db.patterns.training import BLOCK_CANDIDATES
from patterns_db.patterns.tree_table import read_trees
from patterns_db.records.archive import GameArchive
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


class EvaluationScratch(NamedTuple):
    """Scratch for judging a model's predictions.

    calibration  float64[CALIBRATION_BINS, 3], by predicted probability: number, sum of the
                 probabilities, number of played ones; accumulates
    """

    work: PredictionWork
    calibration: Floats


def new_judge(width: int) -> EvaluationScratch:
    """Return scratch for any position whose candidates have ``width`` summands each."""
    return EvaluationScratch(new_prediction_work(width), np.zeros((CALIBRATION_BINS, 3)))


@kernel
def note_rank(outcomes: Floats, index: int, score: Floats, count: int, played: int) -> None:
    """Note the numbers of candidates with a higher score than the played one, or an equal one.

    outcomes  float64[moves, OUTCOMES], row ``index`` changes
    score     float64[>= count]
    """
    above = 0
    equal = 0
    for candidate in range(count):
        if score[candidate] > score[played]:
            above += 1
        # The comparison is exact: candidates of one group have the same number.
        elif score[candidate] == score[played]:
            equal += 1
    outcomes[index, ABOVE] = above
    outcomes[index, EQUAL] = equal
    outcomes[index, LEGAL] = count


@kernel
def calibrate(calibration: Floats, score: Floats, count: int, played: int) -> None:
    """Note all predicted probabilities of a position, and the played one.

    calibration  float64[CALIBRATION_BINS, 3], see EvaluationScratch; changes in place
    score        float64[>= count]
    """
    for candidate in range(count):
        # A probability of 1 belongs to the last bin, not to one beyond it.
        column = min(int(score[candidate] * CALIBRATION_BINS), CALIBRATION_BINS - 1)
        calibration[column, 0] += 1.0
        calibration[column, 1] += score[candidate]
        calibration[column, 2] += candidate == played


@kernel
def predict_position(
    work: PredictionWork,
    positions: PreparedPositions,
    index: int,
    slots: int,
    beliefs: Floats,
    beta_squared: float,
) -> int:
    """Compute the probability of each candidate of a position; ``predictor.predict_moves``.

    work     PredictionWork of the model's summands: 1 for the paper's model
    index    int64, number of the position
    slots    int64, of the table
    beliefs  float64[rows + LANES, 2], unpacked (valuing.beliefs_of); the last rows are scratch
    returns  int64, number of candidates
    """
    count = recall_candidates(positions, index, work.candidates)
    group_moves(work, count, slots)
    # The trees' sums take the place of the last rows: they differ from position to position.
    for lane in range(work.candidates.contenders.count[0]):
        for part in (MEAN, VARIANCE):
            row = len(beliefs) - LANES + lane
            beliefs[row, part] = work.candidates.contenders.sums[lane, part]
    fetch_beliefs(work.choice, beliefs)
    predict(work.choice, count, beta_squared, GRID_POINTS, work.probability)
    return count


@kernel
def judge_ranking(
    judge: EvaluationScratch,
    positions: PreparedPositions,
    slots: int,
    beliefs: Floats,
    beta_squared: float,
    outcomes: Floats,
) -> None:
    """Predict the positions of a block by the ranking model and note the outcomes.

    judge                         EvaluationScratch, see ``predict_position``
    slots, beliefs, beta_squared  the model, as there
    outcomes                      float64[moves, OUTCOMES], overwritten
    """
    chances = judge.work.probability
    for index in range(positions.meta[MOVES]):
        count = predict_position(judge.work, positions, index, slots, beliefs, beta_squared)
        played = positions.played[index]
        note_rank(outcomes, index, chances, count, played)
        outcomes[index, TEMPLATE] = judge.work.candidates.templates[played]
        # Probabilities below about 1e-16 become 0, and log(0) would make every mean -inf.
        outcomes[index, LOG_EVIDENCE] = np.log(max(chances[played], 1e-300))
        outcomes[index, NORMALIZED] = outcomes[index, LOG_EVIDENCE]
        calibrate(judge.calibration, chances, count, played)


@kernel
def judge_bernoulli(
    judge: EvaluationScratch,
    positions: PreparedPositions,
    slots: int,
    counts: Floats,
    outcomes: Floats,
) -> None:
    """Predict the positions of a block by the independent Bernoulli model; see ``judge_ranking``.

    counts  float64[rows, 2]
    """
    work, score = judge.work, judge.work.probability
    for index in range(positions.meta[MOVES]):
        count = recall_candidates(positions, index, work.candidates)
        played = positions.played[index]
        summands_into(work.candidates, count, slots, False, work.summands)
        # The scores do not sum to 1. The paper compares them unnormalized, so both are noted.
        total = score_by_rates(counts, work.summands, count, BERNOULLI_PRIOR, score)
        # The first is not normalized, for the comparison with the paper; the second is.
        outcomes[index, LOG_EVIDENCE] = score[played]
        outcomes[index, NORMALIZED] = score[played] - total
        for candidate in range(count):
            score[candidate] = np.exp(score[candidate] - total)
        note_rank(outcomes, index, score, count, played)
        outcomes[index, TEMPLATE] = work.candidates.templates[played]
        calibrate(judge.calibration, score, count, played)


class EvaluatedModel(NamedTuple):
    """A model to evaluate.

    name       "evidence", "paper" or "bernoulli"
    knowledge  of the Bernoulli model and in training, only the keys and beta_squared count
    beliefs    float64[rows, 2], means and variances; of the Bernoulli model the counts
    classes    "nested" or, as printed, "independent"; see ``training``
    """

    name: str
    knowledge: PatternKnowledge
    beliefs: Floats
    classes: str = "independent"

    @property
    def summands(self) -> int:
        """The number of a candidate's summands."""
        return self.knowledge.summands if self.name == "evidence" else 1


class Evaluation(NamedTuple):
    """The outcome of each position.

    outcomes     float64[moves, OUTCOMES]
    plies        int64[moves], moves made before in its game
    sources      int64[moves], index into the archive's names
    calibration  float64[BINS, 3], see EvaluationScratch
    seconds      CPU time of matching and predicting
    """

    outcomes: Floats
    plies: Ints
    sources: Ints
    calibration: Floats
    seconds: float


def open_model(
    file: Path, name: str, context: Path | None = None, trees: Path | None = None
) -> EvaluatedModel:
    """Read a model's table. See store.model_names.

    context  table of the context for the model with evidence; None: it does without
    trees    the same for the trees, which need the context

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
        knowledge = knowledge._replace(trees=read_trees(trees))
    classes = "independent" if manifest.get(INDEPENDENT) else "nested"
    return EvaluatedModel(name, knowledge, beliefs_of(knowledge), classes)


def evaluate(
    games: GameArchive,
    model: EvaluatedModel,
    progress: Callable[[int], object] = lambda games: None,
) -> Evaluation:
    """Predict every move of the games.

    progress  called with the number of further finished games
    """
    with_evidence = model.name == "evidence"
    judge = new_judge(model.summands)
    preparers: dict[int, Preparer] = {}
    with_context = model.summands >= CONTEXT_SUMMANDS
    with_trees = model.summands >= TREE_SUMMANDS
    room = room_for(games, BLOCK_CANDIDATES)
    positions = new_positions(*room, with_context, with_trees)
    beliefs = np.concatenate([model.beliefs, np.zeros((LANES, 2))])
    outcomes = np.zeros((len(games.moves), OUTCOMES))
    plies, numbers = np.zeros((2, len(games.moves)), np.int64)
    done, seconds = 0, 0.0
    # One game is judged before the clock starts, and its result is dropped. Otherwise the time
    # would include the compiler's.
    if games.games:
        prepare_games(preparers, model.knowledge, games, 0, 1, positions, with_evidence)
        _judge(judge, positions, model, beliefs, outcomes)
        # It accumulates. The first block overwrites the outcomes anyway.
        judge.calibration[:] = 0.0
    for first, last in blocks_of_games(games, 0, BLOCK_CANDIDATES):
        # The time is this thread's CPU time, since other processes share the machine.
        start = time.thread_time()
        prepare_games(preparers, model.knowledge, games, first, last, positions, with_evidence)
        _judge(judge, positions, model, beliefs, outcomes[done:])
        seconds += time.thread_time() - start
        moves = int(positions.meta[MOVES])
        plies[done : done + moves] = positions.plies[:moves]
        numbers[done : done + moves] = positions.game[:moves]
        done += moves
        progress(last - first)
    # The index is the game, not the position in the archive, since games are cut at illegal moves.
    sources = games.sources[numbers[:done]].astype(np.int64)
    return Evaluation(outcomes[:done], plies[:done], sources, judge.calibration, seconds)


def _judge(
    judge: EvaluationScratch,
    positions: PreparedPositions,
    model: EvaluatedModel,
    beliefs: Floats,
    outcomes: Floats,
) -> None:
    slots = len(model.knowledge.keys)
    if model.name == BERNOULLI:
        judge_bernoulli(judge, positions, slots, beliefs, outcomes)
    else:
        beta_squared = model.knowledge.beta_squared
        judge_ranking(judge, positions, slots, beliefs, beta_squared, outcomes)
