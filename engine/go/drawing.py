"""Boards drawn as text and as SVG. Both take the array of a board (see engine/go/board.py)."""

from engine.go.board import BLACK, COLOR, EMPTY, SIZE, Board
from engine.go.geometry import (
    COLUMN_LETTERS,
    PASS,
    board_points,
    fixed_handicap,
    max_fixed_handicap,
    to_column_row,
    to_point,
)

CELL = 24  # pixels between lines


def board_text(board: Board, last: int = PASS) -> str:
    """Return the board as text: X is Black, O White, (X) the last move; no line is blank."""
    size = int(board[SIZE])
    letters = "   " + " ".join(COLUMN_LETTERS[:size])
    lines = [letters]
    for row in range(size, 0, -1):
        points = [to_point(column, row) for column in range(1, size + 1)]
        gaps = [" "] * (size + 1)
        if last in points:
            gaps[points.index(last)] = "("
            gaps[points.index(last) + 1] = ")"
        cells = "".join(
            gap + ".XO"[int(board[COLOR + p])] for gap, p in zip(gaps, points, strict=False)
        )
        lines.append(f"{row:2d}{cells}{gaps[-1]}{row}")
    lines.append(letters)
    return "\n".join(lines)


def board_svg(board: Board, last: int = PASS) -> str:
    """Return the board as an SVG element, with coordinates and a ring on the last move."""
    size = int(board[SIZE])
    side = (size + 1) * CELL
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{side}" height="{side}"'
        f' viewBox="0 0 {side} {side}" font-family="sans-serif" text-anchor="middle">',
        f'<rect width="{side}" height="{side}" fill="#e3b96b"/>',
        *_lines(size),
        *_coordinates(size),
    ]
    for point in board_points(size):
        parts += _stone(board, point, last)
    return "\n".join([*parts, "</svg>"])


def _place(point: int, size: int) -> tuple[int, int]:
    """Return (x, y) of a point in pixels from the upper left corner."""
    column, row = to_column_row(point)
    return column * CELL, (size + 1 - row) * CELL


def _lines(size: int) -> list[str]:
    """Return the lines of the board and its handicap points."""
    low, high = CELL, size * CELL
    path = "".join(f"M{low} {k * CELL}H{high}M{k * CELL} {low}V{high}" for k in range(1, size + 1))
    # A board with a handicap of nine stones has all its marked points in it.
    most = max_fixed_handicap(size)
    dots = [] if most == 0 else fixed_handicap(size, most)
    return [
        f'<path d="{path}" stroke="#000" stroke-width="{CELL / 24:g}" fill="none"/>',
        *(_circle(point, size, 0.1, 'fill="#000"') for point in dots),
    ]


def _coordinates(size: int) -> list[str]:
    """Return the letters and numbers along all four edges."""
    parts = []
    # In the middle of the margin beside a stone on the edge.
    near, far = CELL // 4, (size + 1) * CELL - CELL // 4
    for k in range(1, size + 1):
        x, y = k * CELL, (size + 1 - k) * CELL
        parts += [_text(x, edge, COLUMN_LETTERS[k - 1]) for edge in (near, far)]
        parts += [_text(edge, y, str(k)) for edge in (near, far)]
    return parts


def _stone(board: Board, point: int, last: int) -> list[str]:
    """Return the stone at a point, ringed if it was played last; nothing if the point is empty."""
    size, color = int(board[SIZE]), int(board[COLOR + point])
    if color == EMPTY:
        return []
    fill, ring = ("#000", "#fff") if color == BLACK else ("#fff", "#000")
    parts = [_circle(point, size, 0.47, f'fill="{fill}" stroke="#000"')]
    if point == last:
        parts.append(_circle(point, size, 0.28, f'fill="none" stroke="{ring}"'))
    return parts


def _circle(point: int, size: int, radius: float, style: str) -> str:
    x, y = _place(point, size)
    return f'<circle cx="{x}" cy="{y}" r="{radius * CELL:g}" {style}/>'


def _text(x: int, y: int, text: str) -> str:
    # Renderers differ in vertical centering, but agree on a shift by a third of the height.
    height = 0.35 * CELL * min(1.0, 2.0 / len(text))
    return (
        f'<text x="{x}" y="{y + 0.35 * height:g}" font-size="{height:g}" fill="#000">{text}</text>'
    )
