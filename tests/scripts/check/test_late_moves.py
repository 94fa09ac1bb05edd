"""What is wrong about late moves, by the count and by playing on."""

import pytest

from engine import BLACK, RULESETS, WHITE, Player, PlayerOptions, format_vertex, parse_vertex
from engine.jit import JIT_ENABLED
from scripts.check.late_moves import Judge, gain_by_playing_on
from tests.diagrams import HANGING, game_of

PLAYER = PlayerOptions(playouts=60, threads=1, seed=1, tactics=False, sums=False)
JAPANESE = RULESETS["japanese"]


@pytest.mark.parametrize("komi", [-40.5, 0.5, 40.5])
def test_a_kill_gains_in_games_won_and_lost_too(komi):
    game = game_of(HANGING, BLACK, RULESETS["chinese"])
    game.komi = komi
    players = Player(PLAYER), Player(PLAYER)
    move, area, gain = gain_by_playing_on(game, *players)
    assert (format_vertex(move), area, gain) == ("D4", 24.0, 24.0)
    assert game.komi == komi


def test_a_rescue_gains_where_the_group_counts_dead():
    game = game_of(HANGING, WHITE, JAPANESE)
    players = Player(PLAYER), Player(PLAYER)
    move, area, gain = gain_by_playing_on(game, *players)
    assert (format_vertex(move), area, gain) == ("D4", 24.0, 23.0)


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
