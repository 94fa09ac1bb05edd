"""Parts that several answers share: vertices, points, and values from a search report."""

from collections.abc import Iterable

from engine import (
    BLACK,
    NINETY_PERCENT,
    Game,
    MoveBelief,
    Ownership,
    SearchReport,
    format_vertex,
    to_point,
)

LINE_MOVES = 20  # of a principal variation


def vertices(points: Iterable[int]) -> str:
    """Return points as words."""
    return " ".join(format_vertex(point) for point in points)


def score(points: float) -> str:
    """Return a number of points with one decimal, or with more if it needs them."""
    # Komi may be set in quarters. Rounding it to one decimal would change results.
    return f"{points:.1f}" if (points * 10).is_integer() else f"{points:.12g}"


def moves_to_show(report: SearchReport, least: int, most: int) -> tuple[MoveBelief, ...]:
    """Return the moves that were tried: at least ``least``, at most ``most``, and never none.

    Before any roll-out these are all moves.
    """
    # The list is never empty: Sabaki and Lizzie show nothing until they get a first line.
    count = sum(move.playouts > 0 for move in report.moves) or len(report.moves)
    return report.moves[: max(min(max(count, least), most), 1)]


def variation(move: MoveBelief) -> str:
    """Return the line that begins with a move."""
    return vertices(move.line[:LINE_MOVES])


def lower_bound(move: MoveBelief) -> float:
    """Return a lower bound of a move's win rate that holds with probability 95 %."""
    return max(move.win_rate - NINETY_PERCENT * move.win_rate_deviation, 0.0)


def by_row(size: int) -> list[int]:
    """Return all points, row by row from the top."""
    rows = range(size, 0, -1)
    return [to_point(column, row) for row in rows for column in range(1, size + 1)]


def owners_from_top(game: Game, color: int, ownership: Ownership) -> list[float]:
    """Return the owner of each point, row by row from the top: 1 the color, -1 its opponent.

    ownership  Black's, as a SearchReport has it
    """
    # The report is from Black's view. KataGo and all clients expect that of the side to move.
    sign = 1.0 if color == BLACK else -1.0
    return [sign * float(ownership[point]) for point in by_row(game.size)]


def deviations_from_top(game: Game, ownership: Ownership) -> list[float]:
    """Return the standard deviation of the owner of each point, row by row from the top.

    At the end of a game each point belongs to one side. The value is 1 where both sides own the
    point equally often. In a seki some points belong to nobody, so it is a little less there.
    """
    return [round(max(1.0 - float(ownership[p]) ** 2, 0.0) ** 0.5, 6) for p in by_row(game.size)]
