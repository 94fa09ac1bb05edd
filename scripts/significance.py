"""Confidence intervals and sequential tests of match results."""

import math


def wilson_interval(wins: float, games: int) -> tuple[float, float]:
    """Return the 95 % interval of a win rate. Source: Wilson (1927)."""
    z = 1.959964
    if games == 0:  # without games, nothing is known
        return 0.0, 1.0
    share = wins / games
    center = share + z * z / (2 * games)
    spread = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    scale = 1 + z * z / games
    return max(0.0, center - spread) / scale, (center + spread) / scale


def log_likelihood_ratio(wins: float, games: int, elo: float = 35.0) -> float:
    """Return the log likelihood ratio of ``elo`` against equal strength; 2.94 accepts at 5 %.

    Source: Wald (1945), sequential probability ratio test, with trials that are won or lost.
    """
    expected = 1 / (1 + 10 ** (-elo / 400))
    losses = games - wins
    return wins * math.log(expected / 0.5) + losses * math.log((1 - expected) / 0.5)
