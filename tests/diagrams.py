"""Boards drawn in text, and random games, for all tests of positions.

X is Black, O White, a dot empty; the top row is the highest, as on a screen.
"""

import textwrap
from collections.abc import Collection

from hypothesis import strategies as st

from engine import BLACK, RULESETS, WHITE, Game, MoveCode, Rules, board_points
from engine.go.geometry import PASS, to_column_row, to_point
from engine.jit import JIT_ENABLED
from engine.picture import picture
from tests.reference.board import Stones

PLAIN = Rules("plain", "area", "none")
SUPERKO = Rules("positional", "area", "positional")


# White lives by D4, and Black kills there.
HANGING = """
    . X O . O
    X X O . O
    . X O . O
    X X O O O
    . X X X X"""

# A seki: x and o have an eye each and one shared liberty.
EYE_EACH = """
    . x . o . o X
    x x o o o o X
    O O X X X X X
    . O X . . . .
    O O X . . . .
    . O X . . . .
    . O X . . . ."""

# The capture of four stones in the corner leaves a ko: bent four, alive only while Black waits.
BENT_FOUR = """
    . X . X . X .
    X X X X X X X
    . X . X . X .
    X X X X X X X
    o o o o o X X
    . o o o o X X
    x x x . o X ."""

# Each capture of the two stones begins with a self-atari, which gives more than it takes.
TWO_SELF_ATARIS = """
    . O . O . O O
    O O O O O O O
    . O . O O O x
    O O O O O x x
    O O O x x x .
    . O O x x o o
    O O O x . x ."""

# Black and White share the board, each with eyes in every other row.
EYES = """
    . X . X O . O
    X X X X O O O
    . X . X O . O
    X X X X O O O
    . X . X O . O
    X X X X O O O
    . X . X O . O"""

# White's chain has three liberties; its capture is proved within 2,000 nodes and not within 20.
NETTED = """
    . . . . . . .
    . . X X X . .
    . X O O O X .
    . X . O . X .
    . . X . X . .
    . . . . . . .
    . . . . . . ."""

# One move links the chains of one color, and cuts the chains of the other apart.
GAP = """
    . . . . . . .
    . . O O . . .
    X X X . X X .
    . . O O . . .
    . . . . . . .
    . . . . . . .
    . . . . . . ."""


def rows_of(diagram: str) -> list[str]:
    """Return the rows of a diagram from the bottom up, without spaces; "/" ends a row, too."""
    lines = textwrap.dedent(diagram).strip().replace("/", "\n").splitlines()
    return [line.replace(" ", "") for line in reversed(lines)]


def points_marked(diagram: str, mark: str) -> list[int]:
    """Return the points of a diagram that carry a mark, sorted."""
    return [
        to_point(column, row)
        for row, line in enumerate(rows_of(diagram), 1)
        for column, found in enumerate(line, 1)
        if found == mark
    ]


def game_of(diagram: str, to_play: int = BLACK, rules: Rules = PLAIN, komi: float = 0.0) -> Game:
    """Return a game that begins at a diagram; x and o are stones, too (of chains in question)."""
    game = Game(len(rows_of(diagram)), rules, komi)
    black = points_marked(diagram, "X") + points_marked(diagram, "x")
    white = points_marked(diagram, "O") + points_marked(diagram, "o")
    game.setup(black, white, to_play)
    return game


def picture_of(game: Game) -> str:
    """Return the stones of a game as a diagram."""
    return "\n".join(
        "".join(".XO"[game.color_at(to_point(column, row))] for column in range(1, game.size + 1))
        for row in range(game.size, 0, -1)
    )


def chains_of(game: Game) -> list[list[int]]:
    """Return the sorted stones of all chains, by their first stones."""
    return [sorted(chain.stones) for chain in picture.picture_of(game.board).chains]


def chain_of(game: Game, stone: int) -> list[int]:
    """Return the sorted stones of a stone's chain, none for an empty point."""
    return next((stones for stones in chains_of(game) if stone in stones), [])


def liberties_at(game: Game, stone: int) -> list[int]:
    """Return the sorted liberties of a stone's chain."""
    return list(picture.picture_of(game.board).chain_at(stone).liberties)


def stones_of(game: Game) -> Stones:
    """Return the stones of a game as the slow twin keeps them."""
    return {to_column_row(p): c for c in (BLACK, WHITE) for p in game.stones(c)}


def rim_of(game: Game, points: Collection[int]) -> set[int]:
    """Return the points of the board next to some points, without these."""
    near = {p + step for p in points for step in (1, -1, 26, -26)}
    return near & set(board_points(game.size)) - set(points)


def random_games(
    smallest: int = 2,
    largest: int = 9,
    rules: Rules | None = None,
    most_moves: int = 160 if JIT_ENABLED else 60,
) -> st.SearchStrategy[Game]:
    """Return a strategy of legal games: mostly alternating, sometimes a pass or a repeat."""

    @st.composite
    def build(draw: st.DrawFn) -> Game:
        size = draw(st.integers(smallest, largest if JIT_ENABLED else min(largest, 6)))
        chosen = rules or draw(st.sampled_from([PLAIN, *RULESETS.values()]))
        game = Game(size, chosen)
        random = draw(st.randoms(use_true_random=False))
        count = draw(st.integers(0, min(most_moves, 3 * size * size)))
        for _ in range(count):
            color = game.to_play if random.random() < 0.95 else 3 - game.to_play
            game.play(color, random_point(game, color, random.choice), superko=True)
        return game

    return build()


def random_point(game: Game, color: int, choice) -> int:
    """Return a random legal point by trial, PASS when the tenth guess fails."""
    points = board_points(game.size)
    for _ in range(10):
        point = choice(points)
        if game.legality(color, point) == MoveCode.LEGAL:
            return point
    return PASS
