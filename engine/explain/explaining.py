"""Why a move and why not another one: its chance to be the best, and points beside its rival.

Estimates about chains that no proof decides are put in words here, too.
"""

import math
from collections.abc import Sequence

from engine.belief.root_moves import MoveBelief
from engine.explain.wording import named
from engine.facts.open_chains import OpenChain
from engine.gaussian import NINETY_PERCENT
from engine.go.geometry import PASS, format_vertex
from engine.go.played import COLOR_NAMES

LIKELY = 0.5  # probability of a capture from which on a chain is in doubt, or probably dead


def gap_between(better: MoveBelief, other: MoveBelief) -> tuple[float, float]:
    """Return by how many points one move is better, and the half width of the 90 % interval."""
    deviation = math.hypot(better.margin_deviation, other.margin_deviation)
    return better.margin - other.margin, NINETY_PERCENT * deviation


def judgement(move: MoveBelief, rival: MoveBelief | None) -> str:
    """Return how good a move is, beside another one, in clauses about "it".

    rival  the best move, or the second best for the best one itself; None: there is no other
    """
    if rival is None:
        return f"it is the best move with probability {100 * move.best:.0f} %"
    gap, likely = gap_between(move, rival)
    size, other = abs(gap), format_vertex(rival.point)
    if size < 0.05:
        sentence = f"it is as good as {other}, give or take {likely:.1f} points"
    else:
        more = "more" if gap > 0.0 else "less"
        interval = f"({size - likely:.1f} to {size + likely:.1f})"
        sentence = f"it is worth {size:.1f} points {more} than {other} {interval}"
    # This is told only of the likelier move, and only if the figures show it.
    chance, against = f"{100 * move.best:.0f} %", f"{100 * rival.best:.0f} %"
    if move.best > rival.best and chance != against:
        joined = "although it is" if move.weight < rival.weight else "and"
        return f"{sentence}, {joined} more likely to be the best move ({chance} against {against})"
    if size < 0.05 and move.weight > rival.weight:
        return f"{sentence}, and {preference(move, rival)}"
    return sentence


def preference(move: MoveBelief, rival: MoveBelief) -> str:
    """Return why a move is played and not an equally good one, as the end of a sentence."""
    if move.playouts > rival.playouts:
        return f"the search tried it more often ({move.playouts} times against {rival.playouts})"
    # The ranking model knows no passes.
    if move.prior > rival.prior and rival.point != PASS:
        return "experts prefer it"
    return "nothing tells the two apart"


def usual_words(chance: float) -> str:
    """Return how often experts play a move, by the ranking model, as a clause about "it"."""
    return f"experts play it in {100 * chance:.0f} % of such positions"


def margin_words(likely: tuple[float, float]) -> str:
    """Return the results between which a game ends with 90 % probability, as "W+3.5 to B+10.0"."""
    return " to ".join(
        "jigo" if round(margin, 1) == 0.0 else f"{'B' if margin > 0 else 'W'}+{abs(margin):.1f}"
        for margin in likely
    )


def estimates(chains: Sequence[OpenChain]) -> list[str]:
    """Return the estimates about open chains in words, as "D4 (3 stones) probably dead (85 %)".

    Chains that are probably safe are counted, not named.
    """
    doubtful = [chain for chain in chains if chain.attacked >= LIKELY]
    safe = len(chains) - len(doubtful)
    counted = [f"{safe} probably safe"] if safe else []
    return counted + [f"{named(chain.stones)} {_probable_fate(chain)}" for chain in doubtful]


def _probable_fate(chain: OpenChain) -> str:
    attacked, defended = f"{100 * chain.attacked:.0f} %", f"{100 * chain.defended:.0f} %"
    if chain.defended >= LIKELY:
        return f"probably dead ({defended})"
    first, owner = COLOR_NAMES[3 - chain.color], COLOR_NAMES[chain.color]
    return f"captured with {attacked} if {first} begins and {defended} if {owner} does"
