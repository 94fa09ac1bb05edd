"""The best move in a sum of fights with outcomes known only as probabilities.

Source: Zhao & Mueller, Section 2, and Section 5 for a solver of sums inside a Go program. A fight
for a chain is a simple game with two-point distributions. A played-out region is the whole tree
of its moves, with one-point distributions at its ends, so that threats and their answers count.
The sum is solved exactly (``trees``). Points are counted in halves, so that komi is an integer.

# Deviates: the margin outside the fights is not certain. It may be off by J points, with
P(J = j) in proportion to SLACK ** |j|. Points beyond a bare win therefore count as well, as they
must when they are estimates and not proved. A jigo is half a win.
Slow twin: tests/reference/fights.py.
"""

from typing import NamedTuple

from engine.endings.chain_fights import ChainFight
from engine.endings.fights import LocalFight
from engine.endings.point_games import PointGame, Shapes
from engine.go.board import BLACK, WHITE
from engine.pcg.exact import TIE
from engine.pcg.game import OutcomeDistribution
from engine.pcg.trees import Branch, GameTree, mirrored, solve_trees

# Every further point is less likely: a margin off by one is half as likely as an exact one.
SLACK = 0.5
# Weights beyond this are below 2^-30.
FARTHEST = 30
MOST_POSITIONS = 2**14
"""Maximal number of positions of a sum."""


class ChanceAdvice(NamedTuple):
    """The advice for a move from a sum of fights for chains and of small fights.

    moves   the points that are best; never a pass
    chance  the mover's probability to win, if the fights' data are right
    fights  number of remaining fights
    chains  number of fights for a chain among them
    """

    moves: frozenset[int]
    chance: float
    fights: int
    chains: int


def best_chances(
    fights: list[LocalFight | ChainFight], settled: int, color: int, komi: float, shapes: Shapes
) -> ChanceAdvice | None:
    """Return the best moves of a sum; None if no fight is left or the best one depends on a ko.

    settled  Black's points outside the fights, minus White's
    komi     points for White, handicap compensation included
    If a ko can arise, a move must be best both if Black never takes a ko and if White never
    does. Raises BadSum when the sum is too large.
    """
    # Half points: komi is usually n + 1/2, and sums are of integers (``pcg.game``).
    offset = 2 * settled - round(2 * komi)
    kos = any(isinstance(f, LocalFight) and f.lower.game != f.upper.game for f in fights)
    found: list[tuple[frozenset[int], float]] = []
    for barred in (BLACK, WHITE) if kos else (BLACK,):
        parts = [_part(fight, color, barred, shapes) for fight in fights]
        n_fights = sum(bool(part.moves) for part in parts)
        if n_fights == 0:
            return None
        # A move that is best under both bounds is best for any result of the ko.
        found.append(_best(parts, offset, color))
    moves = frozenset.intersection(*(best for best, _ in found))
    if not moves:
        return None
    chains = sum(isinstance(fight, ChainFight) for fight in fights)
    return ChanceAdvice(moves, min(value for _, value in found), n_fights, chains)


class _Part(NamedTuple):
    """A fight as a tree, and the points to play for each option of the color to move."""

    tree: GameTree
    moves: list[frozenset[int]]


def _part(fight: LocalFight | ChainFight, color: int, barred: int, shapes: Shapes) -> _Part:
    """Return a fight as a tree; ``barred`` never takes a ko."""
    if isinstance(fight, ChainFight):
        return _Part(_simple_game(fight), [fight.moves[color]])
    game, moves = fight.lower if barred == BLACK else fight.upper
    options = shapes.options(game, color)
    points = [frozenset(p for p, to in moves[color].items() if to == o) for o in options]
    return _Part(_tree_of(game, shapes, {}), points)


def _best(parts: list[_Part], offset: int, color: int) -> tuple[frozenset[int], float]:
    """Return the best points for a color to begin at, and its probability to win.

    offset  Black's half points outside the fights, less komi
    """
    # Appended last, so that the trees' indices stay those of ``parts``.
    games = [part.tree for part in parts] + [slack(offset)]
    if color == WHITE:
        # 1 - offset: a sum of 0 is the loss of the first mover of either color (``mirrored``).
        games, offset = [mirrored(game) for game in games], 1 - offset
    solution = solve_trees(tuple(games), offset, MOST_POSITIONS)
    best = [
        points
        for part, values in zip(parts, solution.first_moves, strict=False)
        for points, value in zip(part.moves, values, strict=True)
        # All moves that differ by rounding alone: the search chooses among them.
        if value >= solution.value - TIE
    ]
    return frozenset().union(*best), solution.value


def slack(offset: int) -> OutcomeDistribution:
    """Return the possible errors of the margin in half points; odd ones if a jigo is possible.

    Odd errors keep a sum from being 0, so half of the jigos are won.
    """
    # Two half points are a point. An odd step between them splits a jigo into a win and a loss.
    odd = 1 - offset % 2
    steps = range(-FARTHEST - odd, FARTHEST + 1)
    weights = {2 * step + odd: SLACK ** abs(step + odd / 2) for step in steps}
    total = sum(weights.values())
    return OutcomeDistribution.of(*[(weight / total, value) for value, weight in weights.items()])


def _simple_game(fight: ChainFight) -> Branch:
    """Return a fight for a chain: one move by Black or White decides it."""
    black, white = (
        OutcomeDistribution.of((chance, 2 * fight.captured), (1.0 - chance, 2 * fight.saved))
        for chance in (fight.chances[BLACK], fight.chances[WHITE])
    )
    return Branch((black,), (white,))


def _tree_of(game: PointGame, shapes: Shapes, known: dict[PointGame, GameTree]) -> GameTree:
    """Return the tree of a game of points; ``known`` holds those of all earlier games."""
    # Different ways lead to the same positions of a region. Equal games become one object.
    if game not in known:
        if game.shape == 0:
            known[game] = OutcomeDistribution((2 * game.points,), (1.0,))
        else:
            known[game] = Branch(
                *(
                    tuple(_tree_of(o, shapes, known) for o in shapes.options(game, color))
                    for color in (BLACK, WHITE)
                )
            )
    return known[game]
