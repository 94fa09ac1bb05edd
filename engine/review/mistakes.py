"""What counts as a mistake: the least loss, how common mistakes are, and how surely to say so."""

import math

from engine.path.losses import Size, Track, sigmoid

# Log-odds that a move is a mistake, by the ranking model's probability of it: at EVEN, and how they
# fall with every factor e.
PRIOR_AT_EVEN, PRIOR_SLOPE, EVEN = -1.4, 0.25, 0.05
LEAST_CHANCE = 1e-3  # smaller probabilities count as this
# What a path says of a move that was compared, in log-odds, is told as this share of it and so much
# more, but by no more than another amount: see ``tempered``.
SHARE, MORE, MOST_MORE = 0.3, 0.8, 1.6
SUREST = 1e-4  # probabilities nearer to 0 or 1 count as this


def tracks_of(size: int) -> tuple[Track, Track]:
    """Return what steps are like on a board: of the probit of winning, and of the lead."""
    # A mistake is one by its points. The chance to win is a witness: it mostly falls after a
    # mistake, but it also falls after one in ten of the moves that lose no points.
    win = Track(0.2, 0.0, (Size(0.7, 0.25), Size(0.3, 0.8)), 0.3, falls=(0.1, 0.95))
    lead = Track(1.8, least_mistake(size), (Size(0.7, 4.0), Size(0.3, 20.0)), 3.0)
    return win, lead


def least_mistake(size: int) -> float:
    """Return the points that the smallest mistake loses: 3 on the full board, 2 on 9x9."""
    return 2.0 + 0.1 * max(size - 9, 0)


def prior_odds(chance: float | None) -> float:
    """Return the log-odds of a mistake: what experts hardly ever play is one more often."""
    if chance is None:
        return PRIOR_AT_EVEN
    return PRIOR_AT_EVEN - PRIOR_SLOPE * math.log(max(chance, LEAST_CHANCE) / EVEN)


def tempered(mistake: float) -> float:
    """Return the probability to tell of a mistake that was compared with a better move.

    The path takes searches for independent that err alike, and a search of its own made the better
    move a better one: so it is too sure where it is sure, and what it doubts is a mistake more
    often than it says (``scripts.check.mistakes``). Evidence counted in part is what composite
    likelihoods need (Varin, Reid & Firth 2011).
    """
    mistake = min(max(mistake, SUREST), 1.0 - SUREST)
    odds = math.log(mistake / (1.0 - mistake))
    return sigmoid(min(odds + MOST_MORE, MORE + SHARE * odds))
