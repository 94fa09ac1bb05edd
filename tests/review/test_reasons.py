"""Reasons of mistakes, in words."""

import numpy as np

from engine import BLACK, WHITE, Game
from engine.explain.effects import effects_of
from engine.explain.kinds import Kind
from engine.explain.outcomes import MovePair, Outcome
from engine.explain.words import sentence, sentences_of
from engine.facts.position_facts import Facts
from engine.go.geometry import AREA
from engine.review.comparisons import agreed_owners
from engine.review.looks import after_move
from engine.review.reasons import _later_captures, reasons_against
from tests.review.examples import CHINESE, compared, example, point, thoughts_of


def test_ground_and_a_shape_that_does_nothing_are_no_reasons():
    _, thoughts = example()
    game = thoughts[2].game
    owned = np.zeros(AREA)
    owned[[point("A1"), point("A2"), point("B1"), point("A3")]] = -0.9
    first = Outcome(game, BLACK, point("B2"), 0 * owned, Facts())
    second = Outcome(game, BLACK, point("E5"), owned, Facts())
    effects = effects_of(MovePair(game, BLACK, first, second))
    assert any(effect.kind.is_ground for effect in effects)
    told = reasons_against(game, point("E5"), compared(game, "B2", 5.0, owned), Facts())
    assert told == ()


def test_the_board_shows_what_the_better_move_does():
    game = Game(5, CHINESE, 0.5)
    for color, name in ((BLACK, "B3"), (WHITE, "B2"), (BLACK, "D3"), (WHITE, "D2")):
        game.play(color, point(name))
    told = reasons_against(game, point("A5"), compared(game, "C2", 5.0), Facts())
    assert sentences_of(told, 0.0, 3) == [
        "C2 separates the stone at B2 from the stone at D2.",
    ]


def test_what_both_moves_do_is_no_reason():
    game = Game(5, CHINESE, 0.5)
    for color, name in ((BLACK, "B2"), (WHITE, "E1"), (BLACK, "B4"), (WHITE, "E2")):
        game.play(color, point(name))
    comparison = compared(game, "A3", 5.0)
    (hanging,) = reasons_against(game, point("D5"), comparison, Facts())
    assert hanging.kind == Kind.HANGING
    assert reasons_against(game, point("C3"), comparison, Facts()) == ()


def test_an_atari_alone_is_no_reason():
    game = Game(5, CHINESE, 0.5)
    for color, name in ((BLACK, "C4"), (WHITE, "C3"), (BLACK, "B3"), (WHITE, "E1")):
        game.play(color, point(name))
    assert reasons_against(game, point("A5"), compared(game, "C2", 5.0), Facts()) == ()


def test_stones_that_fare_better_after_the_better_move():
    game, first, second = Game(5, CHINESE, 0.5), np.zeros(AREA), np.zeros(AREA)
    for color, name in ((BLACK, "B2"), (WHITE, "A4"), (BLACK, "D2"), (WHITE, "E5")):
        game.play(color, point(name))
    for name, lives, lived in (("B2", 0.3, -0.3), ("D2", 0.4, -0.2), ("A4", -0.1, -0.4)):
        first[point(name)], second[point(name)] = lives, lived

    def told(searched):
        comparison = compared(game, "C5", 5.0)._replace(owners=searched)
        effects = reasons_against(game, point("E3"), comparison, Facts())
        return [sentence(effect) for effect in effects if effect.kind == Kind.OWN_LIVE]

    # Two chains with nearly the same shares are one sentence.
    live = "Black's stones at B2 and D2 usually live after C5, and usually die after E3."
    assert told(((first,), (second,))) == [live]
    first[point("D2")] = 0.0
    usually = ["Black's stone at B2 usually lives after C5, and usually dies after E3."]
    assert told(((first,), (second,))) == usually
    second[point("B2")] = first[point("B2")]
    second[point("D2")] = -0.5
    assert told(((first,), (second,))) == []  # at D2 it may live or die after C5
    # Searches that disagree tell nothing.
    assert told(((first, second), (second, first))) == []


def test_without_anything_to_say_nothing_is_said():
    _, thoughts = example()
    game = thoughts[2].game
    assert reasons_against(game, point("E5"), compared(game, "A5", 5.0), Facts()) == ()
    nothing = compared(game, "B2", 5.0)._replace(better=None)
    assert reasons_against(game, point("E5"), nothing, Facts()) == ()


def test_a_chain_that_roll_outs_tell_of_is_not_told_as_captured_in_the_game():
    game, first, second = Game(5, CHINESE, 0.5), np.zeros(AREA), np.zeros(AREA)
    for color, name in ((BLACK, "A1"), (WHITE, "A2"), (BLACK, "B1"), (WHITE, "E1")):
        game.play(color, point(name))
    for owned, share in ((first, 0.8), (second, -0.8)):
        owned[[point("A1"), point("B1")]] = share
    comparison = compared(game, "B2", 5.0)._replace(owners=((first,), (second,)))
    later = [game]
    for name in ("E5", "B2", "D5", "C1"):
        later.append(after_move(later[-1], point(name)))
    told = reasons_against(game, point("E5"), comparison, Facts(), later)
    assert [sentence(effect) for effect in told if "A1" in sentence(effect)] == [
        "Black's two stones at A1 usually live after B2, and usually die after E5.",
    ]


def test_the_record_tells_reasons():
    record = b"(;SZ[5];B[cc];W[cd];B[ee];W[ea];B[ec];W[ae];B[bd];W[ed];B[ba];W[dc])"
    _, thoughts = thoughts_of(record, (0.0,) * 11)
    game, later = thoughts[2].game, [thought.game for thought in thoughts[3:]]
    told = reasons_against(game, point("E1"), compared(game, "E5", 5.0), Facts(), later)
    assert [sentence(effect) for effect in told if not effect.kind.is_ground] == [
        "White took E5 with the next move."
    ]
    told = reasons_against(game, point("E1"), compared(game, "A1", 5.0), Facts(), later)
    assert "White took A1 soon after." in [sentence(effect) for effect in told]
    taken = later[-1].copy()
    for color, vertex in ((BLACK, "A5"), (WHITE, "B3"), (BLACK, "A4"), (WHITE, "C4")):
        taken.play(color, point(vertex))
    assert taken.color_at(point("C3")) == 0
    owned = np.zeros(AREA)
    owned[point("C3")] = -0.5
    first, second = (Outcome(game, BLACK, point("A1"), o, Facts()) for o in (0 * owned, owned))
    told = _later_captures(MovePair(game, BLACK, first, second), [game, taken])
    assert [sentence(e) for e in told] == ["White captured the stone at C3 with C4 in the game."]
    # Where roll-outs see no difference, the better move would not have saved it.
    assert list(_later_captures(MovePair(game, BLACK, second, second), [game, taken])) == []


def test_owners_are_told_as_far_as_searches_agree():
    high, low, between = (np.full(AREA, value) for value in (0.8, -0.2, 0.2))
    comparison = compared(example()[1][2].game, "B2", 5.0)
    better, played = agreed_owners(comparison._replace(owners=((high, between), (low, low))))
    np.testing.assert_allclose(better - played, 0.4)
    overlapping = ((high, low), (between, between))
    better, played = agreed_owners(comparison._replace(owners=overlapping))
    np.testing.assert_array_equal(better, played)
