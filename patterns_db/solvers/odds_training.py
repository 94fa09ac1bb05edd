"""Training of the odds of a capture without a proof, on chains of games.

Source: our own. In positions of games, chains with few liberties are read as play reads them. If
the reading ends without a proof, a much longer one decides what was right. The weights are those of
a logistic regression (``engine.captures.odds``). Chains that the longer reading leaves open, and
those that depend on a ko, teach nothing.
"""

import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from tqdm import tqdm

from engine.arrays import Floats
from engine.captures.odds import CaptureOdds, no_odds
from engine.captures.priors import PriorTable, learned_priors
from engine.captures.reader import CaptureReader
from engine.errors import BadSetup
from engine.facts.chain_facts import CHAINS, chains_in_trouble, limit_for
from engine.go.board import Board
from engine.go.rules import RULESETS
from engine.picture.picture import picture_of
from patterns_db.newton import most_probable
from patterns_db.records.games import DecodedGame, GameReader
from patterns_db.records.replay import replay_moves
from patterns_db.solvers.solver_tables import ODDS


class OddsTraining(NamedTuple):
    """The fit of the odds of a capture."""

    first: int = 10  # moves of a game before its first position
    komi: float = 7.5  # any: it changes no chain


FIT = OddsTraining()


@dataclass(frozen=True)
class OddsTrainingSettings:
    """Settings of a training."""

    max_games: int = 20  # games of each path
    positions: int = 1  # drawn from each game
    nodes: int = 30_000  # of the reading that decides
    seed: int = 1


class OddsLessons(NamedTuple):
    """Readings without a proof.

    float64[N, ODDS_FEATURES] their features, and bool[N] whether the chain is captured.
    """

    features: Floats
    captured: npt.NDArray[np.bool_]


class OddsObserver:
    """Reads the chains of positions, shortly and long.

    priors  of both readings; None: they do without
    nodes   of a long reading
    """

    def __init__(self, priors: PriorTable | None, nodes: int) -> None:
        learned = None if priors is None else learned_priors(priors)
        self._short = CaptureReader("pns", CHAINS.open_nodes, learned)
        self._long = CaptureReader("pns", nodes, learned)

    def observe(self, board: Board) -> Iterator[tuple[Floats, bool]]:
        """Yield the features of each open reading, and whether the chain is captured.

        board  uint16[BOARD_CELLS]
        """
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
    """Yield drawn positions of a game from first on, in order."""
    later = np.arange(FIT.first, len(record.moves))
    wanted = set(rng.choice(later, min(count, len(later)), replace=False).tolist())
    for game in replay_moves(record, RULESETS["chinese"], FIT.komi):
        if len(game.moves) in wanted:
            yield game.board


def collect_lessons(
    records: Iterable[DecodedGame], priors: PriorTable | None, settings: OddsTrainingSettings
) -> OddsLessons:
    """Return the lessons of some games."""
    observer = OddsObserver(priors, settings.nodes)
    rng = np.random.default_rng(settings.seed)
    pairs = [
        lesson
        for record in records
        for board in positions_of(record, settings.positions, rng)
        for lesson in observer.observe(board)
    ]
    if not pairs:
        raise BadSetup("no reading of a chain in these games ends without a proof")
    features, captured = zip(*pairs, strict=True)
    return OddsLessons(np.array(features), np.array(captured, np.bool_))


def fit_odds(lessons: OddsLessons) -> CaptureOdds:
    """Return the most probable weights of the logistic regression.

    Each has the prior N(m, 1), with m = 1 for the search's own log-odds and 0 for the others.
    """
    sign = np.where(lessons.captured, 1.0, -1.0)

    def loss(weights: CaptureOdds) -> float:
        return float(np.logaddexp(0.0, -sign * (lessons.features @ weights)).sum())

    return most_probable(loss, no_odds())


def train_odds(
    paths: Iterable[Path],
    priors: PriorTable | None,
    settings: OddsTrainingSettings,
    out: Path,
    say: Callable[[str], None] = print,
) -> CaptureOdds:
    """Learn the weights from games and write the table.

    Raises BadSetup where the games teach nothing, and SgfError for a missing path.
    """
    parts: list[OddsLessons] = []
    sources: list[str] = []
    for path in paths:
        games = tqdm(islice(GameReader([path]), settings.max_games), unit=" games", file=sys.stderr)
        parts.append(collect_lessons(games, priors, settings))
        sources.append(path.name)
        say(f"{path.name}: {len(parts[-1].captured)} open readings")
    lessons = OddsLessons._make(np.concatenate(field) for field in zip(*parts, strict=True))
    weights = fit_odds(lessons)
    notes = {
        "sources": sources,
        "settings": asdict(settings),
        "readings": len(lessons.captured),
        "captured": int(lessons.captured.sum()),
    }
    ODDS.write(out, {"odds": weights}, notes)
    return weights
