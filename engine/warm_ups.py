"""The groups of the engine's kernels that are compiled ahead of time, by need.

A kernel is compiled because a function here uses the engine as a game does: it plays three moves,
reads a chain and a group, and judges a position.
"""

import numpy as np

from engine.arrays import ROOT
from engine.belief.knowledge import Knowledge
from engine.captures.priors import PriorTable
from engine.captures.reader import compile_solver
from engine.endings.local_play import local_positions
from engine.endings.sums import advise
from engine.facts.group_prover import ReadingBudget
from engine.facts.position_facts import Facts
from engine.go.board import BLACK, WHITE, Board, empty_board, place
from engine.go.geometry import AREA, diagonals, to_point
from engine.go.history import Game
from engine.go.ladders import is_captured_in_ladder, ladder_work
from engine.jit import KernelGroup
from engine.life.reader import compile_life
from engine.patterns.position import position_of
from engine.patterns.valuing import no_patterns
from engine.people.model import PeoplePredictor, model_of_patterns
from engine.player.clock import Allotment
from engine.player.options import PlayerOptions
from engine.player.player import Player
from engine.rollout.guided import no_policy
from engine.search.root_priors import PriorStep, set_prior_steps
from engine.search.tree import drop_child, new_tree


def _attacked_stone() -> tuple[Board, int]:
    """Return a 5x5 board with a white stone in atari, and the point of that stone."""
    board = empty_board(5)
    for column, row, color in ((2, 2, WHITE), (1, 2, BLACK), (2, 1, BLACK), (3, 2, BLACK)):
        place(board, to_point(column, row), color)
    return board, to_point(2, 2)


def search() -> None:
    """Search with and without learned knowledge.

    After two moves the tree is kept, which compiles the code that copies a subtree.
    """
    # Minimal sizes: compilation depends on types, not on sizes.
    options = PlayerOptions(playouts=4, threads=1, seed=1, memory_mib=1)
    for knowledge in (Knowledge(), Knowledge(no_policy(), no_patterns())):
        player = Player(options, knowledge)
        game = Game(5)
        for color in (BLACK, WHITE):
            game.play(color, player.choose(game, color).point)
        player.choose(game, BLACK)
    tree = new_tree(8)
    for point in (1, 2):
        set_prior_steps(tree, BLACK, [PriorStep(point, True, 1.0, 1.0)])
    tree.first_child[ROOT], tree.children[ROOT] = 1, 2
    drop_child(tree, 2)  # a game's rules, or a Go program, may forbid moves


def tactics() -> None:
    """Read chains by either method, all chains of a position, and the ladders of shapes."""
    compile_solver()
    learned = PriorTable(np.ones(1, np.uint64), np.zeros(1), 0.0)
    board, stone = _attacked_stone()
    Facts(learned).chains(board, ReadingBudget())
    is_captured_in_ladder(board, stone, True, 10, ladder_work())
    diagonals(stone)


def board() -> None:
    """Play, undo, count and set up."""
    game = Game(5)
    for point in (to_point(2, 2), to_point(3, 3)):
        game.play(game.to_play, point)
    game.legal_points(BLACK)
    game.score()
    game.edit((), (), ())


def fates() -> None:
    """Decide which chains of a final position are dead, by roll-outs and by proofs."""
    Facts().status(Game(5))
    compile_life()


def endings() -> None:
    """Find and solve the fights of a late position."""
    board, point = empty_board(5), to_point(1, 1)
    place(board, point, BLACK)
    local_positions(board, [point], [BLACK | WHITE], np.zeros(AREA, np.uint8), WHITE, 9)
    advise(Game(5), BLACK, np.ones(AREA), Facts(), ReadingBudget(0))


def instant_move() -> None:
    """Move without a search, as the ranking model does early in a game."""
    player, game = Player(PlayerOptions(threads=1), Knowledge(patterns=no_patterns())), Game(5)
    for color in (BLACK, WHITE):
        game.play(color, player.choose(game, color, Allotment(0.0, 0.0)).point)


def owners() -> None:
    """Find out who owns the points by roll-outs, as a move without a search does late."""
    Facts().few_rollouts(Game(5), 1)


def people() -> None:
    """Predict people's moves, as levels and the estimate of ranks do."""
    game, model = Game(5), model_of_patterns()
    game.play(BLACK, to_point(2, 2))
    position = position_of(game, WHITE)
    PeoplePredictor(no_patterns(), model).of_position(position, 5, model.at(1.0))


_BOARD, _PEOPLE = KernelGroup("board", (board, owners)), KernelGroup("people", (people,))

RANKS = (_BOARD, _PEOPLE)
"""The kernels that estimate ranks."""

FIRST_MOVE = (KernelGroup("ranking model", (instant_move,)), _BOARD)
"""The board and the ranking model, which move while the rest is compiled."""

# Each process compiles the parts of its own groups. With two processes the one that is done with
# the board goes on to tactics. The search follows the ranking model, whose parts it shares: alone
# it takes 9.4 s of processor time, after the ranking model 4.6 s.
PLAYING = (
    *FIRST_MOVE,
    KernelGroup("tactics", (tactics,)),
    KernelGroup("search", (search,)),
    KernelGroup("fates", (fates,)),
    _PEOPLE,
    KernelGroup("endings", (endings,)),
)
"""All that games, problems and reviews need. Benchmarks and training compile their own kernels."""
