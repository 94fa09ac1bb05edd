"""Tasks: pure functions of their arguments, run by any free worker.

A task runs again elsewhere if its worker is lost. Its result arrives completely or not at all. A
caller that keeps each result on arrival never repeats work.
"""

import pickle
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError
from typing import Any, NamedTuple

import numpy as np

from engine.errors import YomiError
from patterns_db.cluster.identity import identity


class TaskLimits(NamedTuple):
    """Waiting for the workers of a cluster."""

    poll_seconds: float = 0.5
    # Within this time a scheduler that restarts at its address is found again.
    lost_seconds: float = 5.0
    no_workers_seconds: float = 60.0  # a killed worker needs about ten to come back
    process_bytes: int = 300 << 20  # of a worker with loaded kernels and without data
    resendings: int = 100  # of one task whose data were lost with a worker


TASKS = TaskLimits()


class ClusterFailed(YomiError):  # noqa: N818 - an event, not a kind of error
    """The cluster failed. Finished work is kept."""


def run_task(client: str, packed: bytes, *shared: Any) -> Any:
    """Run a task on a worker and return its result.

    client  the client's ``identity``: another yomi would compute different results
    packed  the pickled function and its arguments, which follow the shared ones
    """
    if client != identity():
        raise ClusterFailed(f"a worker has another yomi ({identity()}) than this one ({client})")
    # Unpickling happens here, because Dask would search all arguments for its own objects.
    function, arguments = pickle.loads(packed)
    return function(*shared, *arguments)


def bytes_of(data: Any) -> int:
    """Return the size of the arrays in nested tuples."""
    if isinstance(data, np.ndarray):
        return int(data.nbytes)
    return sum(bytes_of(part) for part in data) if isinstance(data, tuple) else 0


class Shared:
    """Data that many tasks read, sent to every worker once."""

    def __init__(self, data: Any) -> None:
        self.data = data
        self._future: Any = None

    def on(self, cluster: "Cluster") -> Any:
        """Return the data's future. The data are sent again if they were lost."""
        if self._future is None or self._future.status != "finished":
            # The data are in a list, since Dask would take a tuple apart.
            [self._future] = cluster.ask(
                lambda: cluster.client.scatter([self.data], broadcast=True, hash=False)
            )
        return self._future


class ClusterTask:
    """A running task."""

    def __init__(
        self, cluster: "Cluster", function: Callable[..., Any], arguments: tuple[Any, ...]
    ) -> None:
        self._cluster = cluster
        self._shared = [each for each in arguments if isinstance(each, Shared)]
        own = arguments[len(self._shared) :]
        self._packed = pickle.dumps((function, own), protocol=5)
        self._sent = 0
        self.send()

    def send(self) -> None:
        """Send the task to the cluster, or again if its data were lost on the way."""
        self._sent += 1
        if self._sent > TASKS.resendings:
            raise ClusterFailed("a task's data were lost too often")
        shared = [each.on(self._cluster) for each in self._shared]
        identity = self._cluster.identity
        self.future = self._cluster.ask(
            lambda: self._cluster.client.submit(
                run_task, identity, self._packed, *shared, pure=False
            )
        )

    def result(self) -> Any:
        """Wait for the task and return its result.

        Raises ClusterFailed, and any YomiError that the task raised.
        """
        while True:
            self._cluster.wait([self])
            try:
                return self.future.result()
            except CancelledError:  # lost with the scheduler, or with the data it needs
                self.send()
            except YomiError:
                raise
            except MemoryError:
                raise ClusterFailed("a worker has not enough memory") from None
            except Exception as error:
                raise ClusterFailed(_describe(error)) from error


def _describe(error: Exception) -> str:
    """Return one line about the error that ended a task."""
    text = str(error).strip().partition("\n")[0]
    if type(error).__name__ == "KilledWorker":
        return "every worker died during the same task: it may need more memory"
    if isinstance(error, OSError):
        return f"a worker failed: {text}"
    return f"a task failed on the cluster: {type(error).__name__}: {text}"


class Cluster:
    """A connected cluster, by its client of Dask."""

    def __init__(self, client: Any) -> None:
        self.client = client
        self.identity = identity()
        self._looked = 0.0
        self._last_seen = time.monotonic()

    @property
    def threads(self) -> int:
        """Return the number of tasks that can run at once now, at least 1."""
        threads: dict[str, int] = self.ask(self.client.nthreads)
        return max(1, sum(threads.values()))

    def ask(self, question: Callable[[], Any]) -> Any:
        """Query the scheduler. Raises ClusterFailed when it does not answer."""
        start = time.monotonic()
        while True:
            try:
                return question()
            # Either the scheduler is gone, or a worker died while it received data. In the second
            # case Dask's scheduler no longer knows its name (KeyError), and another worker will
            # come.
            except (OSError, KeyError) as error:
                waited = time.monotonic() - start
                if self.client.status != "running" and waited > TASKS.lost_seconds:
                    raise ClusterFailed("the scheduler is gone") from error
                if waited > TASKS.no_workers_seconds:
                    raise ClusterFailed("no worker accepts data") from error
                time.sleep(TASKS.poll_seconds)

    def require(self, needed: int, what: str) -> None:
        """Raise ClusterFailed if a worker lacks memory, before the worker dies of it.

        needed  bytes in addition to what every worker needs
        """
        needed += TASKS.process_bytes
        workers = self.ask(lambda: self.client.scheduler_info(n_workers=-1))["workers"].values()
        limits = [worker["memory_limit"] for worker in workers if worker.get("memory_limit")]
        if limits and needed > min(limits):
            has, takes = min(limits) / 2**30, needed / 2**30
            raise ClusterFailed(f"{what} needs {takes:.1f} GiB, but a worker has {has:.1f} GiB")

    def submit(self, function: Callable[..., Any], *arguments: Any) -> ClusterTask:
        """Run a module's function on any worker. Shared arguments come first."""
        return ClusterTask(self, function, arguments)

    def results(
        self, function: Callable[..., Any], all_arguments: Iterable[Sequence[Any]]
    ) -> Iterator[tuple[int, Any]]:
        """Call a function with many arguments. Yield (number, result) in order of arrival."""
        numbered = enumerate(all_arguments)
        going: dict[int, ClusterTask] = {}
        # Twice as many tasks as can run are sent, so that no worker waits. Sending all of them
        # would need too much memory for arguments.
        room = 2 * self.threads
        while True:
            while len(going) < room and (following := next(numbered, None)) is not None:
                going[following[0]] = self.submit(function, *following[1])
            if not going:
                return
            self.wait(list(going.values()))
            for number in [n for n, task in going.items() if task.future.done()]:
                yield number, going.pop(number).result()

    def wait(self, tasks: Sequence[ClusterTask]) -> None:
        """Wait until one of the tasks ends. Raises ClusterFailed when none can."""
        from distributed import wait

        while True:
            futures = [task.future for task in tasks]
            try:
                with self.client.as_current():
                    wait(futures, timeout=TASKS.poll_seconds, return_when="FIRST_COMPLETED")
                return
            except TimeoutError:
                self._look()
            except CancelledError:
                return  # result() sends it again

    def _look(self) -> None:
        """Check now and then whether scheduler and workers are alive."""
        now = time.monotonic()
        if self.client.status != "running":
            if now - self._last_seen > TASKS.lost_seconds:
                raise ClusterFailed("the scheduler is gone")
            return
        if now - self._looked < 2.0:
            return
        self._looked = now
        try:
            workers = self.client.nthreads()
        except OSError:  # the next check shows whether it comes back
            return
        if workers:
            self._last_seen = now
        elif now - self._last_seen > TASKS.no_workers_seconds:
            raise ClusterFailed("all workers are gone")
