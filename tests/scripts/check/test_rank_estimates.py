"""Estimates of known ranks: how many players of a rank are taken, and the table."""

import numpy as np
import pytest

from engine.go.geometry import to_point
from engine.people.model import model_of_patterns
from engine.people.posterior import STRONGEST, RankPosterior
from patterns_db.people.training import RANKS
from patterns_db.records.games import DecodedGame
from scripts.check import rank_estimates
from scripts.check.rank_estimates import estimates, rows_of
from tests.player.test_patterns import knowledge

EMPTY = np.zeros(0, np.int64)


def test_so_many_players_of_each_rank(monkeypatch):
    monkeypatch.setattr(rank_estimates, "FEWEST_MOVES", 1)
    knows = knowledge()._replace(people=model_of_patterns())
    colors, moves = np.array([1, 2]), np.array([to_point(2, 2), to_point(3, 3)])
    ranks = [("5k", "3k"), ("5k", None), ("5k", "2k"), ("25k", "3k")]
    games = [DecodedGame(5, EMPTY, EMPTY, colors, moves, "", ranks=pair) for pair in ranks]
    found = list(estimates(iter(games), knows, 2, False))
    assert [kyu for kyu, _ in found] == [5, 3, 5, 2, 3]
    assert all(posterior.chances.sum() == pytest.approx(1.0) for _, posterior in found)


def certain(kyu):
    chances = np.zeros(RANKS)
    chances[kyu - STRONGEST] = 1.0
    return RankPosterior(chances)


def test_every_rank_counts_equally():
    found = [(5, certain(5)), (5, certain(5)), (5, certain(5)), (0, certain(3))]
    assert rows_of(found) == [
        ["5k", 3, "5k", 0.0, 1.0],
        ["1d", 1, "3k", 3.0, 0.0],
        ["all", 4, "", 1.5, 0.5],
    ]
    assert rows_of([]) == []
