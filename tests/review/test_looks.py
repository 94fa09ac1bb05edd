"""Looks at positions: the findings of a search, and comparisons of two moves."""

import threading

import pytest

from engine import BLACK, EMPTY, PASS, WHITE, Game, Knowledge, PlayerOptions
from engine.review.comparisons import Side, added_precision, compared, none_better
from engine.review.looks import LEAD, LOOKS, WIN, Lookout, LookRequest, Stopped, after_move
from tests.review.examples import CHINESE, look, point


def test_a_stopped_review_ends():
    stop = threading.Event()
    stop.set()
    lookout = Lookout(PlayerOptions(playouts=4, threads=1, seed=1), Knowledge(), stop)
    with pytest.raises(Stopped):
        lookout.look(LookRequest(Game(5, CHINESE, 0.5), 4, 0))


@pytest.mark.parametrize("seed", [None, 0, 7])
def test_a_review_has_the_seed_of_its_options(seed):
    assert Lookout(PlayerOptions(threads=1, seed=seed), Knowledge()).seed == (seed or 0)


def test_a_line_ends_where_few_roll_outs_follow_it(monkeypatch):
    limits = LOOKS._replace(line_share=0.1)
    monkeypatch.setattr("engine.review.looks.LOOKS", limits)
    lookout = Lookout(PlayerOptions(playouts=200, threads=1, seed=1), Knowledge())
    moves = lookout.look(LookRequest(Game(5, CHINESE, 0.5), 2000, 0)).decision.candidates
    assert max(len(move.line) for move in moves) > 1
    for move in moves:
        least = max(limits.line_share * move.playouts, limits.line_rollouts)
        kept = len(move.line)
        assert kept == 1 or move.line_visits[kept - 1] >= least
        assert all(visits < least for visits in move.line_visits[kept:])


def beside(leads, before=None):
    """A comparison of E5 with other moves, by one more search after each; leads are Black's."""
    found = before and {side.point: side for side in (before.played, *before.rivals)}
    sides = [
        (found[point(name)] if found else Side(point(name))).with_look(look(3 - BLACK, lead), 5)
        for name, lead in leads.items()
    ]
    return compared(Game(5, CHINESE, 0.5), sides[0], sides[1:])


def test_two_comparisons_add_up():
    first = beside({"E5": -6.0, "C3": 0.0})
    both = beside({"E5": -2.0, "C3": 0.0}, first)
    assert (both.times, both.better) == (2, point("C3"))
    assert [len(owners) for owners in both.owners] == [2, 2]
    assert first.losses[LEAD].mean == pytest.approx(6.0)
    assert both.losses[LEAD].mean == pytest.approx(4.0)
    assert both.searched[LEAD].pi == pytest.approx(2.0 * first.searched[LEAD].pi)
    # The systematic error stays, and it is larger where more was found.
    small = beside({"E5": -1.0, "C3": 0.0})
    assert small.losses[LEAD].pi > first.losses[LEAD].pi
    assert both.losses[LEAD].pi < 2.0 * first.losses[LEAD].pi
    assert none_better(9).losses[LEAD].mean == 0.0


def test_a_move_is_beside_the_best_of_its_rivals():
    both = beside({"E5": -6.0, "C3": -1.0, "B2": 0.0})
    assert (both.better, both.losses[LEAD].mean) == (point("B2"), pytest.approx(6.0))


def test_the_precision_that_a_comparison_adds_is_what_it_adds():
    # Each lead has a variance of 1.
    first = beside({"E5": 0.0, "C3": 0.0})
    second = beside({"E5": 0.0, "C3": 0.0}, first)
    assert added_precision(5, None, 2.0) == pytest.approx(first.losses[LEAD].pi)
    gain = second.losses[LEAD].pi - first.losses[LEAD].pi
    assert added_precision(5, first, 2.0) == pytest.approx(gain)
    assert gain < first.losses[LEAD].pi


def test_a_look_depends_on_its_request_alone():
    lookout = Lookout(PlayerOptions(playouts=4, threads=1, seed=1), Knowledge())
    game = Game(5, CHINESE, 0.5)
    request = LookRequest(game, 6, 0)
    first = lookout.look(request)
    other = lookout.look(request._replace(seed=1))
    lookout.look(LookRequest(after_move(game, point("C3")), 6, 0))
    assert lookout.look(request).observations == first.observations
    assert other.observations != first.observations


def test_a_search_of_some_moves_finds_one_of_them():
    lookout = Lookout(PlayerOptions(playouts=4, threads=1, seed=1), Knowledge())
    moves = frozenset([point("A1"), point("B1")])
    found = lookout.look(LookRequest(Game(5, CHINESE, 0.5), 6, 0, moves))
    assert {move.point for move in found.decision.candidates} == moves
    assert found.decision.point in moves


def test_a_lead_that_counts_as_none_is_a_komi():
    game, lookout = Game(5, CHINESE, 0.5), Lookout(PlayerOptions(threads=1, seed=1), Knowledge())
    game.play(BLACK, point("C3"))
    even = lookout.look(LookRequest(game, 40, 0, even=9))
    with_komi = game.copy()
    with_komi.komi += 9
    other = lookout.look(LookRequest(with_komi, 40, 0))
    assert even.observations[WIN] == other.observations[WIN]
    assert even.observations[LEAD].mean == pytest.approx(other.observations[LEAD].mean + 9.0)
    assert game.komi == 0.5


def test_a_count_with_fates_in_doubt_is_not_believed():
    game = Game(5, CHINESE, 0.5)
    for move in (point("C3"), point("C2"), PASS, PASS):
        game.play(game.to_play, move)
    lookout = Lookout(PlayerOptions(threads=1, seed=1), Knowledge())
    found = lookout.look(LookRequest(game, 6, 0))
    assert not found.counted
    assert found.color == game.to_play
    assert found.decision.candidates
    assert len(game.moves) == 4
    game = Game(5, CHINESE, 0.5)
    for vertex in ("A4", "B4", "B5", "C4", "C5", "D5", "D4", "E4"):
        game.play(BLACK, point(vertex))
    for color in (BLACK, 3 - BLACK):
        game.play(color, PASS)
    sure = lookout.look(LookRequest(game, 6, 0))
    assert sure.counted
    assert sure.observations[LEAD].mean == pytest.approx(lookout.reader.final_score(game))
    assert sure.deviation == 0.0
    assert sure.observations[WIN].pi == pytest.approx(100.0)


def test_no_pass_ends_a_game_that_is_compared():
    game = Game(5, CHINESE, 0.5)
    game.play(BLACK, PASS)
    after = after_move(game, PASS)
    assert (after.is_over, after.to_play, len(game.moves)) == (False, BLACK, 1)
    assert after_move(after, point("C3")).color_at(point("C3")) == BLACK


def test_a_settled_position_is_searched_and_its_lead_is_not_exact():
    game = Game(5, CHINESE, 0.5)
    for vertex in ("A4", "B4", "B5", "C4", "C5", "D5", "D4", "E4"):
        game.play(BLACK, point(vertex))
    game.set_to_play(BLACK)
    game.play(BLACK, PASS)
    lookout = Lookout(PlayerOptions(threads=1, seed=1), Knowledge())
    searched = lookout.look(LookRequest(game, 20, 0))
    assert not searched.counted
    assert searched.decision.point == searched.decision.candidates[0].point
    assert searched.reach >= LOOKS.least_reach
    game.play(WHITE, PASS)
    counted = lookout.look(LookRequest(game, 20, 0))
    assert counted.counted
    assert counted.reach == LOOKS.least_reach


def test_a_pass_that_ends_a_game_loses_no_more_than_the_count_says():
    game = Game(5, CHINESE, 0.5)
    sides = [
        Side(point(name)).with_look(look(3 - BLACK, lead), 5)
        for name, lead in (("E5", -6.0), ("C3", 0.0))
    ]
    counted = [look(3 - BLACK, lead).observations for lead in (-20.0, -2.0, 1.0)]
    lost = [compared(game, sides[0], sides[1:], count).losses[LEAD].mean for count in counted]
    assert lost == pytest.approx([6.0, 2.0, -1.0])


def test_a_record_may_force_a_move():
    game = Game(5, CHINESE, 0.5)
    for vertex in ("B5", "E1", "A4"):
        game.play(vertex)
    after = after_move(game, point("A5"))  # suicide
    assert after.color_at(point("A5")) == EMPTY
    assert after.to_play == BLACK
