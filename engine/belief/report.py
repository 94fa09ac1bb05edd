"""The findings of a search about its root, and the tallies of all threads' roll-outs."""

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from engine.belief.posterior import NORMAL, Evidence, Posterior, owners_with_sum
from engine.belief.root_moves import MoveBelief
from engine.gaussian import pdf
from engine.go.board import BLACK, Ownership
from engine.go.geometry import board_points
from engine.go.history import Game
from engine.go.symmetry import equal_groups, images, symmetries_of
from engine.search.tree import Tree, root_children
from engine.search.work import ROLLOUT_COUNT, SUM_OF_SQUARED_MARGINS, SearchWork


class SearchReport(NamedTuple):
    """The search's findings, best move first (by merits). Ownership and margins are Black's."""

    moves: tuple[MoveBelief, ...]
    playouts: int
    posterior: Posterior  # of the final margin; the best move's chance and margin are its own
    margin: float  # mean margin of the roll-outs
    margin_deviation: float  # of one of them
    ownership: Ownership  # mean owner of each point in the roll-outs since the root was set
    # The same of those through one of the root's moves, by point; only of moves with roll-outs
    moves_ownership: Mapping[int, Ownership] = MappingProxyType({})
    evidence: Evidence | None = None  # basis of the posterior; None: the position was counted

    @property
    def lead_interval(self) -> tuple[float, float] | None:
        """The interval that holds Black's lead with 90 % probability; None: it was counted."""
        return None if self.evidence is None else self.posterior.interval()

    def owners(self) -> Ownership:
        """Return the owners by the posterior: their sum is the margin and Game.area_komi."""
        return self._believed(self.ownership, self.posterior.mean)

    def owners_after(self, move: MoveBelief, color: int) -> Ownership | None:
        """Return the same after one of the moves of a color; None if it has no roll-outs."""
        owners = self.moves_ownership.get(move.point)
        margin = move.margin if color == BLACK else -move.margin
        return None if owners is None else self._believed(owners, margin)

    def _believed(self, owners: Ownership, margin: float) -> Ownership:
        """Return owners in roll-outs with the sum that an expected margin has."""
        if self.evidence is None:
            return owners
        points = np.array(board_points(self.evidence.size))
        believed = owners.copy()
        believed[points] = owners_with_sum(owners[points], margin + self.evidence.komi)
        return believed


def unsearched(
    chances: Mapping[int, float],
    posterior: Posterior,
    owners: Ownership,
    color: int,
    rollouts: int = 0,
) -> SearchReport:
    """Return a report on moves that no search looked at, the most likely by ``chances`` first.

    rollouts  behind the owners if the position was counted
    """
    margin = posterior.mean if color == BLACK else -posterior.mean
    rate = posterior._replace(mean=margin).chance()
    moves = tuple(
        MoveBelief(
            point=point, playouts=rollouts, won=rate, won_by=margin, win_rate=rate,
            win_rate_deviation=0.0, value=0.0, deviation=0.0, margin=margin,
            prior=chance, line=(point,), line_visits=(rollouts,), best=chance,
        )
        for point, chance in chances.items()
    )  # fmt: skip
    return SearchReport(
        moves=moves, playouts=rollouts, posterior=posterior, margin=posterior.mean,
        margin_deviation=0.0, ownership=owners,
        moves_ownership=dict.fromkeys(chances, owners) if rollouts else {},
    )  # fmt: skip


def with_posterior(report: SearchReport, posterior: Posterior, color: int) -> SearchReport:
    """Return a report with another mean margin; the differences between moves stay as they are."""
    sign = 1.0 if color == BLACK else -1.0
    gained = sign * (posterior.mean - report.posterior.mean)
    moves = []
    for move in report.moves:
        after = posterior.at(sign * (move.margin + gained))
        margin, rate = sign * after.mean, after.chance()
        rate = rate if color == BLACK else 1.0 - rate
        # A win rate's deviation is that of its probit times the density there.
        slope = pdf(NORMAL.inv_cdf(rate)) / pdf(NORMAL.inv_cdf(move.win_rate))
        deviation = move.win_rate_deviation * float(slope)
        moves.append(move._replace(win_rate=rate, margin=margin, win_rate_deviation=deviation))
    return report._replace(posterior=posterior, moves=tuple(moves))


def with_equal_moves(report: SearchReport, game: Game, color: int) -> SearchReport:
    """Return a report in which moves that a symmetry of the position swaps are one move.

    The best of them stands for all, with its line. Roll-outs, prior and P(best) are those of all
    together. The margin is the mean by roll-outs, or that of the best move if it is one of them.
    """
    symmetries = symmetries_of(game)
    if len(symmetries) == 1:
        return report
    groups = equal_groups([move.point for move in report.moves], game.size, symmetries)
    merged = []
    for group in groups:
        move = _pooled([report.moves[place] for place in group], report, color)
        others = [p for p in images(move.point, game.size, symmetries) if p != move.point]
        merged.append(move._replace(equals=tuple(others)))
    return report._replace(moves=tuple(merged))


def _pooled(equal: Sequence[MoveBelief], report: SearchReport, color: int) -> MoveBelief:
    """Return the belief about some equal moves, as one about the first of them."""
    if equal[0] is report.moves[0]:
        weights = np.array([1.0] + [0.0] * (len(equal) - 1))
    else:
        weights = np.array([max(other.playouts, 1) for other in equal], np.float64)
    values = [(other.margin, other.win_rate_deviation) for other in equal]
    margin, deviation = np.average(values, axis=0, weights=weights)
    sign = 1.0 if color == BLACK else -1.0
    rate = report.posterior.at(sign * margin).chance()
    playouts = sum(move.playouts for move in equal)
    return equal[0]._replace(
        win_rate=rate if color == BLACK else 1.0 - rate,
        win_rate_deviation=float(deviation),
        margin=float(margin),
        playouts=playouts,
        line_visits=(playouts, *equal[0].line_visits[1:]),
        prior=min(sum(move.prior for move in equal), 1.0),
        best=min(sum(move.best for move in equal), 1.0),
    )


def mean_owners(works: Sequence[SearchWork], rollouts: int) -> Ownership:
    """Return float64[AREA], the mean owners in all roll-outs since the root was set."""
    owned = sum(work.owned.sum(axis=0) for work in works) / max(rollouts, 1)
    owned[ROLLOUT_COUNT] = 0.0
    return np.asarray(owned)


def owners_by_move(tree: Tree, works: Sequence[SearchWork]) -> dict[int, Ownership]:
    """Return the mean owner of each point in the roll-outs through each of the root's moves."""
    nodes = np.array(root_children(tree), np.int64)
    tally = np.sum([work.owned[1 : 1 + len(nodes)] for work in works], axis=0)
    looked_at = np.flatnonzero(tally[:, ROLLOUT_COUNT])
    owned = tally[looked_at] / tally[looked_at, ROLLOUT_COUNT, np.newaxis]
    owned[:, ROLLOUT_COUNT] = 0.0
    return dict(zip(tree.move[nodes[looked_at]].tolist(), owned, strict=True))


def margin_deviation(works: Sequence[SearchWork], rollouts: int, mean: float) -> float:
    """Return the deviation of the margins of the roll-outs since the root was set [points]."""
    square = sum(float(work.sums[SUM_OF_SQUARED_MARGINS]) for work in works) / max(rollouts, 1)
    return math.sqrt(max(square - mean * mean, 0.0))
