"""The player: the same answers for the same seed, limits, options, free handicap."""

import threading
from dataclasses import replace

import pytest

from engine import (
    BLACK,
    RULESETS,
    WHITE,
    BadSetup,
    Game,
    PatternThinker,
    Player,
    parse_vertex,
    to_column_row,
)
from engine.explain.words import clause
from engine.facts.group_prover import PROVER
from engine.facts.position_facts import Facts
from engine.go.geometry import PASS, fixed_handicap, free_handicap
from engine.jit import JIT_ENABLED
from engine.player import searching
from engine.player.clock import Allotment
from tests.beliefs import one_of_each
from tests.diagrams import game_of, liberties_at
from tests.players import a_position, player


def test_the_same_seed_gives_the_same_decision():
    playouts = 200 if JIT_ENABLED else 25
    first = player(playouts=playouts).choose(a_position(), BLACK)
    again = player(playouts=playouts).choose(a_position(), BLACK)
    assert first == again
    assert first.playouts == playouts
    assert sum(c.playouts for c in first.candidates) == playouts
    others = [player(seed=s, playouts=playouts).choose(a_position(), BLACK) for s in (6, 7)]
    assert any(other.candidates != first.candidates for other in others)


@pytest.mark.parametrize("stones", [0, 13, 14])
def test_a_board_that_stones_do_not_divide_needs_no_survey(stones, monkeypatch):
    """The survey would give the same move; with captures of dead stones it is needed."""
    game, one, surveyed = Game(9), player(playouts=20), player(playouts=20)
    for vertex in "C3 G7 C7 G3 E5 E7 C5 G5 E3 D7 D3 F7 F3 C6".split()[:stones]:
        game.play(game.to_play, parse_vertex(vertex, 9))
    monkeypatch.setattr(surveyed.facts, "open_status", surveyed.facts.brief_status)
    expected = surveyed.choose(game)
    assert one.choose(game) == expected
    asked = []
    monkeypatch.setattr(
        one.facts, "brief_status", lambda *rest: asked.append(rest) or Facts().brief_status(*rest)
    )
    one.choose(game)
    assert len(asked) == (stones > 13)  # at least 1.5 a line
    game.rules = replace(game.rules, capture_dead=True)
    one.choose(game)
    assert len(asked) == (stones > 13) + 1


def test_threads_share_the_budget():
    decision = player(threads=3, playouts=31).choose(a_position(), WHITE)
    assert decision.playouts == 31


def test_choosing_changes_neither_game_nor_board():
    game = a_position()
    before = (game.board.tobytes(), list(game.moves), game.to_play)
    player(playouts=20).choose(game, BLACK)
    assert (game.board.tobytes(), list(game.moves), game.to_play) == before


def test_a_stopped_search_answers_at_once():
    stop = threading.Event()
    stop.set()
    decision = (
        player(playouts=None, seconds=60.0).deliberate(a_position(), BLACK, stop=stop).decision
    )
    assert 0 < decision.playouts <= 16
    assert decision.point in a_position().legal_points(BLACK)


IN_ATARI = """
    . . . . . . .
    . . O O O . .
    . . . . . . .
    . . X O X . .
    . . . X . . .
    . . . . . . .
    . . . . . . ."""


def test_readings_of_a_chain_are_reported():
    """The white stone in atari: Black may take it."""
    game = game_of(IN_ATARI, BLACK)
    [capture] = liberties_at(game, parse_vertex("D4", 7))
    playouts = 200 if JIT_ENABLED else 30
    advised = player(playouts=playouts).choose(game, BLACK)
    plain = player(playouts=playouts, tactics=False).choose(game, BLACK)
    known = dict(advised.advice)
    (effect,) = known.pop(capture)
    assert clause(effect, "it") == "it captures the stone at D4"
    assert not plain.advice
    if advised.point == capture:
        assert advised.reason.startswith("it captures the stone at D4")


def test_a_first_pass_needs_all_proofs(monkeypatch):
    asked = []
    status = Facts.status
    monkeypatch.setattr(
        Facts,
        "status",
        lambda self, game, *nodes: asked.append(nodes) or status(self, game, *nodes),
    )
    game = game_of("X O X O .\nX . X O O\nX X X O .\nX . X O O\nX . X O .", komi=4.5)
    assert player(playouts=20).choose(game, BLACK).point == PASS
    # The move starts from few nodes, and the pass needs all.
    assert [budget.nodes for (budget,) in asked[:2]] == [1, PROVER.longer_nodes]
    asked.clear()
    player(playouts=None).choose(game, BLACK, Allotment(0.1, 0.1))
    assert asked[1][0].nodes == 4000  # half of the time on a clock, at 80,000 a second


@pytest.mark.parametrize("limits", [{"playouts": 25}, {"playouts": 10**9, "seconds": 0.05}])
def test_an_analysis_may_have_limits(limits):
    reports = list(player().analyze(a_position(), BLACK, 1e9, threading.Event(), **limits))
    assert len(reports) == 1
    if limits["playouts"] == 25:
        assert reports[0].playouts == 25


@pytest.mark.parametrize("rules", ["chinese", "japanese"])
def test_an_analysis_of_few_roll_outs_reads_groups_shortly(rules, monkeypatch):
    game, one, asked = a_position(), player(playouts=20), []
    game.rules = RULESETS[rules]

    def status(game, budget):
        asked.append(budget.nodes)
        return Facts().status(game)

    monkeypatch.setattr(one.facts, "brief_status", status)
    monkeypatch.setattr(one.facts, "status", status)
    monkeypatch.setattr(searching, "settled_share", lambda _: 1.0)
    list(one.analyze(game, BLACK, 1e9, threading.Event(), playouts=20))
    # 0.3 nodes for each roll-out on 9x9; the rules of territory ask about wasteful moves, too
    assert asked == [20 * 3 * game.size**2 // 810] * (1 + (rules == "japanese"))


@pytest.mark.parametrize(("rules", "wins"), [("chinese", False), ("tromp-taylor", True)])
def test_in_an_analysis_a_pass_wins_with_dead_stones_only_where_they_count(rules, wins):
    game = game_of("X O X O .\nX . X O O\nX X X O .\nX . X O O\nX . X O .", komi=4.5)
    game.rules = RULESETS[rules]
    game.play(BLACK, PASS)
    (report,) = player().analyze(game, WHITE, 1e9, threading.Event(), playouts=40)
    passing = next(move for move in report.moves if move.point == PASS)
    assert (passing.won > 0.5) == wins
    game.play(WHITE, PASS)
    assert player().final_score(game) == (-2.5 if wins else 0.5)


def test_options_may_change():
    one = player()
    game = a_position()
    first = one.choose(game, BLACK)
    thinker = one.thinker
    one.set_options(replace(one.options, playouts=5, resign_percent=None))
    assert one.thinker is thinker
    assert one.choose(game, BLACK).playouts == first.playouts + 5
    one.set_options(replace(one.options, threads=2))
    assert one.thinker is not thinker
    assert one.choose(game, BLACK).playouts == 5
    before = one.options, one.thinker
    with pytest.raises(BadSetup):  # without knowledge of patterns
        one.set_options(replace(one.options, thinker=PatternThinker))
    assert (one.options, one.thinker) == before


def test_reports_on_the_way_change_nothing():
    """The decision rests on the last of them."""
    playouts = 60 if JIT_ENABLED else 20
    plain = player(playouts=playouts).choose(a_position(), BLACK)
    deliberation = player(playouts=playouts).deliberate(a_position(), BLACK, interval=0.001)
    reports = list(deliberation)
    assert deliberation.decision == plain
    assert reports[-1].moves[0].point == plain.point
    assert reports[-1].playouts == playouts


@pytest.mark.parametrize(
    ("size", "asked", "customary"),
    [(19, 2, 2), (19, 9, 9), (19, 36, 9), (13, 20, 9), (9, 5, 5), (9, 40, 9), (8, 9, 4)],
)
def test_free_handicap(size, asked, customary):
    """First the customary points; on the third line and above as long as there is room."""
    points = free_handicap(size, asked)
    assert points[:customary] == fixed_handicap(size, customary)
    assert len(set(points)) == len(points) == min(asked, (size - 4) ** 2)
    assert all(2 < place < size - 1 for point in points for place in to_column_row(point))


@pytest.mark.parametrize(("size", "asked"), [(19, 1), (19, 0), (19, -2), (6, 2), (2, 2)])
def test_impossible_free_handicaps_are_refused(size, asked):
    with pytest.raises(BadSetup):
        free_handicap(size, asked)


@pytest.mark.parametrize("deliberate", [False, True])
def test_moves_that_a_symmetry_swaps_are_one(deliberate):
    game, stop = Game(5, komi=0.5), threading.Event()
    one = player(playouts=80)
    if deliberate:
        *_, report = one.deliberate(game, BLACK)
    else:
        *_, report = one.analyze(game, BLACK, 1e9, stop, playouts=80)
    assert len(report.moves) > 3
    assert len(one_of_each(game, report.moves)) == len(report.moves)
    # The list that explains a move is the same, and the best move is worth as much as the position.
    decision = player(playouts=80).choose(game, BLACK)
    assert report.moves == decision.candidates
    assert decision.point == report.moves[0].point
    assert report.moves[0].margin == pytest.approx(report.posterior.mean)
    assert report.moves[0].win_rate == pytest.approx(report.posterior.chance())
    lost = [report.moves[0].margin - move.margin for move in report.moves]
    assert min(lost) >= 0.0 < max(lost)


@pytest.mark.parametrize("deliberate", [False, True])
def test_an_analysis_without_some_moves_knows_nothing_of_them(deliberate):
    game, stop = a_position(), threading.Event()
    *_, free = player().analyze(game, BLACK, 1e9, stop, playouts=200)
    avoid = frozenset(move.point for move in free.moves[:-1])

    def restricted(one: Player):
        if deliberate:
            *_, report = one.deliberate(game, BLACK, avoid=avoid)
        else:
            *_, report = one.analyze(game, BLACK, 1e9, stop, avoid, playouts=200)
        return report

    before = player()
    list(before.analyze(game, BLACK, 1e9, stop, playouts=200))
    found = restricted(before)
    assert found.playouts == sum(move.playouts for move in found.moves) == 200
    # The same question again goes on with its own tree.
    assert restricted(before).playouts == 400
    # A search of all moves in between tried these moves, too.
    list(before.analyze(game, BLACK, 1e9, stop, playouts=200))
    assert restricted(before).playouts == 200


def test_a_search_without_some_moves_says_nothing_of_the_position():
    game, stop, one = a_position(), threading.Event(), player()
    avoid = frozenset({parse_vertex("C3", 5)})
    for left_out, known in ((avoid, set()), (frozenset(), {len(game.moves)})):
        list(one.analyze(game, game.to_play, 1e9, stop, left_out, playouts=20))
        assert one.beliefs.around(game.beginning, tuple(game.moves))[1].keys() == known
