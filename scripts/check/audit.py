"""The audit of 27 November: each of its faults, tried on a checkout.

    python -m scripts.check.audit --python OTHER/.venv/bin/python

A case is a program for the checkout's own interpreter, or a conversation with its ``yomi``. It
fails if the fault is there. Programs use only what has been in yomi since before the audit.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from scripts.check import audit_programs

WAIT_SECONDS = 120
AT_ONCE_SECONDS = 5.0
MEMORY_MIB = 400  # above that of an idle analysis engine, which compiled code makes up
PLAIN = {"rules": "chinese", "boardXSize": 9, "boardYSize": 9, "moves": []}
FOR_EVER = {**PLAIN, "maxVisits": 10**12}


class Checkout:
    """An interpreter with yomi, and the sources that it imports."""

    def __init__(self, python: str) -> None:
        self.python = python
        code = "import gtp, pathlib; print(pathlib.Path(gtp.__file__).resolve().parents[1])"
        self.root = Path(subprocess.check_output([python, "-P", "-c", code], text=True).strip())

    def run(self, program: str, **options: object) -> str:
        """Run a program in a new folder. Return its fault, "" without one."""
        code = f"import sys; sys.path.insert(0, {str(self.root)!r})\n{program}"
        with tempfile.TemporaryDirectory() as folder:
            try:
                done = subprocess.run(
                    [self.python, "-P", "-c", code],
                    cwd=folder, capture_output=True, text=True, timeout=WAIT_SECONDS,
                    env={**os.environ, "ROOT": str(self.root)},
                )  # fmt: skip
            except subprocess.TimeoutExpired:
                return f"still running after {WAIT_SECONDS} s"
        lines = (done.stdout + done.stderr).strip().splitlines()
        return "" if done.returncode == 0 else lines[-1] if lines else "failed"

    def analysis(self) -> "Analysis":
        """Start an analysis engine that searches without end."""
        return Analysis([self.python, "-P", "-m", "gtp", "analysis", "--concurrency", "1"])


class Analysis:
    """An analysis engine on pipes, searching one position for ever."""

    def __init__(self, command: list[str]) -> None:
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL)
        os.set_blocking(self.process.stdin.fileno(), False)  # type: ignore[union-attr]
        self.send({"id": "first", **FOR_EVER, "reportDuringSearchEvery": 0.1})
        assert self.process.stdout is not None
        self.process.stdout.readline()
        self.idle_mib = self.peak_mib()

    def __enter__(self) -> "Analysis":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()

    def send(self, *queries: object, raw: bytes = b"") -> bool:
        """Send lines. Return whether they were taken within AT_ONCE_SECONDS."""
        data = raw or b"".join(json.dumps(query).encode() + b"\n" for query in queries)
        deadline = time.monotonic() + AT_ONCE_SECONDS
        assert self.process.stdin is not None
        while data and time.monotonic() < deadline:
            try:
                data = data[os.write(self.process.stdin.fileno(), data) :]
            except BlockingIOError:
                time.sleep(0.01)
        return not data

    def answers_at_once(self, name: str) -> bool:
        """Return whether a line with an id comes within AT_ONCE_SECONDS."""
        assert self.process.stdout is not None
        os.set_blocking(self.process.stdout.fileno(), False)
        rest, deadline = b"", time.monotonic() + AT_ONCE_SECONDS
        while time.monotonic() < deadline:
            rest += self.process.stdout.read(1 << 20) or b""
            *lines, rest = rest.split(b"\n")
            if any(json.loads(line).get("id") == name for line in lines):
                return True
            time.sleep(0.01)
        return False

    def peak_mib(self) -> int:
        """Return the largest resident memory so far."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.partition("VmHWM:")[2].split()[0]) >> 10


def terminate(checkout: Checkout, action: dict[str, str]) -> str:
    """Stop 4,000 waiting positions."""
    with checkout.analysis() as analysis:
        waiting = [{"id": "x", **FOR_EVER} for _ in range(4000)]
        sent = analysis.send(*waiting, {"id": "stop", **action})
        return "" if sent and analysis.answers_at_once("stop") else "not read in time"


def lost_client(checkout: Checkout) -> str:
    """Close both streams while positions wait."""
    with checkout.analysis() as analysis:
        analysis.send(*({"id": "x", **FOR_EVER} for _ in range(4000)))
        for stream in (analysis.process.stdout, analysis.process.stdin):
            os.close(stream.fileno())  # type: ignore[union-attr]
        try:
            analysis.process.wait(2 * AT_ONCE_SECONDS)
        except subprocess.TimeoutExpired:
            return "still running without a client"
        return ""


def many_turns(checkout: Checkout) -> str:
    """Ask for 12,000 turns of one game."""
    moves = [["BW"[turn % 2], "pass"] for turn in range(12_000)]
    asked = {"id": "x", **FOR_EVER, "moves": moves, "analyzeTurns": list(range(12_001))}
    with checkout.analysis() as analysis:
        analysis.send(asked)
        return memory_fault(analysis, 4 * AT_ONCE_SECONDS)


def endless_line(checkout: Checkout) -> str:
    """Send 500 MB without a newline."""
    with checkout.analysis() as analysis:
        for _ in range(500):
            analysis.send(raw=b"x" * 1_000_000)
        return memory_fault(analysis, AT_ONCE_SECONDS)


def memory_fault(analysis: Analysis, seconds: float) -> str:
    """Return the memory that an engine takes within some seconds, if that is too much."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if (taken := analysis.peak_mib() - analysis.idle_mib) > MEMORY_MIB:
            return f"{taken} MiB"
        time.sleep(0.2)
    return ""


def cases() -> dict[str, Callable[[Checkout], str]]:
    """Return all cases by name."""

    def program(text: str) -> Callable[[Checkout], str]:
        return lambda checkout: checkout.run(text)

    return {
        **{name: program(text) for name, text in audit_programs.PROGRAMS.items()},
        "analysis: terminate": lambda checkout: terminate(
            checkout, {"action": "terminate", "terminateId": "x"}
        ),
        "analysis: terminate_all": lambda checkout: terminate(
            checkout, {"action": "terminate_all"}
        ),
        "analysis: a client that is gone": lost_client,
        "analysis: 12,000 turns": many_turns,
        "analysis: a line without an end": endless_line,
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Try all cases; return 1 if any fails."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--python", default=sys.executable, help="interpreter of the checkout")
    parser.add_argument("--only", default="", metavar="TEXT", help="cases whose name has this text")
    options = parser.parse_args(arguments)
    checkout, failed, tried = Checkout(options.python), 0, 0
    for name, case in cases().items():
        if options.only in name:
            fault = case(checkout)
            tried += 1
            failed += bool(fault)
            print(f"{'FAIL' if fault else 'ok  '} {name}{': ' * bool(fault)}{fault}", flush=True)
    print(f"{failed} of {tried} fail")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
