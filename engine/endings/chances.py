"""The sum of fights some of whose outcomes are only known as probabilities: which one first.

Source: Zhao & Mueller, Section 2, and Section 5 for a solver of sums inside a Go program. A fight
for a chain is a simple game with two-point distributions. A region that was played out comes in
as the whole tree of its moves, with one-point distributions at its ends, so that threats and
their answers count; the sum is solved exactly (``trees``). Points are counted in halves, so that
komi is a whole number.

# Deviates: the margin outside the fights is not taken as sure. It may be off by J points, with
P(J = j) in proportion to SLACK ** |j|, so points count for more than just this side of victory,
as they must where they are judged and not proved; and a jigo is half a win.
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

# A point less sure for each further point: a margin off by one is half as likely as none.
SLACK = 0.5
# Weights beyond are below 2^-30.
FARTHEST = 30
MOST_POSITIONS = 2**14
"""Of a sum."""


class ChanceAdvice(NamedTuple):
    """What a sum of fights for chains and of small fights says of a move.

    moves   the points that are best; never a pass
    chance  the mover's probability to win, if what the fights are made of is right
    fights  how many fights are left
    chains  how many of them are fights for a chain
    """

    moves: frozenset[int]
    chance: float
    fights: int
    chains: int


def best_chances(
    fights: list[LocalFight | ChainFight], settled: int, color: int, komi: float, shapes: Shapes
) -> ChanceAdvice | None:
    """Return the best moves of a sum; None when no fight is left, or the best hangs on a ko.

    settled  Black's points outside the fights, minus White's
    komi     points for White, handicap compensation included
    Where a ko can arise, a move has to be best both if Black never takes a ko and if White never
    does. Raises BadSum when the sum is too large.
    """
    # Half points: komi is n + 1/2 as a rule, and sums are of integers (``pcg.game``).
    offset = 2 * settled - round(2 * komi)
    kos = any(isinstance(f, LocalFight) and f.lower.game != f.upper.game for f in fights)
    found: list[tuple[frozenset[int], float]] = []
    for barred in (BLACK, WHITE) if kos else (BLACK,):
        parts = [_part(fight, color, barred, shapes) for fight in fights]
        n_fights = sum(bool(part.moves) for part in parts)
        if n_fights == 0:
            return None
        # A move that is best under both bounds is best whatever becomes of the ko.
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
    """Return the points that are best for a color to begin at, and its probability to win.

    offset  Black's half points outside the fights, less komi
    """
    # Last, so that the trees' indices stay those of ``parts``.
    games = [part.tree for part in parts] + [slack(offset)]
    if color == WHITE:
        # 1 - offset: a sum of 0 is the first mover's loss, whoever that is (``mirrored``).
        games, offset = [mirrored(game) for game in games], 1 - offset
    solution = solve_trees(tuple(games), offset, MOST_POSITIONS)
    best = [
        points
        for part, values in zip(parts, solution.first_moves, strict=False)
        for points, value in zip(part.moves, values, strict=True)
        # All moves that rounding alone tells apart: among them the search chooses.
        if value >= solution.value - TIE
    ]
    return frozenset().union(*best), solution.value


def slack(offset: int) -> OutcomeDistribution:
    """Return by how many half points the margin may be off; odd ones where a jigo is possible.

    With odd ones a sum is never 0, and half of the jigos are won.
    """
    # Two half points are a point; an odd step in between splits a jigo into a win and a loss.
    odd = 1 - offset % 2
    steps = range(-FARTHEST - odd, FARTHEST + 1)
    weights = {2 * step + odd: SLACK ** abs(step + odd / 2) for step in steps}
    total = sum(weights.values())
    return OutcomeDistribution.of(*[(weight / total, value) for value, weight in weights.items()])


def _simple_game(fight: ChainFight) -> Branch:
    """Return a fight for a chain: Black's move, or White's, decides it."""
    black, white = (
        OutcomeDistribution.of((chance, 2 * fight.captured), (1.0 - chance, 2 * fight.saved))
        for chance in (fight.chances[BLACK], fight.chances[WHITE])
    )
    return Branch((black,), (white,))


def _tree_of(game: PointGame, shapes: Shapes, known: dict[PointGame, GameTree]) -> GameTree:
    """Return the tree of a game of points; ``known`` remembers those of all games met."""
    # Positions of a region are met on many ways; equal games become one object.
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
