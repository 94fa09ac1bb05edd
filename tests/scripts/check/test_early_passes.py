"""Passes of a match: what playing on would gain."""

import pytest

from engine import BLACK, RULESETS, WHITE, Game, Player, PlayerOptions, format_vertex
from scripts.check import early_passes
from tests.diagrams import HANGING, game_of

PLAYER = PlayerOptions(playouts=60, threads=1, seed=1, tactics=False, sums=False)
JAPANESE = RULESETS["japanese"]


def test_passes_of_one_side():
    row = {"first_color": "W", "record": "BC3 Wpass BB2 WD4 Bpass WA1 BA2 Wpass"}
    for first, moves in ((True, [1, 7]), (False, [4])):
        found = early_passes.passes_of(row, Game(5, JAPANESE), first)
        assert [len(game.moves) for game in found] == moves


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
