"""Figures that compare probabilities with outcomes: are the forecasts right?"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from engine.arrays import Floats
from scripts.tables import TableRow, print_table

BINS = 10
SURE = 1e-3  # Closer to 0 and 1 nothing changes, or one upset would outweigh all other results.
DRAWS = 200  # resamples of results, for the calibration error that chance alone causes
HEADER = ("forecasts", "log loss", "+-", "Brier", "+-", "calibration", "by chance", "right")
RELIABILITY = ("said", "forecasts", "mean", "came true", "+-")


def log_losses(chance: Floats, result: Floats) -> Floats:
    """Return the log losses, float64[n], in nats, with probabilities limited by SURE."""
    sure = np.clip(chance, SURE, 1.0 - SURE)
    return np.asarray(-np.log(np.where(result > 0.5, sure, 1.0 - sure)))


def calibration_error(chance: Floats, result: Floats) -> float:
    """Return the expected calibration error: the mean distance of BINS bins' means, by size."""
    bins = _bins_of(chance)
    gaps = np.bincount(bins, chance - result, BINS)
    return float(np.abs(gaps).sum() / max(len(chance), 1))


def error_by_chance(chance: Floats, groups: Sequence[str]) -> float:
    """Return the mean calibration error of correct forecasts with this number of results.

    groups  results of one group (a game) are drawn as if they came true together
    """
    rng = np.random.default_rng(1)
    _, group = np.unique(np.array(groups), return_inverse=True)
    draws = rng.random((DRAWS, int(group.max(initial=-1)) + 1))
    return float(np.mean([calibration_error(chance, (d[group] < chance) * 1.0) for d in draws]))


def figures_of(chance: Floats, result: Floats, groups: Sequence[str]) -> list[float | int]:
    """Return a row of HEADER: in full for results of 0 and 1, half of it for a jigo."""
    loss, brier = log_losses(chance, result), (chance - result) ** 2
    root = np.sqrt(len(chance))
    return [
        len(chance),
        float(loss.mean()),
        float(loss.std() / root),
        float(brier.mean()),
        float(brier.std() / root),
        calibration_error(chance, result),
        error_by_chance(chance, groups),
        float(np.mean((chance > 0.5) == (result > 0.5))),
    ]


def print_reliability(chance: Floats, result: Floats) -> None:
    """Print the mean forecast of each bin, and how often the outcome came true."""
    bins = _bins_of(chance)
    rows: list[TableRow] = []
    for number in range(BINS):
        some = bins == number
        count = int(some.sum())
        if count:
            true = float(result[some].mean())
            error = float(np.sqrt(true * (1.0 - true) / count))
            said = f"{number / BINS:.1f}-{(number + 1) / BINS:.1f}"
            rows.append([said, count, float(chance[some].mean()), true, error])
    print_table(RELIABILITY, rows)


def rms(values: Floats) -> float:
    """Return the root mean square."""
    return float(np.sqrt(np.mean(values**2))) if len(values) else 0.0


def _bins_of(chance: Floats) -> npt.NDArray[np.int64]:
    return np.minimum((chance * BINS).astype(np.int64), BINS - 1)
