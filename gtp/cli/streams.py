"""The standard streams of a session, and how such a process begins and ends."""

import atexit
import contextlib
import errno
import io
import logging
import os
import signal
import sys
from pathlib import Path
from typing import TextIO, cast

from gtp.cli.command_line import EXIT, Visible, say
from gtp.messages import Messages
from gtp.protocol import BinaryStream
from gtp.warming import WarmUp

# Time for messages that a slow reader has not taken yet. CGOS's client waits half a second for the
# end.
_LAST_WORDS_SECONDS = 0.2


def begin_talk() -> tuple[BinaryStream, io.BufferedIOBase]:
    """Return the streams of a session. From now on Ctrl-C ends the process."""
    # This comes first. A file opened earlier could get the number of a stream that was closed.
    streams = standard_streams()
    messages = Messages(2)
    atexit.register(messages.drain, _LAST_WORDS_SECONDS)
    # Python's own output goes there as well: prints of libraries, warnings, errors of threads.
    sys.stderr = sys.stdout = cast(TextIO, messages)
    # Ctrl-C ends the process at once. Otherwise it would wait for a running search.
    signal.signal(signal.SIGINT, lambda signal_number, frame: os._exit(EXIT.interrupted))
    return streams


def end_talk(warm_up: WarmUp, sink: io.BufferedIOBase | None = None) -> None:
    """Close the output. End the process if a compilation is still running."""
    with contextlib.suppress(OSError):  # without a reader the rest of the buffer is lost
        if sink is not None:
            sink.close()
    logging.shutdown()
    # The compiling thread cannot be stopped in another way. quit has been answered. After it CGOS's
    # client waits half a second for the end, and GoGui's twogtp without limit.
    if warm_up.at_work:
        if isinstance(sys.stderr, Messages):
            sys.stderr.drain(_LAST_WORDS_SECONDS)
        os._exit(0)


def standard_streams() -> tuple[BinaryStream, io.BufferedIOBase]:
    """Return the protocol's own streams. All other output goes to stderr.

    The input is unbuffered. A buffered one holds a lock while its thread waits, which keeps Python
    from ending. A stream that was closed before the start counts as ended.
    """
    try:
        os.fstat(0)
        source: BinaryStream = io.FileIO(0, closefd=False)
    except OSError:
        source = io.BytesIO()
    # Output of libraries would be read as an answer: CGOS's client would play it as a move, and
    # KGS's would drop the engine. Answers therefore get their own descriptor, and descriptor 1
    # becomes stderr.
    try:
        sink: io.BufferedIOBase = os.fdopen(os.dup(1), "wb")
        os.dup2(2, 1)
    except OSError:
        sink = io.BytesIO()
    return source, sink


class _Log(logging.FileHandler):
    """A log file. When it can no longer be written, a line says so and the session goes on."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - logging calls it
        logging.getLogger().removeHandler(self)
        reason = getattr(sys.exc_info()[1], "strerror", None) or "an error"
        say(f"the log {self.baseFilename} ends here: {reason}")


def start_log(name: str | None) -> bool:
    """Send messages for users to stderr, and all traffic to a log file, if there is a name.

    Returns False when the file cannot be written; a message says so.
    """
    root = logging.getLogger()
    root.setLevel(logging.INFO)
    console = logging.StreamHandler()
    console.setLevel(logging.INFO)
    # Messages have no prefix: GoGui and Sabaki show stderr among the commands, and GoGui colors
    # lines that begin with WARNING.
    console.setFormatter(Visible())
    root.addHandler(console)
    if name is None:
        return True
    try:
        if Path(name).is_fifo():
            raise OSError(errno.EINVAL, "a pipe would wait for its reader")
        # Client input may not be UTF-8. Its bytes appear here as surrogates.
        file = _Log(name, encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        say(f"cannot write the log {name}: {error.strerror}")
        return False
    file.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
    root.addHandler(file)
    # The root logger would include every step of numba's compiler at this level.
    logging.getLogger("gtp").setLevel(logging.DEBUG)
    return True
