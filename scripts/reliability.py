"""Are probabilities right? Figures of forecasts held against what came of them."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from engine.arrays import Floats
from scripts.tables import TableRow, print_table

BINS = 10
SURE = 1e-3  # nearer to 0 and 1 nothing counts: one upset would outweigh all the rest
DRAWS = 200  # of results, to see what chance makes of a calibration error
HEADER = ("forecasts", "log loss", "+-", "Brier", "+-", "calibration", "by chance", "right")
RELIABILITY = ("said", "forecasts", "mean", "came true", "+-")


def log_losses(chance: Floats, result: Floats) -> Floats:
    """Return float64[n] in nats; what was held for impossible costs no more than SURE says."""
    sure = np.clip(chance, SURE, 1.0 - SURE)
    return np.asarray(-np.log(np.where(result > 0.5, sure, 1.0 - sure)))


def calibration_error(chance: Floats, result: Floats) -> float:
    """Return the expected calibration error: the mean distance of BINS bins' means, by size."""
    bins = _bins_of(chance)
    gaps = np.bincount(bins, chance - result, BINS)
    return float(np.abs(gaps).sum() / max(len(chance), 1))


def error_by_chance(chance: Floats, groups: Sequence[str]) -> float:
    """Return the mean calibration error of forecasts that are right, with so few results.

    groups  what results have in common, the game: they are drawn as if they came true together
    """
    rng = np.random.default_rng(1)
    _, group = np.unique(np.array(groups), return_inverse=True)
    draws = rng.random((DRAWS, int(group.max(initial=-1)) + 1))
    return float(np.mean([calibration_error(chance, (d[group] < chance) * 1.0) for d in draws]))


def figures_of(chance: Floats, result: Floats, groups: Sequence[str]) -> list[float | int]:
    """Return a row of HEADER: all of it for results of 0 and 1, and one half for a jigo."""
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
    """Print what was said, bin by bin, and how often it came true."""
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


def _bins_of(chance: Floats) -> npt.NDArray[np.int64]:
    return np.minimum((chance * BINS).astype(np.int64), BINS - 1)
