"""The groups of the engine's kernels that are compiled ahead of time, by need.

A kernel is compiled because a function here uses the engine as a game does: it plays three moves
and explains them, and solves problems. A review searches and explains like a game.
"""

from collections.abc import Sequence
from dataclasses import replace

from engine.belief.knowledge import Knowledge
from engine.captures.reader import compile_solver
from engine.facts.position_facts import Facts
from engine.go.board import BLACK, WHITE
from engine.go.geometry import to_point
from engine.go.history import Game
from engine.go.ladders import is_captured_in_ladder, ladder_work
from engine.jit import KernelGroup
from engine.life.reader import compile_life
from engine.patterns.valuing import no_patterns
from engine.people.model import model_of_patterns
from engine.player.clock import Allotment
from engine.player.levels import level_options
from engine.player.options import PlayerOptions
from engine.player.player import Player
from engine.search.grower import no_policy
from engine.search.root_priors import bring_in
from engine.search.tree import new_tree

# Minimal sizes: compilation depends on types, not on sizes.
OPTIONS = PlayerOptions(playouts=8, threads=1, seed=1, memory_mib=1)
# Two fights are left, which a sum of games decides.
ENDING = ".XXOO.OXXXOOOOX.X.OO.XXXXOOOXXXOO.OXX.XOOOX.XX..O"  # 7x7, from the upper left


def instant_move() -> None:
    """Move without a search, as the ranking model does early in a game."""
    player, game = Player(PlayerOptions(threads=1), Knowledge(patterns=no_patterns())), Game(5)
    for color in (BLACK, WHITE):
        game.play(color, player.choose(game, color, Allotment(0.0, 0.0)).point)


def board() -> None:
    """Set up and count a position, and find its owners as a move without a search does late."""
    game = Game(5)
    game.edit((), (), ())
    game.legal_points(BLACK)
    game.score()
    Facts().few_rollouts(game, 1)


def play() -> None:
    """Play and explain three moves, one as a level does, and two of an ending."""
    knowledge = Knowledge(no_policy(), no_patterns(), people=model_of_patterns())
    _play(OPTIONS, knowledge, Game(5), (BLACK, WHITE, BLACK))
    _play(replace(OPTIONS, level=level_options("10k")), knowledge, Game(5), (BLACK,))
    game = Game(7)
    black, white = (
        [to_point(1 + i % 7, 7 - i // 7) for i, stone in enumerate(ENDING) if stone == color]
        for color in "XO"
    )
    game.edit(black, white, [])
    _play(OPTIONS, knowledge, game, (BLACK, WHITE))
    # Two calls depend on the moves of a game: a ladder, and a move that only a proof brings in.
    is_captured_in_ladder(game.board, black[0], True, 10, ladder_work())
    bring_in(new_tree(8), 1, 1.0, 1.0)


def _play(options: PlayerOptions, knowledge: Knowledge, game: Game, colors: Sequence[int]) -> None:
    player = Player(options, knowledge)
    for color in colors:
        decision = player.choose(game, color)
        player.reasons(game, color, decision)
        game.play(color, decision.point)


FIRST_MOVE = (KernelGroup("ranking model", (instant_move,)), KernelGroup("board", (board,)))
"""The board and the ranking model, which move while the rest is compiled."""

# Each process compiles the parts of its own groups. With two processes the one that is done with
# the board goes on to tactics. The search follows the ranking model, whose parts it shares: alone
# it takes 9.4 s of processor time, after the ranking model 4.6 s.
PLAYING = (
    *FIRST_MOVE,
    KernelGroup("tactics", (compile_solver,)),
    KernelGroup("search", (play,)),
    KernelGroup("fates", (compile_life,)),
)
"""All that games, reviews and problems need; it is compiled before the first move.

Benchmarks, training and ``yomi level`` compile their own kernels when they run.
"""
