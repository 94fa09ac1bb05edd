"""Players of known ranks: which games count, the slope of the Elo scale, and the tables."""

import numpy as np
import pytest

from engine import Knowledge
from engine.patterns.valuing import no_patterns
from engine.people.model import model_of_patterns
from patterns_db.records.games import DecodedGame
from scripts.check import ranks

EMPTY = np.zeros(0, np.int64)


@pytest.fixture(autouse=True)
def _no_tables(monkeypatch):
    knowledge = Knowledge(patterns=no_patterns(), people=model_of_patterns())
    monkeypatch.setattr(ranks, "load_knowledge", lambda: knowledge)


def game_of(black, white, winner):
    return DecodedGame(9, EMPTY, EMPTY, EMPTY, EMPTY, "", winner=winner, ranks=(black, white))


def test_games_that_count():
    games = [game_of("5k", "3k", 2), game_of("5k", "3k", 1), game_of("1d", "2k", 1)]
    others = [("5k", "5k", 1), ("5k", None, 1), ("5k", "3k", 0), ("25k", "3k", 2)]
    found = ranks.results_of(games + [game_of(*other) for other in others], False)
    assert found.middles.tolist() == [4.0, 4.0, 1.0]
    assert found.apart.tolist() == [2, 2, 2]
    assert found.won.tolist() == [1.0, 0.0, 1.0]
    # The labels count up: the larger number is the stronger player.
    assert ranks.results_of(games, True).won.tolist()[:2] == [0.0, 1.0]


def test_the_slope_is_that_of_the_games():
    """Two ranks apart and 64 % won: one rank is half of the log odds."""
    slope, error = ranks.elo_slope(np.full(100, 2), np.repeat([1.0, 0.0], [64, 36]))
    assert slope == pytest.approx(ranks.ELO * np.log(64 / 36) / 2, rel=1e-6)
    assert error == pytest.approx(ranks.ELO / (2 * np.sqrt(100 * 0.64 * 0.36)), rel=1e-6)
