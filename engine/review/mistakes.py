"""The definition of a mistake: the least loss, how common mistakes are, how surely to say so."""

import math
from typing import Literal, NamedTuple

from engine.belief.losses import Size, Track, sigmoid
from engine.people.posterior import STRONGEST, RankPosterior

Verdict = Literal["mistake", "uncertain", "fine"]
"""On a move; "uncertain": it may be a mistake, and is not called one."""

Certainty = Literal["clear", "likely", "perhaps"]
"""Of a move that is shown as costly: a mistake is clear or likely; others may be one."""


class MistakeModel(NamedTuple):
    """The definition of a mistake and the odds of one."""

    least_loss: float = 2.0  # points that the smallest mistake loses
    # A move is called a mistake from this probability on, and only if its own comparisons find one:
    # the positions around a move may show an older mistake that came to light.
    named: float = 0.5
    # The same on large boards. Of 49 moves of handicap games there that had 50 % and more 35 were
    # mistakes, of the 38 with 60 % 30.
    large_named: float = 0.6
    large_board: int = 14  # lines of the smallest
    clear: float = 0.7  # probability from which on such a mistake is a clear one
    least_times: int = 2  # comparisons of a move that is called a mistake: one may be luck
    doubt: float = 0.25  # probability from which on a move that is not called one may be one
    # Log-odds that a move of the strongest players is a mistake, if its probability is ``even``: a
    # logistic regression, with the next three, of 2,237 judged moves of 12 games of kyu players on
    # 9x9 and 8 games of dan players on 19x19.
    prior_at_even: float = -2.32
    prior_slope: float = 0.3  # their fall with every factor e of the probability
    even: float = 0.05  # a move's probability by the ranking model
    prior_a_rank: float = 0.095  # their rise with every rank downwards
    # Their rise with every line beyond nine. In 2,116 judgements of moves of five games on 19x19,
    # those with P(mistake) of 33 and 58 % were mistakes in 54 and 90 %; part is the judge's error.
    prior_a_line: float = 0.04
    # Their fall with every factor e of the occupied share below ``opened``. Fitted to 1,248 judged
    # moves of 23 reviews: of the 117 of kyu players on 9x9 before a tenth of the board was occupied
    # 11 % were mistakes, where P(mistake) was 21 %.
    opening_slope: float = 4.0
    opened: float = 0.08  # share of the board with stones at which the opening ends
    first_stones: float = 0.02
    # Kyu of a player of unknown strength, 5d: most records are of such players
    unknown_rank: float = -4.0
    # Log-odds that a pass is one, of any player; chosen, not fitted, for the ranking model knows no
    # passes. Among the 240 passes that ended 120 games of kyu players on 9x9, reviews with the odds
    # of other moves named 21, and a judge confirmed 10 of these. Proofs do not tell which.
    prior_of_pass: float = -2.0
    least_chance: float = 1e-3  # smaller probabilities count as this
    # Log-odds of a mistake: prior + base + share * evidence of the path + wild * log(wildness); the
    # more is at stake, the more moves are mistakes. Logistic regressions on 1,723 judged moves of
    # 32 games on 9x9 (29k to 3d) and on 1,497 of nine handicap games on 19x19 gave 0.56 and 0.41
    # for base, 0.83 and 0.68 for share, 0.72 and 1.42 for wild.
    base: float = 0.5
    share: float = 0.75
    wild: float = 1.0
    surest: float = 1e-4  # probabilities nearer to 0 or 1 count as this


MISTAKES = MistakeModel()


def tracks_of(size: int) -> tuple[Track, Track]:
    """Return what steps are like on a board: of the probit of winning, and of the lead."""
    # Chosen, not fitted; scripts.check.mistakes compares the verdicts with those of a judge.
    # A mistake is one by its points. The chance to win is a witness: it mostly falls after a
    # mistake, but it also falls after one in ten of the moves that lose no points.
    win = Track(0.2, 0.0, (Size(0.7, 0.25), Size(0.3, 0.8)), 0.3, falls=(0.1, 0.95))
    calm = 1.0 + 0.05 * max(size - 9, 0)
    lead = Track(calm, MISTAKES.least_loss, (Size(0.7, 4.0), Size(0.3, 15.0)), 3.0)
    return win, lead


def prior_odds(
    chance: float | None, ranks: RankPosterior | None = None, occupied: float = 1.0
) -> float:
    """Return the log-odds of a mistake before any search.

    chance    of the move by the ranking model; None: unknown
    occupied  share of the board with a stone
    """
    opened = min((occupied + MISTAKES.first_stones) / MISTAKES.opened, 1.0)
    odds = MISTAKES.prior_at_even + MISTAKES.opening_slope * math.log(opened)
    if chance is not None:
        odds -= MISTAKES.prior_slope * (
            math.log(max(chance, MISTAKES.least_chance)) - math.log(MISTAKES.even)
        )
    if ranks is None:
        return odds + MISTAKES.prior_a_rank * (MISTAKES.unknown_rank - STRONGEST)
    prob = sum(
        share * sigmoid(odds + MISTAKES.prior_a_rank * (rank - STRONGEST))
        for rank, share in ranks.by_rank().items()
    )
    return _odds(prob)


def tempered(mistake: float, prior: float, wild: float) -> float:
    """Return the probability to tell of a mistake, given the path's and the prior log-odds.

    The path takes searches for independent, although they err alike, so its evidence counts in
    part (composite likelihoods: Varin, Reid & Firth 2011). The prior counts in full.
    """
    evidence = MISTAKES.share * (_odds(mistake) - prior)
    return sigmoid(prior + evidence + MISTAKES.base + MISTAKES.wild * math.log(wild))


def least_named(size: int) -> float:
    """Return the probability from which on a move is called a mistake on a board of some size."""
    return MISTAKES.named if size < MISTAKES.large_board else MISTAKES.large_named


def named_chance(prior: float, wild: float, size: int) -> float:
    """Return the path's probability of a mistake from which on a compared move is called one."""
    missing = _odds(least_named(size)) - prior - MISTAKES.base - MISTAKES.wild * math.log(wild)
    return sigmoid(prior + missing / MISTAKES.share)


def _odds(prob: float) -> float:
    """Return the log-odds of a probability."""
    prob = min(max(prob, MISTAKES.surest), 1.0 - MISTAKES.surest)
    return math.log(prob / (1.0 - prob))


def verdict_of(mistake: float, compared_loss: float | None, times: int, size: int) -> Verdict:
    """Return the verdict on a move, given the points lost by a number of comparisons alone."""
    if (
        compared_loss is not None
        and mistake >= least_named(size)
        and compared_loss >= MISTAKES.least_loss
        and times >= MISTAKES.least_times
    ):
        return "mistake"
    return "uncertain" if mistake >= MISTAKES.doubt else "fine"
