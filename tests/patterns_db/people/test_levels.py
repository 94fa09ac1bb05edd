"""Likelihoods of ranks on boards that the ranks were not learned on."""

import numpy as np
import pytest

from engine.people.posterior import STRONGEST, WEAKEST
from patterns_db.people.levels import TRUST, logs_on

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
