"""Learns how the search's opinions change when it goes on: Baum's leaf distributions.

Source: Baum (1993), "Tree valuation": each bin collects the difference between the value found by
searching deeper and the earlier one. Positions come from games that the search plays against
itself; in each, every root move's mean is noted after n descents and again after HORIZON n, and
the change counts in units of the deviation that the belief had. Means are taken relative to the
root's, which all moves share.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from engine.arrays import Floats
from engine.bpip.opinions import OpinionChanges
from engine.gaussian import cdf
from engine.go.geometry import PASS
from engine.go.history import Game
from engine.patterns.position import position_of
from engine.search.knowledge import Knowledge
from engine.search.model import SearchModel
from engine.search.searcher import Root, Searcher
from engine.search.utility import (
    BINS,
    CHANGES,
    HORIZON,
    PHASES,
    STEPS,
    Opinions,
    OpinionTable,
    phase_of,
)

FIRST_LOOK = 32  # descents; opinions are noted after so many times 1, 2, 4, ...


def record_changes(changes: OpinionChanges, before: Opinions, after: Opinions) -> None:
    """Count how far every move's mean has gone, in deviations of the earlier belief."""
    best = int(np.argmax(before.means))
    # All moves share the root's change; it moves no choice between them.
    shared = after.root_mean - before.root_mean
    moved = (after.means - before.means - shared) / before.deviations
    for i, change in enumerate(moved):
        features = (float(before.visits[i]), float(i == best), before.occupied)
        changes.record(features, float(change))


class OpinionLesson(NamedTuple):
    """What is learned from: histograms of changes, and how far U came true.

    changes  of opinions
    hopes    float64[PHASES], sums of U
    gains    float64[PHASES], sums of what searching on earned [winning probability]
    """

    changes: OpinionChanges
    hopes: Floats
    gains: Floats


def new_lesson() -> OpinionLesson:
    """Return a lesson in which nothing has been seen."""
    changes = OpinionChanges(BINS, CHANGES, bandwidth=STEPS)
    return OpinionLesson(changes, np.zeros(PHASES), np.zeros(PHASES))


class OpinionSample(NamedTuple):
    """What was believed at one look, and the U of it."""

    opinions: Opinions
    utility: float


def record_gain(lesson: OpinionLesson, before: OpinionSample, after: OpinionSample) -> None:
    """Count what the later search's choice is worth beside the earlier one's, to the later one."""
    phase = phase_of(before.opinions.occupied)
    scale = max(after.opinions.length, 1.0) ** -0.5
    now, then = before.opinions.played, after.opinions.played
    # To a winning probability, Phi(g / sqrt l), Eq. (11) of Hennig et al. (2010).
    values = after.opinions.means * scale
    lesson.hopes[phase] += before.utility
    # Both by the later search, which knows more: the earlier one would judge its own choice.
    lesson.gains[phase] += cdf(values[then]) - cdf(values[now])


def learn_from_position(lesson: OpinionLesson, searcher: Searcher, root: Root, looks: int) -> None:
    """Search one position from nothing and record what changed between its looks.

    looks  how many: the last is after FIRST_LOOK * 2 ** (looks - 1) descents
    """
    # Without the tree of the move before: its visits would be no longer those of the looks.
    searcher.set_root(root, None)
    # Looks come after 1, 2, 4, ... times FIRST_LOOK; HORIZON, a power of two, is so many of them.
    apart = HORIZON.bit_length() - 1
    notes: list[OpinionSample] = []
    done = 0
    for look in range(looks):
        wanted = FIRST_LOOK << look
        searcher.run(wanted - done, None)
        done = wanted
        notes.append(OpinionSample(searcher.current_opinions(), searcher.utility()))
        if look >= apart:
            before, after = notes[look - apart], notes[look]
            record_changes(lesson.changes, before.opinions, after.opinions)
            record_gain(lesson, before, after)


def self_play(
    lesson: OpinionLesson, knowledge: Knowledge, size: int, looks: int, seed: int
) -> Iterator[int]:
    """Play one game against itself by searches that are learned from; yield after every move."""
    searcher = Searcher(SearchModel(), knowledge, 1, 256 << 20, seed)
    game = Game(size)
    random = np.random.default_rng(seed)
    while game.passes < 2 and len(game.moves) < size * size:
        color = game.to_play
        legal = frozenset([*(p for p in game.legal_points(color)), PASS])
        root = Root(position_of(game, color), legal)
        learn_from_position(lesson, searcher, root, looks)
        moves = searcher.report().moves
        # Openings differ only if some moves are not the best.
        shares = np.array([move.playouts for move in moves[:3]], float)
        early = len(game.moves) < size
        chosen = random.choice(len(shares), p=shares / shares.sum()) if early else 0
        game.play(color, moves[chosen].point)
        yield len(game.moves)


def to_table(lesson: OpinionLesson) -> OpinionTable:
    """Return the smoothed distributions, and how far the U of the searches came true.

    The latter is only right if the searches already used these distributions.
    """
    hopes = np.maximum(lesson.hopes, 1e-12)  # a phase that never came up keeps the factor 1
    earned = np.where(lesson.hopes > 0.0, lesson.gains / hopes, 1.0)
    return OpinionTable(lesson.changes.smoothed(), np.maximum(earned, 0.0))
