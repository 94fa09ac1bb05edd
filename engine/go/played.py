"""The positions of a game so far, and the questions about the current one.

Boards are copied from position to position and never change, so undo is exact.
"""

from typing import NamedTuple

from engine.errors import IllegalMove, MoveCode
from engine.go.board import BLACK, COLOR, EMPTY, HEAD, WHITE, Board, empty_board, legality, play
from engine.go.chains import liberties_of, stones_of
from engine.go.geometry import AREA, PASS, board_points, format_vertex
from engine.go.rules import Rules
from engine.go.zobrist import zobrist_keys

COLOR_NAMES = {BLACK: "black", WHITE: "white"}
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
    """One position of a game, as undo brings it back.

    hash      Zobrist hash of the stones
    to_play   the color whose turn it is by alternation
    captures  stones captured by Black and by White
    passes    passes in a row that led to it
    """

    board: Board
    hash: int
    to_play: int
    captures: tuple[int, int]
    passes: int


class PlayedPositions:
    """The positions of a game, the current one last, and the moves that led to it.

    size   points a side, MIN_SIZE..MAX_SIZE
    rules  the rule set
    moves  all moves played since the set-up
    """

    def __init__(self, size: int, rules: Rules) -> None:
        self.size = size
        self.rules = rules
        self.moves: list[Move] = []
        self._positions = [Snapshot(empty_board(size), 0, BLACK, (0, 0), 0)]

    @property
    def board(self) -> Board:
        """The current position; to be read, never changed."""
        return self._positions[-1].board

    @property
    def to_play(self) -> int:
        """The color whose turn it is by alternation."""
        return self._positions[-1].to_play

    @property
    def passes(self) -> int:
        """How many passes in a row the game ends with."""
        return self._positions[-1].passes

    @property
    def position_hash(self) -> int:
        """The Zobrist hash of the stones on the board."""
        return self._positions[-1].hash

    @property
    def last_point(self) -> int:
        """The point of the last move; PASS without a move, too."""
        return self.moves[-1].point if self.moves else PASS

    def recent(self, count: int) -> list[tuple[Board, int]]:
        """Return the last ``count`` moves, each as the board after it and its point."""
        first = max(0, len(self.moves) - count)
        positions, moves = self._positions[first + 1 :], self.moves[first:]
        return [(p.board, move.point) for p, move in zip(positions, moves, strict=True)]

    def captures(self, color: int) -> int:
        """Return how many stones a color has captured."""
        return self._positions[-1].captures[color - 1]

    def color_at(self, point: int) -> int:
        """Return EMPTY, BLACK, WHITE, or WALL off the board."""
        return int(self.board[COLOR + point])

    def stones(self, color: int) -> list[int]:
        """Return all points that hold stones of a color."""
        return [p for p in board_points(self.size) if self.board[COLOR + p] == color]

    def chain(self, point: int) -> list[int]:
        """Return the sorted stones of the chain at a point; empty where there is none."""
        return sorted(stones_of(self.board, point))

    def chains(self) -> list[list[int]]:
        """Return all chains on the board, each a sorted list of points."""
        heads = {int(self.board[HEAD + p]) for p in board_points(self.size)} - {0}
        return sorted(self.chain(head) for head in heads)

    def liberties(self, point: int) -> list[int]:
        """Return the sorted liberties of the chain at a point; empty where there is none."""
        return liberties_of(self.board, point)

    # -- legality -----------------------------------------------------------------------------

    def legality(self, color: int, point: int, superko: bool = True) -> MoveCode:
        """Return why a move is legal or not.

        superko  whether the rule set's superko counts, too; simple ko always does
        """
        if point == PASS:
            return MoveCode.LEGAL
        if not 0 <= point < AREA or self.color_at(point) not in (EMPTY, BLACK, WHITE):
            return MoveCode.OFF_BOARD
        code = MoveCode(int(legality(self.board, point, color, self.rules.suicide)))
        if code == MoveCode.LEGAL and superko and self._repeats(color, point):
            return MoveCode.SUPERKO
        return code

    def legal_points(self, color: int, superko: bool = True) -> list[int]:
        """Return all points where a color may play, PASS not among them."""
        return [
            point
            for point in board_points(self.size)
            if self.legality(color, point, superko) == MoveCode.LEGAL
        ]

    def _repeats(self, color: int, point: int) -> bool:
        """Return whether a move would repeat a position that the rule set's superko forbids."""
        if self.rules.superko == "none":
            return False
        # Played on a copy: what a capture does to the hash is only known by capturing.
        board = self.board.copy()
        change = int(play(board, point, color, zobrist_keys()))
        after = self.position_hash ^ change
        if self.rules.superko == "positional":
            return any(position.hash == after for position in self._positions)
        turn = 3 - color
        return any(p.hash == after and p.to_play == turn for p in self._positions)


def illegal_move(color: int, point: int, code: MoveCode) -> IllegalMove:
    """Return the error for a move that the rules forbid."""
    move = f"{COLOR_NAMES[color]} {format_vertex(point) if point < AREA else point}"
    return IllegalMove(f"illegal move: {move} ({_REASONS[code]})", code)
