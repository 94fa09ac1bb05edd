"""Shown fates of chains beside a judge's."""

import json

import numpy as np

from engine import RULESETS, Game, parse_vertex
from engine.facts.open_chains import OpenChain
from engine.go.geometry import AREA
from scripts.check.shown_fates import look_at, print_result


class Told:
    """A lookout that knows one chain of each color, which it shows alive in 3 of 4 roll-outs."""

    def __init__(self):
        self.reader = self.facts = self

    def open_chains(self, board, budget):
        mine = tuple(sorted(parse_vertex(v, 5) for v in ("A1", "B1")))
        theirs = tuple(sorted(parse_vertex(v, 5) for v in ("A5", "B5")))
        return [OpenChain(mine, 1, 0.3, 0.2), OpenChain(theirs, 2, 0.9, 0.6)]

    def look(self, request):
        owners = np.zeros(AREA)
        owners[[parse_vertex(v, 5) for v in ("A1", "B1")]] = 0.5
        owners[[parse_vertex(v, 5) for v in ("A5", "B5")]] = -0.5
        return type("Look", (), {"ownership": owners})


def test_a_chain_is_judged_from_its_owner_s_side(judge, capsys):
    game = Game(5, RULESETS["chinese"], 0.5)
    for color, vertex in ((1, "A1"), (2, "A5"), (1, "B1"), (2, "B5")):
        game.play(color, parse_vertex(vertex, 5))
    chains = look_at(game, Told(), 10, judge)
    assert [chain["captured"] for chain in chains] == [0.2, 0.9]
    assert [chain["lives"] for chain in chains] == [0.75, 0.75]
    # The lower half is the side to move's, and the upper half its opponent's.
    assert [chain["judge"] for chain in chains] == [1.0, 1.0]
    assert [chain["first"] for chain in chains] == ["owner", "opponent"]
    game.play(1, parse_vertex("E3", 5))
    chains = look_at(game, Told(), 10, judge)
    assert [chain["captured"] for chain in chains] == [0.3, 0.6]
    assert [chain["judge"] for chain in chains] == [0.0, 0.0]
    print_result([json.loads(json.dumps({"chains": chains}))])
    assert "captured, by the solver, its opponent to move" in capsys.readouterr().out
