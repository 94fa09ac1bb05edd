"""Pieces of answers."""

import pytest

from engine import BLACK, PASS, WHITE, parse_vertex
from gtp.answers import owners_from_top, score, variation, vertices
from tests.gtp.handlers.test_analysis import GAME, REPORT


def test_vertices():
    assert vertices([]) == ""
    assert vertices([parse_vertex("T19", 19), PASS]) == "T19 pass"
    assert variation(REPORT.moves[0]) == "B2 A1 pass"


@pytest.mark.parametrize(
    ("points", "text"), [(7.0, "7.0"), (-6.5, "-6.5"), (6.75, "6.75"), (0.125, "0.125")]
)
def test_a_score_has_the_decimals_it_needs(points, text):
    assert score(points) == text


def test_owners_are_the_movers_and_come_from_the_top():
    assert owners_from_top(GAME, BLACK, REPORT.ownership) == [1.0, 0.0, 0.0, -0.5]
    assert owners_from_top(GAME, WHITE, REPORT.ownership) == [-1.0, 0.0, 0.0, 0.5]
