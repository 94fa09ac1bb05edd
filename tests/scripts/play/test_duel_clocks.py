"""Clock duels: the shares of time."""

import pytest

from engine import BLACK
from engine.clock import Clock
from engine.go.geometry import PASS
from engine.player import Decision
from scripts.play.duel_clocks import play_clocked


class Passer:
    """Passes at once and remembers its time."""

    def __init__(self):
        self.allotments = []

    def choose(self, game, color, allotment):
        self.allotments.append(allotment)
        return Decision(PASS, False, "", 0.5, 0)

    def final_score(self, game):
        return -1.0


def test_a_fixed_share_is_for_the_player_without_patience():
    patient, other = Passer(), Passer()
    row = play_clocked(0, (patient, other), 9, 8.0, 0.25)
    assert (row["first_color"], row["first"], row["result"]) == ("B", 0.0, "W+1")
    assert row["left"] == [pytest.approx(8.0, abs=1.0), pytest.approx(8.0, abs=1.0)]
    assert [each[:2] for each in other.allotments] == [(pytest.approx(2.0, abs=0.3),) * 2]
    clock = Clock()
    clock.set_absolute(8.0)
    expected = clock.allot(BLACK, 9, 0)
    assert patient.allotments[0][:2] == pytest.approx(expected[:2], abs=0.1)
    assert patient.allotments[0].most > 2 * patient.allotments[0].share


def test_without_it_both_have_the_clocks():
    pair = Passer(), Passer()
    play_clocked(0, pair, 9, 8.0)
    assert pair[1].allotments[0].share == pytest.approx(pair[0].allotments[0].share, rel=0.1)


def test_a_side_that_oversteps_loses():
    pair = Passer(), Passer()
    assert play_clocked(0, pair, 9, 0.0)["result"] == "W+T"
    row = play_clocked(1, pair, 9, 0.0)
    assert (row["first_color"], row["first"], row["result"]) == ("W", 1.0, "W+T")
