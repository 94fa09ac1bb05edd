"""The posterior of a position: a Gaussian of Black's final margin.

All numbers shown to people come from it: P(Black wins) = Phi(mean / deviation). Results of games
have taught the weights of a search's evidence (``calibration``):

    deviation = exp(core . situation)
    mean      = (fair komi - komi) (1 - r)  +  deviation (weights . evidence)
    fair komi = even komi * (1 + 2 (handicap stones - 1)):  even komi is half a move's worth
    evidence  = r times value / sqrt(length + variance);  margin / scale, and the same of the cubed
                owners of the stones and of the empty points;  the open points, by kind;  1
    scale     = points a side of the board * sqrt(share of the board that is open)
    r         = n / (n + half_weight * share of the full board * exp(-fading * occupied)), after n
                roll-outs: early in a game they scatter far more than positions differ

At an unusual komi the mean is that of the same findings at the nearest usual one, less the
difference. If roll-outs agree on all owners, their margin replaces the mean: it is a count. Results
do not tell the size of a lead once the winner is sure. The owners then tell how many points a
probit is worth: mean and deviation get one factor, so the chance to win stays. So do handicap
stones, which roll-outs undervalue.

The interval beside a lead is separate: it holds the lead that a strong judge finds in 90 % of
positions, exp(reach . variables) to either side. Twin: tests/reference/posterior.py
"""

import math
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from engine.arrays import Floats
from engine.belief.calibration import (
    BOARD,
    LEARNED,
    OCCUPIED,
    PLAYED,
    SITUATION,
    Calibration,
    features_of,
)
from engine.belief.open_points import KINDS, open_by_kind
from engine.gaussian import cdf
from engine.go.board import COLOR, EMPTY, SIZE, Board
from engine.go.geometry import board_points


class MarginModel(NamedTuple):
    """The constants of the posterior of a final margin."""

    # Komi of an even game by area rules, on 9x9 to 19x19 [points].
    even_komi: float = 7.0
    # half_weight roll-outs weigh as much as the prior, before the first move on the full board.
    # fading is the rate at which this number falls with the occupied share of the board. Fitted to
    # the results of 1,600 roll-outs of positions, given 100 and 400.
    half_weight: float = 250.0
    fading: float = 10.0
    # Komi of the games that taught the weights [points], without compensation for a handicap.
    least_komi: float = -1.5
    most_komi: float = 9.5
    # Roll-outs that all end alike say no more than this about another komi.
    most_probit: float = 3.0
    least_scatter: float = 1.0  # [points]
    # Number of roll-outs that the prior "everything is open" counts as.
    open_rollouts: float = 2.0
    least_open: float = 0.01  # Share of the board; smaller shares count as this one.
    # [points]
    least_deviation: float = 0.2
    most_deviation: float = 200.0
    # Open points per line of the board above which the owners say little about the size of a lead.
    # Chosen with the power by the margins of 54 counted games on 19x19 and 9x9.
    unclear: float = 2.3
    unclear_power: float = 4.0  # how fast they say less beyond that
    # The owners may see the other side ahead; the lead then shrinks to this share.
    least_scale: float = 0.1
    # Owners count as at most this sure before their odds get a factor, at most e^(2 most_tilt).
    surest_owner: float = 1.0 - 1e-9
    most_tilt: float = 24.0
    tilt_steps: int = 50
    least_reach: float = 0.5  # [points]; no search is more certain of a lead
    # Roll-outs see a part of what handicap stones are worth: leads are larger by this share, which
    # falls with the occupied share of the board. In 100 positions with 2 to 9 stones they err
    # by 8.4 instead of 9.1 points, in 130 others (of kyu players, too) by 7.2 instead of 11.2.
    handicap_share: float = 0.6
    handicap_fading: float = 3.0
    most_lead: float = 2.5  # points a line of the board; larger leads err as this one does
    first_stones: float = 0.02  # share of the board; smaller occupied shares count as this, nearly
    # A chance is never nearer to 0 or 1, unless the position is settled.
    surest: float = 1e-6


MARGIN = MarginModel()
ROLLOUTS = 2  # Place of the roll-outs among ``reach_variables``

NORMAL = NormalDist()


class Posterior(NamedTuple):
    """The distribution of Black's final margin [points]."""

    mean: float  # expected margin
    deviation: float  # of the margin; 0: the position was counted, and no fate is in doubt
    reach: float = 0.0  # half of the interval that holds a strong judge's lead in 90 % of positions
    least: float = -math.inf  # smallest possible margin
    most: float = math.inf  # largest possible margin

    @classmethod
    def of_board(
        cls, size: int, komi: float, mean: float, deviation: float, reach: float = 0.0
    ) -> "Posterior":
        """Return a posterior kept within the margins that a board allows."""
        # All of the board is White's, or all is Black's.
        return cls(mean, deviation, reach, -size * size - komi, size * size - komi).at(mean)

    def chance(self) -> float:
        """Return Black's chance to win; one half in a jigo."""
        return self.chance_at(self.mean)

    def chance_at(self, mean: float) -> float:
        """Return the chance to win with another mean."""
        if self.deviation <= 0.0:
            return 0.5 + 0.5 * float(np.sign(mean))
        return min(max(float(cdf(mean / self.deviation)), MARGIN.surest), 1.0 - MARGIN.surest)

    def interval(self) -> tuple[float, float]:
        """Return the 90 % interval of Black's lead in a perfect continuation [points]."""
        return max(self.mean - self.reach, self.least), min(self.mean + self.reach, self.most)

    def chances(self) -> tuple[float, float]:
        """Return Black's chances to win at both ends of the interval of the lead."""
        return self.at(self.mean - self.reach).chance(), self.at(self.mean + self.reach).chance()

    def at(self, mean: float) -> "Posterior":
        """Return the posterior with another mean, or the possible one that is nearest to it."""
        return self._replace(mean=self.nearest(mean))

    def nearest(self, mean: float) -> float:
        """Return the possible mean that is nearest to a number."""
        return min(max(mean, self.least), self.most)


class Evidence(NamedTuple):
    """The findings of a search about its root. Values are Black's."""

    size: int  # points a side of the board
    occupied: float  # share of the points with a stone
    komi: float  # added to area margins (Game.area_komi) [points]
    rollouts: int  # roll-outs through the root
    value: float  # mean of the root's value [roll-out steps]
    variance: float  # of this belief
    length: float  # mean number of moves of a roll-out from the root
    margin: float  # mean final margin of the roll-outs, komi included [points]
    seen: int  # roll-outs behind the owners, since the root was set
    stones: float  # sum of the cubed owners of the points with a stone
    ground: float  # the same of the empty points
    open: float  # mean of 1 - owner^2 over all points
    kinds: tuple[float, ...]  # KINDS numbers, as ``open_by_kind`` returns them
    handicap: int = 0  # Black's stones before White's first move, 0 if under 2
    scatter: float = 0.0  # deviation of the margin of one roll-out [points]
    # Points of Black less those of White, by owners with their odds squared: the sum of 2 owner /
    # (1 + owner^2) over all points; None: unknown
    balance: float | None = None

    def at_usual_komi(self) -> "Evidence":
        """Return the findings that the same roll-outs would have at the nearest usual komi."""
        usual = min(max(self.komi, MARGIN.least_komi), MARGIN.most_komi + self.handicap)
        extra = self.komi - usual
        if extra == 0.0:
            return self
        scatter = max(self.scatter, MARGIN.least_scatter)
        before, after = (
            min(max(margin / scatter, -MARGIN.most_probit), MARGIN.most_probit)
            for margin in (self.margin, self.margin + extra)
        )
        gained = (after - before) * math.sqrt(max(self.length + self.variance, 1e-9))
        return self._replace(komi=usual, margin=self.margin + extra, value=self.value + gained)

    def probit(self) -> float:
        """Return the probit of Black's chance to win as the search itself believes it."""
        return self.value / math.sqrt(max(self.length + self.variance, 1e-9))

    def known(self) -> Floats:
        """Return float64[FEATURES] of the situation."""
        return features_of(self.size, self.occupied, self.rollouts)


def owners_evidence(
    board: Board, ownership: Floats
) -> tuple[float, float, float, tuple[float, ...], float]:
    """Return ``Evidence.stones``, ``ground``, ``open``, ``kinds`` and ``balance``.

    ownership  float64[AREA], mean owner of each point in roll-outs, -1 White .. 1 Black
    """
    points = np.array(list(board_points(int(board[SIZE]))))
    owners = ownership[points]
    cubes, taken = owners**3, board[COLOR + points] != EMPTY
    return (
        float(cubes[taken].sum()),
        float(cubes[~taken].sum()),
        open_share(owners),
        tuple(open_by_kind(board, ownership).tolist()),
        float(np.sum(2.0 * owners / (1.0 + owners * owners))),
    )


def open_share(owners: Floats) -> float:
    """Return the share of the board that is open, given float64[n], the owners of all points."""
    return float(1.0 - np.mean(owners * owners))


def owners_with_sum(ownership: Floats, total: float) -> Floats:
    """Return owners with a given sum, the nearest to those of roll-outs by relative entropy.

    The odds of all points get one factor, so settled points hardly move and open ones most. If no
    owners have the sum, all points are Black's or all are White's.
    ownership  float64[n], -1 White .. 1 Black, as the result
    Twin: tests/reference/posterior.py::tilted
    """
    # Half the log-odds
    halves = np.arctanh(np.clip(ownership, -MARGIN.surest_owner, MARGIN.surest_owner))
    low, high = -MARGIN.most_tilt, MARGIN.most_tilt
    for _ in range(MARGIN.tilt_steps):
        middle = 0.5 * (low + high)
        if float(np.tanh(halves + middle).sum()) < total:
            low = middle
        else:
            high = middle
    return np.asarray(np.tanh(halves + 0.5 * (low + high)))


def posterior_of(evidence: Evidence, calibration: Calibration) -> Posterior:
    """Return the posterior of a position, given a search of it.

    Twin: tests/reference/posterior.py::posterior
    """
    deviation = math.exp(float(calibration.core @ situation_of(evidence)))
    deviation = min(max(deviation, MARGIN.least_deviation), MARGIN.most_deviation)
    usual = evidence.at_usual_komi()
    probits = float(calibration.weights @ evidence_features(usual))
    mean = prior_lead(usual) + deviation * probits + usual.komi - evidence.komi
    # If all roll-outs agree on every owner, their margin is a count, and no longer evidence.
    settled = settled_share(evidence)
    mean += settled * (evidence.margin - mean)
    deviation = max((1.0 - settled) * deviation, MARGIN.least_deviation)
    scale = max(scale_of(evidence, mean, deviation), MARGIN.least_deviation / deviation)
    unsettled = (1.0 - settled) * weight_of(evidence, evidence.rollouts)
    scale *= 1.0 + unsettled * handicap_share(evidence.handicap, evidence.occupied)
    shown = Posterior.of_board(evidence.size, evidence.komi, scale * mean, scale * deviation)
    reach = math.exp(float(calibration.reach @ reach_variables(evidence, shown.mean)))
    return shown._replace(reach=min(max(reach, MARGIN.least_reach), MARGIN.most_deviation))


def prior_of(
    size: int, occupied: float, komi: float, handicap: int, calibration: Calibration
) -> Posterior:
    """Return the posterior before the first roll-out: that of equal players with this komi."""
    evidence = Evidence(
        size, occupied, komi, rollouts=0, value=0.0, variance=0.0, length=float(size * size),
        margin=0.0, seen=0, stones=0.0, ground=0.0, open=1.0, kinds=(0.0,) * KINDS,
        handicap=handicap,
    )  # fmt: skip
    return posterior_of(evidence, calibration)


def situation_of(evidence: Evidence) -> Floats:
    """Return float64[FEATURES + 1], the variables of the deviation."""
    return np.append(evidence.known(), log_open(evidence))


def reach_variables(evidence: Evidence, lead: float) -> Floats:
    """Return float64[REACH], the variables of the interval of the lead.

    One, the logarithms of board and roll-outs, those of the open and of the occupied share: leads
    err little in the first moves, whatever roll-outs say. Large leads err most: a group that lives
    or dies makes them.
    lead  Black's that is shown [points]
    """
    features, occupied = evidence.known(), evidence.occupied + MARGIN.first_stones
    logs = features[BOARD], features[PLAYED], log_open(evidence), math.log(occupied)
    return np.array([1.0, *logs, min(abs(lead) / evidence.size, MARGIN.most_lead)])


def log_open(evidence: Evidence) -> float:
    """Return the logarithm of the share of the board that is open.

    A few roll-outs may agree by chance, hence the prior that everything is open.
    """
    expected = evidence.seen * evidence.open + MARGIN.open_rollouts
    return math.log(expected / (evidence.seen + MARGIN.open_rollouts) + MARGIN.least_open)


def settled_share(evidence: Evidence) -> float:
    """Return the degree to which the roll-outs' margin is a count of the board, 0 to 1."""
    if evidence.seen == 0:
        return 0.0
    return settled_by(evidence.size, math.exp(log_open(evidence)) - MARGIN.least_open)


def settled_by(size: int, left_open: float) -> float:
    """Return the degree to which a board is settled, given its open share: 0 to 1."""
    return math.exp(-size * left_open)


def scale_of(evidence: Evidence, mean: float, deviation: float) -> float:
    """Return the factor of the learned mean and deviation that suits the owners; 1: none.

    The owners' margin (``balance`` less komi) is an observation of factor * mean with the error
    ``deviation``. The prior of the factor has mean 1 and a precision that grows with the open share
    of the board.
    """
    if evidence.balance is None or evidence.seen == 0:
        return 1.0
    probit = mean / deviation
    observed = (evidence.balance - evidence.komi) / deviation
    open_points = evidence.size * (math.exp(log_open(evidence)) - MARGIN.least_open)  # per line
    precision = 1.0 + math.pow(open_points / MARGIN.unclear, MARGIN.unclear_power)
    scale = (probit * observed + precision) / (probit * probit + precision)
    return max(scale, MARGIN.least_scale)


def handicap_share(stones: int, occupied: float) -> float:
    """Return by which share leads are larger than roll-outs see them; 0 without a handicap."""
    if stones == 0:
        return 0.0
    return MARGIN.handicap_share * math.exp(-MARGIN.handicap_fading * occupied)


def weight_of(evidence: Evidence, rollouts: float) -> float:
    """Return the weight of roll-outs in a position, 0 none to 1 all."""
    share = evidence.size**2 / LEARNED.full_board
    half = MARGIN.half_weight * share * math.exp(-MARGIN.fading * evidence.occupied)
    return rollouts / (rollouts + half)


def prior_lead(evidence: Evidence) -> float:
    """Return the prior's share of the mean [points]."""
    # Each further stone is a whole move, of which an even game's komi is one half.
    fair_komi = MARGIN.even_komi * (1 + 2 * max(evidence.handicap - 1, 0))
    return (fair_komi - evidence.komi) * (1.0 - weight_of(evidence, evidence.rollouts))


def evidence_features(evidence: Evidence) -> Floats:
    """Return float64[EVIDENCE], the evidence that ``Calibration.weights`` weighs [deviations]."""
    features = evidence.known()
    situation = features[:SITUATION]
    margin_weight = weight_of(evidence, evidence.rollouts)
    owner_weight = weight_of(evidence, evidence.seen)
    scale = evidence.size * math.exp(0.5 * log_open(evidence))
    # In openings nearly nothing was learned about the worth of open points. They count in
    # proportion to the stones there.
    learned = min(float(features[OCCUPIED]) / LEARNED.opening, 1.0)
    kinds = owner_weight * learned * np.array(evidence.kinds)
    owned = owner_weight * np.array([evidence.stones, evidence.ground]) / scale
    margins = [margin_weight * evidence.margin / scale, *owned]
    probits = margin_weight * evidence.probit() * situation
    return np.concatenate([margins, probits, margin_weight * situation, kinds])
