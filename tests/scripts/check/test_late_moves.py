"""What is wrong about late moves, by the count and by playing on."""

import pytest

from engine import BLACK, RULESETS, WHITE, Player, PlayerOptions, format_vertex, parse_vertex
from engine.jit import JIT_ENABLED
from scripts.check.late_moves import Judge, gain_by_playing_on
from tests.diagrams import HANGING, game_of

PLAYER = PlayerOptions(playouts=60, threads=1, seed=1, tactics=False, sums=False)


@pytest.mark.parametrize("komi", [-40.5, 0.5, 40.5])
@pytest.mark.parametrize(
    ("color", "rules", "gain"), [(BLACK, "chinese", 24), (WHITE, "japanese", 23)]
)
def test_a_kill_and_a_rescue_gain_in_games_won_and_lost_too(color, rules, gain, komi):
    game = game_of(HANGING, color, RULESETS[rules])
    game.komi = komi
    move, *gains = gain_by_playing_on(game, Player(PLAYER), Player(PLAYER))
    assert (format_vertex(move), gains) == ("D4", [24.0, gain])
    assert game.komi == komi


# From a game: Black has to answer at C2, or else White cuts there.
NEEDED = """
    . O X . X X . . .
    . O X . X O . . .
    . O X . X . O O O
    . O O X X . X X X
    . O X . X . X O O
    . O X . X . X O X
    O O X X . X O O X
    O X . . X O . O X
    X X . X O O O . ."""


@pytest.mark.skipif(not JIT_ENABLED, reason="too slow without the JIT")
@pytest.mark.parametrize(
    ("diagram", "color", "rules", "move", "findings"),
    [
        (HANGING, BLACK, "chinese", "pass", ["early passes"]),
        (HANGING, BLACK, "chinese", "D4", []),
        (HANGING, WHITE, "chinese", "pass", ["defenses left out"]),
        (NEEDED, BLACK, "japanese", "pass", ["defenses left out"]),
        (NEEDED, BLACK, "japanese", "C2", []),
        (NEEDED, BLACK, "japanese", "H9", ["needless stones"]),
    ],
)
def test_late_moves_are_judged_by_playing_on(diagram, color, rules, move, findings):
    """C2 lowers the count as H9 does, but it is needed."""
    game = game_of(diagram, color, RULESETS[rules])
    assert list(Judge().late_move(game, parse_vertex(move, game.size))) == findings


def test_a_stone_against_an_attack_that_only_a_long_search_plays_well_is_needed(monkeypatch):
    """In a game such an attack was worth 44 points, and a short search gained nothing."""
    game = game_of(NEEDED, BLACK, RULESETS["japanese"])

    def gains(played, player, answering):
        gain = 44.0 if player.options.playouts >= 3000 and played.passes else 0.0
        return parse_vertex("pass", 9), gain, gain

    monkeypatch.setattr("scripts.check.late_moves.gain_by_playing_on", gains)
    assert not Judge().stone(game, parse_vertex("H9", 9))
