"""Compilation of the kernels in the background, while the session already answers."""

import logging
import threading
import time
from collections.abc import Callable, Sequence

from engine import jit
from engine.warm_ups import FIRST_MOVE, PLAYING

logger = logging.getLogger(__name__)

_POLL_SECONDS = 0.02
_WORTH_A_LINE_SECONDS = 0.5  # loading from the cache is quicker than this


class WarmUp:
    """A thread that gets the kernels ready that a game needs, in worker processes if need be."""

    def __init__(self) -> None:
        self._ready = threading.Event()
        self._first_move = threading.Event()
        self._before_it = {group.name for group in FIRST_MOVE}
        self._thread = threading.Thread(target=self._compile, name="warm-up", daemon=True)

    def start(self) -> None:
        """Begin. Progress goes to the log, see ``compile_visibly``."""
        self._thread.start()

    def wait(self, stop: threading.Event | None = None) -> bool:
        """Wait until all is ready, or cannot be made ready: the caller will see why.

        stop     ends the waiting when set
        returns  whether it was not stopped
        """
        began = time.monotonic()
        is_announced = False
        while not self._ready.wait(_POLL_SECONDS):
            if stop is not None and stop.is_set():
                return False
            if not is_announced and time.monotonic() - began > _WORTH_A_LINE_SECONDS:
                is_announced = True
                logger.info("the answer follows as soon as the engine is ready")
        return True

    def wait_for_first_move(self, stop: threading.Event | None = None) -> bool:
        """Wait for what a move without a search needs; return whether the rest is being compiled.

        Loading the rest from the cache takes no time that is worth such a move.
        stop  ends the waiting when set; then nothing is worth it
        """
        cold = not all(group.is_ready for group in PLAYING)
        while not self._first_move.wait(_POLL_SECONDS) and not self._ready.is_set():
            if stop is not None and stop.is_set():
                return False
        return cold and not self._ready.is_set()

    def wait_silently(self) -> None:
        """Do as ``wait`` where nobody asked for an answer."""
        self._ready.wait()

    @property
    def at_work(self) -> bool:
        """Whether the thread still runs."""
        return self._thread.is_alive()

    def _note(self, name: str) -> None:
        self._before_it.discard(name)
        if not self._before_it:
            self._first_move.set()

    def _compile(self) -> None:
        try:
            compile_visibly(logger.info, done=self._note)
        except Exception:
            logger.exception("the engine could not be compiled")
        finally:
            self._ready.set()


def compile_visibly(
    say: Callable[[str], object],
    groups: Sequence[jit.KernelGroup] = PLAYING,
    done: Callable[[str], object] = lambda name: None,
) -> None:
    """Compile or load groups; where the cache holds all of them, nothing is said.

    say     is told that the engine is being compiled, each part that is done, and the end
    groups  what a game needs unless given
    done    is called with the name of each group that this process can use
    """
    began = time.monotonic()
    missing = {group.name for group in groups if not group.is_ready}
    if missing:
        say("compiling the engine, once per version (about a minute)")
    count = 0
    for name, _ in jit.compile_all(groups):
        done(name)
        if name in missing:
            count += 1
            say(f"compiling the engine, once per version: {count} of {len(missing)} parts done")
    if missing:
        say(f"ready after {time.monotonic() - began:.0f} s")
