"""What roll-outs leave open, by kinds of points: they are wrong about some kinds more than others.

Moves are drawn by what is near the last one, so an open edge, an open center or a chain with few
liberties comes out otherwise, on the whole, than roll-outs make it. How much is open of each kind
is seen from their owners; what that is worth was learned from results of games and is part of the
win rates that are shown (``calibration``). Of what is settled nothing is left to be wrong about.
"""

import numpy as np

from engine.arrays import Floats
from engine.go.board import BLACK, COLOR, EMPTY, SIZE, Board
from engine.go.chains import count_liberties
from engine.go.geometry import STRIDE
from engine.jit import kernel
from engine.patterns.features import edge_line

LINES = 4  # from the edge; what is further inside counts as the last
LIBERTIES = 5  # of a chain; what has more counts as this
# Slots: owners of empty points by line, owners of stones by line, stones by line, by liberties.
OWNED_STONES, STONES, BY_LIBERTIES = LINES, 2 * LINES, 3 * LINES
KINDS = BY_LIBERTIES + LIBERTIES


@kernel
def tally_unsettled(board: Board, ownership: Floats, tally: Floats) -> None:
    """Add what is open of each kind to ``tally``, float64[KINDS]; arguments as in ``unsettled``."""
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


def unsettled(board: Board, ownership: Floats) -> Floats:
    """Return float64[KINDS]: Black's minus White's share of what is open [points / board size].

    ownership  float64[AREA], mean owner of each point in roll-outs, -1 White .. 1 Black
    """
    tally = np.zeros(KINDS)
    tally_unsettled(board, ownership, tally)
    return tally / int(board[SIZE])
