"""The Go Text Protocol, version 2: commands in, answers out. Knows no Go.

    stream ──► Inbox (a thread reads ahead) ──► Protocol.run ──► handlers ──► stream

Commands are answered one by one in the order they came; the thread reads on meanwhile, because
what comes in may concern the command that is running: ``# interrupt`` stops it, any line ends an
analysis, the end of the input hurries up whatever is left. Source: the GTP 2 draft, section 2;
``# interrupt`` is GoGui's.
"""

import logging
import re
import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol as Interface

logger = logging.getLogger(__name__)

# A larger number is no id but a name, and then an unknown one.
MAX_ID = 2**31 - 1
# What a pipe of Linux holds.
_CHUNK_BYTES = 1 << 16
_POLL_SECONDS = 0.02
# Carriage returns among them: line ends may be CR LF.
_DROPPED = bytes({*range(32), 127} - {ord("\t"), ord("\n")})
# A comment to the draft, and so never answered.
_INTERRUPT = re.compile(rb"\s*#\s*interrupt\s*")
_UNPRINTABLE = re.compile(r"[^\n -~]")


class GtpError(Exception):
    """A command that fails; the text, one line, goes out after the question mark."""


class InputStream(Interface):
    """A source of bytes; ``read`` returns what there is, up to a size, and b"" at the end.

    An unbuffered file on a pipe does that; so does an ``io.BytesIO``.
    """

    def read(self, size: int, /) -> bytes | None:
        """Return at most ``size`` bytes, as soon as there are some."""


class OutputStream(Interface):
    """A sink of bytes."""

    def write(self, data: bytes, /) -> int | None:
        """Write bytes."""

    def flush(self) -> None:
        """Pass on what was written."""


@dataclass(slots=True, eq=False)
class Command:
    """One command line, and how its running is influenced from outside.

    id          as sent, echoed in the answer; "" when there was none
    text        the words after the name, single blanks between them
    stop        set when the command should come to an end: on ``# interrupt``, or some time after
                the end of the input, see ``begin_search``
    input_came  set when anything was read after this command, a bare newline included
    waited      seconds that it was there and not taken up, though no other was being answered
    """

    id: str
    name: str
    text: str = ""
    stop: threading.Event = field(default_factory=threading.Event)
    input_came: threading.Event = field(default_factory=threading.Event)
    waited: float = 0.0
    _came: float = field(default_factory=time.monotonic)
    _number: int = 0
    _hurry_at: float | None = None
    _patience_seconds: float | None = None

    @property
    def arguments(self) -> list[str]:
        """The words after the name."""
        return self.text.split(" ") if self.text else []

    def begin_search(self, patience_seconds: float) -> None:
        """Say that a long search starts now, and how long it may go on after the input's end."""
        self._patience_seconds = patience_seconds
        self._hurry_at = time.monotonic() + patience_seconds


def parse_line(line: bytes) -> Command | None:
    """Return the command that a line holds, None for a blank line or a comment.

    Clean-up in the order of the draft, section 2.2: control characters, comment, tabs. Bytes that
    are not UTF-8 survive as surrogates, so that any file name can be given.
    """
    line = line.translate(None, _DROPPED).partition(b"#")[0].replace(b"\t", b" ")
    words = [word for word in line.split(b" ") if word]
    if not words:
        return None
    # More than ten digits are no id; reading millions of them would take quadratic time.
    first = words[0]
    command_id = ""
    if first.isdigit() and len(first) <= 10 and int(first) <= MAX_ID:
        command_id = words.pop(0).decode("ascii")
    # An id alone is a command without a name: clients pair answers with commands by their order, so
    # it has to be answered, too.
    name, *arguments = [word.decode("utf-8", "surrogateescape") for word in words] or [""]
    return Command(command_id, name, " ".join(arguments))


def format_answer(command_id: str, text: str, success: bool = True) -> bytes:
    """Return an answer as it goes out: ASCII, no empty line inside, ended by an empty line."""
    mark = "=" if success else "?"
    lines = [_clean(line) for line in text.split("\n")]
    # Inside an answer an empty line would end it, to CGOS's client also one of blanks.
    body = "\n".join(line for line in lines if line)
    # No blank at the end: GoGui compares resign, and Sabaki the names of commands, as they stand.
    # ASCII, since CGOS's client decodes by the locale and dies of what it cannot.
    return f"{mark}{command_id} {body}".rstrip().encode("ascii") + b"\n\n"


def _clean(line: str) -> str:
    return _UNPRINTABLE.sub("?", line).rstrip()


class Inbox:
    """Reads commands ahead in a thread of its own and tells the running one what came in."""

    def __init__(self, stream: InputStream) -> None:
        self._stream = stream
        self._commands: deque[Command] = deque()
        self._changed = threading.Condition()
        self._running: Command | None = None
        self._count = 0  # commands read
        self._interrupted = 0  # commands up to this number are to stop
        self._newer_input = 0  # commands up to this number have seen input after them
        self._ended = False
        self._closed = threading.Event()
        # A daemon, for nothing ends a read on a terminal or pipe that stays open.
        threading.Thread(target=self._read_all, name="gtp-input", daemon=True).start()

    def next(self) -> Command | None:
        """Wait for the next command and return it as the running one; None at the end."""
        with self._changed:
            self._running = None
            self._changed.wait_for(lambda: self._commands or self._ended)
            if not self._commands:
                return None
            self._running = command = self._commands.popleft()
            self._notify_running()
            return command

    def close(self) -> None:
        """Stop caring about the input."""
        self._closed.set()

    def _read_all(self) -> None:
        tail: list[bytes] = []
        while not self._closed.is_set():
            try:
                chunk = self._stream.read(_CHUNK_BYTES)
            except (OSError, ValueError):  # the terminal or the pipe is gone, or was closed here
                chunk = b""
            if not chunk:
                break
            # GoGui sends a whole game in one line, so there is no limit; the pieces of a long one
            # are kept apart until its end, or joining them would take quadratic time.
            *lines, rest = chunk.split(b"\n")
            for line in lines:
                self._take(b"".join([*tail, line]))
                tail = []
            tail.append(rest)
        # The last line may lack its end.
        if any(tail):
            self._take(b"".join(tail))
        self._end()

    def _take(self, line: bytes) -> None:
        with self._changed:
            # Before this line is counted: it is input to the commands before it, not to itself.
            # Blank lines count, too: clients end an analysis by one.
            self._newer_input = self._count
            if _INTERRUPT.fullmatch(line):
                self._interrupted = self._count
            elif (command := parse_line(line)) is not None:
                self._count += 1
                command._number = self._count
                self._commands.append(command)
            self._notify_running()
            self._changed.notify_all()

    def _notify_running(self) -> None:
        command = self._running
        if command is None:
            return
        if command._number <= self._interrupted:
            command.stop.set()
        if command._number <= self._newer_input:
            command.input_came.set()

    def _end(self) -> None:
        """Note the end of the input; from now on no search lasts longer than its patience."""
        ended_at = time.monotonic()
        with self._changed:
            self._newer_input = self._count
            self._ended = True
            self._notify_running()
            self._changed.notify_all()
        # Polled: commands that were read before the end may not have begun their searches yet.
        while not self._closed.wait(_POLL_SECONDS):
            command = self._running
            if command is None or command._hurry_at is None or command._patience_seconds is None:
                continue
            if time.monotonic() > max(command._hurry_at, ended_at + command._patience_seconds):
                command.stop.set()


Answer = str | Iterator[str]
Handler = Callable[[Command], Answer]


class Protocol:
    """A table of handlers and the loop that calls them.

    A handler returns the answer's text or raises GtpError. One that returns an iterator is an
    analysis: it is acknowledged at once, then every text it yields goes out as a line, until it
    ends by itself. Anything else that a handler raises is answered ``? internal error``.
    after_answer  called after each command; must return soon once its ``input_came`` is set
    unknown       called with each command that is in no table, before it is refused
    unlisted      commands that list_commands does not name
    """

    def __init__(
        self,
        handlers: Mapping[str, Handler],
        after_answer: Callable[[Command], None] = lambda command: None,
        unknown: Callable[[Command], None] = lambda command: None,
        unlisted: Collection[str] = (),
    ) -> None:
        self._after_answer = after_answer
        self._unknown = unknown
        self.handlers: dict[str, Handler] = {
            "protocol_version": lambda command: "2",
            "list_commands": lambda command: "\n".join(
                name for name in self.handlers if name not in unlisted
            ),
            "known_command": self._known_command,
            "quit": lambda command: "",
            **handlers,
        }

    def _known_command(self, command: Command) -> str:
        if len(command.arguments) != 1:
            raise GtpError("syntax error; the form is known_command COMMAND")
        return "true" if command.arguments[0] in self.handlers else "false"

    def run(self, source: InputStream, sink: OutputStream) -> None:
        """Answer all commands up to ``quit`` or the end; a reader who has gone ends it as well."""
        inbox = Inbox(source)
        answered = time.monotonic()
        try:
            while (command := inbox.next()) is not None:
                command.waited = time.monotonic() - max(command._came, answered)
                # quit is answered first: twogtp waits for that without limit.
                if not self._serve(command, sink) or command.name == "quit":
                    break
                answered = time.monotonic()
                self._use_waiting_time(command)
        finally:
            inbox.close()

    def _use_waiting_time(self, command: Command) -> None:
        try:
            self._after_answer(command)
        except Exception:
            logger.exception("internal error after the command %s", ascii(command.name[:100]))

    def _serve(self, command: Command, sink: OutputStream) -> bool:
        """Run one command and send what it says; return False when nobody listens any more."""
        logger.debug("< %s", " ".join(filter(None, (command.id, command.name, command.text))))
        success = True
        try:
            answer = self._handle(command)
            if not isinstance(answer, str):
                return self._stream(command, answer, sink)
        except GtpError as error:
            answer, success = str(error), False
        except Exception:
            logger.exception("internal error in the command %s", ascii(command.name[:100]))
            answer, success = "internal error", False
        return _send(sink, format_answer(command.id, answer, success))

    def _handle(self, command: Command) -> Answer:
        handler = self.handlers.get(command.name)
        if handler is None:
            self._unknown(command)
            raise GtpError("unknown command")
        return handler(command)

    def _stream(self, command: Command, lines: Iterator[str], sink: OutputStream) -> bool:
        """Send an analysis. Once it is acknowledged there is no way left to report a failure."""
        listening = _send(sink, f"={command.id}\n".encode("ascii"))
        try:
            # A client that has gone reads no more: the generator is left, and with it the search.
            while listening and (line := next(lines, None)) is not None:
                listening = _send(sink, _clean(line).encode("ascii") + b"\n")
        except Exception:
            logger.exception("internal error in the command %s", ascii(command.name[:100]))
        return listening and _send(sink, b"\n")


def _send(sink: OutputStream, data: bytes) -> bool:
    """Write and flush; return False when the other end has gone."""
    logger.debug("> %s", data.decode("ascii").rstrip())
    try:
        sink.write(data)
        sink.flush()
    except (OSError, ValueError):
        return False
    return True
