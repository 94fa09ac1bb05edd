"""The form of reasons: which are forbidden."""

import pytest

from engine import BLACK, PASS, Game, parse_vertex
from engine.explain.kinds import Effect, Kind
from scripts.check.reasons import fault_of


def point(name):
    return parse_vertex(name, 9)


def effect(kind, move, other, *places):
    other = PASS if other is None else point(other)
    return Effect(kind, 1.0, (), BLACK, (point(move), other), tuple(map(point, places)), (1.0,))


@pytest.mark.parametrize(
    ("text", "effects", "fault"),
    [
        ("C3, because it captures the stone at D4", [effect(Kind.CAPTURES, "C3", "F5")], ""),
        ("C3, because it is needless", [], "words: needless"),
        ("C3", [effect(Kind.PREFERRED, "C3", "G7")], "mirror images are compared"),
        ("C3", [effect(Kind.GROUND, "C3", "F5", "J9")], "ground out of reach"),
        ("C3", [effect(Kind.GROUND, "C3", "F5", "E4")], ""),
    ],
)
def test_forbidden_forms(text, effects, fault):
    assert fault_of(Game(9), text, effects) == fault
