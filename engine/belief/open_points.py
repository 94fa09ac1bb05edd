"""Open points after roll-outs, by kind: roll-outs are wrong about some kinds more than others.

Open edges, an open center and chains with few liberties turn out differently, on average, than in
roll-outs. The worth of each kind was learned from results of games (``calibration``).
"""

import numpy as np

from engine.arrays import Floats
from engine.go.board import BLACK, COLOR, EMPTY, SIZE, Board
from engine.go.chains import count_liberties
from engine.go.geometry import STRIDE
from engine.jit import kernel
from engine.patterns.features import edge_line

LINES = 4  # Lines from the edge; points further inside count as the last line.
LIBERTIES = 5  # Liberties of a chain; more liberties count as this number.
# Slots: owners of empty points by line, owners of stones by line, stones by line, by liberties.
OWNED_STONES, STONES, BY_LIBERTIES = LINES, 2 * LINES, 3 * LINES
KINDS = BY_LIBERTIES + LIBERTIES


@kernel
def tally_open_points(board: Board, ownership: Floats, tally: Floats) -> None:
    """Add the open share of each kind to ``tally``, float64[KINDS]; as ``open_by_kind``."""
    size = np.int64(board[SIZE])
    for row in range(1, size + 1):
        for column in range(1, size + 1):
            point = row * STRIDE + column
            owner = ownership[point]
            doubt = 1.0 - owner * owner
            line = min(edge_line(board, point), LINES) - 1
            if board[COLOR + point] == EMPTY:
                tally[line] += owner * doubt
                continue
            sign = 1.0 if board[COLOR + point] == BLACK else -1.0
            tally[OWNED_STONES + line] += owner * doubt
            tally[STONES + line] += sign * doubt
            tally[BY_LIBERTIES + count_liberties(board, point, LIBERTIES) - 1] += sign * doubt


def open_by_kind(board: Board, ownership: Floats) -> Floats:
    """Return float64[KINDS]: Black's minus White's share of open points [points / board size].

    ownership  float64[AREA], mean owner of each point in roll-outs, -1 White .. 1 Black
    """
    tally = np.zeros(KINDS)
    tally_open_points(board, ownership, tally)
    return tally / int(board[SIZE])
