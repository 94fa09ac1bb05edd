"""Moves without a search: no survey, no own territory, the right pass."""

from dataclasses import replace

import numpy as np
import pytest

from engine import BLACK, RULESETS, WHITE, Game, Knowledge, Player, PlayerOptions, parse_vertex
from engine.errors import MoveCode
from engine.facts.position_facts import Facts
from engine.go.geometry import PASS
from engine.patterns.valuing import no_patterns
from engine.player.clock import Allotment
from engine.player.instant import LATE, liberties_of_dead
from tests.diagrams import EYE_EACH, HANGING, game_of

NO_TIME = Allotment(0.0, 0.0)
RULE_SETS = ["chinese", "japanese"]
# Black's corner has two points that only Black can fill; C5 is the last dame.
ONE_DAME = """
    . X . O .
    . X O O O
    X X O . O
    X X O O .
    . X O . O"""
SETTLED = ONE_DAME.replace("X . O", "X O O", 1)


def player(**options) -> Player:
    knowledge = Knowledge(patterns=no_patterns())
    return Player(PlayerOptions(threads=1, seed=1, memory_mib=16, **options), knowledge)


def decide(game: Game, color: int = BLACK, **options):
    return player(**options).choose(game, color, NO_TIME)


@pytest.fixture
def no_survey(monkeypatch):
    """Any use of the facts fails the test."""

    def refuse(self, *arguments):
        raise AssertionError("a survey")

    for name in ("status", "brief_status", "few_rollouts", "chains", "groups"):
        monkeypatch.setattr(Facts, name, refuse)


def test_an_early_move_takes_neither_a_survey_nor_a_search(no_survey):
    decision = decide(Game(9))
    assert decision.playouts == 0
    assert decision.point != PASS
    assert decision.reason.startswith(
        "the clock leaves no time for a search; the model expects a strong player to play it in"
    )


def test_the_ranking_models_first_choice_is_played():
    one, game = player(), Game(9)
    chances = one._instant._predictor.of_game(game, BLACK)
    first = min(chances, key=lambda point: (-chances[point], point))
    assert one.choose(game, BLACK, NO_TIME).point == first
    avoided = one.deliberate(game, BLACK, NO_TIME, avoid=frozenset({first})).decision.point
    assert avoided not in (first, PASS)


def test_with_time_a_search_chooses(monkeypatch):
    monkeypatch.delattr("engine.player.instant.InstantMoves.think")
    decision = player(playouts=8).choose(Game(5), BLACK, Allotment(30.0, 30.0))
    assert decision.playouts == 8


def test_without_a_ranking_model_some_roll_outs_choose():
    one = Player(PlayerOptions(threads=1, seed=1, memory_mib=16), Knowledge())
    assert one.choose(Game(5), BLACK, NO_TIME).playouts > 0


@pytest.mark.parametrize("rules", RULE_SETS)
@pytest.mark.parametrize("passed", [False, True])
def test_the_last_dame_is_filled_and_then_comes_a_pass(rules, passed):
    game = game_of(ONE_DAME, BLACK)
    game.rules = RULESETS[rules]
    if passed:
        game.play(WHITE, PASS)
    dame = {parse_vertex("C5", 5)}
    # By territory the last dame is worth nothing.
    assert decide(game).point in (dame if rules == "chinese" else dame | {PASS})
    game = game_of(SETTLED, BLACK)
    game.rules = RULESETS[rules]
    if passed:
        game.play(WHITE, PASS)
    decision = decide(game)
    assert decision.point == PASS
    assert decision.reason == "the clock leaves no time for a search; no point is open"


def test_no_pass_while_a_fight_is_open():
    """Either side decides the fate of the corner at D4."""
    for color in (BLACK, WHITE):
        game = game_of(HANGING, color)
        game.play(3 - color, PASS)
        assert decide(game, color).point != PASS


@pytest.mark.parametrize("color", [BLACK, WHITE])
def test_a_seki_is_left_alone(color):
    game = game_of(EYE_EACH.upper(), color)
    point = decide(game, color).point
    assert point not in {parse_vertex(vertex, 7) for vertex in ("A7", "C7", "E7")}


def test_dead_stones_are_captured_where_all_stones_count():
    game = game_of(SETTLED.replace(". X O O .", "O X O O ."), BLACK)
    assert decide(game).point == PASS
    dead = parse_vertex("A5", 5)
    game.rules = replace(game.rules, capture_dead=True)
    assert decide(game).point == parse_vertex("A4", 5)
    owners = np.zeros(len(game.board))
    assert liberties_of_dead(game, BLACK, owners) == set()
    owners[dead] = 1.0
    assert liberties_of_dead(game, BLACK, owners) == {parse_vertex("A4", 5)}


def test_a_repetition_is_avoided():
    rules = RULESETS["chinese"]
    game = game_of(
        """
        . O X .
        O X . X
        . O X .
        . . . .""",
        WHITE,
    )
    game.rules = rules
    game.play(WHITE, "C3")
    for color, vertex in ((BLACK, "A1"), (WHITE, "D1")):
        game.play(color, vertex)
    repeated = [p for p in game.legal_points(BLACK, superko=False)
                if game.legality(BLACK, p) == MoveCode.SUPERKO]  # fmt: skip
    assert decide(game).point not in repeated


def test_the_whole_game_is_played_without_a_search():
    """It ends by itself: no own eye is filled, and settled positions are passed."""
    one, game = player(), Game(5)
    while not game.is_over and len(game.moves) < 100:
        decision = one.choose(game, game.to_play, NO_TIME)
        assert decision.playouts == 0
        game.play(game.to_play, decision.point)
    assert game.is_over
    assert len(game.stones(BLACK)) + len(game.stones(WHITE)) >= LATE * 25


@pytest.mark.parametrize("rules", RULE_SETS)
def test_the_chance_to_win_is_the_prior_early_and_the_count_late(rules):
    game = Game(9, RULESETS[rules], 7.5)
    assert 0.3 < decide(game).win_rate < 0.7
    late = game_of(SETTLED, BLACK)
    late.rules, late.komi = RULESETS[rules], 0.5
    won = decide(late).win_rate
    assert won == pytest.approx(1.0 - decide(late, WHITE).win_rate)
    assert won < 0.01
