"""Boards drawn as text and as SVG. Both take the array of a board (see engine/go/board.py)."""

from collections.abc import Mapping
from html import escape

import numpy as np
import numpy.typing as npt

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
_LEAST_SHADE = 0.2  # smaller ownership is not shown


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


def board_svg(
    board: Board,
    last: int = PASS,
    labels: Mapping[int, str] | None = None,
    owners: npt.NDArray[np.floating] | None = None,
) -> str:
    """Return the board as an SVG element, with coordinates around it.

    last    point of the last move, marked by a ring; PASS: no mark
    labels  short texts for some points
    owners  float[AREA], owner of each point from 1 (Black) to -1 (White); shades the board
    """
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
    if owners is not None:
        parts += [_shade(owners, point, size) for point in board_points(size)]
    for point, text in (labels or {}).items():
        # A label on an empty point hides the lines behind it.
        color = int(board[COLOR + point])
        if color == EMPTY:
            parts.append(_circle(point, size, 0.42, 'fill="#e3b96b"'))
        ink = "#fff" if color == BLACK else "#000"
        parts.append(_text(*_place(point, size), text, ink))
    return "\n".join([*filter(None, parts), "</svg>"])


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
        parts += [_text(x, edge, COLUMN_LETTERS[k - 1], "#000", 0.35) for edge in (near, far)]
        parts += [_text(edge, y, str(k), "#000", 0.35) for edge in (near, far)]
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


def _shade(owners: npt.NDArray[np.floating], point: int, size: int) -> str:
    """Return a square in the owner's color, larger if more certain; nothing if undecided."""
    owner = float(owners[point])
    if abs(owner) < _LEAST_SHADE:
        return ""
    x, y = _place(point, size)
    half = 0.2 * CELL * min(abs(owner), 1.0)
    fill = "#000" if owner > 0 else "#fff"
    return (
        f'<rect x="{x - half:g}" y="{y - half:g}" width="{2 * half:g}" height="{2 * half:g}"'
        f' fill="{fill}" stroke="#888" stroke-width="0.5"/>'
    )


def _circle(point: int, size: int, radius: float, style: str) -> str:
    x, y = _place(point, size)
    return f'<circle cx="{x}" cy="{y}" r="{radius * CELL:g}" {style}/>'


def _text(x: int, y: int, text: str, ink: str, scale: float = 0.5) -> str:
    # Renderers differ in vertical centering, but agree on a shift by a third of the height.
    height = scale * CELL * min(1.0, 2.0 / max(len(text), 1))
    return (
        f'<text x="{x}" y="{y + 0.35 * height:g}" font-size="{height:g}" fill="{ink}">'
        f"{escape(text, quote=False)}</text>"
    )
