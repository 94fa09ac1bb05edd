"""The Go position as a sum of fights, and the best move of the sum.

Source of the idea: Zhao & Mueller, Section 5 (a solver of sums inside a Go program). The sum is
solved exactly, dame and the last move included, under area rules. All margins are Black's. The slow
twin is tests/reference/fights.py.
"""

from typing import NamedTuple

from engine.endings.local_play import MAX_POINTS, LocalPositions, local_positions
from engine.endings.point_games import PointGame, Shapes
from engine.endings.regions import EndgameRegion
from engine.go.board import BLACK, WHITE, Board, Mask

ROOM = 4000  # maximal number of local positions of one region


class Bound(NamedTuple):
    """A region's game when one color never takes a ko: now, and by color after each move."""

    game: PointGame
    moves: dict[int, dict[int, PointGame]]


class LocalFight(NamedTuple):
    """A region's game: Black gets ``lower`` to ``upper``, which are equal if no ko can arise."""

    lower: Bound
    upper: Bound


class SumAdvice(NamedTuple):
    """The advice for a move from a sum of fights.

    moves   the points that keep the best result; never a pass
    margin  Black's final points without komi that the mover can be sure of
    worth   points that the move gains over letting the opponent move first
    fights  number of remaining fights
    """

    moves: frozenset[int]
    margin: int
    worth: int
    fights: int


def best_moves(
    fights: list[LocalFight], settled: int, color: int, shapes: Shapes
) -> SumAdvice | None:
    """Return the best moves of a sum; None if no fight is left or the best depends on a ko."""
    sign = 1 if color == BLACK else -1
    # ``lower`` bars Black from kos, ``upper`` White: the barred mover's result is certain.
    sure = _margins([f.lower if color == BLACK else f.upper for f in fights], color, shapes)
    hoped = _margins([f.upper if color == BLACK else f.lower for f in fights], color, shapes)
    if not sure or all(fight.lower.game.shape == 0 for fight in fights):
        return None
    best = max(sure.values())
    moves = {point for point, margin in sure.items() if margin == best}
    unsure = {point for point, margin in hoped.items() if margin > best}
    # Another move could gain more if kos go well: the best one then depends on the ko.
    if unsure and unsure != moves:
        return None
    games = [fight.lower.game for fight in fights]
    worth = best - sign * shapes.margin(games, 3 - color)
    open_fights = sum(game.shape != 0 for game in games)
    return SumAdvice(frozenset(moves), sign * best + settled, worth, open_fights)


def _margins(bounds: list[Bound], color: int, shapes: Shapes) -> dict[int, int]:
    """Return for each move of a color its margin in the sum, from that color's view."""
    sign = 1 if color == BLACK else -1
    games = [bound.game for bound in bounds]
    return {
        # After the move the opponent moves in the whole sum, not necessarily in this fight.
        point: sign * shapes.margin([game, *games[:i], *games[i + 1 :]], 3 - color)
        for i, bound in enumerate(bounds)
        for point, game in bound.moves[color].items()
    }


def play_out(
    board: Board, region: EndgameRegion, owners: Mask, shapes: Shapes
) -> LocalFight | None:
    """Return a region as a game; None if it is too large or play can repeat a position."""
    if len(region.points) > MAX_POINTS:
        return None
    upper = _bound(board, region, owners, WHITE, shapes)
    if upper is None:
        return None
    # Without a ko both bounds are equal, and half the work is saved.
    lower = _bound(board, region, owners, BLACK, shapes) if upper[1] else upper
    return None if lower is None else LocalFight(lower[0], upper[0])


def _bound(
    board: Board, region: EndgameRegion, owners: Mask, barred: int, shapes: Shapes
) -> tuple[Bound, bool] | None:
    """Return a region's game when a color takes no kos, and whether a ko could be taken."""
    points, movers = list(region.points), list(region.movers)
    positions = local_positions(board, points, movers, owners, barred, ROOM)
    if positions is None:
        return None
    games = _games_of(positions, shapes)
    if games is None:
        return None
    moves = {
        color: {
            points[i]: games[int(child)]
            for i, child in enumerate(positions.options[0, color - 1])
            if child >= 0
        }
        for color in (BLACK, WHITE)
    }
    return Bound(games[0], moves), bool(positions.kos[0])


def _games_of(positions: LocalPositions, shapes: Shapes) -> dict[int, PointGame] | None:
    """Return the game of each local position; None if play can return to a position."""
    games: dict[int, PointGame] = {}
    options = [[set(map(int, side)) - {-1} for side in both] for both in positions.options]
    open_positions: set[int] = set()
    # An explicit stack: lines of local play can be longer than Python's recursion allows.
    stack = [0]
    while stack:
        position = stack[-1]
        black, white = options[position]
        waiting = [child for child in black | white if child not in games]
        if position in games:
            stack.pop()
        elif not waiting:
            stack.pop()
            open_positions.discard(position)
            games[position] = shapes.game(
                {games[child] for child in black},
                {games[child] for child in white},
                int(positions.margins[position]),
            )
        # A position that waits for itself: play repeats, so it has no value as a finite game.
        elif open_positions.intersection(waiting):
            return None
        else:
            open_positions.add(position)
            stack.extend(waiting)
    return games
