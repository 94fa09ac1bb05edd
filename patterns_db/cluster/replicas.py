"""Replicas of the client's knowledge on workers, updated by the changes of each round.

All workers need in each round what the last one learned. A worker therefore keeps a replica and
receives only the changes. A new worker, or one that missed a round, receives everything.
"""

import threading
import uuid
from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any, NamedTuple, Protocol

from patterns_db.cluster.tasks import Cluster


class Replica(Protocol):
    """A worker's copy of the client's knowledge."""

    def update(self, change: Any, /) -> None:
        """Take over the results of a round."""

    def work(self, task: Any, /) -> Any:
        """Return the result of a task, never None. The replica stays."""


class Version(NamedTuple):
    """The state of a replica: a run of the client, and its number of finished rounds."""

    run: str
    rounds: int


# Replicas waiting for their next task, one for each thread of this process.
_waiting: list[tuple[Version, Replica]] = []
_lock = threading.Lock()


def work_on_replica(
    change: Any, whole: tuple[Callable[..., Replica], Any] | None, now: Version, task: Any
) -> Any:
    """Do a task on a worker. Return None if it has no replica and did not receive everything.

    change  the results of the last round, or None
    whole   the replica's class and its arguments, or None
    """
    replica = _take_replica(change, now)
    if replica is None:
        if whole is None:
            return None
        replica = whole[0](*whole[1])
    result = replica.work(task)
    with _lock:  # not after an error, which may leave a replica half changed
        _waiting.append((now, replica))
    return result


def _take_replica(change: Any, now: Version) -> Replica | None:
    """Take a waiting replica and update it. Replicas of other runs and rounds are dropped."""
    before = now._replace(rounds=now.rounds - 1)
    with _lock:
        # An up-to-date replica is preferred.
        _waiting[:] = sorted(
            (one for one in _waiting if one[0] in (before, now)), key=itemgetter(0)
        )
        if not _waiting:
            return None
        version, replica = _waiting.pop()
    if version == before:
        replica.update(change)
    return replica


class Rounds:
    """Tasks in rounds on replicas. Each round knows the results of the rounds before it.

    kind   makes a replica of the arguments that ``whole`` returns
    whole  returns the client's present knowledge
    """

    def __init__(
        self, cluster: Cluster, kind: Callable[..., Replica], whole: Callable[[], tuple[Any, ...]]
    ) -> None:
        self._cluster, self._kind, self._whole = cluster, kind, whole
        self._now = Version(uuid.uuid4().hex, 0)
        self._change: Any = None

    def run(self, tasks: Sequence[Any]) -> list[Any]:
        """Return the results of a round's tasks, in order."""
        wants_all = self._now.rounds == 0
        results: dict[int, Any] = {}
        while missing := [n for n in range(len(tasks)) if results.get(n) is None]:
            arguments = [(self._now, tasks[number]) for number in missing]
            shared = self._change, (self._kind, self._whole()) if wants_all else None
            for place, result in self._cluster.results(work_on_replica, arguments, shared):
                results[missing[place]] = result
            wants_all = True  # in a second try, for new workers and those that missed a round
        return [results[number] for number in range(len(tasks))]

    def finish(self, change: Any) -> None:
        """End a round, whose results the client has learned. ``change`` updates replicas."""
        self._change = change
        self._now = self._now._replace(rounds=self._now.rounds + 1)
