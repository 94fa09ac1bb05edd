"""Another program's opinion of a position: Pachi's win rate, asked over GTP.

Pachi reports it after generating a move (``pachi-result``): the color to move, the move, its
roll-outs, and the win rate of that color.
"""

from engine import BLACK, COLOR_NAMES, Game, format_vertex
from scripts.controller import Controller, ProgramFailed

TIMEOUT = 120.0  # seconds a command


class OtherEngine:
    """A program that knows ``pachi-result``; end it with ``close``.

    Raises ProgramFailed when there is no such program or it answers otherwise.
    """

    def __init__(self, command: str) -> None:
        self._controller = Controller(command, TIMEOUT)

    def close(self) -> None:
        """End the program."""
        self._controller.close()

    def black_win_rate(self, game: Game) -> float | None:
        """Return the program's probability that Black wins a game from here.

        None: it did not search (for a joseki or an only move, perhaps), and has no opinion.
        """
        send = self._controller.send
        for command in (f"boardsize {game.size}", "clear_board", f"komi {game.komi}"):
            send(command)
        for color, point in game.moves:
            send(f"play {COLOR_NAMES[color]} {format_vertex(point)}")
        send(f"genmove {COLOR_NAMES[game.to_play]}")
        try:
            answer = send("pachi-result")
        except ProgramFailed:
            # A program that does not know the command, or has ended, fails here as well.
            if send("known_command pachi-result") != "true":
                raise
            return None
        # The answer's color, not ours: after a resignation it may be the opponent's.
        try:
            color, _, _, rate, *_ = answer.split()
            win_rate = float(rate)
        except ValueError:
            raise ProgramFailed(f"pachi-result was answered {answer!r}") from None
        return win_rate if color == COLOR_NAMES[BLACK] else 1.0 - win_rate
