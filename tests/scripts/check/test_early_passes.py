"""Passes of a match: what playing on would gain."""

import json

import pytest

from engine import BLACK, RULESETS, WHITE, Game, Player, PlayerOptions, format_vertex
from engine.go.geometry import PASS
from scripts.check import early_passes
from tests.diagrams import HANGING, game_of

PLAYER = PlayerOptions(playouts=60, threads=1, seed=1, tactics=False, sums=False)
JAPANESE = RULESETS["japanese"]


def test_passes_of_one_side():
    row = {"first_color": "W", "record": "BC3 Wpass BB2 WD4 Bpass WA1 BA2 Wpass"}
    for first, moves in ((True, [1, 7]), (False, [4])):
        found = early_passes.passes_of(row, Game(5, JAPANESE), first)
        assert [len(game.moves) for game in found] == moves


@pytest.mark.parametrize("to_play", [BLACK, WHITE])
def test_where_all_is_settled_nothing_is_gained(to_play):
    diagram = """
        . X X O .
        X X X O O
        . X O . O
        X X O O O
        . X O . O"""
    game = game_of(diagram, to_play, JAPANESE)
    _, area, gain = early_passes.gain_by_playing_on(game, Player(PLAYER), Player(PLAYER))
    assert area <= 1.0
    assert gain <= 1.0
    assert game.rules == JAPANESE
    assert not game.moves


def test_where_only_eyes_are_left_passing_is_all_there_is():
    game = game_of(". X\nX .", BLACK, JAPANESE)
    assert early_passes.best_move(game, Player(PLAYER)) == PASS
    players = Player(PLAYER), Player(PLAYER)
    assert early_passes.gain_by_playing_on(game, *players) == (PASS, 0.0, 0.0)


@pytest.mark.parametrize("komi", [-40.5, 0.5, 40.5])
def test_a_kill_gains_in_games_won_and_lost_too(komi):
    game = game_of(HANGING, BLACK, RULESETS["chinese"])
    game.komi = komi
    players = Player(PLAYER), Player(PLAYER)
    move, area, gain = early_passes.gain_by_playing_on(game, *players)
    assert (format_vertex(move), area, gain) == ("D4", 24.0, 24.0)
    assert game.komi == komi


def test_a_rescue_gains_where_the_group_counts_dead():
    game = game_of(HANGING, WHITE, JAPANESE)
    players = Player(PLAYER), Player(PLAYER)
    move, area, gain = early_passes.gain_by_playing_on(game, *players)
    assert (format_vertex(move), area, gain) == ("D4", 24.0, 23.0)


def test_findings_about_a_match_are_named(tmp_path, capsys, monkeypatch):
    rows = [{"game": 4, "first_color": "B", "record": "BC3 WD4 Bpass Wpass"}]
    path = tmp_path / "match.json"
    path.write_text(json.dumps({"size": 5, "komi": 0.5, "games": rows}))
    gains = {2: (7.0, 2.0), 3: (3.0, 1.0)}

    def gain(game, player, answering):
        assert answering.options.playouts == 10 * player.options.playouts
        return PASS, *gains[len(game.moves)]

    monkeypatch.setattr(early_passes, "gain_by_playing_on", gain)
    command = ["--match", str(path), "--rules", "japanese"]
    assert early_passes.main(command) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[1].split() == ["4", "2", "early", "2.0000"]
    assert out[-1] == "1 passes in 1 games: 1 findings"
    gains = {2: (1.0, 7.0), 3: (3.0, 2.0)}
    assert early_passes.main(command) == 0
    assert "a defense left out" in capsys.readouterr().out
    path.write_text("{}")
    assert early_passes.main(command) == 2
    assert capsys.readouterr().err.count("early_passes: ") == 1
