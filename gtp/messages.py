"""The only output to stderr during a session: a message never waits for a reader.

Some clients open a pipe for stderr and never read it. Once such a pipe is full, a write blocks
forever, and would block the engine. A thread therefore writes the messages, and new ones are
dropped when it is far behind.
"""

import contextlib
import io
import os
import threading
from collections import deque

_MOST_BYTES = 1 << 18  # about a thousand lines, in case a reader is only slow


class Messages(io.TextIOBase):
    """A text stream for ``sys.stderr`` on a descriptor. Writing neither blocks nor fails.

    descriptor  the target; it is duplicated. If it is closed, everything is discarded
    """

    def __init__(self, descriptor: int) -> None:
        try:
            self._descriptor = os.dup(descriptor)
        except OSError:
            self._descriptor = -1
        self._changed = threading.Condition()
        self._waiting: deque[bytes] = deque()
        self._waiting_bytes = 0
        self._dropped = 0
        self._rest = ""  # an unfinished line
        threading.Thread(target=self._pass_on, name="messages", daemon=True).start()

    def write(self, text: str) -> int:
        """Queue whole lines for writing, or drop them. Return the length of the text."""
        with self._changed:
            # print writes a line and its newline separately. Either both are queued or neither.
            lines, end, self._rest = (self._rest + text).rpartition("\n")
            if end:
                self._hand_over(lines + end)
        return len(text)

    def flush(self) -> None:
        """Queue an unfinished line."""
        with self._changed:
            rest, self._rest = self._rest, ""
            if rest:
                self._hand_over(rest)

    def writable(self) -> bool:
        """Return True."""
        return True

    def isatty(self) -> bool:
        """Return whether the descriptor is a terminal."""
        return os.isatty(self._descriptor)

    def drain(self, seconds: float) -> None:
        """Wait for pending writes, but at most ``seconds``. Called before the process ends."""
        self.flush()
        with self._changed:
            self._changed.wait_for(lambda: self._waiting_bytes == 0, seconds)

    def _hand_over(self, text: str) -> None:
        data = text.encode("utf-8", "backslashreplace")
        if self._waiting_bytes + len(data) <= _MOST_BYTES:
            self._put(data)
        else:
            self._dropped += max(1, data.count(b"\n"))

    def _put(self, data: bytes) -> None:
        self._waiting.append(data)
        self._waiting_bytes += len(data)
        self._changed.notify_all()

    def _pass_on(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting)
                data = self._waiting.popleft()
            rest = data
            with contextlib.suppress(OSError):  # closed, or without a reader
                while rest:
                    rest = rest[os.write(self._descriptor, rest) :]
            with self._changed:
                self._waiting_bytes -= len(data)
                if self._dropped and not self._waiting:
                    self._put(f"({self._dropped} messages were dropped)\n".encode())
                    self._dropped = 0
                self._changed.notify_all()
