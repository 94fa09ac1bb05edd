"""Saving a state now and then while it changes, and when the work on it ends early."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Keeper:
    """Saves a state.

    save     writes it, all or nothing
    seconds  between two savings
    """

    def __init__(self, save: Callable[[], None], seconds: float) -> None:
        self._save, self._seconds = save, seconds
        self._saved = time.monotonic()
        self._changing = False

    def step(self) -> None:
        """Save if it is time to; called where the state is whole."""
        if time.monotonic() - self._saved >= self._seconds:
            self._save()
            self._saved = time.monotonic()

    @contextmanager
    def change(self) -> Iterator[None]:
        """Change the state, and save it afterwards if it is time to."""
        # Ctrl-C in the middle leaves this set: then the state that was saved last counts.
        self._changing = True
        yield
        self._changing = False
        self.step()

    def __enter__(self) -> "Keeper":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        # Ctrl-C, or a cluster that is gone: what is done stays done. In vain if the disk is full.
        if kind is not None and not issubclass(kind, OSError) and not self._changing:
            self._save()
