"""Beliefs about the positions of one game, remembered, so that they inform each other.

The leads along a game are one path (``path``): a move of a good player loses little. Each search
observes one of its states, with the error that its number of roll-outs leaves.
"""

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import NamedTuple, TypeVar

from engine.belief.losses import NOTHING, Observation, Size, Track, observed
from engine.belief.path import PathStep, Sight, settled
from engine.belief.posterior import Posterior
from engine.belief.report import SearchReport, with_posterior
from engine.go.board import BLACK
from engine.go.history import Game
from engine.go.played import Move


class PathModel(NamedTuple):
    """The memory of a game's beliefs, and the errors of searches along the game."""

    # Positions that are remembered: some games with their variations
    most_beliefs: int = 4096
    # Moves before and after a position: beyond them a belief says nothing more of it. Twice as
    # many changed leads by 0.03 points on average, and took twice the time.
    reach: int = 10
    # A lead's messages end at this change: a tenth of it takes three times as long, for 0.02
    # points on average.
    least_change: float = 0.01
    # Error variance of a search's mean margin without end, in squared deviations of the posterior.
    # Chosen with the next one on a game of 240 moves, so that changes from move to move are not
    # correlated. Half of it differs between two seeds, the rest between positions.
    endless_error: float = 0.03
    rollout_error: float = 4.0  # divided by the number of roll-outs, it adds to that
    counted_error: float = 0.1  # of a position that was counted [points]
    falls: float = -3.5  # log-odds that a move lost more than the least fall


PATH = PathModel()

Line = tuple[Move, ...]
K = TypeVar("K")
V = TypeVar("V")


def track_of(size: int) -> Track:
    """Return how the lead changes from move to move on a board [points]."""
    # Chosen, not fitted; the sizes of falls were those of reviews (engine/review/mistakes.py).
    return Track(1.3, 2.0 + 0.1 * max(size - 9, 0), (Size(0.7, 4.0), Size(0.3, 20.0)), 2.0)


class BeliefMemory:
    """The beliefs about positions of games, by beginning and moves; the oldest are forgotten.

    Thread-safe: several players may share one.
    """

    def __init__(self, most: int = PATH.most_beliefs) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._beliefs: OrderedDict[tuple[Hashable, Line], Sight] = OrderedDict()
        # The line that was searched last among those that go on from a position.
        self._onward: OrderedDict[tuple[Hashable, Line], Line] = OrderedDict()

    def place(self, game: Game, color: int) -> "Place | None":
        """Return the place of a game's position; None: with this color to move it has none."""
        return Place(self, game, color) if color == game.to_play else None

    def copy(self) -> "BeliefMemory":
        """Return a memory with the same beliefs that goes its own way."""
        copied = BeliefMemory(self._most)
        with self._lock:
            copied._beliefs, copied._onward = self._beliefs.copy(), self._onward.copy()
        return copied

    def forget(self) -> None:
        """Forget all beliefs."""
        with self._lock:
            self._beliefs.clear()
            self._onward.clear()

    def again(self, game: Game, color: int, report: SearchReport) -> SearchReport:
        """Return an earlier report about a position, with the lead by all beliefs there are now."""
        place = self.place(game, color)
        if place is None or report.evidence is None:
            return report
        return with_posterior(report, place.believed(report.posterior), color)

    def keep(self, beginning: Hashable, line: Line, belief: Sight) -> None:
        """Remember a lead; it replaces an earlier one about the same position."""
        with self._lock:
            _put(self._beliefs, (beginning, line), belief, self._most)
            for back in range(1, min(PATH.reach, len(line)) + 1):
                _put(self._onward, (beginning, line[:-back]), line, PATH.reach * self._most)

    def around(self, beginning: Hashable, line: Line) -> tuple[Line, dict[int, Sight]]:
        """Return the line on which a position lies, and the beliefs near it by number of moves."""
        count = len(line)
        with self._lock:
            # Two steps: a line that was searched last may be the next position alone.
            for _ in range(PATH.reach):
                longer = self._onward.get((beginning, line), line)
                if len(longer) <= len(line) or len(longer) > count + PATH.reach:
                    break
                line = longer
            beliefs = {}
            for number in range(max(count - PATH.reach, 0), len(line) + 1):
                belief = self._beliefs.get((beginning, line[:number]))
                if belief is not None:
                    beliefs[number] = belief
        return line, beliefs


class Place:
    """One position among those that are remembered."""

    def __init__(self, memory: BeliefMemory, game: Game, color: int) -> None:
        self._memory, self._size = memory, game.size
        self._turn = 1 if color == BLACK else -1
        self._beginning, self._line = game.beginning, tuple(game.moves)

    def informed(self, posterior: Posterior, rollouts: int) -> Posterior:
        """Return a search's posterior, informed by those around it, and remember its own lead."""
        if rollouts <= 0 or posterior.deviation <= 0.0:
            return posterior
        error = posterior.deviation**2 * (PATH.endless_error + PATH.rollout_error / rollouts)
        self._keep(observed(posterior.mean, error))
        return self.believed(posterior)

    def counted(self, margin: float) -> None:
        """Remember Black's counted margin in place of a search's belief."""
        self._keep(observed(margin, PATH.counted_error**2))

    def _keep(self, lead: Observation) -> None:
        self._memory.keep(self._beginning, self._line, Sight(self._turn, (lead,)))

    def believed(self, posterior: Posterior) -> Posterior:
        """Return a posterior with the lead by all beliefs around; unchanged if it has none."""
        line, beliefs = self._memory.around(self._beginning, self._line)
        if len(beliefs) < 2 or len(self._line) not in beliefs:
            return posterior
        return posterior.at(lead_along(self._size, line, beliefs, len(self._line)))


def lead_along(size: int, line: Line, beliefs: dict[int, Sight], number: int) -> float:
    """Return the lead after a number of moves of a line, given beliefs by numbers of moves."""
    first, last = min(beliefs), max(beliefs)
    sights = [beliefs.get(n, Sight(0, (NOTHING,))) for n in range(first, last + 1)]
    signs = (1 if move.color == BLACK else -1 for move in line[first:last])
    steps = [PathStep(sign, PATH.falls) for sign in signs]
    (leads,) = settled((track_of(size),), sights, steps, PATH.least_change)
    return leads.states()[number - first][0]


def _put(entries: OrderedDict[K, V], key: K, value: V, most: int) -> None:
    """Set a value as the latest one, and forget the oldest beyond a number."""
    entries[key] = value
    entries.move_to_end(key)
    while len(entries) > most:
        entries.popitem(last=False)
