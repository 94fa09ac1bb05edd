"""The positions of a game so far, and the questions about the current one.

Boards never change once a position is reached. The last few are kept, and one in every ``_APART``;
undo rebuilds the others from the moves.
"""

from collections.abc import Set
from typing import NamedTuple

from engine.errors import IllegalMove, MoveCode
from engine.go.board import BLACK, COLOR, EMPTY, KO, WHITE, Board, empty_board, legality, play
from engine.go.geometry import AREA, PASS, board_points, format_vertex
from engine.go.rules import Rules
from engine.go.zobrist import zobrist_keys

COLOR_NAMES = {BLACK: "black", WHITE: "white"}

_RECENT = 24  # boards always kept: patterns read the last 22 positions
_APART = 16  # distance of kept boards; others take up to 15 moves to rebuild


_REASONS = {
    MoveCode.OCCUPIED: "the point is occupied",
    MoveCode.SUICIDE: "suicide",
    MoveCode.KO: "ko",
    MoveCode.SUPERKO: "superko",
    MoveCode.OFF_BOARD: "off the board",
}


class Move(NamedTuple):
    """One move: a color and a point, or PASS."""

    color: int
    point: int


class Snapshot(NamedTuple):
    """One position of a game, without its board."""

    hash: int  # Zobrist hash of the stones
    to_play: int  # the side to move by alternation
    captures: tuple[int, int]  # stones captured by Black and by White
    passes: int  # consecutive passes that led to it


class PlayedPositions:
    """The positions of a game, the current one last, and the moves that led to it."""

    def __init__(self, size: int, rules: Rules) -> None:
        self.size = size
        self.rules = rules
        self.moves: list[Move] = []
        self._positions = [Snapshot(0, BLACK, (0, 0), 0)]
        self._boards: list[Board | None] = [empty_board(size)]  # of each position; None: forgotten

    @property
    def board(self) -> Board:
        """The current position (read-only)."""
        board = self._boards[-1]
        assert board is not None  # the current board is always kept
        return board

    @property
    def to_play(self) -> int:
        """The side to move by alternation."""
        return self._positions[-1].to_play

    @property
    def passes(self) -> int:
        """The number of consecutive passes at the end of the game."""
        return self._positions[-1].passes

    @property
    def is_over(self) -> bool:
        """Whether both players have passed; ``play`` still accepts moves."""
        return self.passes >= 2

    @property
    def position_hash(self) -> int:
        """The Zobrist hash of the stones on the board."""
        return self._positions[-1].hash

    @property
    def last_point(self) -> int:
        """The point of the last move; PASS if there is none."""
        return self.moves[-1].point if self.moves else PASS

    def recent(self, count: int) -> list[tuple[Board, int]]:
        """Return the last ``count`` moves, each as the board after it and its point."""
        first = max(0, len(self.moves) - count)
        moves = enumerate(self.moves[first:], first + 1)
        return [(self._board_after(number), move.point) for number, move in moves]

    def _board_after(self, moves: int) -> Board:
        """Return the board after a number of moves."""
        start = moves
        while (start_board := self._boards[start]) is None:
            start -= 1
        if start == moves:
            return start_board
        board = start_board.copy()
        for move in self.moves[start:moves]:
            put_stone(board, move)
        return board

    def _keep_board(self, board: Board) -> None:
        """Add the board of a new position and drop an earlier one."""
        self._boards.append(board)
        old = len(self._boards) - 1 - _RECENT
        if old > 0 and old % _APART:
            self._boards[old] = None

    def captures(self, color: int) -> int:
        """Return the number of stones that a color has captured."""
        return self._positions[-1].captures[color - 1]

    def color_at(self, point: int) -> int:
        """Return EMPTY, BLACK, WHITE, or WALL off the board."""
        return int(self.board[COLOR + point])

    def stones(self, color: int) -> list[int]:
        """Return all points with stones of a color."""
        return [p for p in board_points(self.size) if self.board[COLOR + p] == color]

    # -- legality -----------------------------------------------------------------------------

    def legality(self, color: int, point: int, superko: bool = True) -> MoveCode:
        """Return the code of a move: legal, or the rule that forbids it.

        superko  whether the rule set's superko counts as well; simple ko always does
        """
        if point == PASS:
            return MoveCode.LEGAL
        if not 0 <= point < AREA or self.color_at(point) not in (EMPTY, BLACK, WHITE):
            return MoveCode.OFF_BOARD
        code = MoveCode(int(legality(self.board, point, color, self.rules.suicide)))
        if code == MoveCode.LEGAL and superko and not self.without_superko(color, [point]):
            return MoveCode.SUPERKO
        return code

    def legal_points(self, color: int, superko: bool = True) -> list[int]:
        """Return all points where a color may play, without PASS."""
        on_board = board_points(self.size)
        points = [p for p in on_board if self.legality(color, p, False) == MoveCode.LEGAL]
        return self.without_superko(color, points) if superko else points

    def without_superko(self, color: int, points: list[int]) -> list[int]:
        """Return those of some otherwise legal points that superko allows."""
        # Once for all points: comparing each with all positions took half of a move's overhead.
        forbidden = self._forbidden(color)
        return [p for p in points if not forbidden or self._hash_after(color, p) not in forbidden]

    def _forbidden(self, color: int) -> Set[int]:
        """Return the hashes of the positions that superko forbids a color's move to repeat."""
        superko, turn = self.rules.superko, 3 - color
        if superko == "none":
            return frozenset()
        return {p.hash for p in self._positions if superko == "positional" or p.to_play == turn}

    def _hash_after(self, color: int, point: int) -> int:
        """Return the hash of the position after a legal move."""
        # Played on a copy: only the capture itself shows its change of the hash.
        return self.position_hash ^ int(play(self.board.copy(), point, color, zobrist_keys()))


def put_stone(board: Board, move: Move) -> int:
    """Make a move or pass on a board in place; return the change of the Zobrist hash."""
    if move.point == PASS:
        board[KO] = 0
        return 0
    return int(play(board, move.point, move.color, zobrist_keys()))


def illegal_move(color: int, point: int, code: MoveCode) -> IllegalMove:
    """Return the error for a move that the rules forbid."""
    move = f"{COLOR_NAMES[color]} {format_vertex(point) if point < AREA else point}"
    return IllegalMove(f"illegal move: {move} ({_REASONS[code]})", code)
