"""Replicas of the client's knowledge on workers, updated by the changes of each round.

All workers need in each round what the last one learned. A worker therefore keeps a replica and
receives only the changes. A new worker, or one that missed a round, receives everything.
"""

import threading
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

from engine.errors import YomiError
from patterns_db.cluster.tasks import Cluster, Shared


class Version(NamedTuple):
    """The state of a replica: a run of the client, and its progress."""

    run: str
    done: int


class Replica(Protocol):
    """A worker's copy of the client's knowledge."""

    def update(self, change: Any, /) -> None:
        """Take over the results of a round."""


# Replicas waiting for their next task, for each thread of this process.
_waiting: list[tuple[Version, Any]] = []
_lock = threading.Lock()


def take_replica(change: Any, before: Version, now: Version) -> Any:
    """Take a waiting replica and update it, on a worker. Return None if there is none.

    change  the difference from ``before`` to ``now``
    Replicas of other runs and rounds are dropped.
    """
    with _lock:
        _waiting[:] = [each for each in _waiting if each[0] in (before, now)]
        # An up-to-date replica is preferred.
        _waiting.sort(key=lambda each: each[0] == now)
        if not _waiting:
            return None
        version, replica = _waiting.pop()
    if version != now:
        if change is None:
            return None
        replica.update(change)
    return replica


def keep_replica(now: Version, replica: Replica) -> None:
    """Keep a replica for the next task. It must not have failed during its task."""
    with _lock:
        _waiting.append((now, replica))


def ask_replicas(
    cluster: Cluster,
    function: Callable[..., Any],
    change: Any,
    setup: Callable[[], Any],
    versions: tuple[Version, Version],
    all_arguments: Sequence[tuple[Any, ...]],
) -> list[Any]:
    """Run the tasks of a round and return their results in order.

    function  called with the change, everything or None, both versions, and its arguments; returns
              None if it has no replica and did not receive everything
    setup     returns everything
    versions  before the last round, and now
    """
    changed, nothing = Shared(change), Shared(None)
    tasks = [
        cluster.submit(function, changed, nothing, *versions, *arguments)
        for arguments in all_arguments
    ]
    whole: Shared | None = None
    results: list[Any] = []
    for task, arguments in zip(tasks, all_arguments, strict=True):
        result = task.result()
        if result is None:  # a new worker, or one that missed a round
            whole = whole or Shared(setup())
            result = cluster.submit(function, changed, whole, *versions, *arguments).result()
            if result is None:
                raise YomiError("internal error: a worker with all data returned no result")
        results.append(result)
    return results
