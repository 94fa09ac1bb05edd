"""The other end of GTP: start an engine as a process, send commands, read answers.

Used by the match runner and by comparisons with other programs.
"""

import contextlib
import shlex
import subprocess
from types import TracebackType

from engine import YomiError


class EngineFailed(YomiError):  # noqa: N818 - what happened, not a kind of error
    """The engine answered with a failure, or not at all."""


class Controller:
    """A running GTP engine. Use it as a context manager, so that the process always ends.

    command  the engine's command line, split as a shell splits words
    """

    def __init__(self, command: str) -> None:
        self.command = command
        self._process = subprocess.Popen(
            # Not by a shell: killing it would leave the engine behind.
            shlex.split(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            # Not a pipe: nobody reads it, and an engine stalls when it is full.
            stderr=subprocess.DEVNULL,
            text=True,
            bufsize=1,
        )

    def __enter__(self) -> "Controller":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with contextlib.suppress(EngineFailed, OSError):
            self.send("quit")
        try:
            # As long as Sabaki waits; an engine that computes on would outlive the match.
            self._process.wait(timeout=3)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def send(self, command: str) -> str:
        """Send one command and return its answer without the leading ``=``.

        Raises EngineFailed when the answer starts with ``?`` or the engine has ended.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(command + "\n")
            self._process.stdin.flush()
        except OSError as error:
            raise EngineFailed(f"{self.command}: has ended ({error})") from error
        lines: list[str] = []
        while True:
            line = self._process.stdout.readline()
            if not line:
                raise EngineFailed(f"{self.command}: ended while answering {command!r}")
            if line.strip() or lines:
                lines.append(line.rstrip())
            if lines and not lines[-1]:
                break
        text = "\n".join(lines).strip()
        if not text.startswith("="):
            raise EngineFailed(f"{self.command}: {command!r} was answered {text!r}")
        return text[1:].strip()
