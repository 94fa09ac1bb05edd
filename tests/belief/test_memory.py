"""Beliefs about the positions of one game inform each other."""

from itertools import pairwise

import numpy as np
import pytest

from engine import BLACK, WHITE, Game
from engine.belief.memory import PATH, BeliefMemory
from engine.belief.posterior import Posterior

VERTICES = ["D4", "F6", "C7", "G3", "E5", "C3", "H8", "B2"]


def games():
    """Return the positions of one game."""
    game, found = Game(9), []
    for vertex in [*VERTICES, None]:
        found.append(game.copy())
        if vertex is not None:
            game.play(vertex)
    return found


def informed(memory, game, lead, rollouts=200, deviation=20.0):
    return memory.place(game, game.to_play).informed(Posterior(lead, deviation, 30.0), rollouts)


def test_a_position_alone_is_believed_as_its_search_says():
    (start, *_) = games()
    assert informed(BeliefMemory(), start, 7.25) == Posterior(7.25, 20.0, 30.0)


def test_a_noisy_game_is_shown_calm_and_the_sides_agree():
    memory, noise = BeliefMemory(), np.random.default_rng(3).normal(0.0, 4.0, len(VERTICES) + 1)
    seen = [5.0 + error for error in noise]
    shown = [informed(memory, game, lead) for game, lead in zip(games(), seen, strict=True)]
    changes = [abs(b.mean - a.mean) for a, b in pairwise(shown)]
    assert np.mean(changes) < 0.5 * np.mean([abs(b - a) for a, b in pairwise(seen)])
    assert all((one.mean > 0.0) == (one.chance() > 0.5) for one in shown)
    assert all((one.deviation, one.reach) == (20.0, 30.0) for one in shown)


def test_later_positions_inform_earlier_ones():
    memory, positions = BeliefMemory(), games()
    for game in positions[:0:-1]:
        informed(memory, game, 10.0)
    assert 2.0 < informed(memory, positions[0], 0.0).mean < 10.0


def test_a_blunder_is_believed_once_it_was_seen_twice():
    memory = BeliefMemory()
    leads = [0.0, 0.0, 0.0, 0.0, 40.0, 40.0, 40.0, 40.0, 40.0]
    for game, lead in zip(games(), leads, strict=True):
        found = informed(memory, game, lead, 2000).mean
    assert found == pytest.approx(40.0, abs=3.0)


def test_other_lines_and_terms_say_nothing():
    memory, positions = BeliefMemory(), games()
    informed(memory, positions[4], 10.0)
    other = positions[3].copy()
    other.play("A1")
    elsewhere = Game(9, komi=0.5)
    for vertex in VERTICES[:5]:
        elsewhere.play(vertex)
    assert informed(memory, other, 0.0).mean == 0.0
    assert informed(memory, elsewhere, 0.0).mean == 0.0
    assert memory.place(positions[4], 3 - positions[4].to_play) is None


def test_a_sister_line_knows_the_position_before_both():
    memory, positions = BeliefMemory(), games()
    informed(memory, positions[3], 10.0)
    informed(memory, positions[4], 10.0)
    other = positions[3].copy()
    other.play("A1")
    assert informed(memory, other, 0.0).mean > 2.0


def test_the_same_position_again_replaces_what_was_seen():
    memory, positions = BeliefMemory(), games()
    informed(memory, positions[1], 10.0)
    for _ in range(3):
        once = informed(memory, positions[2], 0.0)
    assert once == informed(memory, positions[2], 0.0)


def test_the_memory_is_bounded():
    memory, positions = BeliefMemory(most=2), games()
    for game in positions:
        informed(memory, game, 1.0)
    line, found = memory.around(positions[0].beginning, tuple(positions[-1].moves))
    assert sorted(found) == [len(line) - 1, len(line)]
    memory.forget()
    assert memory.around(positions[0].beginning, line)[1] == {}


def test_positions_far_away_say_nothing():
    memory, game = BeliefMemory(), Game(19)
    informed(memory, game, 30.0)
    for number in range(PATH.reach + 1):
        game.play(
            BLACK if number % 2 == 0 else WHITE,
            f"{'ABCDEFGHJKLMNOPQRST'[number % 19]}{1 + 2 * (number // 19)}",
        )
    assert informed(memory, game, 0.0).mean == 0.0
