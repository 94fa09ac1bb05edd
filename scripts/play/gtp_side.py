"""A GTP program as one side of a game."""

import time
from collections.abc import Sequence
from typing import Protocol

from engine import BLACK, WHITE, Game, Move, format_vertex, parse_vertex
from scripts.controller import Controller, ProgramFailed
from scripts.play.arena import ScoresDisagree, SideReply, margin_of

NAMES = {BLACK: "b", WHITE: "w"}


def show_game(program: Controller, game: Game, komi: float | None = None) -> None:
    """Send a whole game, with its set-up, to a program. Raises ProgramFailed.

    This removes the program's earlier board.
    komi  to send; None: the game's, without compensation for handicap stones
    """
    _clear(program, game.size, game.komi if komi is None else komi)
    start = game.copy()
    while start.moves:
        start.undo()
    stones = [Move(color, point) for color in (BLACK, WHITE) for point in start.stones(color)]
    if game.handicap:
        vertices = " ".join(format_vertex(point) for _, point in stones)
        program.send(f"set_free_handicap {vertices}")
    else:
        _tell(program, stones)
    _tell(program, game.moves)


def _clear(program: Controller, size: int, komi: float) -> None:
    program.send(f"boardsize {size}")
    # GTP does not define the board after boardsize.
    program.send("clear_board")
    program.send(f"komi {komi}")


def _tell(program: Controller, moves: Sequence[Move]) -> None:
    for move in moves:
        program.send(f"play {NAMES[move.color]} {format_vertex(move.point)}")


class GtpSide:
    """Plays one game over GTP: sends the other side's moves to the program, then asks for a move.

    clock  seconds for all its moves, absolute; None: no limit
    """

    def __init__(
        self, program: Controller, size: int, komi: float, clock: float | None = None
    ) -> None:
        self._program = program
        self._left = clock
        self._told = 0  # moves of the game that the program knows
        _clear(program, size, komi)
        if clock is not None:
            program.send(f"time_settings {clock:.0f} 0 0")

    def choose(self, game: Game) -> SideReply:
        """Return the program's move, or a loss on time. Raises ProgramFailed, BadVertex."""
        color = game.to_play
        # Its turn begins when it gets the other side's move, as on a server.
        start = time.monotonic()
        self._tell(game)
        answer = self._program.send(f"genmove {NAMES[color]}")
        if self._left is not None:
            # time_left is never sent, as in twogtp, which makes it harder.
            self._left -= time.monotonic() - start
            if self._left < 0.0:
                return SideReply(resign=True, late=True)
        # Programs differ in case.
        if answer.lower() == "resign":
            return SideReply(resign=True)
        self._told += 1  # it has played the move for itself
        return SideReply(parse_vertex(answer, game.size))

    def final_score(self, game: Game) -> str:
        """Return the program's own score of a finished game, "B+3.5" in one spelling."""
        self._tell(game)
        return _normal(self._program.send("final_score"))

    def _tell(self, game: Game) -> None:
        # Taken from the game, not from the last answer: one program may play both sides, and a game
        # may begin in the middle.
        _tell(self._program, game.moves[self._told :])
        self._told = len(game.moves)


class CountingSide(Protocol):
    """A side that counts a finished game."""

    def final_score(self, game: Game) -> str:
        """Return the side's score as a result in words, like "B+3.5"."""


def agreed_margin(game: Game, sides: Sequence[CountingSide]) -> float:
    """Return Black's margin by the scores of some sides.

    Raises ScoresDisagree, and ProgramFailed when the game has not ended or a score is no number.
    """
    if game.passes < 2:
        raise ProgramFailed(f"no end after {len(game.moves)} moves")
    scores = [side.final_score(game) for side in sides]
    if len(set(scores)) > 1:
        raise ScoresDisagree(" / ".join(scores))
    margin = margin_of(scores[0])
    if margin is None:
        raise ProgramFailed(f"not a score: {scores[0]!r}")
    return margin


def score_text(margin: float) -> str:
    """Return Black's margin [points] as a result in words."""
    return f"{'B' if margin > 0 else 'W'}+{abs(margin):g}" if margin else "0"


def _normal(score: str) -> str:
    """Return a score text in one spelling: B+3 and B+3.0 are the same."""
    color, plus, points = score.partition("+")
    try:
        return f"{color.upper()}{plus}{float(points):g}" if plus else "0"
    except ValueError:
        return score
