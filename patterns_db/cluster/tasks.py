"""Tasks: functions of their arguments alone, done by whichever worker is free.

A task whose worker is lost is done again elsewhere; its result comes back whole or not at all.
What to do with results is the caller's business: who keeps each as it comes does nothing twice.
"""

import pickle
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError
from typing import Any

import numpy as np

from engine.errors import YomiError
from patterns_db.cluster.identity import identity

POLL_SECONDS = 0.5
# A scheduler that is started anew at its address is found again by then.
LOST_SECONDS = 5.0
NO_WORKERS_SECONDS = 60.0  # a worker that was killed needs some ten to come back
PROCESS_BYTES = 300 << 20  # of a worker that has loaded its kernels and holds no data
RESENDINGS = 100  # of one task whose data were lost with a worker


class ClusterFailed(YomiError):  # noqa: N818 - what happened, not a kind of error
    """The cluster cannot go on; what was done is kept."""


def run_task(client: str, packed: bytes, *shared: Any) -> tuple[Any, float]:
    """Do a task on a worker; return its result and the processor time its process took meanwhile.

    client  the client's ``identity``: another yomi would compute something else
    packed  the pickled function and its arguments, which follow the shared ones
    """
    if client != identity():
        raise ClusterFailed(f"a worker has another yomi ({identity()}) than this one ({client})")
    # Of the process: learning does its work in threads of its own.
    start = time.process_time()
    # Here and not by Dask, which looks for its own objects in all arguments.
    function, arguments = pickle.loads(packed)
    result = function(*shared, *arguments)
    return result, time.process_time() - start


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
        """Return the data's future; it is sent again if it was lost."""
        if self._future is None or self._future.status != "finished":
            cluster.sent += bytes_of(self.data) * cluster.threads
            # A list, or Dask would take a tuple apart.
            [self._future] = cluster.ask(
                lambda: cluster.client.scatter([self.data], broadcast=True, hash=False)
            )
        return self._future


class ClusterTask:
    """One task under way."""

    def __init__(
        self, cluster: "Cluster", function: Callable[..., Any], arguments: tuple[Any, ...]
    ) -> None:
        self._cluster = cluster
        self._shared = [each for each in arguments if isinstance(each, Shared)]
        own = arguments[len(self._shared) :]
        self._packed = pickle.dumps((function, own), protocol=5)
        self._sent = 0
        self.seconds = 0.0  # of processor time, once it is done
        self.send()

    def send(self) -> None:
        """Send it to the cluster, again if its data were lost on the way."""
        self._sent += 1
        if self._sent > RESENDINGS:
            raise ClusterFailed("a task's data were lost again and again")
        self._cluster.sent += len(self._packed)
        shared = [each.on(self._cluster) for each in self._shared]
        identity = self._cluster.identity
        self.future = self._cluster.ask(
            lambda: self._cluster.client.submit(
                run_task, identity, self._packed, *shared, pure=False
            )
        )

    def result(self) -> Any:
        """Return what the function returned, waiting for it.

        Raises ClusterFailed, and what a task raised if it is a YomiError.
        """
        while True:
            self._cluster.wait([self])
            try:
                result, seconds = self.future.result()
            except CancelledError:  # lost with the scheduler, or with the data it needs
                self.send()
            except YomiError:
                raise
            except MemoryError:
                raise ClusterFailed("a worker has not enough memory") from None
            except Exception as error:
                raise ClusterFailed(_describe(error)) from error
            else:
                self.seconds = seconds
                self._cluster.seconds += seconds
                self._cluster.received += bytes_of(result)
                return result


def _describe(error: Exception) -> str:
    """Return one line about what ended a task."""
    text = str(error).strip().partition("\n")[0]
    if type(error).__name__ == "KilledWorker":
        return "every worker that began a certain task died of it: has it memory enough?"
    if isinstance(error, OSError):
        return f"a worker failed: {text}"
    return f"a task failed on the cluster: {type(error).__name__}: {text}"


class Cluster:
    """A cluster in use.

    client    of Dask
    seconds   processor time of all tasks that are done
    longest   likewise, counting of tasks that go on together the longest alone
    sent      bytes that went to workers; ``received`` came back; arrays alone
    """

    def __init__(self, client: Any) -> None:
        self.client = client
        self.identity = identity()
        self.seconds = self.longest = 0.0
        self.sent = self.received = 0
        self._looked = 0.0
        self._last_seen = time.monotonic()

    @property
    def threads(self) -> int:
        """How many tasks can run at once, at present; at least 1."""
        threads: dict[str, int] = self.ask(self.client.nthreads)
        return max(1, sum(threads.values()))

    def ask(self, question: Callable[[], Any]) -> Any:
        """Ask the scheduler something. Raises ClusterFailed when it does not answer."""
        start = time.monotonic()
        while True:
            try:
                return question()
            # A scheduler that is gone; or a worker that died while data were sent to it, whose name
            # (KeyError) Dask's scheduler has lost meanwhile. Another will come.
            except (OSError, KeyError) as error:
                waited = time.monotonic() - start
                if self.client.status != "running" and waited > LOST_SECONDS:
                    raise ClusterFailed("the scheduler is gone") from error
                if waited > NO_WORKERS_SECONDS:
                    raise ClusterFailed("no worker takes data") from error
                time.sleep(POLL_SECONDS)

    def require(self, needed: int, what: str) -> None:
        """Raise ClusterFailed if a worker has not so many bytes of memory, before it dies of it.

        needed  beside what every worker takes
        """
        needed += PROCESS_BYTES
        workers = self.ask(lambda: self.client.scheduler_info(n_workers=-1))["workers"].values()
        limits = [worker["memory_limit"] for worker in workers if worker.get("memory_limit")]
        if limits and needed > min(limits):
            has, takes = min(limits) / 2**30, needed / 2**30
            raise ClusterFailed(f"{what} takes {takes:.1f} GiB, and a worker has {has:.1f} GiB")

    def submit(self, function: Callable[..., Any], *arguments: Any) -> ClusterTask:
        """Have a function of a module called somewhere; Shared arguments stand first."""
        return ClusterTask(self, function, arguments)

    def results(
        self, function: Callable[..., Any], all_arguments: Iterable[Sequence[Any]]
    ) -> Iterator[tuple[int, Any]]:
        """Call a function with many arguments; yield (number, result) as they come."""
        numbered = enumerate(all_arguments)
        going: dict[int, ClusterTask] = {}
        # As many again as can run, so that nobody waits; not all of them: arguments take room.
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
        """Wait until one of the tasks is through. Raises ClusterFailed when none will be."""
        from distributed import wait

        while True:
            futures = [task.future for task in tasks]
            try:
                with self.client.as_current():
                    wait(futures, timeout=POLL_SECONDS, return_when="FIRST_COMPLETED")
                return
            except TimeoutError:
                self._look()
            except CancelledError:
                return  # result() sends it again

    def _look(self) -> None:
        """See now and then whether there is still somebody at work."""
        now = time.monotonic()
        if self.client.status != "running":
            if now - self._last_seen > LOST_SECONDS:
                raise ClusterFailed("the scheduler is gone")
            return
        if now - self._looked < 2.0:
            return
        self._looked = now
        try:
            workers = self.client.nthreads()
        except OSError:  # the next look tells whether it comes back
            return
        if workers:
            self._last_seen = now
        elif now - self._last_seen > NO_WORKERS_SECONDS:
            raise ClusterFailed("all workers are gone")
