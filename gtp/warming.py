"""Compiles the kernels in the background while the session already answers."""

import logging
import threading
import time
from collections.abc import Callable

from engine import jit
from engine.warm_ups import PLAYING

logger = logging.getLogger(__name__)

_POLL_SECONDS = 0.02
_WORTH_A_LINE_SECONDS = 0.5  # loading from the cache is quicker than this


class WarmUp:
    """A thread that gets the kernels ready that a game needs, in worker processes if need be."""

    def __init__(self) -> None:
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._compile, name="warm-up", daemon=True)

    def start(self) -> None:
        """Begin. Progress goes to the log, one line for each group that takes a while."""
        self._thread.start()

    def wait(self, stop: threading.Event | None = None) -> bool:
        """Wait until all is ready, or cannot be made ready: the caller will see why.

        stop     ends the waiting when set
        returns  whether it was not stopped
        """
        began = time.monotonic()
        told = False
        while not self._ready.wait(_POLL_SECONDS):
            if stop is not None and stop.is_set():
                return False
            if not told and time.monotonic() - began > _WORTH_A_LINE_SECONDS:
                told = True
                logger.info("waiting for the kernels to be compiled")
        return True

    @property
    def at_work(self) -> bool:
        """Whether the thread still runs."""
        return self._thread.is_alive()

    def _compile(self) -> None:
        began = time.perf_counter()
        slow = False
        try:
            for number, (name, seconds) in enumerate(jit.compile_all(PLAYING), start=1):
                if seconds > _WORTH_A_LINE_SECONDS:
                    slow = True
                    logger.info("compiled %d/%d: %s (%.1f s)", number, len(PLAYING), name, seconds)
        except Exception:
            logger.exception("the kernels could not be compiled")
        finally:
            self._ready.set()
        if slow:
            logger.info("ready after %.1f s", time.perf_counter() - began)


def compile_visibly(say: Callable[[str], object]) -> None:
    """Compile what a search needs, and say so; where all is in the cache, nothing happens."""
    missing = [group for group in PLAYING if not group.is_ready]
    if not missing:
        return
    say("compiling the engine, once per version (about a minute)")
    for number, (name, seconds) in enumerate(jit.compile_all(missing), start=1):
        say(f"compiled {number}/{len(missing)}: {name} ({seconds:.1f} s)")
