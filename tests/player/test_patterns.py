"""Thinking by patterns alone: the most probable move, within the frame that all players share."""

import threading

import numpy as np
import pytest

from engine import (
    BLACK,
    WHITE,
    BadSetup,
    Game,
    Knowledge,
    PatternThinker,
    Player,
    PlayerOptions,
    Predictor,
    parse_vertex,
)
from engine.explain.words import percent
from engine.jit import JIT_ENABLED
from engine.patterns.valuing import EVIDENCE_ROWS, no_patterns
from tests.beliefs import one_of_each

SETTLED = """
    . X O . O
    X X O O O
    . X O . O
    X X O O O
    . X O . O"""


def knowledge(seed=1):
    rng = np.random.default_rng(seed)
    evidence = np.stack([rng.normal(size=EVIDENCE_ROWS), rng.uniform(0.1, 1, EVIDENCE_ROWS)], 1)
    return Knowledge(patterns=no_patterns()._replace(evidence=evidence))


def player(**changes):
    options = {"threads": 1, "seed": 1, "playouts": 20, "thinker": PatternThinker} | changes
    return Player(PlayerOptions(**options), knowledge())


def test_it_plays_the_most_probable_move_and_says_so():
    game = Game(7 if JIT_ENABLED else 5)
    predictor, plays = Predictor(knowledge().patterns), player()
    for _ in range(12 if JIT_ENABLED else 4):
        chances = predictor.of_game(game, game.to_play)
        decision = plays.choose(game, game.to_play)
        assert chances[decision.point] == max(chances.values())
        best = decision.candidates[0]
        prior = sum(chances[point] for point in (best.point, *best.equals))
        assert best.prior == pytest.approx(prior)
        expects = "the model expects a strong player to play it in"
        assert decision.reason == f"{expects} {percent(prior)}"
        game.play(game.to_play, decision.point)


def test_the_roll_outs_and_their_seed_do_not_change_the_move():
    game = Game(5)
    game.play(BLACK, parse_vertex("C3", 5))
    points = {player(seed=s, playouts=n).choose(game, WHITE).point for s, n in ((1, 8), (2, 60))}
    assert len(points) == 1


def test_moves_that_a_symmetry_swaps_are_one():
    game = Game(5)
    for color, vertex in ((BLACK, "B3"), (WHITE, "C3"), (BLACK, "D3")):
        game.play(color, parse_vertex(vertex, 5))
    decision = player().choose(game, WHITE)
    assert len(one_of_each(game, decision.candidates)) == len(decision.candidates)
    assert any(move.equals for move in decision.candidates)


def test_all_candidates_have_the_win_rate_of_the_position():
    report = next(player(playouts=50).analyze(Game(5, komi=-60.0), BLACK, 1.0, threading.Event()))
    (rate,) = {move.win_rate for move in report.moves}
    assert rate > 0.99
    assert len({move.playouts for move in report.moves}) == 1


def test_without_patterns_there_is_no_pattern_player():
    with pytest.raises(BadSetup, match="needs a table of patterns"):
        Player(PlayerOptions(thinker=PatternThinker))
