"""Reasons in words: chances, points beside the rival."""

import pytest

from engine import BLACK, WHITE, MoveBelief, parse_vertex
from engine.explain.explaining import estimates, gap_between, judgement, margin_words
from engine.facts.open_chains import OpenChain
from engine.gaussian import NINETY_PERCENT
from tests.beliefs import believed


def belief(vertex: str, best: float, margin: float, deviation: float) -> MoveBelief:
    point = parse_vertex(vertex, 19)
    move = believed(point, 9, 0.5, margin)
    return move._replace(best=best, margin_deviation=deviation)


def test_a_move_is_judged_beside_its_rival():
    best, other = belief("D4", 0.62, 3.0, 3.0), belief("Q16", 0.2, 1.0, 4.0)
    gap, likely = gap_between(best, other)
    assert (gap, likely) == (2.0, pytest.approx(5.0 * NINETY_PERCENT))
    likelier = "and more likely to be the best move (62 % against"
    said = f"it is worth 2.0 points more than Q16 (-6.2 to 10.2), {likelier} 20 %)"
    assert judgement(best, other) == said
    assert judgement(other, best) == "it is worth 2.0 points less than D4 (-6.2 to 10.2)"
    assert judgement(best, None) == "it is the best move with probability 62 %"
    even = belief("C3", 0.1, 3.04, 4.0)
    said = f"it is as good as C3, give or take 8.2 points, {likelier} 10 %)"
    assert judgement(best, even) == said
    alike = belief("C3", 0.618, 3.04, 4.0)
    assert judgement(best, alike) == "it is as good as C3, give or take 8.2 points"


@pytest.mark.parametrize(
    ("rival", "why"),
    [
        ({"playouts": 7}, "and the search tried it more often (9 times against 7)"),
        ({"playouts": 12, "prior": 0.1}, "and experts prefer it"),
        ({"playouts": 12, "prior": 0.4}, "and nothing tells the two apart"),
    ],
)
def test_the_played_one_of_two_equal_moves_has_a_reason(rival, why):
    played = belief("D4", 0.3, 3.0, 3.0)._replace(weight=2.0, prior=0.4)
    other = belief("Q16", 0.3, 3.0, 3.0)._replace(weight=1.0, **rival)
    assert judgement(played, other) == f"it is as good as Q16, give or take 7.0 points, {why}"
    assert judgement(other, played) == "it is as good as D4, give or take 7.0 points"
    likelier = judgement(other._replace(best=0.5), played)
    assert likelier.endswith(", although it is more likely to be the best move (50 % against 30 %)")


def test_results_in_words():
    assert margin_words((-3.54, 10.0)) == "W+3.5 to B+10.0"
    assert margin_words((0.01, 2.0)) == "jigo to B+2.0"


def test_estimates_name_the_chains_in_doubt_and_count_the_others():
    dead = OpenChain((parse_vertex("D4", 19), parse_vertex("D5", 19)), WHITE, 0.95, 0.85)
    open_chain = OpenChain((parse_vertex("A1", 19),), BLACK, 0.6, 0.1)
    safe = OpenChain((parse_vertex("Q4", 19),), BLACK, 0.4, 0.1)
    assert estimates([safe, dead, open_chain]) == [
        "1 probably safe",
        "D4 (2 stones) probably dead (85 %)",
        "A1 (1 stone) captured with 60 % if white begins and 10 % if black does",
    ]
    assert estimates([]) == []
