"""Connections to a cluster: one at an address, or one of processes on this machine.

Errors are one line and come before any work. Anyone who can reach a Dask scheduler or worker can
run code there. A local cluster therefore listens on loopback only, and accepts only holders of its
certificate, which is new each time. Other clusters can use TLS, by Dask's own settings.
"""

import logging
import os
import ssl
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, NamedTuple

from engine.errors import BadSetup
from patterns_db.children import safe_children
from patterns_db.cluster.identity import identity
from patterns_db.cluster.tasks import Cluster, ClusterFailed
from patterns_db.printing import how_to_install


class ConnectionLimits(NamedTuple):
    """Waiting for a cluster [seconds]."""

    # For each of two connections: an error comes within ten seconds
    connect_seconds: float = 5.0
    worker_seconds: float = 4.0
    start_seconds: float = 60.0  # for starting local workers on a busy machine
    # A task is not to blame when its worker is killed, so it may lose this many workers.
    allowed_failures: int = 10


CONNECTION = ConnectionLimits()

# The workers evaluate this text. A worker without yomi could not even receive one of our functions.
_ASK_IDENTITY = "__import__('patterns_db.cluster.identity', fromlist=['identity']).identity()"


LOOPBACK = "127.0.0.1"


@contextmanager
def open_cluster(where: str, say: Callable[[str], object] = print) -> Iterator[Cluster]:
    """Connect to a cluster for as long as the context lasts.

    where  the address of a scheduler, "tls://10.0.0.1:8786" or "10.0.0.1:8786"; or "local", or
           "local:4" for four processes on this machine, which end with the context
    say    called with the address of the dashboard
    Raises BadSetup for an invalid address and without the extra ``cluster``. Raises ClusterFailed
    when no scheduler answers or no worker can do the work.
    """
    processes = _processes(where)
    try:
        import dask
        import distributed
    except ImportError:
        raise BadSetup(f"a cluster needs Dask: {how_to_install('distributed', 'bokeh')}") from None
    security = None if processes is None else _new_certificate(distributed)
    settings = {
        "distributed.comm.timeouts.connect": CONNECTION.connect_seconds,
        "distributed.scheduler.allowed-failures": CONNECTION.allowed_failures,
        # Dask samples Python's stack a hundred times a second. This is useless for kernels.
        "distributed.worker.profile.enabled": False,
        # A round sends tens of megabytes, so Dask's warning about that is turned off.
        "distributed.admin.large-graph-warning-threshold": "1GB",
    }
    with ExitStack() as stack:
        stack.enter_context(dask.config.set(settings))
        for name in ("distributed", "bokeh", "tornado"):  # a lost worker takes dozens of lines
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
        if processes is not None:
            stack.enter_context(safe_children())
            scheduler: Any = stack.enter_context(_start(distributed, processes, security))
        else:
            scheduler = where if "://" in where else f"tcp://{where}"
        client = stack.enter_context(_connect(distributed, scheduler, where, security))
        if processes is None:
            _check_workers(client, where)
        workers = client.nthreads()
        size = f"{len(workers)} workers, {sum(workers.values())} threads"
        say(f"cluster: {size}; dashboard: {client.dashboard_link}")
        yield Cluster(client)


def _processes(where: str) -> int | None:
    """Return N of local:N, or None for an address. Raises BadSetup."""
    name, colon, number = where.partition(":")
    if name == "local":
        if colon and not (_is_number(number) and int(number) > 0):
            raise BadSetup(f"{where}: local:N needs a number of processes")
        return int(number) if colon else os.cpu_count() or 1
    host, colon, port = where.rpartition("://")[2].rpartition(":")
    if not (host and colon and _is_number(port) and int(port) < 1 << 16):
        raise BadSetup(f"{where} is neither local[:N] nor the address of a scheduler, HOST:PORT")
    return None


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()  # isdigit takes the digits of every script


def _new_certificate(distributed: Any) -> Any:
    try:
        return distributed.Security.temporary()
    except ImportError:
        install = how_to_install("cryptography")
        raise BadSetup(f"a local cluster needs cryptography: {install}") from None


def _start(distributed: Any, processes: int, security: Any) -> Any:
    # Each worker has one thread, since learning kernels are always busy.
    return distributed.LocalCluster(
        host=LOOPBACK,
        n_workers=processes,
        threads_per_worker=1,
        dashboard_address=f"{LOOPBACK}:0",
        worker_dashboard_address=f"{LOOPBACK}:0",
        security=security,
        preload="patterns_db.cluster.local_worker",
        silence_logs=logging.CRITICAL + 1,
        timeout=CONNECTION.start_seconds,
    )


def _connect(distributed: Any, scheduler: Any, where: str, security: Any) -> Any:
    try:
        return distributed.Client(
            scheduler, timeout=CONNECTION.connect_seconds, set_as_default=False, security=security
        )
    except (ssl.SSLError, FileNotFoundError) as error:
        raise BadSetup(f"the TLS files of Dask's settings cannot be used: {error}") from None
    # Dask raises TypeError where an address and its settings do not fit.
    except (OSError, ValueError, TypeError, RuntimeError) as error:
        raise ClusterFailed(
            f"no Dask scheduler answers at {where} within {CONNECTION.connect_seconds:.0f} seconds"
        ) from error


def _check_workers(client: Any, where: str) -> None:
    """Raise ClusterFailed unless there are workers, all with this very version of yomi."""
    try:
        client.wait_for_workers(1, timeout=CONNECTION.worker_seconds)
    except TimeoutError:
        raise ClusterFailed(
            f"the scheduler at {where} has no workers; start some: dask worker {where}"
        ) from None
    for worker, answer in client.run(eval, _ASK_IDENTITY, on_error="return").items():
        if isinstance(answer, Exception):
            raise ClusterFailed(f"the worker {worker} cannot load yomi: {answer}")
        if answer != identity():
            raise ClusterFailed(
                f"the worker {worker} has another yomi ({answer}) than this one ({identity()})"
            )
