"""The Go Text Protocol, version 2: commands in, answers out. It knows no Go.

    stream ──► Inbox (a thread reads ahead) ──► Protocol.run ──► handlers ──► stream

Commands are answered one by one in their order. Source: the GTP 2 draft, section 2.
"""

import logging
import re
import time
from collections.abc import Callable, Collection, Iterator, Mapping

from gtp.inbox import INBOX, BinaryStream, Command, Inbox, parse_line

__all__ = [
    "SYNTAX_ERROR",
    "Answer",
    "BinaryStream",
    "Command",
    "FormError",
    "GtpError",
    "Handler",
    "Protocol",
    "format_answer",
    "parse_line",
]

logger = logging.getLogger(__name__)

# The texts that GTP 2 prescribes.
SYNTAX_ERROR = "syntax error"
UNKNOWN_COMMAND = "unknown command"
NO_MEMORY = "not enough memory: a smaller --memory helps"
_UNPRINTABLE = re.compile(r"[^\n -~]")


class GtpError(Exception):
    """A command that fails; the text, one line, goes out after the question mark.

    If the protocol prescribes the text, the cause may tell a person more.
    """


class FormError(GtpError):
    """A failure because of the number or form of a command's arguments.

    form  the correct syntax, where it is known
    """

    def __init__(self, form: str = "") -> None:
        super().__init__(f"{SYNTAX_ERROR}; usage: {form}" if form else SYNTAX_ERROR)


def format_answer(command_id: str, text: str, success: bool = True) -> bytes:
    """Return an answer in GTP's format: ASCII, ended by its only empty line."""
    mark = "=" if success else "?"
    lines = [_clean(line) for line in text.split("\n")]
    # An empty line inside an answer would end it. CGOS's client takes blank lines for empty ones.
    body = "\n".join(line for line in lines if line)
    # Lines have no trailing blank: GoGui compares "resign", and Sabaki the names of commands,
    # literally. Answers are ASCII, since CGOS's client decodes by the locale and crashes on other
    # bytes.
    return f"{mark}{command_id} {body}".rstrip().encode("ascii") + b"\n\n"


def _clean(line: str) -> str:
    return _UNPRINTABLE.sub("?", line).rstrip()


Answer = str | Iterator[str]
Handler = Callable[[Command], Answer]


class Protocol:
    """The command loop with a table of handlers.

    A handler returns the answer's text or raises GtpError. One that returns an iterator is an
    analysis. It is acknowledged at once, and then every text that it yields is sent as a line. Any
    other exception of a handler is answered by ``? internal error``.
    after_answer  called after each command; must return soon once its ``input_came`` is set
    unlisted      commands that list_commands does not name
    """

    def __init__(
        self,
        handlers: Mapping[str, Handler],
        after_answer: Callable[[Command], None] = lambda command: None,
        unlisted: Collection[str] = (),
    ) -> None:
        self._after_answer = after_answer
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
            raise FormError("known_command COMMAND")
        return "true" if command.arguments[0] in self.handlers else "false"

    def run(self, source: BinaryStream, sink: BinaryStream) -> None:
        """Answer all commands up to ``quit``, the end of the input, or the loss of the reader."""
        inbox = Inbox(source)
        answered = time.monotonic()
        try:
            while (command := inbox.next()) is not None:
                command.waited = time.monotonic() - max(command._came, answered)
                # quit is answered first, since twogtp waits for the answer without limit.
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

    def _serve(self, command: Command, sink: BinaryStream) -> bool:
        """Run one command and send its answer. Return False when the reader has gone."""
        logger.debug("< %s", " ".join(filter(None, (command.id, command.name, command.text))))
        answer = self.answer_to(command)
        if isinstance(answer, GtpError):
            return _send(sink, format_answer(command.id, str(answer), success=False))
        if isinstance(answer, str):
            return _send(sink, format_answer(command.id, answer))
        return self._stream(command, answer, sink)

    def answer_to(self, command: Command) -> Answer | GtpError:
        """Run one command, and return its answer or the reason of its failure."""
        try:
            return self._handle(command)
        except GtpError as error:
            return error
        except MemoryError:
            return GtpError(NO_MEMORY)
        except Exception:
            logger.exception("internal error in the command %s", ascii(command.name[:100]))
            return GtpError("internal error")

    def _handle(self, command: Command) -> Answer:
        if command.cut:
            raise GtpError(f"line too long: at most {INBOX.max_line_bytes >> 20} MiB")
        handler = self.handlers.get(command.name)
        if handler is None:
            raise GtpError(UNKNOWN_COMMAND)
        return handler(command)

    def _stream(self, command: Command, lines: Iterator[str], sink: BinaryStream) -> bool:
        """Send an analysis. After its acknowledgment a failure can no longer be reported."""
        listening = _send(sink, f"={command.id}\n".encode("ascii"))
        try:
            # When the client has gone, the generator is dropped, and the search with it.
            while listening and (line := next(lines, None)) is not None:
                listening = _send(sink, _clean(line).encode("ascii") + b"\n")
        except MemoryError:
            logger.warning(NO_MEMORY)
        except Exception:
            logger.exception("internal error in the command %s", ascii(command.name[:100]))
        return listening and _send(sink, b"\n")


def _send(sink: BinaryStream, data: bytes) -> bool:
    """Write and flush. Return False when the other end has gone."""
    logger.debug("> %s", data.decode("ascii").rstrip())
    try:
        sink.write(data)
        sink.flush()
    except (OSError, ValueError):
        return False
    return True
