"""Looks at positions: what a search says, and comparisons of two moves."""

import threading

import pytest

from engine import BLACK, PASS, Decision, Game, Knowledge, PlayerOptions
from engine.jit import JIT_ENABLED
from engine.path.losses import observed
from engine.review.equal_moves import share_evidence
from engine.review.looks import Comparison, Lookout, Stopped
from tests.beliefs import believed
from tests.review.examples import CHINESE, compared, point


def test_a_stopped_review_ends():
    stop = threading.Event()
    stop.set()
    lookout = Lookout(PlayerOptions(playouts=4, threads=1, seed=1), Knowledge(), stop)
    with pytest.raises(Stopped):
        lookout.look(Game(5, CHINESE, 0.5))


def test_two_comparisons_add_up(monkeypatch):
    lookout = Lookout(PlayerOptions(playouts=4, threads=1, seed=1), Knowledge())
    game = Game(5, CHINESE, 0.5)
    first = compared(game, "C3", 6.0)._replace(known="captures")
    second = compared(game, "C3", 2.0)
    monkeypatch.setattr(lookout, "_compared", lambda *_: second)
    both = lookout.compare_again(game, point("E5"), first)
    assert (both.better, both.after, both.known) == (first.better, second.after, "captures")
    assert [seen.mean for seen in both.losses] == pytest.approx([0.1, 4.0])
    assert both.losses[1].pi == pytest.approx(2.0)
    same = Comparison(None, (observed(0.0, 1.0), observed(0.0, 1.0)))
    assert lookout.compare_again(game, point("E5"), same) is same


@pytest.mark.skipif(not JIT_ENABLED, reason="long searches")
def test_the_second_comparison_is_longer_and_surer():
    lookout = Lookout(PlayerOptions(playouts=20, threads=1, seed=1), Knowledge())
    game = Game(5, CHINESE, 0.5)
    first = lookout.compare_with(game, point("A1"), point("C3"))
    both = lookout.compare_again(game, point("A1"), first)
    assert both.losses[1].pi > 2.0 * first.losses[1].pi
    assert both.losses[1].mean != first.losses[1].mean
    assert both.after is not None
    assert first.after is not None
    searched = [
        sum(move.playouts for move in look.decision.candidates)
        for look in (first.after, both.after)
    ]
    assert searched[1] > 3 * searched[0]


def test_equal_moves_share_their_evidence():
    game = Game(5, CHINESE, 0.5)
    moves = [("B2", 60, 0.5, 1.0), ("D4", 20, 0.7, 5.0), ("C3", 70, 0.6, 2.0), ("B4", 20, 0.7, 5.0)]
    candidates = tuple(
        believed(point(vertex), playouts, rate, margin) for vertex, playouts, rate, margin in moves
    )
    shared = share_evidence(Decision(point("C3"), False, "", 0.6, 170, candidates), game)
    assert [(move.point, move.playouts) for move in shared.candidates] == [
        (point("B2"), 100), (point("C3"), 70)
    ]  # fmt: skip
    assert shared.point == point("B2")
    assert shared.win_rate == pytest.approx(0.58)
    assert shared.candidates[0].margin == pytest.approx(2.6)
    game.play(BLACK, point("B1"))
    decision = Decision(point("C3"), False, "", 0.6, 170, candidates)
    assert share_evidence(decision, game) == decision
    assert share_evidence(Decision(PASS, False, "", 0.5, 0), Game(5)).point == PASS
