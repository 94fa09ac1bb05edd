"""The player: the same answers for the same seed, passing, resigning, fates of chains."""

import json
import math
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from engine import (
    BLACK,
    RULESETS,
    WHITE,
    BadSetup,
    Decision,
    Game,
    Knowledge,
    PatternThinker,
    Player,
    PlayerOptions,
    format_vertex,
    parse_vertex,
    to_column_row,
)
from engine.clock import Allotment
from engine.endgame import may_pass
from engine.facts.group_proofs import ProvedFates
from engine.go.geometry import PASS, fixed_handicap
from engine.jit import JIT_ENABLED
from engine.passing import game_for_points
from engine.patterns.valuing import no_patterns
from engine.search.model import SearchModel
from engine.thinkers.prior_steps import ALONE, AdviceModel
from engine.thinkers.searching import SearchThinker
from tests.beliefs import believed
from tests.diagrams import BENT_FOUR, TWO_SELF_ATARIS, game_of, points_marked
from tests.gnugo import PROGRAM, finished_game

# The side that moves first in the corners lives there, or kills.
CONTESTED = """
    . . O X X
    . O O X .
    O O X X X
    X X X . X
    . . X X ."""
SETTLED = """
    . X X O .
    X X X O O
    . X O . O
    X X O O O
    . X O . O"""

# White lives by D4, and Black kills there.
HANGING = """
    . X O . O
    X X O . O
    . X O . O
    X X O O O
    . X X X X"""

# name, diagram: x and o are the chains in seki
SEKI_TABLE = [
    (
        "two shared liberties, no eyes",
        """
        . O x . o X . X .
        O O x x o X X X .
        . O x x o X . X .
        O O x x o X X X .
        . O x x o X . X .
        O O x o o X X X .
        . O x o o X . X .
        O O x o o X X X .
        . O x . o X . X .""",
    ),
    (
        "an eye each and one shared liberty",
        """
        . x . o . o X
        x x o o o o X
        O O X X X X X
        . O X . . . .
        O O X . . . .
        . O X . . . .
        . O X . . . .""",
    ),
    (
        "shared liberties in two corners",
        """
        . o X . X . .
        x o X X X . .
        x o X . X . .
        x o X X X . .
        x o X . X . .
        x o X X X . .
        . o X . X . .""",
    ),
    (
        "no eye between two chains with one eye each",
        """
        . x . o o o . x .
        x x o o o o o x x
        O O X X X X X O O
        . O X . . . X O .
        O O X X X X X O O
        . O X . . . X O .
        O O X . . . X O O
        . O X X X X X O .
        . O X . . . X O .""",
    ),
    (
        "several chains around an eye in a seki",
        """
        . X O O O . . . .
        X X X X O . . . .
        X . X O O O O O O
        X X X O x x x O x
        O X O O x . x x x
        O O O x x x o x x
        . . . O x . o o x
        . . O O x o o . o
        . . O x x x x o .""",
    ),
]

# name, diagram: x and o are the dead chains
DEAD_TABLE = [
    (
        "one eye",
        """
        . . . . . . .
        . . . . . . .
        O O O O . . .
        x x x O . . .
        x . x O O O O
        x x x x x x O
        . O O O O O O""",
    ),
    (
        "straight three, the middle taken",
        """
        . . . . . . .
        . . . . . . .
        O O O O O O O
        . . . . . . .
        O O O O O O .
        x x x x x O .
        x . O . x O .""",
    ),
    (
        "bent three in the corner, the middle taken",
        """
        . . . . . . .
        . . . . . . .
        O O O O O O O
        O O O O . . .
        x x x O . . .
        . x x x O . .
        O . x x O . .""",
    ),
    (
        "T-shaped four, the middle taken",
        """
        . . . . . . .
        O O O O O O O
        . . . . . . .
        O O O O O O .
        x x x x x O .
        x x . x x O .
        x . O . x O .""",
    ),
    (
        "square four",
        """
        . . . . . . .
        X X X X X X X
        . . . . . . .
        X X X X X X X
        o o o X . X .
        . . o X X X X
        . . o X . X .""",
    ),
    (
        "a false eye at the edge",
        """
        . . . . . . .
        . . . . . . .
        O O O O O O O
        O . . . . . .
        O O O O O O .
        x x O x x O .
        . x x . x O .""",
    ),
    (
        "stones inside a living group",
        """
        . . X . . . .
        . o X . . . .
        X X X . O O O
        . . . . O . .
        . . O O O x .
        . . O . . . .
        . . O . . . .""",
    ),
    (
        "two stones in a space of four, anybody's for roll-outs",
        """
        . X . X . X .
        X X X X X X X
        . X . X . X .
        X X X X X X X
        X X X X X X X
        o o o o o X .
        . X X . o X X""",
    ),
    (
        "three stones in a space of six, a seki for roll-outs",
        """
        . X . X . X .
        X X X X X X X
        . X . X . X .
        X X X X X X X
        o o o o o X .
        o X . o o X X
        . X X . o X .""",
    ),
]

FINISHED_GAMES = Path(__file__).parent / "golden" / "finished_games.jsonl"


def player(**options) -> Player:
    return Player(PlayerOptions(**{"threads": 1, "seed": 5, "playouts": 200, **options}))


@pytest.fixture(autouse=True)
def _fewer_rollouts_without_the_jit(monkeypatch):
    if not JIT_ENABLED:
        monkeypatch.setattr("engine.facts.final_status.ROLLOUTS", 24)


# -- choosing ---------------------------------------------------------------------------------


def a_position(size: int = 5) -> Game:
    game = Game(size, RULESETS["chinese"], 0.5)
    for vertex in ("C3", "C4", "D4", "D3"):
        game.play(game.to_play, parse_vertex(vertex, size))
    return game


def test_the_same_seed_gives_the_same_decision():
    playouts = 200 if JIT_ENABLED else 25
    first = player(playouts=playouts).choose(a_position(), BLACK)
    again = player(playouts=playouts).choose(a_position(), BLACK)
    assert first == again
    assert first.playouts == playouts
    assert sum(c.playouts for c in first.candidates) == playouts
    others = [player(seed=s, playouts=playouts).choose(a_position(), BLACK) for s in (6, 7)]
    assert any(other.candidates != first.candidates for other in others)


def test_a_game_repeats_move_by_move():
    def moves() -> list[int]:
        one = player(playouts=30)
        game = Game(4, komi=0.5)
        for _ in range(8):
            game.play(game.to_play, one.choose(game, game.to_play).point)
        return [move.point for move in game.moves]

    assert moves() == moves()


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
    [capture] = game.liberties(parse_vertex("D4", 7))
    playouts = 200 if JIT_ENABLED else 30
    advised = player(playouts=playouts).choose(game, BLACK)
    plain = player(playouts=playouts, tactics=False).choose(game, BLACK)
    known = dict(advised.known)
    assert known.pop(capture) == "captures D4 (1 stone)"
    assert not plain.known
    if advised.point == capture:
        assert advised.reason.startswith("it captures D4 (1 stone); it is ")


def test_readings_count_for_more_between_otherwise_equal_moves():
    patterns = Knowledge(patterns=no_patterns())
    uninformed = PlayerOptions(model=SearchModel(informed=False))
    assert Player().thinker.advice_model == ALONE
    assert Player(uninformed, patterns).thinker.advice_model == ALONE
    assert Player(PlayerOptions(), patterns).thinker.advice_model == AdviceModel()


@pytest.mark.parametrize("limits", [{"playouts": 25}, {"playouts": 10**9, "seconds": 0.05}])
def test_an_analysis_may_have_limits(limits):
    reports = list(player().analyze(a_position(), BLACK, 1e9, threading.Event(), **limits))
    assert len(reports) == 1
    if limits["playouts"] == 25:
        assert reports[0].playouts == 25


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


def test_seconds_are_kept():
    decision = player(playouts=None).choose(a_position(), BLACK, Allotment(0.05, 0.05))
    assert decision.playouts > 0


SETTLED = """
    . X . X O O .
    X X X X O . O
    . X . X O O O
    X X X X O O .
    X . X X O O O
    X X X X O . O
    . X . X O O ."""


@pytest.mark.parametrize("color", [BLACK, WHITE])
@pytest.mark.parametrize("rules", ["chinese", "japanese"])
def test_passes_when_all_is_settled(rules, color):
    """A move first: a game without moves is never taken for finished."""
    game = game_of(SETTLED, WHITE, RULESETS[rules], komi=0.5)
    game.play(WHITE, PASS)
    decision = player().choose(game, color)
    assert (decision.point, decision.resign) == (PASS, False)


@pytest.mark.parametrize("clear", [True, False])
def test_the_opponents_pass_ends_a_won_game_only_where_fates_are_clear(clear, monkeypatch):
    """A dame is open, and Black is ahead: a pass ends the game, if all fates are beyond doubt."""
    diagram = SETTLED.replace(". X . X O O .", ". X . X . O .", 1)
    game = game_of(diagram, WHITE, RULESETS["chinese"], komi=0.5)
    game.play(WHITE, PASS)
    one = player(playouts=20)
    status = one.status(game)._replace(clear=clear)
    assert not status.settled
    assert one.final_score(game) > 0
    monkeypatch.setattr(one.facts, "status", lambda _: status)
    monkeypatch.setattr(one.facts, "outlook", lambda _: status)
    assert (one.choose(game, BLACK).playouts == 0) == clear


@pytest.mark.parametrize("rules", ["chinese", "japanese"])
def test_an_open_board_is_not_won_by_a_first_stone(rules):
    """White gives a handicap by a pass. A count says that all points are Black's."""
    game = Game(9, RULESETS[rules], 0.5)
    game.play(BLACK, parse_vertex("E5", 9))
    game.play(WHITE, PASS)
    status = player().status(game)._replace(clear=True)
    assert game.score() > 70
    assert not may_pass(game, BLACK, status)


@pytest.mark.parametrize("rules", RULESETS)
def test_does_not_pass_while_dame_are_left(rules):
    """Filled before passing under all rules: it costs nothing, and a dame may hide more."""
    diagram = SETTLED.replace(". X . X O O .", ". X . X . O .", 1)
    game = game_of(diagram, WHITE, RULESETS[rules], komi=0.5)
    game.play(WHITE, PASS)
    game.play(BLACK, PASS)
    status = player().status(game)
    assert status.clear
    assert not status.settled


@pytest.mark.parametrize("rules", RULESETS)
@pytest.mark.parametrize("size", [5, 9, 13, 19])
def test_an_empty_board_is_not_settled(rules, size):
    game = Game(size, RULESETS[rules])
    assert not player().status(game).settled
    assert player(playouts=10).choose(game, BLACK).point != PASS


@pytest.mark.parametrize("color", [BLACK, WHITE])
def test_settled_ground_is_left_alone_where_territory_counts(color):
    """One dame is open, and nothing else is worth a move: neither filling nor throwing in."""
    diagram = SETTLED.replace(". X . X O O .", ". X . X . O .", 1)
    game = game_of(diagram, 3 - color, RULESETS["japanese"], komi=0.5)
    dame = parse_vertex("E7", 7)
    assert game.color_at(dame) == 0
    decision = player(playouts=200).choose(game, color)
    assert decision.point == dame
    assert {c.point for c in decision.candidates} <= {dame, PASS}


def test_captures_dead_stones_first_when_asked():
    diagram = """
        . X . . O O .
        X X o X O . O
        . X X X O O O
        X X X X O O .
        X . X X O O O
        X X X X O . O
        . X . X O O ."""
    game = game_of(diagram, WHITE, RULESETS["chinese"], komi=0.5)
    game.play(WHITE, PASS)
    dead = points_marked(diagram, "o")
    status = player().status(game)
    assert status.dead == [dead]
    decision = player(capture_dead=True).choose(game, BLACK)
    assert decision.point != PASS


def test_plays_on_after_two_passes_when_asked(monkeypatch):
    """As in a clean-up phase: two passes are no reason to stop searching."""
    game = a_position()
    for _ in range(3):
        game.play(game.to_play, PASS)
        one = player(playouts=40 if JIT_ENABLED else 10)
        monkeypatch.setattr("engine.endgame.may_pass", lambda *_: False)
        decision = one.choose(game, game.to_play)
        assert max(c.playouts for c in decision.candidates) > 0
        assert decision.candidates[0].playouts > 0


@pytest.mark.parametrize("rules", ["chinese", "tromp-taylor"])
def test_after_two_passes_all_reports_show_the_count(rules):
    """With both stones in doubt the chance is not certain, unless all stones count as alive."""
    game = Game(5, RULESETS[rules], komi=0.5)
    for vertex in ("C3", "C2", "pass", "pass"):
        game.play(game.to_play, parse_vertex(vertex, 5))
    one = player(playouts=10)
    (chosen,) = one.deliberate(game, BLACK)
    (analyzed,) = one.analyze(game, BLACK, math.inf, threading.Event())
    for report in (chosen, analyzed):
        assert report.posterior.mean == report.moves[0].margin == one.final_score(game)
        certain = report.moves[0].win_rate in (0.0, 1.0)
        assert certain == one.status(game).clear == (rules == "tromp-taylor")
    assert chosen.moves[0].point == one.choose(game, BLACK).point


def test_without_a_sensible_move_it_passes():
    game = game_of(".X\nXX")
    assert player().choose(game, BLACK).point == PASS
    assert player().choose(game, WHITE).point != PASS  # takes the last liberty


# -- resigning --------------------------------------------------------------------------------

LOST = """
    . . . . .
    . X X X X
    X X . X .
    X . X X .
    X X X X ."""


def hopeless_game(moves: int = 1) -> Game:
    game = game_of(LOST, WHITE, RULESETS["chinese"], komi=0.5)
    game._given, game._opening = 0, False  # black stones alone, and yet no handicap
    for _ in range(moves):
        game.play(game.to_play, PASS)
    return game


def decisions(one: Player, game: Game, color: int, count: int) -> list[bool]:
    return [one.choose(game, color).resign for _ in range(count)]


@pytest.fixture
def pessimist(monkeypatch):
    """A player that never passes and loses every roll-out."""
    one = player(playouts=30)
    monkeypatch.setattr("engine.endgame.may_pass", lambda *_: False)
    return one


def test_resigns_at_the_third_hopeless_move_in_a_row(pessimist):
    assert decisions(pessimist, hopeless_game(), WHITE, 4) == [False, False, True, True]


def test_a_hopeful_move_starts_the_count_anew(pessimist):
    assert decisions(pessimist, hopeless_game(), WHITE, 2) == [False, False]
    hopeful = hopeless_game()
    hopeful.komi = 100.0
    assert decisions(pessimist, hopeful, WHITE, 1) == [False]
    assert decisions(pessimist, hopeless_game(), WHITE, 3) == [False, False, True]


def test_a_new_game_starts_the_count_anew_and_colors_count_apart(pessimist):
    decisions(pessimist, hopeless_game(), WHITE, 2)
    assert decisions(pessimist, hopeless_game(), BLACK, 3) == [False, False, False]
    pessimist.new_game()
    assert decisions(pessimist, hopeless_game(), WHITE, 3) == [False, False, True]


def test_never_resigns_by_setting(monkeypatch):
    one = player(playouts=8, resign_percent=None)
    monkeypatch.setattr("engine.endgame.may_pass", lambda *_: False)
    assert decisions(one, hopeless_game(), WHITE, 5) == [False] * 5


def test_never_resigns_early_against_handicap_stones(pessimist):
    early = hopeless_game()
    early._given = 4
    assert decisions(pessimist, early, WHITE, 5) == [False] * 5
    late = hopeless_game(moves=13)
    late._given = 4
    assert decisions(pessimist, late, WHITE, 3)[-1]


# -- judging ----------------------------------------------------------------------------------


@pytest.mark.skipif(not JIT_ENABLED, reason="too slow without the JIT")
@pytest.mark.parametrize("color", [BLACK, WHITE])
@pytest.mark.parametrize("diagram", [pytest.param(row[1], id=row[0]) for row in SEKI_TABLE])
def test_seki(diagram, color):
    game = game_of(diagram, color, RULESETS["chinese"])
    status = player().status(game)
    assert status.dead == []
    expected = points_marked(diagram, "x") + points_marked(diagram, "o")
    assert status.seki_stones() == set(expected)
    settled = game.score(status.dead_stones(), status.seki_stones())
    assert settled == game.score()


@pytest.mark.skipif(not JIT_ENABLED, reason="too few roll-outs without the JIT")
def test_a_seki_that_roll_outs_do_not_see():
    """White's stones take two moves to be captured, each a self-atari; GNU Go agrees."""
    for color in (BLACK, WHITE):
        game = game_of(TWO_SELF_ATARIS, color, RULESETS["japanese"])
        status = player().status(game)
        assert status.dead == []
        expected = points_marked(TWO_SELF_ATARIS, "x") + points_marked(TWO_SELF_ATARIS, "o")
        assert status.seki_stones() == set(expected)
        assert game.score(set(), status.seki_stones()) == -6.0


@pytest.mark.skipif(not JIT_ENABLED, reason="too slow without the JIT")
@pytest.mark.parametrize("diagram", [pytest.param(row[1], id=row[0]) for row in DEAD_TABLE])
def test_dead(diagram):
    status = player().status(game_of(diagram, BLACK, RULESETS["chinese"]))
    assert status.seki == []
    assert status.dead_stones() == set(points_marked(diagram, "x") + points_marked(diagram, "o"))


@pytest.mark.skipif(not JIT_ENABLED, reason="too slow without the JIT")
@pytest.mark.parametrize("color", [BLACK, WHITE])
@pytest.mark.parametrize("rules", ["chinese", "japanese"])
def test_bent_four_is_dead_but_not_beyond_doubt(color, rules):
    """Japanese rules retake no ko; by area no lasting threat is left. A move may be needed."""
    game = game_of(BENT_FOUR, color, RULESETS[rules])
    status = player().status(game)
    white = set(points_marked(BENT_FOUR, "o"))
    assert (status.dead_stones(), status.seki) == (white, [])
    # Ten stones, twice, and all eleven empty points; by area all 49 points.
    margin = 31.0 if rules == "japanese" else 49.0
    assert game.score(status.dead_stones(), status.seki_stones()) == margin
    assert not status.clear
    assert not status.settled


@pytest.mark.skipif(not JIT_ENABLED, reason="too slow without the JIT")
@pytest.mark.parametrize("diagram", [row[1] for row in DEAD_TABLE[-2:]])
def test_a_proved_death_settles_a_position(diagram):
    """For either side to move; the place belongs to the killer, whose stones in it live."""
    for color in (BLACK, WHITE):
        status = player().status(game_of(diagram, color, RULESETS["japanese"]))
        assert status.settled
        assert len(status.dead) == 1
        assert (status.ownership[points_marked(diagram, "o")] == 1.0).all()
        assert status.secure_ground(game_of(diagram), BLACK) >= set(points_marked(diagram, "."))


def test_proved_dead_stones_stay_eye_space_of_their_killer(monkeypatch):
    """Black's group at the right has no second eye except by its captures."""
    diagram = """
        . O O O . X o o .
        x x O O X X X o X
        . x O O X X o o X
        x x x O X X X X X
        O x O O O X O O O
        O O O . O O O O X
        O X X O O X O X X
        O O X X X X X X .
        X X X . . . . . ."""
    dead = frozenset(points_marked(diagram, "x") + points_marked(diagram, "o"))
    proved = ProvedFates(dead)
    monkeypatch.setattr("engine.facts.final_status.prove_fates", lambda *_: proved)
    status = player().status(game_of(diagram, BLACK, RULESETS["japanese"]))
    assert status.dead_stones() == dead
    for vertex, owner in (("J9", 1.0), ("G9", 1.0), ("H7", 1.0), ("A7", -1.0), ("B7", -1.0)):
        assert status.ownership[parse_vertex(vertex, 9)] == owner


@pytest.mark.skipif(not JIT_ENABLED, reason="too few roll-outs without the JIT")
@pytest.mark.parametrize("rules", ["japanese", "chinese"])
def test_no_pass_while_a_stone_can_be_taken(rules):
    """A ko for the last points: in most roll-outs White wins it, and yomi passed once."""
    diagram = """
        . . . . . X O . O
        . . . . X X X O O
        . X . X . X O O X
        . . X X X X O O .
        . . X O O X X O .
        . X . X O O X O O
        . . X X O O O X .
        . . X X X O O O .
        . . X O O O . . ."""
    game = game_of(diagram, BLACK, RULESETS[rules])
    status = player().status(game)
    assert status.settled
    assert status.open_captures(game, BLACK) == {parse_vertex("H9", 9)}
    assert status.open_captures(game, WHITE) == set()
    assert player().choose(game, BLACK).point != PASS


@pytest.mark.skipif(not JIT_ENABLED, reason="too few roll-outs without the JIT")
@pytest.mark.parametrize(("rules", "vertex"), [("japanese", "J8"), ("chinese", "pass")])
def test_the_winner_of_the_last_ko_fills_it_where_that_costs_a_point(rules, vertex):
    """Black could take J9 from there; all other points are settled."""
    diagram = """
        O . O O O X X X O
        . . O O X X X O .
        O O O X X X O O O
        . O X . . X O . O
        O O X . X X X O .
        O X X . X O O O .
        X . . . X X O O .
        . X . O . X X O .
        . . . X X O O O ."""
    game = game_of(diagram, WHITE, RULESETS[rules])
    status = player().status(game)
    assert status.open_kos(game, WHITE) == {parse_vertex("J8", 9)}
    assert status.open_kos(game, BLACK) == set()
    assert status.settled
    assert format_vertex(player(playouts=100).choose(game, WHITE).point) == vertex


def verdict(status):
    return (*status[:-1], status.ownership.tobytes())


def test_the_same_question_gets_the_same_answer():
    """Also from another player, and after other questions."""
    game = a_position()
    one, other = player(seed=1), player(seed=2)
    first = one.status(game)
    one.choose(game, BLACK)
    assert verdict(one.status(game)) == verdict(other.status(game)) == verdict(first)
    assert one.final_score(game) == other.final_score(game)


@pytest.mark.skipif(not JIT_ENABLED, reason="too slow without the JIT")
def test_a_pass_changes_no_verdict_about_a_ko():
    game = game_of(
        """
        . . . . .
        . X O . .
        X O . O .
        . X O . .
        . . . . .""",
        BLACK,
    )
    game.play(BLACK, parse_vertex("C3", 5))  # takes B3; White may not retake at once
    one = player()
    before = one.status(game)
    game.play(WHITE, PASS)
    assert verdict(one.status(game))[:-1] == verdict(before)[:-1]


def test_reports_on_the_way_change_nothing():
    """The decision rests on the last of them."""
    playouts = 60 if JIT_ENABLED else 20
    plain = player(playouts=playouts).choose(a_position(), BLACK)
    deliberation = player(playouts=playouts).deliberate(a_position(), BLACK, interval=0.001)
    reports = list(deliberation)
    assert deliberation.decision == plain
    assert reports[-1].moves[0].point == plain.point
    assert reports[-1].playouts == playouts


def test_every_stone_has_one_fate():
    game = a_position()
    status = player().status(game)
    chains = status.alive + status.dead + status.seki
    assert sorted(chains) == game.chains()
    assert all(chain == sorted(chain) for chain in chains)


def agreement(records: list[dict]) -> tuple[int, int, int]:
    """Return how many dead lists and scores equal GNU Go's, and how many confident ones differ."""
    dead_lists = scores = sure_but_different = 0
    for record in records:
        size = record["size"]
        game = Game(size, RULESETS["chinese"], record["komi"])
        for vertex in record["moves"]:
            game.play(game.to_play, parse_vertex(vertex, size))
        status = player().status(game)
        dead = {parse_vertex(vertex, size) for vertex in record["dead"]}
        score = player().final_score(game)
        winner, _, margin = record["score"].partition("+")
        expected = float(margin) * (1 if winner == "B" else -1) if margin else 0.0
        same = status.dead_stones() == dead and score == expected
        dead_lists += status.dead_stones() == dead
        scores += score == expected
        sure_but_different += status.settled and not same
    return dead_lists, scores, sure_but_different


@pytest.mark.slow
@pytest.mark.golden
@pytest.mark.skipif(not JIT_ENABLED, reason="too slow without the JIT")
def test_finished_games_are_judged_as_gnu_go_judges_them():
    """GNU Go 3.8 judged 68 of its games (tests/gnugo.py); 67 agree, one was left unfinished."""
    records = [json.loads(line) for line in FINISHED_GAMES.read_text().splitlines()]
    dead_lists, scores, sure_but_different = agreement(records)
    assert len(records) == 68
    assert dead_lists >= 66
    assert scores >= 66
    assert sure_but_different == 0


@pytest.mark.peers
@pytest.mark.skipif(PROGRAM is None, reason="GNU Go is not installed")
@pytest.mark.skipif(not JIT_ENABLED, reason="too slow without the JIT")
def test_fresh_games_are_judged_as_gnu_go_judges_them():
    records = [finished_game(9, seed, level=1) for seed in range(201, 211)]
    dead_lists, scores, sure_but_different = agreement(records)
    assert dead_lists >= 9
    assert scores >= 9
    assert sure_but_different == 0


# -- handicap ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("size", "asked", "customary"),
    [(19, 2, 2), (19, 9, 9), (19, 36, 9), (13, 20, 9), (9, 5, 5), (9, 40, 9), (8, 9, 4)],
)
def test_free_handicap(size, asked, customary):
    """First the customary points; on the third line and above as long as there is room."""
    points = player().free_handicap(size, asked)
    assert points[:customary] == fixed_handicap(size, customary)
    assert len(set(points)) == len(points) == min(asked, (size - 4) ** 2)
    assert all(2 < place < size - 1 for point in points for place in to_column_row(point))


@pytest.mark.parametrize(("size", "asked"), [(19, 1), (19, 0), (19, -2), (6, 2), (2, 2)])
def test_impossible_free_handicaps_are_refused(size, asked):
    with pytest.raises(BadSetup):
        player().free_handicap(size, asked)


@pytest.mark.parametrize(
    ("rules", "capture_dead", "stands"),
    [
        ("chinese", False, False),
        ("japanese", False, False),
        ("chinese", True, True),
        ("tromp-taylor", False, True),
    ],
)
def test_stones_stand_after_two_passes_where_dead_ones_must_be_captured(
    rules, capture_dead, stands
):
    game = game_of(CONTESTED, BLACK, RULESETS[rules])
    game.play(BLACK, PASS)
    options = PlayerOptions(playouts=1, threads=1, seed=1, tactics=False, sums=False)
    one = Player(replace(options, capture_dead=capture_dead))
    one.choose(game, WHITE)
    assert one.thinker.search.searcher._root.position.stands == stands


@pytest.mark.skipif(not JIT_ENABLED, reason="too few roll-outs without the JIT")
def test_a_ko_kills_nobody_by_territory_where_the_attacker_needs_a_threat():
    """From a game: Black's group on the left dies if White wins a ko that Black takes first."""
    diagram = """
        . . . . . . O O O
        . . O O O O O X X
        . O . O X O X . X
        O O O X X O X X X
        O X X X O O X O .
        X X O X O O O X X
        O X . X O . O X O
        . O X X X O O X O
        O X . X X X O X ."""
    game = game_of(diagram, BLACK, RULESETS["japanese"], 0.0)
    status = player().status(game)
    assert not status.clear
    assert parse_vertex("E1", 9) not in status.dead_stones()
    assert game.score(status.dead_stones(), status.seki_stones()) == 9.0


def sure(monkeypatch, one, game):
    """Let a player take all stones for alive beyond doubt."""
    chains = [sorted(chain) for chain in game.chains()]
    settled = one.status(game)._replace(alive=chains, dead=[], seki=[], clear=True, settled=True)
    monkeypatch.setattr(one.facts, "status", lambda _: settled)
    monkeypatch.setattr(one.facts, "outlook", lambda _: settled)


@pytest.mark.parametrize("komi", [-40.5, 0.5, 40.5])
@pytest.mark.parametrize("color", [BLACK, WHITE])
def test_a_last_look_finds_moves_that_win_or_keep_points(color, komi, monkeypatch):
    """For the winner and for the loser: roll-outs that are sure of all were wrong."""
    game = game_of(HANGING, color, RULESETS["chinese"], komi)
    one = player(playouts=60)
    sure(monkeypatch, one, game)
    decision = one.choose(game, color)
    assert format_vertex(decision.point) == "D4"
    assert decision.reason.startswith("points are at stake")
    assert not game.moves


def test_a_finding_of_a_last_look_is_not_repeated_where_a_pass_answers_it(monkeypatch):
    game = game_of(HANGING, BLACK, RULESETS["chinese"])
    one = player(playouts=60)
    sure(monkeypatch, one, game)
    assert one.choose(game, BLACK).point != PASS
    game.play(BLACK, parse_vertex("A1", 5))
    game.play(WHITE, PASS)
    assert one.choose(game, BLACK).point == PASS
    one.new_game()
    assert one.choose(game, BLACK).point != PASS


@pytest.mark.parametrize(("komi", "vertex"), [(-3.5, "D4"), (-1.5, "pass"), (1.5, "D4")])
def test_no_point_is_risked_for_more_where_it_decides_the_game(komi, vertex, monkeypatch):
    """By territory Black has 3 points, and White as many: he is ahead by 3.5, by 1.5, or behind."""
    game = game_of(HANGING, BLACK, RULESETS["japanese"], komi)
    one = player(playouts=60)
    sure(monkeypatch, one, game)
    assert one.final_score(game) == -komi
    assert format_vertex(one.choose(game, BLACK).point) == vertex


def test_a_player_without_a_search_passes_without_a_last_look(monkeypatch):
    game = game_of(HANGING, BLACK, RULESETS["chinese"])
    one = Player(PlayerOptions(thinker=PatternThinker), Knowledge(patterns=no_patterns()))
    sure(monkeypatch, one, game)
    assert one.choose(game, BLACK).point == PASS


@pytest.mark.parametrize("color", [BLACK, WHITE])
def test_a_game_for_points_is_won_by_two(color):
    game = game_of(HANGING, color, RULESETS["japanese"], 6.5)
    alive = player().status(game)._replace(dead=[])
    played = game_for_points(game, color, alive)
    sign = 1 if color == BLACK else -1
    assert played.rules.scoring == "area"
    assert sign * played.score(set(), set()) == -1.5
    assert (game.rules, game.komi) == (RULESETS["japanese"], 6.5)


@pytest.mark.parametrize(("margin", "played"), [(8.0, "E1"), (1.0, "pass")])
def test_a_pass_is_not_taken_for_granted_where_points_are_open(margin, played):
    """The search looks at nothing except a pass: other moves are looked at separately."""
    asked = []

    class Passing(SearchThinker):
        def think(self, question, limits, interval):
            asked.append((PASS in question.moves, limits.playouts))
            point = PASS if PASS in question.moves else parse_vertex("E1", 5)
            won_by = 8.0 if point == PASS else margin
            move = believed(point, 64, 0.9, won_by)
            yield None
            return Decision(point, False, "why", 0.9, 64, (move,), {point: "why"})

    game = game_of(CONTESTED, BLACK, RULESETS["japanese"])
    options = PlayerOptions(playouts=300, threads=1, seed=1, thinker=Passing)
    decision = Player(options).choose(game, BLACK)
    assert format_vertex(decision.point) == played
    assert asked == [(True, 300), (False, 64)]


@pytest.mark.skipif(not JIT_ENABLED, reason="too few roll-outs without the JIT")
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_settled_ground_is_not_left_alone_where_a_group_needs_a_move_there(seed):
    """From a game: roll-outs are sure of White's stones on the right, and Black's next kills them.

    Otherwise only a dame at C7 is left.
    """
    moves = """
        E5 G6 G4 E7 C4 C3 B3 B4 B5 D4 A4 D5 D3 D6 E4 E3 C2 F4 F5 F3 G5 G3 H4 H3 E2 H6 J3 J2 J4 H1
        G1 F1 B7 F6 C8 H5 F9 F2 E1 E8 E9 D9 D8 G9 F8 G8 C9 F7 D9 C6 B6 C5 D7 D2 D1"""
    game = Game(9, RULESETS["japanese"], 6.5)
    for vertex in moves.split():
        game.play(game.to_play, parse_vertex(vertex, 9))
    decision = player(playouts=300, seed=seed).choose(game, WHITE)
    assert format_vertex(decision.point) in ("E6", "J5")
    assert decision.candidates[0].point == decision.point


@pytest.mark.parametrize("komi", [6.5, -60.5])
def test_a_pass_that_would_lose_is_no_answer_to_a_pass(monkeypatch, komi):
    """The search once took the pass's certain loss for the value of all moves, and passed."""
    game = Game(9, RULESETS["tromp-taylor"], komi)
    for color, text in zip((BLACK, WHITE) * 3, ("c3", "e5", "f3", "d4", "d3", "pass"), strict=True):
        game.play(color, parse_vertex(text, 9))
    one, asked = player(playouts=8), []
    think = one.thinker.think
    monkeypatch.setattr(
        one.thinker, "think", lambda request, *rest: asked.append(request) or think(request, *rest)
    )
    monkeypatch.setattr("engine.endgame.may_pass", lambda *_: False)
    decision = one.choose(game, BLACK)
    assert (PASS in asked[0].moves) == (komi < 0)
    assert komi < 0 or decision.point != PASS
