"""Training of the changes of the search's opinions: Baum's leaf distributions.

Source: Baum (1993), "Tree valuation": each bin collects the difference between the value found by
searching deeper and the earlier one. Positions come from games that the search plays against
itself. In each, every root move's mean is noted after n descents and again after HORIZON n. The
change is in units of the belief's deviation. Means are taken relative to the root's, which all
moves share.
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

FIRST_LOOK = 32  # descents; opinions are noted after 1, 2, 4, ... times this number
QUICK = 100  # descents for a move that nothing is learned from


def record_changes(changes: OpinionChanges, before: Opinions, after: Opinions) -> None:
    """Count each move's change of the mean, in deviations of the earlier belief."""
    best = int(np.argmax(before.means))
    # All moves share the root's change, which does not affect the choice between them.
    shared = after.root_mean - before.root_mean
    moved = (after.means - before.means - shared) / before.deviations
    for i, change in enumerate(moved):
        features = (float(before.visits[i]), float(i == best), before.occupied)
        changes.record(features, float(change))


class OpinionLesson(NamedTuple):
    """Data to learn from: histograms of changes, and the accuracy of U.

    changes  of opinions
    hopes    float64[PHASES], sums of U
    gains    float64[PHASES], sums of the gains by further search [winning probability]
    """

    changes: OpinionChanges
    hopes: Floats
    gains: Floats


def new_lesson() -> OpinionLesson:
    """Return an empty lesson."""
    changes = OpinionChanges(BINS, CHANGES, bandwidth=STEPS)
    return OpinionLesson(changes, np.zeros(PHASES), np.zeros(PHASES))


class OpinionSample(NamedTuple):
    """The beliefs at one look, and their U."""

    opinions: Opinions
    utility: float


def record_gain(lesson: OpinionLesson, before: OpinionSample, after: OpinionSample) -> None:
    """Add the gain of the later search's choice over the earlier one's, in the later one's view."""
    phase = phase_of(before.opinions.occupied)
    scale = max(after.opinions.length, 1.0) ** -0.5
    now, then = before.opinions.played, after.opinions.played
    # The conversion to a winning probability is Phi(g / sqrt l), Eq. (11) of Hennig et al. (2010).
    values = after.opinions.means * scale
    lesson.hopes[phase] += before.utility
    # Both are valued by the later search, which knows more. The earlier one would judge its own
    # choice.
    lesson.gains[phase] += cdf(values[then]) - cdf(values[now])


def learn_from_position(lesson: OpinionLesson, searcher: Searcher, root: Root, looks: int) -> None:
    """Search one position from scratch and record the changes between its looks.

    looks  their number: the last is after FIRST_LOOK * 2 ** (looks - 1) descents
    """
    # The tree of the move before is not used: its visits would not be those of the looks.
    searcher.set_root(root, None)
    # Looks come after 1, 2, 4, ... times FIRST_LOOK. HORIZON is a power of two, so it is a number
    # of looks.
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
    lesson: OpinionLesson, knowledge: Knowledge, size: int, looks: int, seed: int, every: int = 0
) -> Iterator[int]:
    """Play one game of self-play while learning from the searches. Yield after every move.

    every  moves between two positions to learn from on 9x9, more on larger boards; 0: from all
    """
    searcher = Searcher(SearchModel(), knowledge, 1, 256 << 20, seed)
    game = Game(size)
    random = np.random.default_rng(seed)
    apart = max(1, every * size * size // 81)
    while game.passes < 2 and len(game.moves) < size * size:
        color = game.to_play
        legal = frozenset([*(p for p in game.legal_points(color)), PASS])
        root = Root(position_of(game, color), legal)
        if (len(game.moves) + seed) % apart == 0:
            learn_from_position(lesson, searcher, root, looks)
        else:
            searcher.set_root(root, None)
            searcher.run(QUICK, None)
        moves = searcher.report().moves
        # Openings differ only if some moves are not the best.
        shares = np.array([move.playouts for move in moves[:3]], float)
        early = len(game.moves) < size
        chosen = random.choice(len(shares), p=shares / shares.sum()) if early else 0
        game.play(color, moves[chosen].point)
        yield len(game.moves)


def to_table(lesson: OpinionLesson) -> OpinionTable:
    """Return the smoothed distributions, and the accuracy of the searches' U.

    The accuracy is only right if the searches already used these distributions.
    """
    hopes = np.maximum(lesson.hopes, 1e-12)  # a phase without data keeps the factor 1
    earned = np.where(lesson.hopes > 0.0, lesson.gains / hopes, 1.0)
    return OpinionTable(lesson.changes.smoothed(), np.maximum(earned, 0.0))
