"""Workers that know what the client knows, kept up to date by what has changed.

What is learned in one round is needed by all workers in the next. So a worker keeps what it has
built, a replica, and is sent the changes alone; who comes new, or has missed a round, is sent
everything.
"""

import threading
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

from engine.errors import YomiError
from patterns_db.cluster.tasks import Cluster, ClusterTask, Shared


class Version(NamedTuple):
    """What a replica knows: a run of the client, and how much has been learned in it."""

    run: str
    done: int


class Replica(Protocol):
    """What a worker keeps."""

    def update(self, change: Any, /) -> None:
        """Take over what was learned in a round."""


# Those that wait for their next task, for each thread of this process.
_waiting: list[tuple[Version, Any]] = []
_lock = threading.Lock()


def take_replica(change: Any, before: Version, now: Version) -> Any:
    """Take a waiting replica and bring it up to date, on a worker; None: there is none.

    change  what makes ``now`` of ``before``
    Replicas of other runs and rounds are forgotten.
    """
    with _lock:
        _waiting[:] = [each for each in _waiting if each[0] in (before, now)]
        # One that is up to date first.
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
    """Keep a replica for the next task. Not one that failed in the middle of its task."""
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
    """Do the tasks of a round; return their results in order.

    function  called with the change, everything or None, both versions, and its arguments; returns
              None where it has no replica and was not sent everything
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
    longest = 0.0
    for task, arguments in zip(tasks, all_arguments, strict=True):
        result = task.result()
        if result is None:  # a new worker, or one that missed a round
            whole = whole or Shared(setup())
            again: ClusterTask = cluster.submit(function, changed, whole, *versions, *arguments)
            result = again.result()
            if result is None:
                raise YomiError("a worker that had everything could do nothing")
            longest = max(longest, again.seconds)
        results.append(result)
        longest = max(longest, task.seconds)
    cluster.longest += longest
    return results
