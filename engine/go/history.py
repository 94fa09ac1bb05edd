"""A game: set-up, moves, undo, komi and score. ``played`` answers questions on the position."""

from collections.abc import Collection, Hashable, Iterable
from typing import overload

from engine.errors import BadSetup, MoveCode, YomiError
from engine.go.board import BLACK, COLOR, EMPTY, EMPTY_COUNT, WHITE
from engine.go.drawing import board_svg, board_text
from engine.go.geometry import PASS, format_vertex, parse_vertex
from engine.go.played import COLOR_NAMES, Move, PlayedPositions, Snapshot, illegal_move, put_stone
from engine.go.protection import points_to_fill
from engine.go.rules import RULESETS, Rules
from engine.go.scoring import area_score, point_owners, territory_score
from engine.go.setup import opening_stones, require_distinct, set_up_board
from engine.go.zobrist import hash_position, zobrist_keys

_MOVES_IN_REPR = 10


class Game(PlayedPositions):
    """A game from its set-up on; ``komi`` are points given to White.

    It does not enforce turns, and it accepts moves after two passes, as GTP controllers require.
    """

    def __init__(
        self, size: int = 19, rules: Rules = RULESETS["chinese"], komi: float = 7.5
    ) -> None:
        super().__init__(size, rules)
        self.komi = komi
        # Black stones added by hand before White's first stone, and whether Black's moves can
        # still add to them.
        self._given, self._opening = 0, True

    def copy(self) -> "Game":
        """Return an independent copy; positions are shared, because they never change."""
        # Without __init__, which would build an unused board.
        twin = Game.__new__(Game)
        twin.__dict__.update(self.__dict__)
        twin.moves = list(self.moves)
        twin._positions = list(self._positions)
        twin._boards = list(self._boards)
        return twin

    def continues(self, earlier: "Game") -> bool:
        """Return whether this game is an earlier one, with or without further moves."""
        count = len(earlier._positions)
        if len(self._positions) < count or self.beginning != earlier.beginning:
            return False
        there, here = self._positions[count - 1], earlier._positions[-1]
        # Positions never change, so the same object means the same past.
        return there is here or (
            (there.hash, there.to_play) == (here.hash, here.to_play)
            and self.moves[: count - 1] == earlier.moves
        )

    @property
    def beginning(self) -> Hashable:
        """Everything but the moves: two games that share it and their moves are the same game."""
        first = self._positions[0]
        terms = self.size, self.rules, self.komi, self.handicap
        return *terms, first.hash, first.to_play, first.captures, first.passes

    # -- handicap and komi --------------------------------------------------------------------

    @property
    def handicap(self) -> int:
        """The handicap: Black's stones and moves before White's first move; 0 if under 2.

        Clients and servers add them in different ways, so only the order of the stones counts.
        """
        stones = self._given + (opening_stones(self.moves) if self._opening else 0)
        return stones if stones > 1 else 0

    @property
    def full_komi(self) -> float:
        """Return White's total points from komi and handicap compensation."""
        return self.komi + self.rules.compensation(self.handicap)

    def area_komi(self, color: int) -> float:
        """Return the points for White that make the sign of an area margin the game's result.

        Territory counts prisoners, and area the stones on the board. Black's margins therefore
        differ by the stones that Black placed minus those that White placed by the end of the game.
        From now on both sides will place equally many, or the side to move, ``color``, one more:
        half a point.
        """
        if self.rules.scoring == "area":
            return self.full_komi
        placed = [len(self.stones(c)) + self.captures(3 - c) for c in (BLACK, WHITE)]
        return self.full_komi + placed[0] - placed[1] + (0.5 if color == BLACK else -0.5)

    # -- playing ------------------------------------------------------------------------------

    @overload
    def play(self, move: int | str, /, *, superko: bool = False, forced: bool = False) -> None: ...

    @overload
    def play(
        self, color: int, move: int | str, /, *, superko: bool = False, forced: bool = False
    ) -> None: ...

    def play(
        self,
        first: int | str,
        second: int | str | None = None,
        /,
        *,
        superko: bool = False,
        forced: bool = False,
    ) -> None:
        """Play a move, ``play("E5")``, or a color's move, ``play(WHITE, "E5")``.

        Without a color it is the move of the side to move. Superko repetitions are accepted
        unless ``superko`` forbids them.
        move    a vertex, "pass", or a point
        forced  play on an empty point even against the rules of ko and suicide
        Raises IllegalMove or BadVertex, and leaves the game as it was.
        """
        color, move = (self.to_play, first) if second is None else (int(first), second)
        point = parse_vertex(move, self.size) if isinstance(move, str) else move
        code = self.legality(color, point, superko)
        if forced and code in (MoveCode.KO, MoveCode.SUPERKO, MoveCode.SUICIDE):
            code = MoveCode.LEGAL
        if code != MoveCode.LEGAL:
            raise illegal_move(color, point, code)
        state = self._positions[-1]
        made = Move(color, point)
        # One copy per move instead of an undo record: this is hard to get wrong.
        board = self.board.copy()
        black, white = state.captures
        before = int(board[EMPTY_COUNT])
        position = state.hash ^ put_stone(board, made)
        if point != PASS:
            gone = int(board[EMPTY_COUNT]) - before + 1
            # After suicide these are prisoners of the opponent.
            captor = 3 - color if board[COLOR + point] == EMPTY else color
            black, white = black + gone * (captor == BLACK), white + gone * (captor == WHITE)
        self.moves.append(made)
        passes = state.passes + 1 if point == PASS else 0
        self._positions.append(Snapshot(position, 3 - color, (black, white), passes))
        self._keep_board(board)

    def undo(self) -> None:
        """Take back the last move. Raises YomiError when there is none."""
        if not self.moves:
            raise YomiError("cannot undo")
        self.moves.pop()
        self._positions.pop()
        self._boards.pop()
        self._boards[-1] = self._board_after(len(self.moves))

    def place_handicap(self, points: Iterable[int]) -> None:
        """Put black handicap stones on the empty board; White is then to move.

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
        board = set_up_board(self.size, black, white)
        position = int(hash_position(board, zobrist_keys()))
        # Superko compares positions: the history begins at a set-up.
        self._positions = [Snapshot(position, to_play, (0, 0), 0)]
        self._boards = [board]
        self._opening = not white
        self._given = len(black) if self._opening else 0

    def set_to_play(self, color: int) -> None:
        """Set the side to move in the current position."""
        self._positions[-1] = self._positions[-1]._replace(to_play=color)

    def edit(self, black: Collection[int], white: Collection[int], empty: Collection[int]) -> None:
        """Change stones of the current position by hand, as a record's set-up properties do.

        The changed position is the game's new beginning: prisoners and the handicap are kept.
        Before White's first stone, black stones add to the handicap and White is then to move.
        Raises BadSetup when a point is named twice or off the board, or a chain would have no
        liberty; the game is then unchanged.
        """
        require_distinct([*black, *white, *empty], self.size)
        colors = {p: c for c in (BLACK, WHITE) for p in self.stones(c)}
        colors |= dict.fromkeys(empty, EMPTY) | dict.fromkeys(black, BLACK)
        colors |= dict.fromkeys(white, WHITE)
        # On a new board first: a failure leaves this game unchanged.
        fresh = Game(self.size, self.rules, self.komi)
        fresh.setup(
            [p for p, c in colors.items() if c == BLACK],
            [p for p, c in colors.items() if c == WHITE],
            self.to_play,
        )
        fresh._positions[-1] = fresh._positions[-1]._replace(captures=self._positions[-1].captures)
        played = any(color == WHITE and point != PASS for color, point in self.moves)
        if played or not self._opening or not fresh._opening:
            self._given, self._opening = self.handicap, False
        else:
            self._given = fresh._given
            if len(black) and self._given > 1:
                fresh.set_to_play(WHITE)
        self.moves, self._positions, self._boards = [], fresh._positions, fresh._boards

    def _require_fresh(self) -> None:
        if self.moves or self.board[EMPTY_COUNT] != self.size * self.size:
            raise BadSetup("board not empty")

    # -- counting -----------------------------------------------------------------------------

    def score(
        self,
        dead: Collection[int] = (),
        seki: Collection[int] = (),
        captures: Collection[Move] = (),
    ) -> float:
        """Return Black's margin under the rules, komi and handicap compensation included.

        seki      stones alive in seki, which matter for territory only
        captures  played before the count, whatever the rules say about them
        """
        if captures:
            after = self.copy()
            for color, point in captures:
                after.play(color, point, forced=True)
            return after.score({stone for stone in dead if after.color_at(stone) != EMPTY}, seki)
        if self.rules.scoring == "area":
            margin = area_score(self.board, dead)
        else:
            owner = point_owners(self.board, dead)
            margin = territory_score(self.board, owner, self._positions[-1].captures, dead, seki)
            to_fill = points_to_fill(self.board, owner, dead, seki)
            margin -= len(to_fill[BLACK]) - len(to_fill[WHITE])
        return margin - self.full_komi

    # -- showing ------------------------------------------------------------------------------

    def __str__(self) -> str:
        state = (
            f"{COLOR_NAMES[self.to_play]} to play, move {len(self.moves) + 1}, "
            f"captured by black {self.captures(BLACK)}, by white {self.captures(WHITE)}"
        )
        terms = f"{self.rules.name} rules, komi {self.komi:g}"
        return "\n".join([terms, board_text(self.board, self.last_point), state])

    def __repr__(self) -> str:
        shown = [f"{' BW'[c]} {format_vertex(p)}" for c, p in self.moves[-_MOVES_IN_REPR:]]
        if len(self.moves) > _MOVES_IN_REPR:
            shown.insert(0, "...")
        return (
            f"<Game {self.size}x{self.size}, {self.rules.name} rules, komi {self.komi:g},"
            f" {len(self.moves)} moves: {', '.join(shown) or 'none'}>"
        )

    def _repr_svg_(self) -> str:
        """Return the board for a notebook."""
        return board_svg(self.board, self.last_point)
