"""Learns how sure win rates may be, from positions of games whose winner is known.

A probit regression through the origin: P(Black won) = Phi(exp(w . features) * z), z the probit of
the win rate that the search believes, w ~ N(0, 1) each. The posterior's mode is found by Newton
steps on numerical derivatives: there are five weights and some thousand positions.
"""

from collections.abc import Sequence
from pathlib import Path
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.errors import ModelFormatError
from engine.gaussian import log_cdf
from engine.search.calibration import FEATURES, Calibration, features_of
from patterns_db.store import Manifest, open_arrays, write_table

_KIND = "calibration"
SURE = 1e-4  # win rates nearer to 0 or 1 count as this: their probit would outweigh all others
STEP = 1e-4  # of the numerical derivatives
ROUNDS = 50

Floats = npt.NDArray[np.float64]


class JudgedPosition(NamedTuple):
    """A position of a game, what a search believed, and who won.

    win_rate  Black's, before any calibration
    won       1 Black, 0 White
    """

    size: int
    occupied: float
    playouts: float
    win_rate: float
    won: float


def fit_calibration(positions: Sequence[JudgedPosition]) -> Calibration:
    """Return the most probable weights given the positions; zeros without any."""
    normal = NormalDist()
    features = np.array([features_of(p.size, p.occupied, p.playouts) for p in positions]).reshape(
        -1, FEATURES
    )
    probits = np.array([normal.inv_cdf(min(max(p.win_rate, SURE), 1 - SURE)) for p in positions])
    # From the winner's side, so that every result is a win.
    scores = np.where([p.won > 0.5 for p in positions], probits, -probits)

    def loss(weights: Floats) -> float:
        sharp = np.exp(np.clip(features @ weights, -5.0, 5.0))
        evidence = sum(float(log_cdf(score)) for score in sharp * scores)
        return 0.5 * float(weights @ weights) - evidence

    weights = np.zeros(FEATURES)
    basis = STEP * np.eye(FEATURES)
    for _ in range(ROUNDS):
        gradient = np.array([loss(weights + e) - loss(weights - e) for e in basis]) / (2 * STEP)
        hessian = np.array(
            [
                [
                    loss(weights + a + b) - loss(weights + a - b)
                    - loss(weights - a + b) + loss(weights - a - b)
                    for b in basis
                ]
                for a in basis
            ]
        ) / (4 * STEP * STEP)  # fmt: skip
        # The prior alone has curvature 1: less is a region where the loss is not convex.
        values, vectors = np.linalg.eigh(hessian)
        move = vectors @ ((vectors.T @ gradient) / np.maximum(np.abs(values), 1.0))
        scale = 1.0
        while loss(weights - scale * move) > loss(weights) and scale > 1e-6:
            scale /= 2.0
        weights = weights - scale * move
        if float(np.abs(move).max()) < 1e-6:
            break
    return Calibration(weights)


def write_calibration(path: Path, calibration: Calibration, manifest: Manifest) -> None:
    """Write the table and, beside it, its manifest."""
    write_table(path, _KIND, calibration._asdict(), manifest)


def read_calibration(path: Path) -> Calibration:
    """Return what ``write_calibration`` wrote. Raises ModelFormatError for anything else."""
    arrays, _ = open_arrays(path, _KIND, verify=True)
    if {name: array.shape for name, array in arrays.items()} != {"weights": (FEATURES,)}:
        raise ModelFormatError(f"{path}: made by a yomi with other features")
    return Calibration(**arrays)
