"""A virtual screen, with windows driven by xdotool and photographed by ImageMagick."""

import os
import re
import shutil
import subprocess
import time
from pathlib import Path
from types import TracebackType

from engine import YomiError

NEEDED = ("Xvfb", "openbox", "xdotool", "import", "convert")
_COLORS = "128"  # of a picture: a wooden board stays recognizable, and a file stays below 150 KB
_POLL_SECONDS = 0.2
GOODBYE = 5.0


def missing_programs(*others: str) -> str:
    """Return a message about missing programs, "" if none is missing."""
    lacking = [name for name in (*NEEDED, *others) if shutil.which(name) is None]
    return f"not installed: {', '.join(lacking)}" if lacking else ""


class Screen:
    """A virtual screen with a window manager. Use it as a context manager.

    size    width and height in pixels
    folder  where pictures and the programs' logs go
    managed  whether windows have frames and can be moved; else a window chooses its size
    """

    def __init__(self, size: tuple[int, int], folder: Path, managed: bool = True) -> None:
        self._size, self._folder, self._managed = size, folder, managed
        self._processes: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> "Screen":
        readable, writable = os.pipe()
        width, height = self._size
        command = ["Xvfb", "-screen", "0", f"{width}x{height}x24", "-nolisten", "tcp"]
        self._start([*command, "-displayfd", str(writable)], "xvfb", pass_fds=(writable,))
        os.close(writable)
        with open(readable, "rb") as numbers:
            number = numbers.readline().decode().strip()
        if not number:
            raise YomiError("Xvfb did not start")
        self._environment = {**os.environ, "DISPLAY": f":{number}"}
        if self._managed:
            self._start(["openbox"], "openbox", env=self._environment)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # The window manager and the screen end last.
        for process in reversed(self._processes):
            process.terminate()
            try:
                process.wait(GOODBYE)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def _start(self, command: list[str], name: str, **options: object) -> Path:
        log = self._folder / f"{name}.log"
        with log.open("wb") as said:
            process = subprocess.Popen(command, stdout=said, stderr=said, **options)  # type: ignore[call-overload]
        self._processes.append(process)
        return log

    def run(self, command: list[str], name: str, **environment: str) -> Path:
        """Start a program on this screen; return the log of its output."""
        return self._start(command, name, env={**self._environment, **environment})

    def do(self, *words: str) -> str:
        """Run xdotool with some words. Raises YomiError when it fails."""
        done = subprocess.run(
            ["xdotool", *words], env=self._environment, capture_output=True, text=True
        )
        if done.returncode:
            raise YomiError(f"xdotool {' '.join(words)}: {done.stderr.strip() or 'failed'}")
        return done.stdout

    def window(self, title: str) -> str:
        """Wait for a window whose title begins with a text; return its number."""
        return self.do("search", "--sync", "--onlyvisible", "--name", f"^{title}").split()[0]

    def click(self, x: int, y: int, times: int = 1) -> None:
        """Click at a place of the screen."""
        clicks = ["click", "--repeat", str(times), "--delay", "80", "1"]
        self.do("mousemove", str(x), str(y), *clicks)

    def picture(self, name: str) -> Path:
        """Take a picture of the whole screen."""
        file = self._folder / f"{name}.png"
        whole = ["import", "-window", "root", str(file)]
        smaller = ["convert", str(file), "+dither", "-colors", _COLORS, f"png8:{file}"]
        for command in (whole, smaller):
            subprocess.run(command, env=self._environment, check=True)
        return file


def wait_until_quiet(log: Path, seconds: float, most: float) -> None:
    """Wait until a log has not grown for some seconds. Raises YomiError if it goes on growing."""
    ends, quiet_since, size = time.monotonic() + most, time.monotonic(), -1
    while time.monotonic() - quiet_since < seconds:
        if time.monotonic() > ends:
            raise YomiError(f"{log.name}: no end after {most:g} s")
        now = log.stat().st_size if log.exists() else 0
        if now != size:
            size, quiet_since = now, time.monotonic()
        time.sleep(_POLL_SECONDS)


def wait_for_text(log: Path, *texts: str, most: float, after: int = 0) -> None:
    """Wait until a log has texts in this order, from a byte on. Raises YomiError if not."""
    ends = time.monotonic() + most
    wanted = re.compile(".*?".join(map(re.escape, texts)), re.DOTALL)
    while not wanted.search(log.read_bytes()[after:].decode("utf-8", "replace")):
        if time.monotonic() > ends:
            raise YomiError(f"{log.name}: no {' '.join(texts)!r} after {most:g} s")
        time.sleep(_POLL_SECONDS)
