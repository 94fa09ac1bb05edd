"""The one door to stderr while yomi talks to a program: a message never waits for a reader.

Some clients open a pipe for stderr and never read it. When such a pipe is full, a write waits
forever, and so would the engine. So a thread writes, and a message that finds the thread far
behind is dropped.
"""

import contextlib
import io
import os
import threading
from collections import deque

_MOST_BYTES = 1 << 18  # some thousand lines, should a reader only be slow


class Messages(io.TextIOBase):
    """A text stream to a descriptor, for ``sys.stderr``; writing neither waits nor fails.

    descriptor  where to; it is duplicated. A closed one takes everything and shows nothing
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
        self._rest = ""  # of a line that has no end yet
        threading.Thread(target=self._pass_on, name="messages", daemon=True).start()

    def write(self, text: str) -> int:
        """Hand whole lines over to be written, or drop them; return the length of the text."""
        with self._changed:
            # print writes a line and its end one after the other: not one without the other.
            lines, end, self._rest = (self._rest + text).rpartition("\n")
            if end:
                self._hand_over(lines + end)
        return len(text)

    def flush(self) -> None:
        """Hand over a line that has no end yet."""
        with self._changed:
            rest, self._rest = self._rest, ""
            if rest:
                self._hand_over(rest)

    def writable(self) -> bool:
        """Return True."""
        return True

    def isatty(self) -> bool:
        """Return whether a person reads it."""
        return os.isatty(self._descriptor)

    def drain(self, seconds: float) -> None:
        """Wait until all is written, but no longer than some seconds: before the process ends."""
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
            with contextlib.suppress(OSError):  # closed, or nobody can read it any more
                while rest:
                    rest = rest[os.write(self._descriptor, rest) :]
            with self._changed:
                self._waiting_bytes -= len(data)
                if self._dropped and not self._waiting:
                    self._put(f"({self._dropped} messages were dropped)\n".encode())
                    self._dropped = 0
                self._changed.notify_all()
