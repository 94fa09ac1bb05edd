"""The definition of a mistake: the least loss, how common mistakes are, how surely to say so."""

import math
from typing import Literal

from engine.path.losses import Size, Track, sigmoid
from engine.people.posterior import STRONGEST, RankPosterior

Verdict = Literal["mistake", "uncertain", "fine"]
"""On a move; "uncertain": it may be a mistake, and is not called one."""

LEAST_MISTAKE = 2.0  # points that the smallest mistake loses
# A move is called a mistake from this probability on, and only if its own comparisons find one:
# the positions around a move may show an older mistake that came to light.
NAMED = 0.55
DOUBT = 0.33  # probability from which on a move that is not called a mistake is perhaps one
# Log-odds that a move of the strongest players is a mistake, by the ranking model's probability of
# it: at EVEN, how they fall with every factor e, and how they rise with every rank downwards. In
# judged games, 8 to 14 % of the moves of 9 dan players and 25 to 40 % of the moves of 20 to 3 kyu
# players on 9x9 (12 games) lost 2 points and more.
PRIOR_AT_EVEN, PRIOR_SLOPE, EVEN = -1.9, 0.25, 0.05
PRIOR_A_RANK = 0.075
# How they rise with every factor e by which experts would rather play the better move.
PRIOR_BESIDE = 0.3
UNKNOWN_RANK = -4.0  # kyu of a player of unknown strength, 5d: most records are of such players
LEAST_CHANCE = 1e-3  # smaller probabilities count as this
# The path's log-odds for a move that was compared are told as this share of them and so much more,
# but by no more than another amount: see ``tempered``. The first two were fitted on 82 moves of 8
# games, where searches four to six times as long after both moves told which were mistakes.
SHARE, MORE, MOST_MORE = 0.5, -0.4, 1.0
MOST_SURE = 0.85  # of 24 of the surest mistakes the judge confirmed about five in six
SUREST = 1e-4  # probabilities nearer to 0 or 1 count as this


def tracks_of(size: int) -> tuple[Track, Track]:
    """Return what steps are like on a board: of the probit of winning, and of the lead."""
    # A mistake is one by its points. The chance to win is a witness: it mostly falls after a
    # mistake, but it also falls after one in ten of the moves that lose no points.
    win = Track(0.2, 0.0, (Size(0.7, 0.25), Size(0.3, 0.8)), 0.3, falls=(0.1, 0.95))
    calm = 1.0 + 0.05 * max(size - 9, 0)
    lead = Track(calm, LEAST_MISTAKE, (Size(0.7, 4.0), Size(0.3, 15.0)), 3.0)
    return win, lead


def prior_odds(
    chance: float | None, ranks: RankPosterior | None = None, better: float | None = None
) -> float:
    """Return the log-odds of a mistake before any search.

    Moves that few experts play are mistakes more often, and so are moves of weak players.
    chance  of the move by the ranking model; None: unknown
    ranks   what is believed of the player's rank; None: nothing is known
    better  probability of the move that it was compared with; None: it was not
    """
    odds = PRIOR_AT_EVEN
    if chance is not None:
        likely = math.log(max(chance, LEAST_CHANCE))
        odds -= PRIOR_SLOPE * (likely - math.log(EVEN))
        if better is not None:
            odds += PRIOR_BESIDE * (math.log(max(better, LEAST_CHANCE)) - likely)
    if ranks is None:
        return odds + PRIOR_A_RANK * (UNKNOWN_RANK - STRONGEST)
    prob = sum(
        share * sigmoid(odds + PRIOR_A_RANK * (rank - STRONGEST))
        for rank, share in ranks.by_rank().items()
    )
    return math.log(prob / (1.0 - prob))


def tempered(mistake: float) -> float:
    """Return the probability to tell of a mistake that was compared with a better move.

    The path takes searches for independent, although they err alike. It is therefore too sure where
    it is sure, and its doubtful moves are mistakes more often than it says
    (``scripts.check.mistakes``). Composite likelihoods need evidence that counts in part (Varin,
    Reid & Firth 2011).
    """
    mistake = min(max(mistake, SUREST), 1.0 - SUREST)
    odds = math.log(mistake / (1.0 - mistake))
    return min(sigmoid(min(odds + MOST_MORE, MORE + SHARE * odds)), MOST_SURE)


def named_chance() -> float:
    """Return the path's probability of a mistake from which on ``tempered`` reaches NAMED."""
    odds = math.log(NAMED / (1.0 - NAMED))
    return sigmoid(max(odds - MOST_MORE, (odds - MORE) / SHARE))


def verdict_of(mistake: float, found: float | None) -> Verdict:
    """Return the verdict on a move.

    mistake  its probability
    found    points lost by its comparisons alone; None: it was not compared with a better move
    """
    if found is not None and mistake >= NAMED and found >= LEAST_MISTAKE:
        return "mistake"
    return "uncertain" if mistake >= DOUBT else "fine"
