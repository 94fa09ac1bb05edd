"""What several answers are made of: vertices, points, and what a search reports."""

from collections.abc import Iterable

from engine import BLACK, Game, MoveBelief, SearchReport, format_vertex, to_point

LINE_MOVES = 20  # of a principal variation


def vertices(points: Iterable[int]) -> str:
    """Return points as words."""
    return " ".join(format_vertex(point) for point in points)


def score(points: float) -> str:
    """Return a number of points with one decimal, or with as many as it needs."""
    # Komi may be set in quarters, which one decimal would round to another result.
    return f"{points:.1f}" if (points * 10).is_integer() else f"{points:.12g}"


def moves_to_show(report: SearchReport, least: int, most: int) -> tuple[MoveBelief, ...]:
    """Return the moves that were tried; at least and at most so many, never none."""
    # Never none: Sabaki and Lizzie show nothing, and wait, until a first line has come.
    tried = sum(move.playouts > 0 for move in report.moves)
    return report.moves[: max(min(max(tried, least), most), 1)]


def variation(move: MoveBelief) -> str:
    """Return the line that begins with a move."""
    return vertices(move.line[:LINE_MOVES])


def owners_from_top(game: Game, color: int, report: SearchReport) -> list[float]:
    """Return who owns each point, row by row from the top: 1 the color, -1 its opponent."""
    size = game.size
    # The report's owners are Black's, KataGo's and so every reader's the side to move's.
    sign = 1.0 if color == BLACK else -1.0
    return [
        sign * float(report.ownership[to_point(column, row)])
        for row in range(size, 0, -1)
        for column in range(1, size + 1)
    ]
