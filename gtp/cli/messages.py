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
        threading.Thread(target=self._pass_on, name="messages", daemon=True).start()

    def write(self, text: str) -> int:
        """Hand a text over to be written, or drop it; return its length."""
        data = text.encode("utf-8", "backslashreplace")
        with self._changed:
            if self._waiting_bytes + len(data) <= _MOST_BYTES:
                self._put(data)
            else:
                self._dropped += data.count(b"\n")
        return len(text)

    def writable(self) -> bool:
        """Return True."""
        return True

    def isatty(self) -> bool:
        """Return whether a person reads it."""
        return os.isatty(self._descriptor)

    def drain(self, seconds: float) -> None:
        """Wait until all is written, but no longer than some seconds: before the process ends."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting_bytes == 0, seconds)

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
