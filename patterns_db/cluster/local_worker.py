"""The start of each worker of a local cluster, see ``connection``.

Ctrl-C in a terminal reaches all of its processes. The main one ends the workers, which would print
tracebacks if they were interrupted.
"""

import signal


def dask_setup(worker: object) -> None:
    """Ignore Ctrl-C. Dask calls this when the worker has started."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
