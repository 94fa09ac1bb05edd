"""A game: set-up, moves, undo, and the rules that look at the past (superko, passes, prisoners).

The board itself has no past. ``Game`` keeps a copy of it for every position, so undo is exact
and costs nothing to get right.
"""

from collections.abc import Collection, Iterable
from typing import NamedTuple

from engine.errors import BadSetup, IllegalMove, MoveCode, YomiError
from engine.go.board import (
    BLACK,
    COLOR,
    EMPTY,
    EMPTY_COUNT,
    HEAD,
    KO,
    WHITE,
    Board,
    empty_board,
    is_legal,
    legality,
    place,
    play,
)
from engine.go.chains import liberties_of, stones_of
from engine.go.geometry import AREA, COLUMN_LETTERS, PASS, board_points, format_vertex, to_point
from engine.go.protection import points_to_fill
from engine.go.rules import RULESETS, Rules
from engine.go.scoring import area_score, territory_score
from engine.go.zobrist import hash_position, zobrist_keys

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


class _State(NamedTuple):
    """One position of a game: what undo has to bring back."""

    board: Board
    hash: int
    to_play: int
    captures: tuple[int, int]
    passes: int


class Game:
    """A game from its set-up on.

    Doesn't enforce turns, and accepts moves after two passes, as GTP controllers need it.
    size      points a side, MIN_SIZE..MAX_SIZE
    rules     the rule set
    komi      points given to White
    moves     all moves played since the set-up
    """

    def __init__(
        self, size: int = 19, rules: Rules = RULESETS["chinese"], komi: float = 7.5
    ) -> None:
        self.size = size
        self.rules = rules
        self.komi = komi
        # Black stones put on the board by hand before White's first stone, and whether Black's
        # moves may still add to them.
        self._given, self._opening = 0, True
        self.moves: list[Move] = []
        self._states = [_State(empty_board(size), 0, BLACK, (0, 0), 0)]

    def copy(self) -> "Game":
        """Return an independent copy; positions are shared, because they never change."""
        # Not by __init__, which would build a board only to drop it.
        twin = Game.__new__(Game)
        twin.__dict__.update(self.__dict__)
        twin.moves = list(self.moves)
        twin._states = list(self._states)
        return twin

    def continues(self, earlier: "Game") -> bool:
        """Return whether this is an earlier game with no more than moves added to it."""
        count = len(earlier._states)
        return (
            (self.size, self.rules, self.komi, self.handicap)
            == (earlier.size, earlier.rules, earlier.komi, earlier.handicap)
            and len(self._states) >= count
            # States never change, so the same object means the same past.
            and self._states[count - 1] is earlier._states[-1]
        )

    def recent(self, count: int) -> list[tuple[Board, int]]:
        """Return the last ``count`` moves, each as the board after it and its point."""
        first = max(0, len(self.moves) - count)
        states, moves = self._states[first + 1 :], self.moves[first:]
        return [(state.board, move.point) for state, move in zip(states, moves, strict=True)]

    # -- looking ------------------------------------------------------------------------------

    @property
    def handicap(self) -> int:
        """The handicap stones: Black's stones and moves before White's first move, 0 if under 2.

        Clients and servers place them in different ways, so only the order of the stones counts.
        A pass of White between them is no move. When White, too, moves twice in a row, a position
        was set up by moves, and Black's are no handicap. Source: KataGo, BoardHistory,
        computeNumHandicapStones.
        """
        stones = self._given + (self._opening_moves() if self._opening else 0)
        return stones if stones > 1 else 0

    def _opening_moves(self) -> int:
        count = 0
        for number, (color, point) in enumerate(self.moves, start=1):
            if color == BLACK:
                count += point != PASS
                continue
            if number < len(self.moves) and self.moves[number].color == WHITE:
                return 0
            if point != PASS:
                break
        return count

    @property
    def full_komi(self) -> float:
        """Return the points that White gets in all: komi and handicap compensation."""
        return self.komi + self.rules.compensation(self.handicap)

    def area_komi(self, color: int) -> float:
        """Return the points for White that make the sign of an area margin the game's result.

        Area counts the stones on the board, territory does not, but counts prisoners. So Black's
        margins differ by the stones that Black placed minus those that White placed, captured
        ones included, by the end of the game. From now on both will place as many, or the side to
        move one more: half a point for it.
        color  who is to move
        """
        if self.rules.scoring == "area":
            return self.full_komi
        placed = [len(self.stones(c)) + self.captures(3 - c) for c in (BLACK, WHITE)]
        return self.full_komi + placed[0] - placed[1] + (0.5 if color == BLACK else -0.5)

    @property
    def board(self) -> Board:
        """The current position; to be read, never changed."""
        return self._states[-1].board

    @property
    def to_play(self) -> int:
        """The color whose turn it is by alternation."""
        return self._states[-1].to_play

    @property
    def passes(self) -> int:
        """How many passes in a row the game ends with."""
        return self._states[-1].passes

    @property
    def position_hash(self) -> int:
        """The Zobrist hash of the stones on the board."""
        return self._states[-1].hash

    def captures(self, color: int) -> int:
        """Return how many stones a color has captured."""
        return self._states[-1].captures[color - 1]

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
            return any(state.hash == after for state in self._states)
        turn = 3 - color
        return any(state.hash == after and state.to_play == turn for state in self._states)

    # -- playing ------------------------------------------------------------------------------

    def play(self, color: int, point: int, superko: bool = False, forced: bool = False) -> None:
        """Play a move. Accepts superko repetitions unless asked not to.

        forced  whether to play it against the rules of ko and suicide, on an empty point
        Raises IllegalMove, and leaves the game as it was.
        """
        code = self.legality(color, point, superko)
        if forced and code in (MoveCode.KO, MoveCode.SUPERKO, MoveCode.SUICIDE):
            code = MoveCode.LEGAL
        if code != MoveCode.LEGAL:
            move = f"{COLOR_NAMES[color]} {format_vertex(point) if point < AREA else point}"
            raise IllegalMove(f"illegal move: {move} ({_REASONS[code]})", code)
        state = self._states[-1]
        # A copy a move (11 KB) instead of an undo record: nothing to get wrong.
        board = state.board.copy()
        captures = list(state.captures)
        position = state.hash
        if point == PASS:
            board[KO] = 0
        else:
            before = int(board[EMPTY_COUNT])
            position ^= int(play(board, point, color, zobrist_keys()))
            gone = int(board[EMPTY_COUNT]) - before + 1
            if gone > 0:  # after suicide the own stones count for the opponent
                captor = 3 - color if board[COLOR + point] == EMPTY else color
                captures[captor - 1] += gone
        self.moves.append(Move(color, point))
        passes = state.passes + 1 if point == PASS else 0
        self._states.append(_State(board, position, 3 - color, (captures[0], captures[1]), passes))

    def undo(self) -> None:
        """Take back the last move. Raises YomiError when there is none."""
        if not self.moves:
            raise YomiError("cannot undo")
        self.moves.pop()
        self._states.pop()

    def place_handicap(self, points: Iterable[int]) -> None:
        """Put black handicap stones on the empty board; White moves first after it.

        Raises BadSetup when the board is not empty or the points are not 2 or more distinct ones.
        """
        stones = list(points)
        self._require_fresh()
        if len(stones) < 2 or len(stones) >= self.size * self.size:
            raise BadSetup("invalid number of stones")
        self.setup(stones, (), WHITE)

    def setup(self, black: Collection[int], white: Collection[int], to_play: int) -> None:
        """Put stones of both colors on the empty board. Black stones alone are a handicap.

        Raises BadSetup when the board is not empty, a point is named twice or off the board, or
        a chain would have no liberty.
        """
        self._require_fresh()
        stones = [(BLACK, p) for p in black] + [(WHITE, p) for p in white]
        _require_distinct([point for _, point in stones], self.size)
        board = _board_with(self.size, stones)
        if board is None:
            raise BadSetup("a chain without liberties")
        position = int(hash_position(board, zobrist_keys()))
        # Superko looks at the states: a set-up is where the past begins.
        self._states = [_State(board, position, to_play, (0, 0), 0)]
        self._opening = not white
        self._given = len(black) if self._opening else 0

    def set_to_play(self, color: int) -> None:
        """Say whose turn it is in the current position."""
        self._states[-1] = self._states[-1]._replace(to_play=color)

    def edit(self, black: Collection[int], white: Collection[int], empty: Collection[int]) -> None:
        """Change stones of the current position by hand, as a record's set-up properties do.

        The changed position is the game's new beginning: moves are forgotten, prisoners and the
        handicap are kept. Before White's first stone, black stones add to the handicap, after
        which White is to move.
        Raises BadSetup when a point is named twice or off the
        board, or a chain would have no liberty; then nothing has changed.
        """
        _require_distinct([*black, *white, *empty], self.size)
        colors = {p: c for c in (BLACK, WHITE) for p in self.stones(c)}
        colors.update(dict.fromkeys(empty, EMPTY))
        colors.update(dict.fromkeys(black, BLACK))
        colors.update(dict.fromkeys(white, WHITE))
        # On a new board first: if it fails, this game has not changed.
        fresh = Game(self.size, self.rules, self.komi)
        fresh.setup(
            [p for p, c in colors.items() if c == BLACK],
            [p for p, c in colors.items() if c == WHITE],
            self.to_play,
        )
        fresh._states[-1] = fresh._states[-1]._replace(captures=self._states[-1].captures)
        played = any(color == WHITE and point != PASS for color, point in self.moves)
        if played or not self._opening or not fresh._opening:
            self._given, self._opening = self.handicap, False
        else:
            self._given = fresh._given
            if len(black) and self._given > 1:
                fresh.set_to_play(WHITE)
        self.moves, self._states = [], fresh._states

    def _require_fresh(self) -> None:
        if self.moves or self.board[EMPTY_COUNT] != self.size * self.size:
            raise BadSetup("board not empty")

    # -- counting -----------------------------------------------------------------------------

    def score(self, dead: Collection[int] = (), seki: Collection[int] = ()) -> float:
        """Return Black's margin under the rules, komi and handicap compensation included.

        dead  dead stones; seki  stones alive in seki (they matter for territory only)
        """
        if self.rules.scoring == "area":
            margin = area_score(self.board, dead)
        else:
            margin = territory_score(self.board, self._states[-1].captures, dead, seki)
            to_fill = points_to_fill(self.board, dead, seki)
            margin -= len(to_fill[BLACK]) - len(to_fill[WHITE])
        return margin - self.full_komi

    # -- showing ------------------------------------------------------------------------------

    def diagram(self) -> str:
        """Return the board as text: X is Black, O White, (X) the last move; no line is empty."""
        last = self.moves[-1].point if self.moves else PASS
        letters = "   " + " ".join(COLUMN_LETTERS[: self.size])
        lines = [letters]
        for row in range(self.size, 0, -1):
            points = [to_point(column, row) for column in range(1, self.size + 1)]
            gaps = [" "] * (self.size + 1)
            if last in points:
                gaps[points.index(last)] = "("
                gaps[points.index(last) + 1] = ")"
            cells = "".join(
                gap + ".XO"[self.color_at(p)] for gap, p in zip(gaps, points, strict=False)
            )
            lines.append(f"{row:2d}{cells}{gaps[-1]}{row}")
        lines.append(letters)
        lines.append(
            f"{COLOR_NAMES[self.to_play]} to play, move {len(self.moves) + 1}, "
            f"captured by black {self.captures(BLACK)}, by white {self.captures(WHITE)}"
        )
        return "\n".join(lines)


def _require_distinct(points: list[int], size: int) -> None:
    """Raise BadSetup when a point is named twice or lies off the board."""
    if len(set(points)) < len(points) or not set(points).issubset(board_points(size)):
        raise BadSetup("bad vertex list: a point twice or off the board")


def _board_with(size: int, stones: list[tuple[int, int]]) -> Board | None:
    """Return a board with the given stones, or None when a chain would have no liberty.

    Any order of the stones will do: as long as a chain is incomplete its missing stones are
    liberties, so on the way to a legal position nothing is ever captured.
    """
    board = empty_board(size)
    for color, point in stones:
        if not is_legal(board, point, color) or place(board, point, color) > 0:
            return None
    # Stones were put, not played: none of them took a ko.
    board[KO] = 0
    return board
