"""The process's own streams while it speaks GTP: commands, answers, and what a person may read."""

import io
import logging
import os

from gtp.protocol import InputStream


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
