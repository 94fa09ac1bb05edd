"""Quality of predictions of people's choices, and a comparison of levels with people.

All results are by bands of ranks, on choices that were not learned from.
"""

from typing import NamedTuple

import numpy as np

from engine.arrays import Floats, Ints
from engine.go.geometry import MAX_SIZE
from engine.patterns.context import DISTANCES
from engine.people.features import CAPTURE, EXTENSION, FIRST_ROWS, LAST, PLACE, PLACES
from engine.people.model import PeopleModel, log_chances_into
from engine.people.posterior import rank_posterior
from patterns_db.people.choices import UNKNOWN, PeopleChoices
from patterns_db.people.training import Bools, judge_people, rank_logs


class Judging(NamedTuple):
    """What a prediction of people's moves is judged by."""

    span: tuple[int, int] = (-2, 20)  # strongest and weakest estimated rank
    players: int = 40  # of each rank
    early: int = 20  # moves of a game in which lines are counted
    # Classes in PLACE on the first line: (1, 1), (1, 2), (1, 3), (1, 4), (1, 5).
    first_line: tuple[int, ...] = (1, 2, 4, 7, 11)
    given: int = 10  # classes in EXTENSION from here on: the last move gave the atari


JUDGING = Judging()

BANDS = ((26, 30), (21, 25), (16, 20), (11, 15), (6, 10), (1, 5), (-2, 0), (-8, -3))
"""The strongest and the weakest rank of each band, in kyu."""

TEMPERATURES = np.arange(0.8, 2.41, 0.05)


class BandScore(NamedTuple):
    """The quality of predictions for a band."""

    band: tuple[int, int]
    moves: int
    log_evidence: float  # mean log probability of a move [nats]
    top: float  # share of choices that were the most probable move
    model_log_evidence: float  # the same of the ranking model at its best temperature
    model_top: float
    temperature: float  # the ranking model's best one


class Habits(NamedTuple):
    """Shares of some kinds of moves; ``people`` as played, ``model`` as expected by a rank's model.

    The order is: (1) first-line moves among a game's first early moves; (2) positions with stones
    to capture in which none are captured; (3) own stones just put into atari and neither saved nor
    freed by a capture; (4) moves adjacent or diagonal to the last one.
    """

    people: Floats
    model: Floats


class LevelScore(NamedTuple):
    """The quality of ranks that are estimated from some games."""

    players: int
    error: float  # mean absolute error [ranks]
    covered: float  # share of players inside their 80 % interval


def _in_band(choices: PeopleChoices, band: tuple[int, int], chosen: Bools) -> Ints:
    has_rank = chosen & (choices.kyu != UNKNOWN)
    return np.flatnonzero(has_rank & (choices.kyu >= band[0]) & (choices.kyu <= band[1]))


def score_band(
    choices: PeopleChoices, people: PeopleModel, band: tuple[int, int], chosen: Bools
) -> BandScore:
    """Return the quality of predictions for a band, also of the ranking model alone.

    chosen  bool[moves], the choices that count
    """
    indices = _in_band(choices, band, chosen)
    logs, tops = np.zeros(len(TEMPERATURES)), 0.0
    for index in indices:
        chances = choices.chances[choices.begins[index] : choices.begins[index + 1]]
        own = chances[choices.played[index]]
        scaled = chances.astype(np.float64) / TEMPERATURES[:, None]
        most = scaled.max(axis=1)
        logs += own / TEMPERATURES - most - np.log(np.exp(scaled - most[:, None]).sum(axis=1))
        tops += (own >= chances.max()) / (chances == own).sum()
    mask = np.zeros(choices.moves, np.bool_)
    mask[indices] = True
    prediction = judge_people(choices, people, mask)
    count = max(len(indices), 1)
    best = int(logs.argmax())
    return BandScore(
        band=band, moves=len(indices), log_evidence=float(prediction.logs.sum()) / count,
        top=float(prediction.top.sum()) / count, model_log_evidence=float(logs[best]) / count,
        model_top=tops / count, temperature=float(TEMPERATURES[best]),
    )  # fmt: skip


def habits_of_band(
    choices: PeopleChoices, people: PeopleModel, band: tuple[int, int], chosen: Bools
) -> Habits:
    """Return the shares of some kinds of moves, as played and as expected.

    chosen  bool[moves], the choices that count
    """
    logs = np.zeros(MAX_SIZE * MAX_SIZE)
    first_of_game = np.searchsorted(choices.game, choices.game)
    weights = {kyu: people.at(kyu) for kyu in range(band[0], band[1] + 1)}
    played, expected, cases = np.zeros((3, 4))
    for index in _in_band(choices, band, chosen):
        inputs, rows = choices.recall(index)
        count = len(inputs)
        log_chances_into(weights[int(choices.kyu[index])], inputs, rows, count, logs)
        kinds, possible = _kinds(rows, bool(index - first_of_game[index] < JUDGING.early))
        cases += possible
        played += possible * kinds[:, choices.played[index]]
        expected += possible * (kinds @ np.exp(logs[:count]))
    cases = np.maximum(cases, 1.0)
    return Habits(played / cases, expected / cases)


def _kinds(rows: Ints, early: bool) -> tuple[Floats, Floats]:
    """Return the candidates of each kind in ``Habits``, and whether the position counts."""
    classes = np.where(rows > 0, rows - np.array(FIRST_ROWS) + 1, 0)
    place = (classes[:, PLACE] - 1) % PLACES + 1
    captures = classes[:, CAPTURE] > 0
    saves = classes[:, EXTENSION] >= JUDGING.given
    answers = saves | (classes[:, CAPTURE] > 6)
    near = (classes[:, LAST] > 0) & ((classes[:, LAST] - 1) % DISTANCES < 2)
    kinds = [np.isin(place, JUDGING.first_line), ~captures, ~answers, near]
    possible = [early, captures.any(), saves.any(), classes[:, LAST].any()]
    return np.array(kinds, np.float64), np.array(possible, np.float64)


def score_levels(
    choices: PeopleChoices, people: PeopleModel, chosen: Bools, games: int
) -> LevelScore:
    """Return the quality of ranks estimated from some games. All ranks have equal weight.

    Records without names do not identify players, so games of one rank are grouped at random.
    """
    rng = np.random.default_rng(1)
    strongest, weakest = JUDGING.span
    indices = np.flatnonzero(chosen & (choices.kyu >= strongest) & (choices.kyu <= weakest))
    own_game = choices.game[indices] * 2 + choices.color[indices]
    order = np.argsort(own_game, kind="stable")
    ends = np.flatnonzero(np.diff(own_game[order])) + 1
    pieces = np.split(indices[order], ends)
    errors, covered, total = 0.0, 0, 0
    for kyu in range(strongest, weakest + 1):
        own = [piece for piece in pieces if len(piece) and choices.kyu[piece[0]] == kyu]
        if len(own) < 2 * games:
            continue
        picked = rng.permutation(len(own))[: games * JUDGING.players]
        logs = {int(i): rank_logs(choices, people, own[i]) for i in picked}
        for _ in range(JUDGING.players):
            mine = rng.choice(picked, games, replace=False)
            posterior = rank_posterior(np.sum([logs[int(i)] for i in mine], axis=0))
            strong, weak = posterior.interval
            errors += abs(posterior.median - kyu)
            covered += strong <= kyu <= weak
            total += 1
    return LevelScore(total, errors / max(total, 1), covered / max(total, 1))
