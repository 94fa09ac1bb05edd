"""Tasks: pure functions of their arguments, run by any free worker.

Dask runs a task again elsewhere if its worker is lost. Its scheduler holds the arguments, so they
cannot be lost with a worker. A result arrives completely or not at all. A caller that keeps each
result on arrival never repeats work.
"""

import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError
from itertools import islice
from typing import Any

from engine.errors import YomiError
from patterns_db.cluster.identity import identity

NO_WORKERS_SECONDS = 60.0  # a killed worker needs about ten to come back


class ClusterFailed(YomiError):  # noqa: N818 - an event, not a kind of error
    """The cluster failed. Finished work is kept."""


def run_task(client: str, packed: bytes, *shared: bytes) -> Any:
    """Run a task on a worker and return its result.

    client  the client's ``identity``: another yomi would compute different results
    packed  the pickled function and its arguments, which follow the shared ones
    shared  pickled, so that every task has its own
    """
    if client != identity():
        raise ClusterFailed(f"a worker has another yomi ({identity()}) than this one ({client})")
    # Unpickling happens here, because Dask would search all arguments for its own objects.
    function, arguments = pickle.loads(packed)
    return function(*map(pickle.loads, shared), *arguments)


class Cluster:
    """A connected cluster, by its client of Dask."""

    def __init__(self, client: Any) -> None:
        self.client = client
        self.identity = identity()

    @property
    def threads(self) -> int:
        """Return the number of tasks that can run at once now, at least 1."""
        try:
            threads: dict[str, int] = self.client.nthreads()
            return max(1, sum(threads.values()))
        except OSError:
            raise ClusterFailed("the scheduler is gone") from None

    def results(
        self,
        function: Callable[..., Any],
        all_arguments: Iterable[Sequence[Any]],
        shared: Sequence[Any] = (),
    ) -> Iterator[tuple[int, Any]]:
        """Call a module's function with many arguments. Yield (number, result) as they arrive.

        shared  first arguments of every call, sent to each worker once
        Raises ClusterFailed, and any YomiError that a task raised.
        """
        send = self.client.submit
        common = [send(bytes, pickle.dumps(data, protocol=5), pure=False) for data in shared]
        numbered = enumerate(all_arguments)
        running: dict[Any, int] = {}
        # Twice as many tasks as can run are sent, so that no worker waits. Sending all of them
        # would need too much memory for arguments.
        room = 2 * self.threads
        while True:
            for number, arguments in islice(numbered, room - len(running)):
                packed = pickle.dumps((function, arguments), protocol=5)
                running[send(run_task, self.identity, packed, *common, pure=False)] = number
            if not running:
                return
            for future in self._finished(list(running)):
                yield running.pop(future), _result(future)

    def _finished(self, futures: list[Any]) -> Iterable[Any]:
        """Wait until some tasks end, and return them. Raises ClusterFailed when none can."""
        from distributed import wait

        while True:
            try:
                with self.client.as_current():
                    done: Iterable[Any] = wait(
                        futures, timeout=NO_WORKERS_SECONDS, return_when="FIRST_COMPLETED"
                    ).done
                return done
            except TimeoutError:
                if not self.client.nthreads():
                    raise ClusterFailed("all workers are gone") from None
            except (CancelledError, OSError) as error:
                raise ClusterFailed("the scheduler is gone") from error


def _result(future: Any) -> Any:
    """Return the result of a finished task."""
    try:
        return future.result()
    except CancelledError as error:
        raise ClusterFailed("the scheduler is gone") from error
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
