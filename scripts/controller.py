"""The GTP client of all scripts: start a program, send commands, read answers, end it.

Used by matches and by comparisons with other programs; tests may use it, too.
"""

import contextlib
import queue
import shlex
import shutil
import subprocess
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import IO

from engine import YomiError

# Seconds that a program has to end by itself after quit: as long as Sabaki waits. Without the
# limit, a program that goes on computing would outlive the match.
GOODBYE = 3.0
GNU_GO = shutil.which("gnugo") or shutil.which("gnugo", path="/usr/games")


class ProgramFailed(YomiError):  # noqa: N818 - names an event, not a kind of error
    """The program answered with a failure, too late, or not at all."""


class Controller:
    """A running GTP program. Use it as a context manager, so that the process always ends.

    command  the program's command line, split as a shell splits words
    timeout  most seconds from a command to the end of its answer; None: no limit
    stderr   an open file for the program's stderr; None: it is discarded
    folder   the program's working directory; None: the current one
    Raises ProgramFailed when there is no such program.
    """

    def __init__(
        self,
        command: str,
        timeout: float | None = None,
        stderr: IO[bytes] | None = None,
        folder: Path | None = None,
    ) -> None:
        self.command, self.timeout = command, timeout
        try:
            # A shell is not used, because killing it would leave the program behind. A pipe for
            # stderr is not used, because nobody reads it and a full pipe stalls the program.
            self._process = subprocess.Popen(
                shlex.split(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL if stderr is None else stderr,
                text=True,
                errors="replace",
                bufsize=1,
                cwd=folder,
            )
        except OSError as error:
            raise ProgramFailed(f"{command}: cannot be started ({error})") from error
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        # Only a queue supports waiting with a timeout on every system, so a thread reads. Polling
        # the pipe would miss lines that Python has read ahead.
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    @property
    def process_id(self) -> int:
        """The process ID of the program."""
        return self._process.pid

    def _listen(self) -> None:
        assert self._process.stdout is not None
        with contextlib.suppress(OSError, ValueError):
            for line in self._process.stdout:
                self._lines.put(line.rstrip())
        self._lines.put(None)

    def __enter__(self) -> "Controller":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ask the program to end, and kill it when it does not."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError, ValueError):
            self._process.stdin.write("quit\n")
        with contextlib.suppress(OSError, ValueError):  # it may have ended already
            self._process.stdin.close()
        try:
            self._process.wait(timeout=GOODBYE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._listener.join(GOODBYE)  # its children may still hold the pipe open
        if not self._listener.is_alive():
            assert self._process.stdout is not None
            self._process.stdout.close()

    def send(self, command: str) -> str:
        """Send one command and return its answer without the leading ``=``.

        Raises ProgramFailed when the answer starts with ``?``, does not come in time, or the
        program has ended. After a timeout no more commands can be sent, because the late answer
        would be taken for the next one's.
        """
        assert self._process.stdin is not None
        limit = None if self.timeout is None else time.monotonic() + self.timeout
        try:
            self._process.stdin.write(command + "\n")
            self._process.stdin.flush()
        except (OSError, ValueError) as error:
            raise ProgramFailed(f"{self.command}: has ended ({error})") from error
        lines: list[str] = []
        while not lines or lines[-1]:
            line = self._next_line(command, limit)
            if line or lines:  # empty lines before an answer belong to the one before
                lines.append(line)
        text = "\n".join(lines).strip()
        if not text.startswith("="):
            raise ProgramFailed(f"{self.command}: {command!r} was answered {text!r}")
        return text[1:].strip()

    def _next_line(self, command: str, limit: float | None) -> str:
        try:
            wait = None if limit is None else max(limit - time.monotonic(), 0.0)
            line = self._lines.get(timeout=wait)
        except queue.Empty:
            self._process.kill()
            raise ProgramFailed(
                f"{self.command}: no answer to {command!r} in {self.timeout:g} s"
            ) from None
        if line is None:
            self._lines.put(None)  # for the next command, which would wait forever
            raise ProgramFailed(f"{self.command}: ended while answering {command!r}")
        return line
