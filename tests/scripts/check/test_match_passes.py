"""Passes of a match looked at again: one that gave points away, and one that did not."""

import json

import pytest

from engine import BLACK, RULESETS, WHITE, Game, Player, PlayerOptions, format_vertex
from engine.go.geometry import PASS
from scripts.check import match_passes
from tests.diagrams import HANGING, game_of

PLAYER = PlayerOptions(playouts=60, threads=1, seed=1, tactics=False, sums=False)
JAPANESE = RULESETS["japanese"]


def test_positions_before_the_passes_of_one_side():
    row = {"first_color": "W", "record": "BC3 Wpass BB2 WD4 Bpass Wpass"}
    found = list(match_passes.passes_of(row, Game(5, JAPANESE), True))
    assert [(len(game.moves), game.to_play) for game in found] == [(1, WHITE), (5, WHITE)]
    (game,) = match_passes.passes_of(row, Game(5, JAPANESE), False)
    assert (len(game.moves), game.to_play) == (4, BLACK)


@pytest.mark.parametrize("to_play", [BLACK, WHITE])
def test_where_all_is_settled_nothing_is_gained(to_play):
    diagram = """
        . X X O .
        X X X O O
        . X O . O
        X X O O O
        . X O . O"""
    game = game_of(diagram, to_play, JAPANESE)
    _, area, gain = match_passes.gain_by_playing_on(game, Player(PLAYER), Player(PLAYER))
    assert area <= 1.0
    assert gain <= 1.0
    assert game.rules == JAPANESE
    assert not game.moves


def test_where_only_eyes_are_left_passing_is_all_there_is():
    game = game_of(". X\nX .", BLACK, JAPANESE)
    assert match_passes.best_move(game, Player(PLAYER)) == PASS
    players = Player(PLAYER), Player(PLAYER)
    assert match_passes.gain_by_playing_on(game, *players) == (PASS, 0.0, 0.0)


@pytest.mark.parametrize("komi", [-40.5, 0.5, 40.5])
def test_a_kill_gains_in_games_won_and_lost_too(komi):
    game = game_of(HANGING, BLACK, RULESETS["chinese"])
    game.komi = komi
    players = Player(PLAYER), Player(PLAYER)
    move, area, gain = match_passes.gain_by_playing_on(game, *players)
    assert (format_vertex(move), area, gain) == ("D4", 24.0, 24.0)
    assert game.komi == komi


def test_a_rescue_gains_where_the_group_counts_dead():
    game = game_of(HANGING, WHITE, JAPANESE)
    players = Player(PLAYER), Player(PLAYER)
    move, area, gain = match_passes.gain_by_playing_on(game, *players)
    assert (format_vertex(move), area, gain) == ("D4", 24.0, 23.0)


def test_an_early_pass_is_named(tmp_path, capsys, monkeypatch):
    rows = [{"game": 4, "first_color": "B", "record": "BC3 WD4 Bpass Wpass"}]
    path = tmp_path / "match.json"
    path.write_text(json.dumps({"size": 5, "komi": 0.5, "games": rows}))

    gains = [7.0, 2.0]

    def gain(game, player, answering):
        assert len(game.moves) == 2
        assert answering.options.playouts == 10 * player.options.playouts
        return PASS, *gains

    monkeypatch.setattr(match_passes, "gain_by_playing_on", gain)
    assert match_passes.main([str(path)]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[1].split() == ["4", "2", "pass", "7.0000", "2.0000"]
    assert out[-1] == "1 games, 1 passes, 1 early"
    gains = [2.0, 1.0]
    assert match_passes.main([str(path)]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[1].split()[3:] == ["2.0000", "1.0000"]
    assert out[-1] == "1 games, 1 passes, 0 early"
    path.write_text("{}")
    assert match_passes.main([str(path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
