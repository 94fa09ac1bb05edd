"""Utility of further search: Baum's utility and relevance of the moves at the root.

Source: Baum (1993), "Tree valuation" and "Tree growth". The leaves are the root's moves. The value
that a much longer search will find for a move is today's mean plus a change. The distribution of
this change was *learned*, in units of today's deviation, from our own searches (``OpinionTable``;
scripts/learn/make_tables). From these distributions follow

    U    the winning probability that knowing every move's later value would earn over the move
         that would be played now, see engine.bpip
    ESS  of each move, how much its later value is expected to change U

U against the price of time says when to stop; ESS shares out the next descents (policy RELEVANCE).

# Deviates: only the root's moves are leaves; below them Thompson descents go on. Valuing a whole
tree of thousands of nodes costs more than the roll-outs that it would direct.

# Deviates: values are relative to the root's mean. Baum's leaves are independent, but all moves
here share the position's own score.
"""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.arrays import ROOT, Floats, Ints
from engine.bpip.distributions import Distribution, largest, mean, put_on_grid
from engine.bpip.growth import relevance_for, weigh_leaves
from engine.bpip.opinions import FeatureBins
from engine.bpip.valuation import add_children, empty_tree
from engine.gaussian import cdf
from engine.jit import kernel

GRID = 96  # Values of the grid on which relevance is computed.
STEPS = 0.25  # Resolution of changes [deviations].
CHANGES: npt.NDArray[np.float64] = np.arange(-40, 41) * STEPS  # [deviations]
HORIZON = 8  # The change is that of a search this many times as long.
SEEN = 4  # Least visits of a move that counts for U, see ``utility_of``.
OCCUPIED = (0.12, 0.3, 0.5)  # Shares of the board's points, between the phases of a game.
PHASES = len(OCCUPIED) + 1
# Visits; whether the mean is the best; phase.
BINS = FeatureBins(((0.5, 3.5, 15.5, 63.5, 255.5), (0.5,), OCCUPIED))


class OpinionTable(NamedTuple):
    """How opinions change: the distribution of CHANGES in each of BINS.

    masses  float64[BINS.count, len(CHANGES)], rows sum to 1
    earned  float64[PHASES], the measured earnings of further search in each phase of the game, as a
            share of the U of these distributions: leaves are not independent, and late in the game
            refutations are found that no earlier opinion hinted at
    """

    masses: Floats
    earned: Floats


class Opinions(NamedTuple):
    """The beliefs about the root's moves, by move. Values are the mover's.

    means, deviations  float64[n], of the value relative to the other moves' [roll-out steps]
    visits             int64[n]
    length             mean number of moves of a roll-out from here: Phi(value / sqrt(length)) is
                       the winning probability
    occupied           share of the board's points with a stone
    root_mean          of the root's own value, which all moves share
    merits             float64[n], as root_moves.merits returns them
    """

    means: Floats
    deviations: Floats
    visits: Ints
    length: float
    occupied: float
    root_mean: float
    merits: Floats

    @property
    def played(self) -> int:
        """The move that would be played now; the first of equals."""
        return int(self.merits.argmax())


def normal_opinions() -> OpinionTable:
    """Return a table without learning: changes are normal, as the beliefs say."""
    masses = np.exp(-0.5 * CHANGES**2)
    return OpinionTable(np.tile(masses / masses.sum(), (BINS.count, 1)), np.ones(PHASES))


def later_values(opinions: Opinions, table: OpinionTable) -> list[Distribution]:
    """Return the distribution of each move's later value."""
    values = opinions.means[:, np.newaxis] + opinions.deviations[:, np.newaxis] * CHANGES
    rows = bins_of(opinions)
    return [Distribution(values[i], table.masses[row]) for i, row in enumerate(rows)]


def bins_of(opinions: Opinions) -> list[int]:
    """Return the bin of each move."""
    best = int(np.argmax(opinions.means))
    return [
        BINS.index((float(visits), float(i == best), opinions.occupied))
        for i, visits in enumerate(opinions.visits)
    ]


def utility_of(opinions: Opinions, table: OpinionTable) -> float:
    """Return U = E[max_i P_i] - E[P_k], P_i the later winning probability of move i; >= 0.

    Source: Baum (1993), "Tree growth".
    Move k is the one that would be played now.

    # Deviates: Baum plays the best mean. Here (mostly) the move with the most visits is played, see
    merits. If these two differ, further search earns the difference as well.

    # Deviates: the result is multiplied by the measured earnings in the phase of the game
    (OpinionTable.earned). Moves with few visits are left out. Each may turn out well, but their
    luck is not independent. Its sum over dozens of moves exceeded all findings of the search.
    """
    counted = opinions.visits >= SEEN
    counted[opinions.played] = True
    if counted.sum() < 2:
        return 0.0
    scale = 1.0 / math.sqrt(max(opinions.length, 1.0))
    later = later_values(opinions, table)
    chances = {}
    for i in np.flatnonzero(counted):
        rising = np.empty(len(CHANGES))
        chances_into(later[i].values, scale, rising)
        chances[int(i)] = Distribution(rising, later[i].masses)
    total = max(mean(largest(list(chances.values()))) - mean(chances[opinions.played]), 0.0)
    return total * float(table.earned[phase_of(opinions.occupied)])


def phase_of(occupied: float) -> int:
    """Return the phase of the game, 0 to PHASES - 1, of a share of occupied points."""
    return int(np.searchsorted(OCCUPIED, occupied))


@kernel
def chances_into(values: Floats, scale: float, chances: Floats) -> None:
    """Write Phi(scale * value) for each of some rising values, kept strictly rising.

    values, chances  float64[n]; chances is overwritten
    """
    for k in range(len(values)):
        chances[k] = cdf(scale * values[k]) + 1e-12 * k


def relevances(opinions: Opinions, table: OpinionTable) -> Floats:
    """Return float64[n], the ESS of each move [roll-out steps]; all 0 when there is no choice.

    Source: Baum (1993), "Tree growth".
    """
    later = later_values(opinions, table)
    lowest = max(float(one.values[0]) for one in later)  # below, no move is ever the best
    highest = max(float(one.values[-1]) for one in later)
    count = len(later)
    if count < 2 or not highest > lowest:
        return np.zeros(count)
    # Deviates: values lie on a grid of GRID points; see ``put_on_grid``.
    tree = empty_tree(np.linspace(lowest, highest, GRID), count + 1)
    first = int(add_children(tree, ROOT, count))
    for i, one in enumerate(later):
        put_on_grid(tree.grid, tree.cdf, first + i, one.values, one.masses, 0.0)
    room = relevance_for(tree, count)
    weigh_leaves(tree, room)
    return room.ess[first : first + count].copy()


def share_out(weights: Floats, count: int) -> Ints:
    """Return int64[n], the number of ``count`` turns for each move, in proportion to its weight.

    Largest remainders decide; the first of equals comes first. If all weights are 0, the first gets
    all.
    """
    total = float(weights.sum())
    if total <= 0.0:
        turns = np.zeros(len(weights), np.int64)
        turns[0] = count
        return turns
    exact = weights * (count / total)
    turns = np.floor(exact).astype(np.int64)
    order = np.argsort(turns - exact, kind="stable")
    turns[order[: count - int(turns.sum())]] += 1
    return turns
