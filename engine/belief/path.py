"""A game as one path: the posterior of every position and every move, given all searches.

Tracks run along a game: Black's chance to win, as a probit, and Black's lead, in points. On each
track a state x_t stands for the position after t moves, and x_t = x_{t-1} - s_t L_t. Here s_t is +1
for a move of Black's and -1 for one of White's. L_t is the loss of the move, with the prior of
``losses``. A search of position t is an observation of x_t with its variance, shifted by a tempo in
favor of the side to move: one number a game. A comparison of the move with a better one is an
observation of L_t. All tracks share one hidden variable for each move: whether it was a mistake.

Inference is expectation propagation. The messages between neighbors are those of a Kalman smoother,
as two filters (Fraser & Potter 1969; Rauch, Tung & Striebel 1965). The mixture of a step is
projected on a Gaussian by its moments, in the context of all the rest (Minka 2001, Sec. 3.2). The
tempo is found by expectation maximization (Dempster, Laird & Rubin 1977).
Twin: tests/reference/game_path.py (dense algebra; sums over all mixtures).
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from engine.belief.losses import (
    NOTHING,
    Loss,
    Observation,
    Track,
    observed,
    sigmoid,
    times,
    weigh_loss,
)


class SweepLimits(NamedTuple):
    """When the messages along a game have settled."""

    most: int = 30  # most sweeps of messages forward and backward
    # Largest change of a step's mean, in its prior's deviations, that ends them earlier.
    least_change: float = 1e-3
    flat: float = 1e-9  # precision of an unknown value


SWEEPS = SweepLimits()


class PathStep(NamedTuple):
    """One move, or something else between two positions, such as a set-up, which links nothing."""

    sign: int  # +1 Black moved, -1 White, 0 no move led here
    prior: float = 0.0  # prior log-odds that it was a mistake
    losses: tuple[Observation, ...] = ()  # by track, direct observations of the loss


class Sight(NamedTuple):
    """The observations of one position, by a search or a count."""

    turn: int  # +1 Black is to move, -1 White, 0 the position was counted: no tempo
    observations: tuple[Observation, ...]  # by track, its state, Black's


class GamePath(NamedTuple):
    """The posterior of a game."""

    states: list[list[tuple[float, float]]]  # by track and position: (mean, variance), Black's
    losses: list[tuple[Loss, ...]]  # by step and track
    mistakes: list[float]  # by step: probability that the move was one


def follow(
    tracks: Sequence[Track],
    sights: Sequence[Sight],
    steps: Sequence[PathStep],
    least_change: float = SWEEPS.least_change,
) -> GamePath:
    """Return the posterior of all positions (sights, one more than steps) and moves of a game."""
    chains = settled(tracks, sights, steps, least_change)
    losses, mistakes = [], []
    for t, step in enumerate(steps):
        everything = step.prior + sum(chain.ratios[t] for chain in chains)
        mistakes.append(sigmoid(everything) if step.sign else 0.0)
        losses.append(
            tuple(
                weigh_loss(chain.track, chain.context(t), everything - chain.ratios[t])
                for chain in chains
            )
        )
    states = [chain.states() for chain in chains]
    return GamePath(states, losses, mistakes)


def settled(
    tracks: Sequence[Track], sights: Sequence[Sight], steps: Sequence[PathStep], least_change: float
) -> "list[TrackMessages]":
    """Return the settled messages along a game, by track. Arguments as of ``follow``."""
    chains = [TrackMessages(track, number, sights, steps) for number, track in enumerate(tracks)]
    count = len(steps)
    for _ in range(SWEEPS.most):
        change = 0.0
        for t in (*range(count), *range(count - 1, -1, -1)):
            for chain in chains:
                others = sum(other.ratios[t] for other in chains if other is not chain)
                change = max(change, chain.project(t, steps[t].prior + others))
        change = max([change, *(chain.set_tempo() for chain in chains)])
        if change < least_change:
            break
    return chains


class TrackMessages:
    """One track of one game, with its messages."""

    def __init__(
        self, track: Track, number: int, sights: Sequence[Sight], steps: Sequence[PathStep]
    ) -> None:
        self.track, self.tempo = track, 0.0
        self.turns = [sight.turn for sight in sights]
        self.raw = [sight.observations[number] for sight in sights]
        self.sights = list(self.raw)
        self.signs = [step.sign for step in steps]
        self.direct = [step.losses[number] if step.losses else NOTHING for step in steps]
        # The projected prior of each step's loss: at first as wide as all falls together.
        self.widest = track.calm**2 + sum(size.weight * size.spread**2 for size in track.sizes)
        self.sites = [observed(0.0, self.widest) for _ in steps]
        self.ratios = [0.0] * len(steps)
        # forward[t]: of x_t from all before it, without sight t; backward[t]: from all after it.
        self.forward = [NOTHING] * len(sights)
        self.backward = [NOTHING] * len(sights)
        self._send_all()

    def _send_all(self) -> None:
        count = len(self.signs)
        for t in range(count):
            self._send_forward(t)
        for t in range(count - 1, -1, -1):
            self._send_backward(t)

    def _send_forward(self, t: int) -> None:
        """Send the message of step t to the position after it."""
        if sign := self.signs[t]:
            before = times(self.forward[t], self.sights[t])
            self.forward[t + 1] = _moved(before, times(self.sites[t], self.direct[t]), -sign)

    def _send_backward(self, t: int) -> None:
        """Send the message of step t to the position before it."""
        if sign := self.signs[t]:
            after = times(self.backward[t + 1], self.sights[t + 1])
            self.backward[t] = _moved(after, times(self.sites[t], self.direct[t]), sign)

    def context(self, t: int) -> Observation:
        """Return the belief about the step's loss from all but its own prior."""
        before = times(self.forward[t], self.sights[t])
        after = times(self.backward[t + 1], self.sights[t + 1])
        if self.signs[t] == 0 or before.pi < SWEEPS.flat or after.pi < SWEEPS.flat:
            return self.direct[t]
        fall = self.signs[t] * (before.mean - after.mean)
        return times(observed(fall, 1.0 / before.pi + 1.0 / after.pi), self.direct[t])

    def project(self, t: int, odds: float) -> float:
        """Make the step's Gaussian that of ``weigh_loss``; return its change."""
        if self.signs[t] == 0:
            return 0.0
        context = self.context(t)
        loss = weigh_loss(self.track, context, odds)
        self.ratios[t] = loss.log_ratio
        # A mixture may be wider than its context, which no Gaussian factor can achieve. The factor
        # is then as wide as the prior, with the right mean.
        pi = max(1.0 / loss.variance - context.pi, 1.0 / self.widest)
        site = Observation(pi, loss.mean * (pi + context.pi) - context.tau)
        change = abs(site.mean - self.sites[t].mean) / math.sqrt(self.widest)
        self.sites[t] = site
        self._send_forward(t)
        self._send_backward(t)
        return change

    def set_tempo(self) -> float:
        """Make the tempo the most probable one given the states; return its change."""
        pi, tau = 1.0 / self.track.tempo**2, 0.0
        for raw, turn, (mean, _) in zip(self.raw, self.turns, self.states(), strict=True):
            pi += turn * turn * raw.pi
            tau += turn * (raw.tau - raw.pi * mean)
        change = abs(tau / pi - self.tempo) / self.track.tempo
        self.tempo = tau / pi
        self.sights = [
            Observation(raw.pi, raw.tau - turn * self.tempo * raw.pi)
            for raw, turn in zip(self.raw, self.turns, strict=True)
        ]
        self._send_all()
        return change

    def states(self) -> list[tuple[float, float]]:
        """Return mean and variance of each position's state."""
        moments = []
        for sight, forward, backward in zip(self.sights, self.forward, self.backward, strict=True):
            belief = times(times(sight, forward), backward)
            moments.append((belief.mean, 1.0 / max(belief.pi, SWEEPS.flat)))
        return moments


def _moved(belief: Observation, loss: Observation, sign: int) -> Observation:
    """Return a message across a step: the belief of x + sign * L."""
    if belief.pi < SWEEPS.flat:
        return Observation()
    return observed(belief.mean + sign * loss.mean, 1.0 / belief.pi + 1.0 / loss.pi)
