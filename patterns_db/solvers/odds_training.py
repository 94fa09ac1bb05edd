"""Training of the odds of a capture without a proof, on chains of games.

Source: our own. In positions of games, chains with few liberties are read as play reads them. If
the reading ends without a proof, a much longer one decides what was right. The weights are those of
a logistic regression (``engine.captures.odds``). Chains that the longer reading leaves open, and
those that depend on a ko, teach nothing.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.arrays import Floats
from engine.captures.priors import PriorTable, learned_priors
from engine.captures.reader import CaptureReader
from engine.facts.chain_facts import CHAINS, chains_in_trouble, limit_for
from engine.go.board import Board
from engine.go.rules import RULESETS
from engine.picture.picture import picture_of
from patterns_db.newton import most_probable
from patterns_db.records.games import DecodedGame
from patterns_db.records.replay import replay_moves

FIRST = 10  # moves of a game before its first position
PRIOR: Floats = np.array([0.0, 1.0, 0.0, 0.0, 0.0])
"""Mean of the weights' prior, with variance 1: the search's own log-odds."""


class OddsLessons(NamedTuple):
    """Readings without a proof: float64[N, 5] features, and bool[N] whether the chain is taken."""

    features: Floats
    captured: npt.NDArray[np.bool_]


class OddsObserver:
    """Reads the chains of positions, shortly and with ``nodes``, both with the same priors."""

    def __init__(self, priors: PriorTable | None, nodes: int) -> None:
        learned = None if priors is None else learned_priors(priors)
        self._short = CaptureReader("pns", CHAINS.open_nodes, learned)
        self._long = CaptureReader("pns", nodes, learned)

    def observe(self, board: Board) -> Iterator[tuple[Floats, bool]]:
        """Yield the features of each open reading, and whether the chain is captured."""
        for stones in chains_in_trouble(board):
            goal, limit = stones[0], limit_for(picture_of(board).chain_at(stones[0]))
            for attacker_first in (True, False):
                if self._short.read_chain(board, goal, attacker_first, limit).value != "unknown":
                    continue
                features = self._short.open_search()
                value = self._long.read_chain(board, goal, attacker_first, limit).value
                if value in ("captured", "safe"):
                    yield features, value == "captured"


def positions_of(record: DecodedGame, count: int, rng: np.random.Generator) -> Iterator[Board]:
    """Yield drawn positions of a game from FIRST on, in order."""
    later = np.arange(FIRST, len(record.moves))
    wanted = set(rng.choice(later, min(count, len(later)), replace=False).tolist())
    for game in replay_moves(record, RULESETS["chinese"], 7.5):  # any komi: it changes no chain
        if len(game.moves) in wanted:
            yield game.board


def collect_lessons(
    records: Iterable[DecodedGame], observer: OddsObserver, positions: int, seed: int
) -> Iterator[tuple[Floats, bool]]:
    """Yield the lessons of some games, from a number of positions of each."""
    rng = np.random.default_rng(seed)
    for record in records:
        for board in positions_of(record, positions, rng):
            yield from observer.observe(board)


def fit_odds(lessons: OddsLessons) -> Floats:
    """Return the most probable weights of the logistic regression."""
    sign = np.where(lessons.captured, 1.0, -1.0)

    def loss(weights: Floats) -> float:
        return float(np.logaddexp(0.0, -sign * (lessons.features @ weights)).sum())

    return most_probable(loss, PRIOR)
