"""Move prediction on games: how the expert's move ranks, and how probable it was.

Stern, Herbrich & Graepel (2006), section 4.
"""

from typing import NamedTuple

import numpy as np

from engine.jit import kernel
from engine.patterns.bernoulli import score_moves
from engine.patterns.choice import Choice, Floats, fetch_beliefs, group_candidates, new_choice
from engine.patterns.features import Integers
from engine.patterns.prediction import predict
from patterns_db.positions import MOVES, WIDTH, Positions, rows_into

GRID = 64  # points of a prediction's quadrature
BERNOULLI_PRIOR = 0.5
BINS = 20
RANK, LEGAL, TEMPLATE = 0, 1, 2  # columns of outcomes
LOG_EVIDENCE, NORMALISED = 0, 1  # columns of scores


class Judge(NamedTuple):
    """Scratch for judging a model's predictions.

    calibration  float64[BINS, 3], by predicted probability: number, sum of the probabilities,
                 how often it was played; adds up
    """

    choice: Choice
    rows: Integers  # (most, WIDTH)
    only: Integers  # (most, 1)
    flat: Integers  # (most,), the same memory
    score: Floats  # (most,)
    calibration: Floats


def new_judge(width: int, candidates: int = 625) -> Judge:
    """Return scratch for positions with so many candidates, ``width`` summands each."""
    only = np.zeros((candidates, 1), np.int64)
    return Judge(
        new_choice(candidates, width),
        np.zeros((candidates, WIDTH), np.int64),
        only,
        only.reshape(-1),
        np.zeros(candidates),
        np.zeros((BINS, 3)),
    )


@kernel
def rank_of(score: Floats, count: int, played: int) -> float:
    """Return the rank of a candidate, 1 = best; equal scores share their mean rank."""
    above = 0
    equal = 0
    for candidate in range(count):
        if score[candidate] > score[played]:
            above += 1
        elif score[candidate] == score[played]:
            equal += 1
    return above + 0.5 * (equal + 1)


@kernel
def calibrate(calibration: Floats, score: Floats, count: int, played: int) -> None:
    """Note all predicted probabilities of a position and which of them came true."""
    for candidate in range(count):
        column = min(np.int64(score[candidate] * BINS), BINS - 1)
        calibration[column, 0] += 1.0
        calibration[column, 1] += score[candidate]
        calibration[column, 2] += candidate == played


@kernel
def judge_ranking(
    judge: Judge,
    positions: Positions,
    slots: int,
    beliefs: Floats,
    beta_squared: float,
    outcomes: Floats,
    scores: Floats,
) -> None:
    """Predict the positions of a block by the ranking model and see what was played.

    judge     Judge; with WIDTH summands the added evidence counts, with 1 it does not
    beliefs   float64[rows, 2]
    outcomes  float64[moves, 3], overwritten: rank, number of legal moves, template
    scores    float64[moves, 2], overwritten: log probability of the expert's move, twice
    """
    summed = judge.choice.leaf_of.shape[1] > 1
    for index in range(positions.meta[MOVES]):
        first = positions.begins[index]
        count = positions.begins[index + 1] - first
        played = positions.played[index]
        rows_into(positions, first, count, slots, judge.rows, judge.only)
        if summed:
            group_candidates(judge.choice, judge.rows, count)
        else:
            group_candidates(judge.choice, judge.only, count)
        fetch_beliefs(judge.choice, beliefs)
        predict(judge.choice, count, beta_squared, GRID, judge.score)
        outcomes[index, RANK] = rank_of(judge.score, count, played)
        outcomes[index, LEGAL] = count
        outcomes[index, TEMPLATE] = positions.templates[first + played]
        scores[index, LOG_EVIDENCE] = np.log(max(judge.score[played], 1e-300))
        scores[index, NORMALISED] = scores[index, LOG_EVIDENCE]
        calibrate(judge.calibration, judge.score, count, played)


@kernel
def judge_bernoulli(
    judge: Judge,
    positions: Positions,
    slots: int,
    counts: Floats,
    outcomes: Floats,
    scores: Floats,
) -> None:
    """Predict the positions of a block by the independent Bernoulli model; see ``judge_ranking``.

    counts  float64[rows, 2]
    scores  float64[moves, 2], overwritten: log score of the expert's move as the paper has it,
            then normalised over the candidates
    """
    for index in range(positions.meta[MOVES]):
        first = positions.begins[index]
        count = positions.begins[index + 1] - first
        played = positions.played[index]
        rows_into(positions, first, count, slots, judge.rows, judge.only)
        total = score_moves(counts, judge.flat, count, BERNOULLI_PRIOR, judge.score)
        scores[index, LOG_EVIDENCE] = judge.score[played]
        scores[index, NORMALISED] = judge.score[played] - total
        for candidate in range(count):
            judge.score[candidate] = np.exp(judge.score[candidate] - total)
        outcomes[index, RANK] = rank_of(judge.score, count, played)
        outcomes[index, LEGAL] = count
        outcomes[index, TEMPLATE] = positions.templates[first + played]
        calibrate(judge.calibration, judge.score, count, played)
