"""The input of the Go Text Protocol: lines in, commands out. It knows no Go.

A thread reads ahead, because input may concern the running command. ``# interrupt`` stops it, any
line ends an analysis, and at the end of the input a search ends soon. Source: the GTP 2 draft,
section 2; ``# interrupt`` is GoGui's.
"""

import io
import re
import threading
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple


class InboxLimits(NamedTuple):
    """Sizes of what a client sends [bytes]."""

    # A longer number is not an id but a name, and then an unknown command.
    max_id: int = 2**31 - 1
    # The capacity of a pipe on Linux.
    chunk_bytes: int = 1 << 16
    # GoGui sends a whole game in one line. No client comes near this limit.
    max_line_bytes: int = 1 << 24
    # The memory for waiting commands: with the overhead, at least 150,000 of them. Beyond it
    # reading stops, and a client that sends more has to wait.
    max_waiting_bytes: int = 1 << 25
    # Of a waiting command, measured: its numbers and its place in the queue
    overhead_bytes: int = 200
    shown: int = 200  # bytes kept of a line that is too long: its id and its name
    poll_seconds: float = 0.02


INBOX = InboxLimits()

# Carriage returns are among them, since line ends may be CR LF.
_DROPPED = bytes({*range(32), 127} - {ord("\t"), ord("\n")})
# The draft treats it as a comment, so it is never answered.
_INTERRUPT = re.compile(rb"\s*#\s*interrupt\s*")


# A byte source whose ``read`` returns the available bytes, up to a size, and b"" at the end: an
# unbuffered file on a pipe or an ``io.BytesIO``. Or a sink of bytes.
BinaryStream = io.RawIOBase | io.BufferedIOBase


@dataclass(slots=True, eq=False)
class Command:
    """One command line, and the events that influence its execution."""

    id: str  # as sent, echoed in the answer; "" without one
    name: str
    text: str = ""  # the words after the name, single blanks between them
    # Set when the command should end: on ``# interrupt``, or some time after the end of the input,
    # see ``begin_search``
    stop: threading.Event = field(default_factory=threading.Event)
    # Set when anything was read after this command, including a bare newline
    input_came: threading.Event = field(default_factory=threading.Event)
    # Seconds between its arrival and its start while no other was being answered
    waited: float = 0.0
    # Whether the line exceeded max_line_bytes, so that only its beginning is here
    cut: bool = False
    _came: float = field(default_factory=time.monotonic)
    _number: int = 0
    _hurry_at: float | None = None
    _patience_seconds: float | None = None

    @property
    def arguments(self) -> list[str]:
        """The words after the name."""
        return self.text.split(" ") if self.text else []

    def begin_search(self, patience_seconds: float) -> None:
        """Announce a long search, and how long it may continue after the input's end."""
        self._patience_seconds = patience_seconds
        self._hurry_at = time.monotonic() + patience_seconds


def parse_line(line: bytes) -> Command | None:
    """Return the command of a line, or None for a blank line or a comment.

    Bytes that are not UTF-8 become surrogates, so that any file name can be given.
    """
    words = [word for word in _clean_up(line).split(b" ") if word]
    if not words:
        return None
    # An id has at most ten digits. Reading millions of digits would take quadratic time.
    first = words[0]
    command_id = ""
    if first.isdigit() and len(first) <= 10 and int(first) <= INBOX.max_id:
        command_id = words.pop(0).decode("ascii")
    # A line with an id alone is a command without a name. It must be answered, since clients match
    # answers with commands by their order.
    name, *arguments = [word.decode("utf-8", "surrogateescape") for word in words] or [""]
    return Command(command_id, name, " ".join(arguments))


def _clean_up(line: bytes) -> bytes:
    """Return a line without control characters, comment and tabs (the draft, section 2.2)."""
    return line.translate(None, _DROPPED).partition(b"#")[0].replace(b"\t", b" ").strip(b" ")


def read_lines(stream: BinaryStream, longest: int) -> Iterator[bytes]:
    """Yield the lines of a stream as soon as they arrive. The last one may lack its newline.

    longest  bytes of a line that are kept; of a longer line at most one chunk more
    """
    tail = bytearray()
    while chunk := _read(stream):
        *lines, rest = chunk.split(b"\n")
        for line in lines:
            yield bytes(tail + line)
            tail.clear()
        if len(tail) <= longest:
            tail += rest
    if tail:
        yield bytes(tail)


def _read(stream: BinaryStream) -> bytes:
    try:
        return stream.read(INBOX.chunk_bytes) or b""
    except (OSError, ValueError):  # the terminal or pipe is gone, or was closed here
        return b""


class _WaitingLine(NamedTuple):
    """A waiting line with a command, kept as bytes, which take a tenth of a Command's memory."""

    line: bytes
    number: int  # of the command, from 1
    came: float  # time of reading [s, monotonic]

    @property
    def size(self) -> int:
        """The approximate memory, in bytes."""
        return len(self.line) + INBOX.overhead_bytes


class Inbox:
    """Reads commands ahead in its own thread and tells the running one about new input.

    While max_waiting_bytes are waiting, reading stops. An interrupt behind them is seen late.
    """

    def __init__(self, stream: BinaryStream) -> None:
        self._stream = stream
        self._waiting: deque[_WaitingLine] = deque()
        self._waiting_bytes = 0
        self._changed = threading.Condition()
        self._running: Command | None = None
        self._count = 0  # commands read
        self._interrupted = 0  # commands up to this number should stop
        self._newer_input = 0  # commands up to this number were followed by input
        self._ended = False
        self._closed = threading.Event()
        # The thread is a daemon, since nothing ends a read on a terminal or pipe that stays open.
        threading.Thread(target=self._read_all, name="gtp-input", daemon=True).start()

    def next(self) -> Command | None:
        """Wait for the next command and return it as the running one, or None at the end."""
        with self._changed:
            self._running = None
            self._changed.wait_for(lambda: self._waiting or self._ended)
            if not self._waiting:
                return None
            waiting = self._waiting.popleft()
            self._waiting_bytes -= waiting.size
            self._changed.notify_all()  # there is room again
            cut = len(waiting.line) > INBOX.max_line_bytes
            command = parse_line(waiting.line[: INBOX.shown] if cut else waiting.line)
            assert command is not None  # blank lines do not wait
            command.cut, command._number, command._came = cut, waiting.number, waiting.came
            self._running = command
            self._notify_running()
            return command

    def close(self) -> None:
        """Ignore all further input."""
        with self._changed:
            self._closed.set()
            self._changed.notify_all()

    def _read_all(self) -> None:
        for line in read_lines(self._stream, INBOX.max_line_bytes):
            if self._closed.is_set():
                break
            self._take(line)
        self._end()

    def _take(self, line: bytes) -> None:
        with self._changed:
            # This happens before the line is counted: it is input to the commands before it, not to
            # itself. Blank lines count as well, since clients end an analysis by one.
            self._newer_input = self._count
            if _INTERRUPT.fullmatch(line):
                self._interrupted = self._count
            elif cleaned := _clean_up(line):
                self._count += 1
                self._waiting.append(_WaitingLine(cleaned, self._count, time.monotonic()))
                self._waiting_bytes += self._waiting[-1].size
            self._notify_running()
            self._changed.notify_all()
            self._changed.wait_for(
                lambda: self._waiting_bytes < INBOX.max_waiting_bytes or self._closed.is_set()
            )

    def _notify_running(self) -> None:
        command = self._running
        if command is None:
            return
        if command._number <= self._interrupted:
            command.stop.set()
        if command._number <= self._newer_input:
            command.input_came.set()

    def _end(self) -> None:
        """Note the end of the input. From now on no search lasts longer than its patience."""
        ended_at = time.monotonic()
        with self._changed:
            self._newer_input = self._count
            self._ended = True
            self._notify_running()
            self._changed.notify_all()
        # This is polled: commands read before the end may not have started their searches yet.
        while not self._closed.wait(INBOX.poll_seconds):
            command = self._running
            if command is None or command._hurry_at is None or command._patience_seconds is None:
                continue
            if time.monotonic() > max(command._hurry_at, ended_at + command._patience_seconds):
                command.stop.set()
