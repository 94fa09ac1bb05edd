"""Reasons of mistakes, in words."""

import numpy as np

from engine import BLACK, WHITE, Game
from engine.explain.kinds import Effect, Kind
from engine.explain.outcomes import MovePair, Outcome
from engine.explain.words import sentence
from engine.facts.position_facts import Facts
from engine.go.geometry import AREA
from engine.review.comparisons import Comparison, agreed_owners
from engine.review.looks import after_move
from engine.review.reasons import _later_captures, _untold, captured_in, reasons_against
from tests.review.examples import CHINESE, compared, example, look, point, thoughts_of


def sentences(game, played, comparison, size=5.0):
    told = reasons_against(game, point(played), comparison, Facts(), size=size)
    return [sentence(effect) for effect in told]


def test_ground_and_fates_are_told_by_roll_outs():
    _, thoughts = example()
    game = thoughts[2].game
    owned = np.zeros(AREA)
    owned[[point("A1"), point("A2"), point("B1"), point("A3")]] = -0.9
    told = sentences(game, "E5", compared(game, "B2", 5.0, owned))
    assert told[0] == "B2 gains about 4 points around A1."
    owned = np.zeros(AREA)
    owned[point("C3")] = -1.0
    # Roll-outs see the stone half alive after the better move: that tells nothing.
    assert not any("C3" in text for text in sentences(game, "B3", compared(game, "B2", 5.0, owned)))


def test_without_anything_to_say_nothing_is_said():
    _, thoughts = example()
    game = thoughts[2].game
    assert reasons_against(game, point("E5"), compared(game, "B2", 5.0), Facts()) == ()
    nothing = compared(game, "B2", 5.0)._replace(better=None)
    assert reasons_against(game, point("E5"), nothing, Facts()) == ()


def test_ground_that_explains_little_is_no_reason():
    _, thoughts = example()
    game = thoughts[2].game
    owned = np.zeros(AREA)
    owned[[point("A1"), point("A2")]] = -0.9
    comparison = compared(game, "B2", 5.0, owned)
    assert sentences(game, "E5", comparison, 4.0) == ["B2 gains about 2 points around A1."]
    assert sentences(game, "E5", comparison, 5.0) == []
    # Stones that neither live nor die for sure are the larger part of the loss.
    owned[[point("A1"), point("A3")]] = -0.6
    owned[[point("B3"), point("C3"), point("C4")]] = -0.5
    comparison = compared(game, "B2", 9.0, owned)
    assert sentences(game, "E5", comparison, 9.0) == [
        "B2 gains about 4 points around A2, counting the stones there."
    ]
    # They are told beside a reason that explains little.
    later = [after_move(game, point("E5"))]
    later.append(after_move(later[0], point("B2")))
    both = reasons_against(game, point("E5"), comparison, Facts(), later, 9.0)
    assert [sentence(effect).split(" ", 1)[1] for effect in both] == [
        "gains about 4 points around A2, counting the stones there.",
        "is the key point for both sides: White took it with the next move.",
    ]
    white = game.copy()
    white.set_to_play(WHITE)
    assert sentences(white, "E5", compared(white, "B2", 9.0, -owned), 9.0) == [
        "B2 gains about 4 points around A2, counting the stones there."
    ]
    owned[[point("E1"), point("D1")]] = 0.9
    given = compared(game, "B2", 9.0, owned)
    assert sentences(game, "E5", given, 4.0) == [
        "B2 gains about 4 points around A2, counting the stones there,"
        " and gives up about 2 around D1."
    ]


def test_the_answers_of_the_opponent_are_reasons():
    game = Game(9, CHINESE, 0.5)
    for color, place in ((BLACK, (3, 3)), (WHITE, (7, 7))):
        game.play(color, vertex(place))
    # That the search would answer at the better move tells little: it was mostly wrong.
    key = compared_by(answer_to_better=(2, 2), answer_to_played=(5, 5), better=(5, 5))
    assert reasons_against(game, vertex((1, 8)), key, Facts()) == ()
    sente = compared_by(answer_to_better=(5, 6), answer_to_played=(8, 2), better=(5, 5))
    (told,) = (sentence(e) for e in reasons_against(game, vertex((1, 8)), sente, Facts()))
    assert told == "E5 keeps sente: White should answer at E6, but need not answer A8."
    # The answer would be where the move was.
    there = compared_by(answer_to_better=(2, 3), answer_to_played=(8, 3), better=(2, 2))
    assert len(reasons_against(game, vertex((1, 8)), there, Facts())) == 1
    assert reasons_against(game, vertex((2, 3)), there, Facts()) == ()


def test_a_capture_in_an_expected_line():
    game = Game(5, CHINESE, 0.5)
    for color, name in ((BLACK, "A1"), (WHITE, "A2")):
        game.play(color, point(name))
    owned = np.zeros(AREA)
    owned[point("A1")] = -0.5
    worse, other = look(WHITE, 0.0, "B1", owned, ("C1",)), look(WHITE, 0.0, "D4")
    comparison = compared(game, "B1", 5.0, owned)._replace(after=worse, alternative=other)
    chains = [(point("A1"),), (point("A2"),)]
    assert captured_in(game, (point("E5"), point("B1")), chains) == {(point("A1"),)}
    told = sentences(game, "E5", comparison)
    assert [text for text in told if "A1" in text] == [
        "White captures the stone at A1 in the line E5 B1 C1."
    ]
    # The line after the better move captures it, too.
    anyway = compared(game, "D4", 5.0, owned)._replace(
        after=worse, alternative=look(WHITE, 0, "B1")
    )
    assert not any("captures" in text for text in sentences(game, "E5", anyway))
    # The game has told it already.
    captured = after_move(after_move(game, point("E5")), point("B1"))
    told = reasons_against(game, point("E5"), comparison, Facts(), [game, captured])
    assert [sentence(effect) for effect in told if "A1" in sentence(effect)] == [
        "White captured the stone at A1 with B1 in the game."
    ]
    # Captures of one line are one reason.
    both = game.copy()
    for color, name in ((BLACK, "E1"), (WHITE, "E2")):
        both.play(color, point(name))
    owned[point("E1")] = -0.5
    line = worse._replace(decision=look(WHITE, 0.0, "B1", owned, ("C3", "D1")).decision)
    twice = compared(both, "B1", 5.0, owned)._replace(after=line, alternative=other)
    assert [text for text in sentences(both, "E5", twice) if "captures" in text] == [
        "White captures the stone at A1 and the stone at E1 in the line E5 B1 C3 D1."
    ]
    # Where roll-outs see no difference, the line proves little.
    unmoved = comparison._replace(owners=compared(game, "B1", 5.0).owners)
    assert not any("A1" in text for text in sentences(game, "E5", unmoved))


def test_an_expected_line_goes_on_after_a_move_that_a_record_forces():
    game = Game(5, CHINESE, 0.5)
    for name in ("B5", "E1", "A4", "C3", "D1"):
        game.play(name)
    # Suicide first.
    taken = captured_in(game, (point("A5"), point("E2")), [(point("E1"),), (point("C3"),)])
    assert taken == {(point("E1"),)}


def test_a_capture_by_the_better_move_has_its_own_line():
    game, owned = Game(5, CHINESE, 0.5), np.zeros(AREA)
    for color, name in ((WHITE, "A1"), (BLACK, "A2"), (WHITE, "E1")):
        game.play(color, point(name))
    owned[point("A1")] = -0.5
    after, other = look(WHITE, 0.0, "D1"), look(WHITE, 0.0, "C3", line=("B1",))
    comparison = compared(game, "D4", 5.0, owned)._replace(after=after, alternative=other)
    assert "Black captures the stone at A1 in the line D4 C3 B1." in sentences(
        game, "E5", comparison
    )


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
        "Black's two stones at A1 live in 90 % of continuations after B2, in 10 % after E5."
    ]


def test_a_chain_is_told_once():
    one, other = (point("A1"),), (point("C3"), point("C4"))
    told = [Effect(Kind.CAPTURED_IN_GAME, 2.0, (one,))]
    both = Effect(Kind.CAPTURES_IN_LINE, 4.5, (one, other))
    assert list(_untold([both], told)) == [both._replace(points=3.0, stones=(other,))]
    assert list(_untold([both._replace(stones=(one,))], told)) == []


def test_the_record_tells_reasons():
    record = b"(;SZ[5];B[cc];W[cd];B[ee];W[ea];B[ec];W[ae];B[bd];W[ed];B[ba];W[dc])"
    _, thoughts = thoughts_of(record, (0.0,) * 11)
    game, later = thoughts[2].game, [thought.game for thought in thoughts[3:]]
    told = reasons_against(game, point("E1"), compared(game, "E5", 5.0), Facts(), later)
    assert [sentence(effect) for effect in told if not effect.kind.is_ground] == [
        "E5 is the key point for both sides: White took it with the next move."
    ]
    told = reasons_against(game, point("E1"), compared(game, "A1", 5.0), Facts(), later)
    assert "A1 is the key point for both sides: White took it soon after." in [
        sentence(effect) for effect in told
    ]
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
    like = compared(Game(5, CHINESE, 0.5), "C3", 5.0)
    return Comparison(vertex(better), like.losses, *looks, like.owners)
