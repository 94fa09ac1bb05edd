"""A game on the stand-in for OGS, and the opponent in it."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from engine import (
    BLACK,
    PASS,
    RULESETS,
    WHITE,
    Game,
    Rules,
    fixed_handicap,
    to_column_row,
    to_point,
)
from scripts.check.ogs_clock import Json, OgsClock

BOT, OPPONENT = 7, 8  # ids of the two accounts
MOST_SECONDS = 120.0  # of a game
Handicap = Literal["none", "as moves", "on the board"]


@dataclass(frozen=True)
class Contest:
    """The conditions of a game to be played.

    name          for the table of results
    control       OGS's time control, see OgsClock
    bot           the bot's color
    stones, handicap  how many handicap stones, and whether Black places them as moves or finds
                  them on the board
    moves         moves of the bot after which the opponent only passes
    pause         seconds that the opponent thinks; gtp2ogs takes its time to be ready for a move
    """

    name: str
    control: Json
    bot: int = WHITE
    stones: int = 0
    handicap: Handicap = "none"
    moves: int = 4
    pause: float = 0.7
    size: int = 9
    rules: str = "chinese"
    komi: float = 7.5


@dataclass
class Result:
    """The observations of one game."""

    contest: Contest
    game: Game
    seconds: list[float] = field(default_factory=list)  # of the bot for each move, with its start
    pondered: float = 0.0  # CPU seconds of the bot while the opponent thought
    chats: list[Json | str] = field(default_factory=list)  # the bot's messages in the game
    wrong: list[str] = field(default_factory=list)
    end: str = ""


def letters(game: Game, point: int) -> list[int]:
    """Return (x, y) of a point as OGS counts them, from the upper left corner, from 0."""
    if point == PASS:
        return [-1, -1]
    column, row = to_column_row(point)
    return [column - 1, game.size - row]


def point_of(game: Game, move: str) -> int:
    """Return the point that two letters name, ".." for a pass. Raises ValueError."""
    if move == "..":
        return PASS
    x, y = (ord(letter) - ord("a") for letter in move)
    if not (0 <= x < game.size and 0 <= y < game.size):
        raise ValueError(move)
    return to_point(x + 1, game.size - y)


class Server(Protocol):
    """The connection to the bot; see StandIn."""

    busy: Callable[[], float]

    def send(self, command: str, data: Any) -> None:
        """Send a message."""

    def receive(self, ends: float) -> tuple[str, Any]:
        """Return the next message that concerns a game. Raises ConnectionError, TimeoutError."""


class OgsGame:
    """One game on the server, with the opponent in it: any legal move, then passes."""

    def __init__(self, server: Server, number: int, contest: Contest) -> None:
        rules: Rules = RULESETS[contest.rules]
        self._server, self._number, self._contest = server, number, contest
        self._game = Game(contest.size, rules, contest.komi)
        self._placed: list[int] = []
        if contest.handicap == "on the board":
            self._placed = fixed_handicap(contest.size, contest.stones)
            self._game.place_handicap(self._placed)
        self._clocks = {color: OgsClock.full(contest.control) for color in (BLACK, WHITE)}
        self._phase, self._outcome = "play", ""
        self._last_ms = int(1000 * time.time())
        self._connected = False
        self._result = Result(contest, self._game)

    @property
    def _to_play(self) -> int:
        contest = self._contest
        if contest.handicap == "as moves" and len(self._game.moves) < contest.stones:
            return BLACK
        return self._game.to_play

    def play(self) -> Result:
        """Play to the end."""
        ends = time.monotonic() + MOST_SECONDS
        self._server.send("active_game", self._told())
        try:
            while self._phase == "play":
                if self._connected and self._to_play != self._contest.bot:
                    self._answer()
                    continue
                self._take(*self._server.receive(ends))
        except (OSError, TimeoutError) as error:
            self._result.wrong.append(f"no more messages ({type(error).__name__}: {error})")
            self._finish("gave up")
        self._result.end = self._outcome
        return self._result

    def _take(self, command: str, data: Any) -> None:
        # gtp2ogs may still send a move of an ended game, held back by min_move_time.
        if data["game_id"] != self._number:
            return
        match command:
            case "game/connect":
                self._connected = True
                self._server.send(self._named("gamedata"), self._told())
            case "game/chat":
                self._result.chats.append(data["body"])
            case "game/move":
                self._bot_moves(data["move"])
            case "game/resign":
                self._finish("Resignation")

    def _bot_moves(self, move: str) -> None:
        now = time.time()
        self._result.seconds.append(now - self._last_ms / 1000)
        color = self._contest.bot
        if self._to_play != color:
            self._result.wrong.append(f"{move} out of turn")
        try:
            point = point_of(self._game, move)
        except ValueError:
            point = None
        if point is None or self._game.legality(color, point) != 0:
            self._result.wrong.append(f"illegal move {move}")
            self._finish("gave up")
            return
        # OGS's clocks start with the first move (start_mode), and until then yomi loads its
        # kernels.
        is_first = len(self._result.seconds) == 1
        if not is_first and not self._clocks[color].spend(self._result.seconds[-1]):
            self._result.wrong.append("out of time")
        self._move(color, point)

    def _answer(self) -> None:
        busy = self._server.busy
        before = busy()
        time.sleep(self._contest.pause)
        self._result.pondered += busy() - before
        color = 3 - self._contest.bot
        mine = len(self._result.seconds)
        points = self._game.legal_points(color)
        if mine >= self._contest.moves or not points:
            point = PASS
        else:
            # Any point works; one far from the edge gives the bot something to answer.
            point = max(points, key=lambda p: (self._height(p), -p))
        self._clocks[color].spend(self._contest.pause)
        self._move(color, point)
        # A bot that does not pass would go on forever: enough was seen.
        if self._phase == "play" and mine >= self._contest.moves + 3:
            self._finish("Resignation")

    def _height(self, point: int) -> int:
        size = self._game.size
        return min(min(place, size + 1 - place) for place in to_column_row(point))

    def _move(self, color: int, point: int) -> None:
        self._game.play(color, point)
        now_ms = int(1000 * time.time())
        move = {
            "game_id": self._number,
            "move_number": len(self._game.moves),
            "move": [*letters(self._game, point), now_ms - self._last_ms],
        }
        self._last_ms = now_ms
        self._server.send(self._named("move"), move)
        self._server.send(self._named("clock"), self._clock())
        if self._game.passes >= 2:
            self._finish("two passes")

    def _finish(self, outcome: str) -> None:
        self._phase, self._outcome = "finished", outcome
        self._server.send(self._named("phase"), "finished")
        self._server.send(self._named("gamedata"), self._told())
        self._server.send("active_game", self._told())

    def _named(self, event: str) -> str:
        return f"game/{self._number}/{event}"

    def _clock(self) -> Json:
        black, white = (BOT, OPPONENT) if self._contest.bot == BLACK else (OPPONENT, BOT)
        return {
            "game_id": self._number,
            "current_player": black if self._to_play == BLACK else white,
            "black_player_id": black,
            "white_player_id": white,
            "last_move": self._last_ms,
            "black_time": self._clocks[BLACK].told(self._last_ms),
            "white_time": self._clocks[WHITE].told(self._last_ms),
        }

    def _told(self) -> Json:
        contest, clock = self._contest, self._clock()
        names = {BOT: "yomi", OPPONENT: "opponent"}
        black, white = clock["black_player_id"], clock["white_player_id"]
        stones = "".join(
            chr(97 + x) + chr(97 + y) for x, y in (letters(self._game, p) for p in self._placed)
        )
        return {
            "id": self._number,
            "game_id": self._number,
            "phase": self._phase,
            "width": contest.size,
            "height": contest.size,
            "rules": contest.rules,
            "komi": contest.komi,
            "handicap": contest.stones,
            "free_handicap_placement": contest.handicap == "as moves",
            "initial_player": "white" if contest.handicap == "on the board" else "black",
            "initial_state": {"black": stones, "white": ""},
            "moves": [[*letters(self._game, move.point), 0] for move in self._game.moves],
            "players": {
                "black": {"id": black, "username": names[black]},
                "white": {"id": white, "username": names[white]},
            },
            "black_player_id": black,
            "white_player_id": white,
            "time_control": {**contest.control, "speed": "blitz"},
            "clock": clock,
            "outcome": self._outcome,
            "winner": BOT,
        }
