"""Turns of one query, answered together. Findings about later positions inform earlier ones."""

import threading
from typing import Generic, TypeVar

T = TypeVar("T")


class JointTurns(Generic[T]):
    """The turns of a query that are answered when the last of them was searched.

    count  of the turns
    """

    def __init__(self, count: int) -> None:
        self._lock = threading.Lock()
        self._missing = count
        self._findings: list[T] = []

    def over(self, finding: T | None = None) -> list[T]:
        """Note that one turn is over, and return all findings if it was the last.

        finding  of its search; None: it was stopped before one, or failed
        """
        with self._lock:
            self._missing -= 1
            if finding is not None:
                self._findings.append(finding)
            if self._missing > 0:
                return []
            findings, self._findings = self._findings, []
        return findings
