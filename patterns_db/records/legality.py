"""How far the moves of a record follow the rules: the part of it that can be learned from."""

from engine.errors import BadSetup, SgfError
from engine.go.board import COLOR, EMPTY, KO, Board, Points, is_legal, place
from engine.go.geometry import PASS
from engine.go.setup import set_up_board
from engine.jit import kernel


@kernel
def make_legal_moves(board: Board, colors: Points, moves: Points) -> int:
    """Make moves up to the first illegal one; return how many were made.

    Illegal are suicide and the recapture of a simple ko, as in training.
    board          uint16[BOARD_CELLS], changes in place
    colors, moves  int64[n], points or PASS
    """
    for i in range(len(moves)):
        point = moves[i]
        if point == PASS:  # place is not asked, so the ban of the move before must end here
            board[KO] = 0
            continue
        # Occupied points first: is_legal takes an empty one for granted.
        if board[COLOR + point] != EMPTY or not is_legal(board, point, colors[i]):
            return i
        place(board, point, colors[i])
    return len(moves)


def count_legal(
    size: int, black: list[int], white: list[int], colors: Points, moves: Points
) -> int:
    """Return how many of a game's moves can be made in turn.

    black, white  stones on the board before the first move
    Raises SgfError when they cannot stand there.
    """
    try:
        board = set_up_board(size, black, white)
    except BadSetup as error:
        raise SgfError(f"the set-up is impossible: {error}") from None
    return int(make_legal_moves(board, colors, moves))
