"""Reasons of mistakes, in words."""

import numpy as np

from engine import BLACK, WHITE, Game
from engine.facts.position_facts import Facts
from engine.go.geometry import AREA
from engine.review.comparisons import Comparison
from engine.review.reasons import captured_in, habit, reasons_against
from tests.review.examples import CHINESE, compared, example, look, point


def sentences(game, played, comparison):
    return [effect.sentence for effect in reasons_against(game, point(played), comparison, Facts())]


def test_ground_and_fates_are_told_by_roll_outs():
    _, thoughts = example()
    game = thoughts[2].game
    owned = np.zeros(AREA)
    owned[[point("A1"), point("A2"), point("B1"), point("A3")]] = -0.9
    told = sentences(game, "E5", compared(game, "B2", 5.0, owned))
    assert told[0] == "B2 gains about 4 points around A1."
    owned = np.zeros(AREA)
    owned[point("C3")] = -1.0
    told = sentences(game, "B3", compared(game, "B2", 5.0, owned))
    assert told[0] == (
        "Black's stone at C3 lives in 50 % of continuations after B2, in 0 % after B3."
    )


def test_without_anything_to_say_a_stock_phrase_is_said():
    _, thoughts = example()
    game = thoughts[2].game
    (effect,) = reasons_against(game, point("E5"), compared(game, "B2", 5.0), Facts())
    assert effect.sentence == "B2 is worth more, a little in many places."
    assert not effect.concrete
    nothing = compared(game, "B2", 5.0)._replace(better=None)
    assert reasons_against(game, point("E5"), nothing, Facts()) == ()


def test_the_answers_of_the_opponent_are_reasons():
    game = Game(9, CHINESE, 0.5)
    for color, place in ((BLACK, (3, 3)), (WHITE, (7, 7))):
        game.play(color, vertex(place))
    key = compared_by(answer_to_better=(2, 2), answer_to_played=(5, 5), better=(5, 5))
    (told,) = (e.sentence for e in reasons_against(game, vertex((1, 8)), key, Facts()))
    assert told == (
        "E5 is the key point for both sides: White's best answer to A8 is to play there."
    )
    sente = compared_by(answer_to_better=(5, 6), answer_to_played=(8, 2), better=(5, 5))
    (told,) = (e.sentence for e in reasons_against(game, vertex((1, 8)), sente, Facts()))
    assert told == "E5 keeps sente: White should answer at E6, but need not answer A8."


def test_a_capture_in_an_expected_line():
    game = Game(5, CHINESE, 0.5)
    for color, name in ((BLACK, "A1"), (WHITE, "A2")):
        game.play(color, point(name))
    worse, other = look(WHITE, 0.0, "B1", line=("C1",)), look(WHITE, 0.0, "D4")
    comparison = Comparison(point("B1"), compared(game, "B1", 5.0).losses, worse, other)
    assert captured_in(game, (point("E5"), point("B1"))) == {point("A1")}
    told = sentences(game, "E5", comparison)
    assert [text for text in told if "A1" in text] == [
        "White captures the stone at A1 in the line E5 B1 C1."
    ]


def vertex(place):
    from engine.go.geometry import to_point

    return to_point(*place)


def compared_by(answer_to_better, answer_to_played, better):
    looks = []
    for answer in (answer_to_played, answer_to_better):
        one = look(WHITE, 0.0)
        (candidate,) = one.decision.candidates
        candidate = candidate._replace(point=vertex(answer), line=(vertex(answer),))
        looks.append(one._replace(decision=one.decision._replace(candidates=(candidate,))))
    losses = compared(Game(5, CHINESE, 0.5), "C3", 5.0).losses
    return Comparison(vertex(better), losses, *looks)


def test_how_usual_a_move_is():
    assert habit(None, None, "C3") == []
    assert habit(0.24, 0.1, "C3") == [
        "It is a common mistake: 24 % of strong players play here, 10 % play C3."
    ]
    assert habit(0.05, None, "C3") == ["5 % of strong players play here."]
    assert habit(0.0001, 0.6, "C3") == [
        "Hardly a strong player plays here (under 0.1 %, 60 % play C3)."
    ]
