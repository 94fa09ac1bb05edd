"""Habits of a rank, and likelihoods on boards that the ranks were not learned on."""

import numpy as np
import pytest

from engine.go.geometry import parse_vertex
from engine.patterns.valuing import no_patterns
from engine.people.model import model_of_patterns
from engine.people.posterior import STRONGEST, WEAKEST
from patterns_db.people.choices import collect_choices
from patterns_db.people.evaluation import JUDGING, habits_of_band, score_levels
from patterns_db.people.levels import TRUST, logs_on
from patterns_db.records.games import DecodedGame

RANKS = np.arange(STRONGEST, WEAKEST + 1)


def best(size, alike):
    """Return the rank that is most likely on a board for moves like those of a rank on 9x9."""
    return RANKS[logs_on(size, -((RANKS - alike) ** 2.0)).argmax()]


def test_on_the_board_that_was_learned_nothing_changes():
    logs = -np.abs(RANKS - 3.0)
    assert logs_on(9, logs) is logs


@pytest.mark.parametrize("rank", [-6, 0, 8, 20])
def test_players_look_weaker_on_large_boards_than_they_are(rank):
    assert best(19, TRUST.usual_games + TRUST.slope * rank) == rank
    assert best(25, TRUST.usual_games + TRUST.slope * rank) == rank
    halfway = (rank + TRUST.usual_games + TRUST.slope * rank) / 2
    assert abs(best(14, halfway) - rank) <= 1
    assert best(7, rank) == rank


def test_each_move_tells_less():
    logs = -((RANKS - 5.0) ** 2)
    assert logs_on(7, logs) == pytest.approx(TRUST.extrapolated_trust * logs)


@pytest.fixture
def choices():
    """Return the choices of a game of five moves between two players of 9k."""
    nothing = np.zeros(0, np.int64)
    moves = np.array([parse_vertex(vertex, 9) for vertex in ("A5", "E5", "E4", "C9", "D4")])
    game = DecodedGame(
        size=9, black=nothing, white=nothing, colors=np.array([1, 2, 1, 2, 1]), moves=moves,
        source="", ranks=("9k", "9k"),
    )  # fmt: skip
    return collect_choices([game], no_patterns())


def test_moves_on_the_first_line_and_beside_the_last_one_are_counted(choices):
    habits = habits_of_band(choices, model_of_patterns(), (9, 9), np.ones(5, bool))
    assert habits.people.tolist() == [2 / 5, 0.0, 0.0, 1 / 4]


def test_ranks_are_estimated_once_a_player(choices):
    score = score_levels(choices, model_of_patterns(), np.ones(5, bool), 1)
    # So few moves give wide intervals, which hold the rank.
    assert (score.players, score.covered) == (JUDGING.players, 1.0)
