"""Reasons of mistakes, in words."""

import numpy as np

from engine import BLACK, WHITE, Game
from engine.go.geometry import AREA
from engine.path.losses import NOTHING
from engine.review.looks import Comparison
from engine.review.reasons import habit, reason_for
from tests.review.examples import CHINESE, compared, example, look, point


def test_reasons_in_terms_of_go():
    _, thoughts = example()
    game = thoughts[2].game
    owned = np.zeros(AREA)
    owned[[point("A1"), point("A2"), point("B1"), point("A3")]] = -0.9
    reason = reason_for(game, point("E5"), compared(game, "B2", 5.0, owned))
    assert reason == "the fight around A1 is larger, about 4 points are at stake"
    reason = reason_for(game, point("B3"), compared(game, "B2", 5.0, owned))
    assert reason == "about 4 points around A1 go to White"
    owned = np.zeros(AREA)
    owned[point("C3")] = -1.0
    reason = reason_for(game, point("B3"), compared(game, "B2", 5.0, owned))
    assert reason.startswith("Black's 1 stone at C3 is likely to die")


def test_a_proof_is_a_reason():
    _, thoughts = example()
    game = thoughts[2].game
    comparison = compared(game, "B2", 5.0)._replace(known="saves C3 (1 stone)")
    assert reason_for(game, point("E5"), comparison) == "it saves C3 (1 stone)"
    comparison = compared(game, "B2", 5.0)._replace(vain="cannot save C3 (1 stone)")
    assert reason_for(game, point("E5"), comparison) == "E5 is in vain (cannot save C3 (1 stone))"


def test_a_capture_in_the_expected_line():
    game = Game(5, CHINESE, 0.5)
    for color, vertex in ((BLACK, "A1"), (WHITE, "A2")):
        game.play(color, point(vertex))
    worse = look(WHITE, 0.0, "B1")
    other = look(WHITE, 0.0, "D4")
    comparison = Comparison(point("B1"), (NOTHING, NOTHING), worse, other)
    assert reason_for(game, point("E5"), comparison) == "White captures the 1 stone at A1"


def test_how_usual_a_move_is():
    assert habit(None, None, "C3") == ""
    assert habit(0.24, 0.1, "C3") == ("a common mistake: 24 % of strong players play here, 10 % C3")
    assert habit(0.05, None, "C3") == "5 % of strong players play here"
    assert habit(0.0001, 0.6, "C3") == ("hardly a strong player plays here (under 0.1 %, 60 % C3)")
