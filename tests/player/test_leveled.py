"""Playing at a level: the draw of moves, and the frame that all players share."""

import math
import re
import threading
import time
from collections import Counter
from itertools import cycle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import (
    BLACK,
    RULESETS,
    WHITE,
    BadSetup,
    Game,
    Knowledge,
    PatternThinker,
    Player,
    PlayerOptions,
    format_vertex,
    level_options,
    parse_vertex,
)
from engine.explain.words import clause
from engine.facts.position_facts import Facts
from engine.go.geometry import PASS
from engine.jit import JIT_ENABLED
from engine.patterns.predictor import Predictor
from engine.people.features import CAPTURE, FIRST_ROWS, SIZES
from engine.people.model import INPUTS, WEIGHTS, PeopleModel, model_of_patterns
from engine.player.clock import Allotment
from engine.player.decision import Deliberation
from engine.player.leveled import LEVELED, LevelThinker, usual
from engine.player.levels import LEVELS, LevelOptions
from engine.player.thinker import Limits, MoveRequest, ThinkerOptions
from tests.beliefs import one_of_each
from tests.diagrams import EYES, game_of
from tests.player.test_patterns import SETTLED, knowledge
from tests.reference import people as twin

SIZE = 7 if JIT_ENABLED else 5
SAMPLE = ("20k", "12k", "6k", "2d") if JIT_ENABLED else ("6k",)


def knowing():
    """Return made-up patterns, and people who follow them."""
    return knowledge()._replace(people=model_of_patterns())


ONE_IDEA = LevelOptions("12k", 12, 1.0, 4)


def player(level, **changes):
    """Return a player at a level; "patterns" is the player of the ranking model alone."""
    if level == "patterns":
        changes = {"thinker": PatternThinker, "playouts": 20} | changes
        return Player(PlayerOptions(**{"seed": 1} | changes), knowing())
    options = level_options(level) if isinstance(level, str) else level
    if not JIT_ENABLED:
        options = options._replace(playouts=4)
    return Player(PlayerOptions(**{"seed": 1, "level": options} | changes), knowing())


def thinker(level, seed=1):
    return LevelThinker(level, ThinkerOptions(), knowing(), seed, Facts())


def draw(thinks, game, color, playouts=1):
    points = game.legal_points(color)
    request = MoveRequest(game, color, frozenset([*points, PASS]))
    thoughts = thinks.think(request, Limits(playouts, None, math.inf, lambda: False), math.inf)
    return Deliberation(thoughts).decision


def uneven():
    """A small position without symmetry, so that no two moves are one."""
    game = Game(3)
    for vertex in ("B1", "C2"):
        game.play(game.to_play, parse_vertex(vertex, 3))
    return game


points = st.integers(1, 6)


@given(st.dictionaries(points, st.floats(1e-12, 1.0), min_size=1))
def test_moves_that_nobody_would_play_are_dropped(chances):
    found = usual(chances)
    assert set(found) == twin.usual(chances, LEVELED.never)
    assert list(found) == sorted(found)


def included(chances, count):
    """Return the probability of each move to be among ``count`` draws without repetition."""
    if count == 0 or not chances:
        return dict.fromkeys(chances, 0.0)
    total = math.fsum(chances.values())
    found = dict.fromkeys(chances, 0.0)
    for first, chance in chances.items():
        rest = {point: other for point, other in chances.items() if point != first}
        found[first] += chance / total
        for point, share in included(rest, count - 1).items():
            found[point] += chance / total * share
    return found


def test_moves_that_a_symmetry_swaps_are_one():
    game = Game(5)
    decision = draw(thinker(ONE_IDEA._replace(ideas=12.0)), game, BLACK, playouts=40)
    assert len(one_of_each(game, decision.candidates)) == len(decision.candidates)
    assert any(move.equals for move in decision.candidates)


@pytest.mark.parametrize("ideas", [1, 2])
def test_moves_are_drawn_as_people_choose_them(ideas):
    """The draws are compared: each as often as the model says."""
    game = uneven()
    chances = Predictor(knowledge().patterns).of_game(game, BLACK)
    kept = twin.usual(chances, LEVELED.never)
    expected = included({point: chances[point] for point in kept}, ideas)
    draws = 600 if JIT_ENABLED else 40
    thinks = thinker(ONE_IDEA._replace(ideas=float(ideas)))
    found = Counter(
        move.point for _ in range(draws) for move in draw(thinks, game, BLACK).candidates
    )
    assert sum(found.values()) == ideas * draws
    assert set(found) <= kept
    for point, chance in expected.items():
        deviation = math.sqrt(draws * chance * (1.0 - chance))
        assert abs(found[point] - draws * chance) < 4.5 * deviation + 1.0


def test_ideas_are_met_on_average():
    thinks = thinker(ONE_IDEA._replace(ideas=1.5))
    draws = 200 if JIT_ENABLED else 40
    counts = Counter(len(draw(thinks, uneven(), BLACK).candidates) for _ in range(draws))
    assert set(counts) == {1, 2}
    assert abs(counts[1] - draws / 2) < 4 * math.sqrt(draws) / 2


def test_a_rank_has_its_own_weights():
    """People who never capture do not think of it, at their rank alone."""
    weights = np.zeros((2, WEIGHTS))
    first = INPUTS + FIRST_ROWS[CAPTURE]
    weights[0, first : first + SIZES[CAPTURE]] = -30.0
    weights[1, first : first + SIZES[CAPTURE]] = 30.0
    people = PeopleModel(np.array([20.0, 10.0]), weights)
    knows = knowledge()._replace(people=people)
    game, wanted = game_of(THREE_IN_ATARI), parse_vertex("E5", 7)
    for kyu, expected in ((20, 0), (10, 10)):
        level = ONE_IDEA._replace(kyu=kyu)
        thinks = LevelThinker(level, ThinkerOptions(), knows, 1, Facts())
        played = sum(draw(thinks, game, BLACK).point == wanted for _ in range(10))
        assert played == expected


def test_the_reason_names_what_came_to_mind():
    usual = r"; the model expects a 12k player to play it in [\d.]+ %"
    game = game_of(THREE_IN_ATARI)
    alone = draw(thinker(ONE_IDEA), game, BLACK)
    assert re.fullmatch(rf"it .+{usual}", alone.reason)
    several = draw(thinker(ONE_IDEA._replace(ideas=3.0)), game, BLACK)
    also = " and ".join(format_vertex(move.point) for move in several.candidates[1:])
    assert re.fullmatch(rf"it .+{usual}; {also} came to mind as well", several.reason)


def test_it_is_said_what_a_level_overlooks():
    game = game_of(THREE_IN_ATARI, BLACK)
    player_, corner = player(ONE_IDEA), parse_vertex("G1", 7)
    decision = draw(thinker(ONE_IDEA), game, BLACK)._replace(point=corner)
    *_, last = player_.reasons(game, BLACK, decision)
    assert clause(last) == "it overlooks that E5 captures the three stones at B5"
    white = decision._replace(point=parse_vertex("G2", 7))
    *_, last = player_.reasons(game_of(THREE_IN_ATARI, WHITE), WHITE, white)
    assert clause(last) == "it overlooks that Black can capture the three stones at B5 with E5"


THREE_IN_ATARI = """
    . . . . . . .
    . X X X . O .
    X O O O . O .
    . X X X . O .
    . . . . . . .
    . . . . . . .
    . . . . . . ."""


@pytest.mark.parametrize(
    ("level", "rules"), [*zip(SAMPLE, cycle(["chinese", "japanese"]), strict=False)]
)
def test_games_are_legal_and_end(level, rules):
    game = Game(SIZE, RULESETS[rules])
    plays = player(level)
    resigned = False
    while game.passes < 2 and not resigned and len(game.moves) < 4 * SIZE**2:
        decision = plays.choose(game, game.to_play)
        resigned = decision.resign
        if not resigned:
            game.play(game.to_play, decision.point, superko=True)
    assert resigned or game.passes == 2


@pytest.mark.parametrize("level", ["patterns", *SAMPLE])
def test_it_passes_in_a_settled_position_and_resigns_a_lost_one(level):
    assert player(level).choose(game_of(SETTLED), BLACK).point == PASS
    lost, plays = Game(5, komi=80.5), player(level)
    decisions = [plays.choose(lost, BLACK) for _ in range(3)]
    assert [decision.resign for decision in decisions] == [False, False, True]
    assert not any(player(level, resign_percent=None).choose(lost, BLACK).resign for _ in range(3))


HALF_SETTLED = EYES.removesuffix(". X . X O . O") + ". X . . . . O"


@pytest.mark.parametrize("level", SAMPLE)
def test_it_plays_where_something_is_left_and_not_on_its_own_ground(level):
    game = game_of(HALF_SETTLED)
    open_points = {parse_vertex(v, 7) for v in ("C1", "D1", "E1", "F1")}
    plays = player(level)
    found = {
        plays.choose(game, color).point
        for color in (BLACK, WHITE)
        for _ in range(5 if JIT_ENABLED else 1)
    }
    assert found <= open_points | {PASS}, [format_vertex(p) for p in found]


@pytest.mark.parametrize("level", SAMPLE)
def test_an_analysis_does_not_change_the_game_of_a_seed(level):
    def play(analyzing):
        game, plays = Game(SIZE), player(level)
        for _ in range(6 if JIT_ENABLED else 2):
            if analyzing:
                stop = threading.Event()
                stop.set()
                next(plays.analyze(game, game.to_play, 0.01, stop))
            game.play(game.to_play, plays.choose(game, game.to_play).point)
        return [move.point for move in game.moves]

    assert play(False) == play(True)


def test_other_seeds_play_other_games():
    firsts = {player("20k", seed=seed).choose(Game(SIZE), BLACK).point for seed in range(8)}
    assert len(firsts) > 2


@pytest.mark.parametrize("level", SAMPLE)
def test_roll_outs_are_the_levels_and_a_bound_may_only_lower_them(level):
    most = player(level).options.level.playouts_on(SIZE)
    assert player(level).choose(Game(SIZE), BLACK).playouts == most
    assert player(level, playouts=5).choose(Game(SIZE), BLACK).playouts == min(5, most)
    assert player(level, playouts=10**9).choose(Game(SIZE), BLACK).playouts == most


@pytest.mark.parametrize("level", SAMPLE)
def test_a_clock_that_has_run_out_is_obeyed(level):
    """Only a look at the board is left: any legal move, without the level's search."""
    decision = player(level).choose(Game(SIZE), BLACK, Allotment(0.0, 0.0))
    assert decision.point in Game(SIZE).legal_points(BLACK)
    assert decision.playouts < 50


def test_a_clock_does_not_change_what_a_level_reads():
    """A tenth of such a share of the time would read no chain."""
    game = game_of(". . . . .\n. . O . .\n. O X . .\n. . O . .\n. . . . .", WHITE)
    request = MoveRequest(game, WHITE, frozenset(game.legal_points(WHITE)))
    limits = Limits(8, 1e-9, 1e9, lambda: False)
    level = level_options("1d")._replace(playouts=40_000)
    decision = Deliberation(thinker(level).think(request, limits, math.inf)).decision
    ((point, (effect,)),) = decision.advice.items()
    assert point == parse_vertex("D3", 5)
    assert clause(effect, "it") == "it captures the stone at C3"


def test_a_stop_is_obeyed():
    stop = threading.Event()
    stop.set()
    assert player("5d").deliberate(Game(SIZE), BLACK, stop=stop).decision.playouts < 3000


def test_proofs_are_asked_for_after_a_pass(monkeypatch):
    plays, game, asked = player("6k"), Game(SIZE), []
    judge = plays.facts.status
    monkeypatch.setattr(
        plays.facts, "status", lambda game, nodes: asked.append(len(game.moves)) or judge(game)
    )
    game.play(BLACK, parse_vertex("C3", SIZE))
    game.play(WHITE, parse_vertex("D4", SIZE))
    plays.choose(game, BLACK)
    assert not asked
    game.play(BLACK, PASS)
    plays.choose(game, WHITE)
    assert asked == [3]


def test_an_analysis_is_not_the_levels():
    """The search goes on beyond the level's roll-outs, until it is stopped."""
    stop = threading.Event()
    reports = player("20k").analyze(Game(5), BLACK, 0.0, stop)
    most = 0
    deadline = time.monotonic() + 60
    while most <= 60 and time.monotonic() < deadline:
        most = next(reports).playouts
    assert most > (60 if JIT_ENABLED else 0)
    stop.set()
    reports.close()


@pytest.mark.parametrize("level", ["patterns", "20k"])
def test_moves_to_avoid_are_left_out(level):
    legal = set(Game(3).legal_points(BLACK))
    only = legal.pop()
    (report,) = player(level).deliberate(Game(3), BLACK, avoid=legal | {PASS})
    assert {move.point for move in report.moves} == {only}


def test_every_level_moves_on_every_size():
    for number, level in enumerate(LEVELS if JIT_ENABLED else LEVELS[::8]):
        size = (5, 9, 13)[number % 3] if JIT_ENABLED else 3
        decision = player(level, playouts=20).choose(Game(size), BLACK)
        assert decision.point in Game(size).legal_points(BLACK) or decision.point == PASS
        assert np.isfinite(decision.win_rate)


@pytest.mark.parametrize("knows", [Knowledge(people=model_of_patterns()), knowledge()])
def test_without_patterns_or_people_there_are_no_levels(knows):
    with pytest.raises(BadSetup, match="need a table of patterns and one of people"):
        Player(PlayerOptions(level=level_options("5k")), knows)
