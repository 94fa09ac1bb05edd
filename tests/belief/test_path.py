"""A game as one path against its slow twins, and the invariants of a path."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.belief.losses import NOTHING, Size, Track, observed, weigh_loss
from engine.belief.path import SWEEPS, PathStep, Sight, follow, settled
from tests.reference.game_path import dense_states, exact_loss, exact_mistakes, prior_of_losses

LEAD = Track(0.5, 2.0, (Size(0.7, 6.0), Size(0.3, 20.0)), 3.0)
WIN = Track(0.05, 0.0, (Size(1.0, 0.4),), 0.3)
GRID = np.arange(-40.0, 100.0, 0.002) + 0.001
SURE_CALM = -60.0


def sights_of(means, variance=1.0, turns=None):
    turns = turns or [1 if t % 2 == 0 else -1 for t in range(len(means))]
    return [Sight(turn, (observed(m, variance),)) for m, turn in zip(means, turns, strict=True)]


def steps_of(count, prior=-2.5, first=1):
    return [PathStep(first if t % 2 == 0 else -first, prior) for t in range(count)]


def tempo_of(track, sights, steps):
    (messages,) = settled([track], sights, steps, SWEEPS.least_change)
    return messages.tempo


@given(
    st.lists(
        st.tuples(st.floats(-9, 9), st.floats(0.2, 9), st.sampled_from([-1, 0, 1])),
        min_size=1, max_size=7,
    ),
    st.data(),
)  # fmt: skip
def test_calm_games_are_one_dense_gaussian(positions, data):
    count = len(positions) - 1
    signs = data.draw(st.lists(st.sampled_from([-1, 0, 1]), min_size=count, max_size=count))
    loss = st.none() | st.tuples(st.floats(-3, 3), st.floats(0.3, 5))
    losses = data.draw(st.lists(loss, min_size=count, max_size=count))
    track = LEAD._replace(calm=1.5, tempo=0.3)
    sights = [Sight(turn, (observed(mean, variance),)) for mean, variance, turn in positions]
    steps = [
        PathStep(sign, SURE_CALM, () if loss is None else (observed(*loss),))
        for sign, loss in zip(signs, losses, strict=True)
    ]
    path = follow([track], sights, steps)
    means, variances, tempo = dense_states(
        [(mean, variance) for mean, variance, _ in positions],
        [turn for _, _, turn in positions], 0.3**2, signs, 1.5, losses,
    )  # fmt: skip
    assert tempo_of(track, sights, steps) == pytest.approx(tempo, abs=3e-3)
    assert [mean for mean, _ in path.states[0]] == pytest.approx(list(means), abs=1e-2)
    assert [variance for _, variance in path.states[0]] == pytest.approx(list(variances), rel=1e-3)
    assert all(prob < 1e-6 for prob in path.mistakes)


@given(
    st.floats(-15, 25), st.floats(0.3, 30), st.floats(-4, 4),
    st.sampled_from([LEAD.falls, (0.1, 0.95), (0.3, 1.0), (0.0, 0.6), (0.5, 0.5)]),
)  # fmt: skip
def test_one_loss_is_exact(mean, variance, odds, falls):
    """A fall need not be a mistake, nor a mistake a fall."""
    track = LEAD._replace(falls=falls)
    prior = prior_of_losses(GRID, track)
    prob, expected, spread, size = exact_loss(GRID, prior, (mean, variance), odds)
    loss = weigh_loss(track, observed(mean, variance), odds)
    got = 1.0 / (1.0 + math.exp(-odds - loss.log_ratio))
    assert got == pytest.approx(prob, abs=2e-3)
    assert loss.mean == pytest.approx(expected, abs=2e-2)
    assert loss.variance == pytest.approx(spread, rel=2e-2, abs=1e-3)
    if falls == LEAD.falls:
        assert loss.size == pytest.approx(size, abs=2e-2)


def test_evidence_of_a_track_that_falls_anyway_has_a_limit():
    track = WIN._replace(falls=(0.1, 0.9))
    fall, rise = (weigh_loss(track, observed(mean, 0.01), 0.0) for mean in (50.0, -50.0))
    assert fall.log_ratio == pytest.approx(math.log(9.0))
    assert rise.log_ratio == pytest.approx(-math.log(9.0))
    assert fall.mean == pytest.approx(50.0, rel=0.1)


@pytest.mark.parametrize("drop", [0.0, 3.0, 6.0, 15.0, -8.0])
def test_one_step_is_exact_on_two_tracks(drop):
    """A single mixture has no neighbors: only the tempo would be approximated, and it is off."""
    tracks = [WIN._replace(tempo=1e-6, falls=(0.1, 0.9)), LEAD._replace(tempo=1e-6)]
    sights = [
        Sight(1, (observed(0.3, 0.04), observed(5.0, 4.0))),
        Sight(-1, (observed(0.3 - drop / 30, 0.04), observed(5.0 - drop, 4.0))),
    ]
    path = follow(tracks, sights, [PathStep(1, -1.0)])
    ratio = 0.0
    for track, fall, variance in zip(tracks, (drop / 30, drop), (0.08, 8.0), strict=True):
        grid = np.arange(-20.0, 80.0, 0.001) + 0.0005
        prior = prior_of_losses(grid, track)
        seen = np.exp(-0.5 * (grid - fall) ** 2 / variance)
        ratio += math.log((prior[1] * seen).sum() / (prior[0] * seen).sum())
    assert path.mistakes[0] == pytest.approx(1.0 / (1.0 + math.exp(1.0 - ratio)), abs=2e-3)


@given(
    st.lists(st.tuples(st.floats(-12, 12), st.floats(0.5, 9)), min_size=3, max_size=3),
    st.sampled_from([(1, -1), (-1, 1), (1, 1)]),
)
def test_two_steps_are_nearly_exact(observations, signs):
    """Expectation propagation approximates: the twin sums over all pairs of losses."""
    track = LEAD._replace(tempo=1e-6, calm=1.0, sizes=(Size(1.0, 8.0),))
    grid = np.linspace(-6, 40, 461)
    prior = prior_of_losses(grid, track)
    expected = exact_mistakes(observations, signs, prior, grid, (-2.0, -2.0))
    sights = [Sight(1, (observed(*seen),)) for seen in observations]
    path = follow([track], sights, [PathStep(sign, -2.0) for sign in signs])
    assert path.mistakes == pytest.approx(list(expected), abs=0.14)


def test_a_calm_game_is_calm_and_a_mistake_a_jump():
    means = [0.0, 1.0, -1.5, 0.5, 1.0, -1.0, -19.0, -21.0, -20.5, -18.5, -20.0, -21.0]
    turns = [-1 if t % 2 == 0 else 1 for t in range(12)]
    path = follow([LEAD], sights_of(means, 4.0, turns), steps_of(11, first=-1))
    jumps = np.diff([mean for mean, _ in path.states[0]])
    assert jumps[5] < -14.0
    assert all(abs(jump) < 1.5 for t, jump in enumerate(jumps) if t != 5)
    assert path.mistakes[5] > 0.95
    assert max(prob for t, prob in enumerate(path.mistakes) if t != 5) < 0.3
    assert path.losses[5][0].size == pytest.approx(19.0, abs=2.5)


def test_later_positions_inform_earlier_judgments():
    steps = steps_of(5)
    alone = follow([LEAD], sights_of([0, 0, -9.0], 16.0), steps[:2])
    later = follow([LEAD], sights_of([0, 0, -9.0, -9, -9, -9], 16.0), steps)
    assert later.states[0][2][0] < alone.states[0][2][0]
    assert later.states[0][2][1] < alone.states[0][2][1]


def test_a_saw_tooth_is_the_tempo():
    means = [4.0 if t % 2 == 0 else -4.0 for t in range(30)]
    path = follow([LEAD], sights_of(means, 2.0), steps_of(29))
    tempo = tempo_of(LEAD, sights_of(means, 2.0), steps_of(29))
    assert tempo == pytest.approx(4.0, abs=0.6)
    assert all(abs(mean) < 1.0 for mean, _ in path.states[0])
    assert max(path.mistakes) < 0.2


def test_a_set_up_ties_nothing_together():
    steps = [PathStep(1, -2.0), PathStep(0), PathStep(-1, -2.0)]
    path = follow([LEAD], sights_of([0.0, 0.0, 50.0, 50.0], 1.0), steps)
    assert path.mistakes[1] == 0.0
    assert path.states[0][1][0] == pytest.approx(0.0, abs=1.5)
    assert path.states[0][2][0] == pytest.approx(50.0, abs=1.5)


def test_a_position_alone():
    path = follow([WIN, LEAD], [Sight(1, (NOTHING, observed(3.0, 1.0)))], [])
    assert path.losses == path.mistakes == []
    assert path.states[1][0][0] == pytest.approx(3.0, abs=3.0)
    assert path.states[0][0][0] == pytest.approx(0.0)


def test_colors_are_mirror_images():
    means = [0.0, -1.0, -8.0, -7.0, 3.0]
    one = follow([LEAD], sights_of(means), steps_of(4))
    other = follow(
        [LEAD], sights_of([-m for m in means], turns=[-1, 1, -1, 1, -1]), steps_of(4, first=-1)
    )
    assert one.mistakes == pytest.approx(other.mistakes)
    assert [m for m, _ in one.states[0]] == pytest.approx([-m for m, _ in other.states[0]])
