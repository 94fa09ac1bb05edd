"""The legal part of a record's moves, from which a model can learn."""

from engine.errors import BadSetup, SgfError
from engine.go.board import COLOR, EMPTY, KO, Board, Points, is_legal, place
from engine.go.geometry import PASS
from engine.go.setup import set_up_board
from engine.jit import kernel


@kernel
def make_legal_moves(board: Board, colors: Points, moves: Points) -> int:
    """Make moves up to the first illegal one and return their number.

    Suicide and the recapture of a simple ko are illegal, as in training.
    board          uint16[BOARD_CELLS], changes in place
    colors, moves  int64[n], points or PASS
    """
    for i in range(len(moves)):
        point = moves[i]
        if point == PASS:  # place is not called, so the ban of the move before must end here
            board[KO] = 0
            continue
        # Occupied points are checked first, because is_legal assumes an empty one.
        if board[COLOR + point] != EMPTY or not is_legal(board, point, colors[i]):
            return i
        place(board, point, colors[i])
    return len(moves)


def count_legal(
    size: int, black: list[int], white: list[int], colors: Points, moves: Points
) -> int:
    """Return the number of a game's moves that can be made in turn.

    black, white  stones on the board before the first move
    Raises SgfError when these are impossible.
    """
    try:
        board = set_up_board(size, black, white)
    except BadSetup as error:
        raise SgfError(f"the set-up is impossible: {error}") from None
    return int(make_legal_moves(board, colors, moves))
