"""The process's own streams while it talks to a program, and how such a process begins and ends."""

import atexit
import contextlib
import io
import logging
import os
import signal
import sys
from typing import TextIO, cast

from gtp.cli.command_line import INTERRUPTED
from gtp.cli.messages import Messages
from gtp.protocol import InputStream
from gtp.warming import WarmUp

# For messages that a slow reader has not taken yet; CGOS's client waits half a second for the end.
_LAST_WORDS_SECONDS = 0.2


def begin_talk(log: str | None) -> tuple[InputStream, io.BufferedIOBase] | None:
    """Return the streams to talk on; Ctrl-C ends the process from now on.

    log  a file for everything said
    None when that cannot be written, which is said on stderr.
    """
    # First: a file opened before could take the number of a stream that was closed.
    streams = standard_streams()
    messages = Messages(2)
    atexit.register(messages.drain, _LAST_WORDS_SECONDS)
    # Python's own as well: what libraries print, warnings, errors of threads.
    sys.stderr = sys.stdout = cast(TextIO, messages)
    try:
        start_log(log)
    except OSError as error:
        print(f"yomi: cannot write the log {log}: {error.strerror}", file=sys.stderr)
        return None
    # At once, whatever the threads are doing: a search would be waited for otherwise.
    signal.signal(signal.SIGINT, lambda signal_number, frame: os._exit(INTERRUPTED))
    return streams


def end_talk(sink: io.BufferedIOBase, warm_up: WarmUp) -> None:
    """Close what was talked on; end the process if a compilation is still under way."""
    with contextlib.suppress(OSError):  # the reader has gone: what is left in the buffer is lost
        sink.close()
    logging.shutdown()
    # Its thread cannot be stopped otherwise. quit has been answered; CGOS's client waits half a
    # second for the end after it, GoGui's twogtp without limit.
    if warm_up.at_work:
        if isinstance(sys.stderr, Messages):
            sys.stderr.drain(_LAST_WORDS_SECONDS)
        os._exit(0)


def standard_streams() -> tuple[InputStream, io.BufferedIOBase]:
    """Return the protocol's own streams; anything else that prints goes to stderr.

    The input is unbuffered: a buffered one holds a lock while its thread waits, and Python cannot
    end as long as it does. A stream that was closed before we started counts as ended.
    """
    try:
        os.fstat(0)
        source: InputStream = io.FileIO(0, closefd=False)
    except OSError:
        source = io.BytesIO()
    # What libraries print would be read as an answer; CGOS's client plays it as a move, KGS's drops
    # the engine. So the answers get a descriptor of their own, and descriptor 1 becomes stderr.
    try:
        sink: io.BufferedIOBase = os.fdopen(os.dup(1), "wb")
        os.dup2(2, 1)
    except OSError:
        sink = io.BytesIO()
    return source, sink


def start_log(file_name: str | None) -> None:
    """Send what a person may want to know to stderr, and everything to the log file.

    Raises OSError when the file cannot be written.
    """
    root = logging.getLogger()
    root.setLevel(logging.INFO)
    console = logging.StreamHandler()
    console.setLevel(logging.INFO)
    # Bare: GoGui and Sabaki show stderr among the commands, and GoGui colors what begins with
    # WARNING.
    console.setFormatter(logging.Formatter("%(message)s"))
    root.addHandler(console)
    if file_name is not None:
        # What clients send need not be UTF-8; its bytes come here as surrogates.
        file = logging.FileHandler(file_name, encoding="utf-8", errors="backslashreplace")
        file.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
        root.addHandler(file)
        # Not the root: numba tells of every step of its compiler at this level.
        logging.getLogger("gtp").setLevel(logging.DEBUG)
