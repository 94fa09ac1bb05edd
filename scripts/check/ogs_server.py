"""A stand-in for OGS, for the messages of gtp2ogs 9: one bot, one game after the other.

The messages are JSON arrays over a WebSocket, [command, data] or [command, data, id]; their form is
that of ``src/engine/protocol`` in online-go/goban. Listens on 127.0.0.1 only. gtp2ogs handles
challenges over HTTP, which is left out: a game begins with ``active_game``, as after an accepted
challenge.
"""

import json
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from scripts.check.ogs_clock import Json
from scripts.check.ogs_game import BOT, Contest, OgsGame, Result
from scripts.check.web_socket import WebSocket

HOST = "127.0.0.1"
CONNECT_SECONDS = 30.0  # until gtp2ogs has connected
SILENT_SECONDS = 120.0  # of a connection; gtp2ogs pings every ten seconds


class StandIn:
    """The server's end of a connection to gtp2ogs. Use it as a context manager.

    busy  returns the CPU seconds that the bot has used so far
    """

    def __init__(self, busy: Callable[[], float] = lambda: 0.0) -> None:
        self.busy = busy
        self._listener = socket.create_server((HOST, 0))
        self._listener.settimeout(CONNECT_SECONDS)
        self.port: int = self._listener.getsockname()[1]
        self.config: Json = {}  # the bot's description of itself

    def __enter__(self) -> "StandIn":
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.close()

    def play(self, contests: Sequence[Contest]) -> Iterator[Result]:
        """Wait for gtp2ogs and play games with it, each until it ends."""
        try:
            connection, _ = self._listener.accept()
        except TimeoutError:
            raise ConnectionError("gtp2ogs did not connect; its log says why") from None
        with connection:
            connection.settimeout(SILENT_SECONDS)
            self._socket = WebSocket(connection)
            while not self.config:
                self._receive()
            for number, contest in enumerate(contests, start=1):
                yield OgsGame(self, number, contest).play()

    def send(self, command: str, data: Any) -> None:
        """Send a message."""
        self._socket.send(json.dumps([command, data]))

    def receive(self, ends: float) -> tuple[str, Any]:
        """Return the next message that concerns a game. Raises ConnectionError, TimeoutError."""
        while True:
            if time.monotonic() > ends:
                raise TimeoutError
            command, data = self._receive()
            if command.startswith("game/"):
                return command, data

    def _receive(self) -> tuple[str, Any]:
        text = self._socket.receive()
        if text is None:
            raise ConnectionError("gtp2ogs closed the connection")
        message: list[Any] = json.loads(text)
        # a third element, a number, asks for an answer
        command, data, number = [*message, None, None][:3]
        if command == "net/ping":
            self.send("net/pong", {**data, "server": int(1000 * time.time())})
        elif command == "authenticate":
            self._socket.send(json.dumps([number, {"id": BOT, "username": "yomi"}]))
        elif command == "bot/config":
            self.config = data
        return command, data
