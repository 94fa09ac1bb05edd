"""The posterior over a player's ranks, given moves.

    P(rank | moves) ~ P(rank) * prod P(move | rank) ** trust

People do not choose their moves independently, and players of one rank differ: a move tells less
than its likelihood says. Trust and the deviation of recorded ranks were set so that intervals are
calibrated on games not learned from (``scripts.learn.people``). Twin: tests/reference/people.py.
"""

from typing import NamedTuple

import numpy as np

from engine.arrays import Floats

WEAKEST, STRONGEST = 30, -8  # numbers of kyu, the range of the posterior: 30k to 9d


class RankModel(NamedTuple):
    """The constants of the posterior of a player's rank."""

    trust: float = 0.8
    # Deviation of the rank in a record from the strength of its player
    recorded: float = 1.0
    # Most players of a server. The prior is wide, so a few games outweigh it.
    prior_mean: float = 8.0
    prior_deviation: float = 9.0
    tail: float = 0.1  # on either side of the 80 % interval


RANK = RankModel()


class RankPosterior(NamedTuple):
    """The belief about a player's rank, as a number of kyu: 1k is 1, 1d is 0."""

    chances: Floats  # float64[WEAKEST - STRONGEST + 1], probability of each rank from STRONGEST on

    def by_rank(self) -> dict[int, float]:
        """Return the probability of each rank, the weakest first."""
        ranks = range(WEAKEST, STRONGEST - 1, -1)
        return dict(zip(ranks, self.chances[::-1].tolist(), strict=True))

    def quantile(self, share: float) -> int:
        """Return the first rank, from the strongest on, that brings the sum to ``share``."""
        # The sum may end a little below 1.
        place = int(np.searchsorted(self.chances.cumsum(), share))
        return STRONGEST + min(place, len(self.chances) - 1)

    @property
    def median(self) -> int:
        """The median rank: too strong and too weak with equal probability."""
        return self.quantile(0.5)

    @property
    def interval(self) -> tuple[int, int]:
        """The strongest and the weakest rank of the 80 % interval."""
        return self.quantile(RANK.tail), self.quantile(1.0 - RANK.tail)


def rank_posterior(log_likelihoods: Floats) -> RankPosterior:
    """Return the posterior over ranks.

    log_likelihoods  float64[WEAKEST - STRONGEST + 1], of a player's moves under each rank's weights
    Twin: tests/reference/people.py::posterior
    """
    ranks = np.arange(STRONGEST, WEAKEST + 1)
    logs = (
        RANK.trust * log_likelihoods - 0.5 * ((ranks - RANK.prior_mean) / RANK.prior_deviation) ** 2
    )
    chances = np.exp(logs - logs.max())
    apart = np.exp(-0.5 * ((ranks[:, None] - ranks) / RANK.recorded) ** 2)
    chances = apart @ (chances / apart.sum(0))
    return RankPosterior(chances / chances.sum())


def rank_name(kyu: int) -> str:
    """Return a rank in its usual form: "12k", "1d"."""
    return f"{kyu}k" if kyu > 0 else f"{1 - kyu}d"
