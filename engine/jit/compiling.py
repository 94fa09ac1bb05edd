"""Ahead-of-time compilation of kernels, group by group, in one process per core.

numba compiles one kernel at a time in a process. A cold start is therefore spread over processes
that fill the one cache. They coordinate through files in the cache folder: a group's lock, held
during compilation, and a file that marks it as ready. Two engines started at once thus share the
work as well. At the end the caller's own process calls every group: it compiles those that no
worker delivered.
"""

import contextlib
import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from pathlib import Path
from typing import IO, NamedTuple, TypeAlias

from engine.jit.decorator import CACHE
from engine.jit.folders import is_writable
from engine.jit.machine import workers_for

Lines: TypeAlias = "queue.SimpleQueue[str | None]"

_MEMORY_PER_WORKER = 1 << 30  # compiling the search takes 410 MB; the rest is for other programs
# Started directly: multiprocessing would run the caller's main module again and pass on our
# standard input. The worker imports the same modules as this process, so it gets our sys.path;
# with -P nothing comes before it.
_START = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); import engine.jit.worker as w"


class KernelGroup(NamedTuple):
    """Kernels that one process compiles because they share many parts."""

    name: str  # unique
    # Of modules, without arguments; each calls every kernel that Python calls once
    functions: tuple[Callable[[], object], ...]

    def compile(self) -> float:
        """Compile or load all kernels; return the seconds taken."""
        start = time.perf_counter()
        for function in self.functions:
            function()
        return time.perf_counter() - start

    def _file(self, kind: str) -> Path | None:
        if CACHE is None:
            return None
        folder = CACHE.folder(self.functions[0].__module__)
        return folder / f"{self.name.replace(' ', '-')}.{kind}"

    @property
    def is_ready(self) -> bool:
        """Whether the cache holds all kernels of the group, or nothing needs compiling."""
        file = self._file("ready")
        return file is None or file.exists()

    @property
    def is_storable(self) -> bool:
        """Whether the cache takes files: its disk may be full or read-only."""
        file = self._file("ready")
        return file is not None and is_writable(file.parent)

    def note_ready(self) -> None:
        """Record that the cache holds all kernels of the group."""
        file = self._file("ready")
        if file is not None:
            with contextlib.suppress(OSError):  # the group is then compiled or loaded once more
                file.touch()

    @contextlib.contextmanager
    def locked(self) -> Iterator[bool]:
        """Hold the group's lock; yield False at once if another process holds it."""
        file = self._file("lock")
        if file is None:
            yield True
            return
        try:
            lock = file.open("ab")
        except OSError:  # the cache is read-only: no other process can use our results
            yield True
            return
        with lock:
            yield _lock(lock)


def _lock(file: IO[bytes]) -> bool:
    """Lock a file until it is closed; return False if another process has it."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        # Windows reports EACCES for "taken". A file system without locks must not stop us.
        return not isinstance(error, PermissionError)
    return True


def compile_all(
    groups: Sequence[KernelGroup], processes: int | None = None
) -> Iterator[tuple[str, float]]:
    """Compile or load groups, the longest first; yield name and seconds of each finished one.

    processes  most workers; None: as many as cores and memory allow
    """
    # With one worker, or with workers that cannot store their results, this process compiles alone.
    cold = {group.name: group for group in groups if not group.is_ready}
    done = set()
    if processes is None:
        processes = workers_for(_MEMORY_PER_WORKER)
    if min(processes, len(cold)) > 1 and all(group.is_storable for group in cold.values()):
        with contextlib.closing(_compile_in_workers(list(cold.values()), processes)) as finished:
            for name, seconds in finished:
                cold[name].compile()  # load it now, while the other workers are still busy
                done.add(name)
                yield name, seconds
    for group in groups:
        if group.name not in done:
            seconds = group.compile()
            group.note_ready()
            yield group.name, seconds


def _compile_in_workers(
    groups: list[KernelGroup], processes: int
) -> Generator[tuple[str, float], None, None]:
    """Compile groups in workers, as ``compile_all``; those that none could compile are missing."""
    words = [json.dumps([g.name, *(_name_of(f) for f in g.functions)]) for g in groups]
    command = [sys.executable, "-P", "-c", f"{_START}; w.main(sys.argv[2:])", json.dumps(sys.path)]
    workers: list[subprocess.Popen[str]] = []
    lines: Lines = queue.SimpleQueue()
    try:
        for _ in range(min(processes, len(groups))):
            with contextlib.suppress(OSError):
                workers.append(_start([*command, *words], lines))
        running, pending = len(workers), {group.name for group in groups}
        while running and pending:
            line = lines.get()
            if line is None:
                running -= 1
                continue
            name, seconds = json.loads(line)
            if name in pending:  # every worker reports every group when it finds it ready
                pending.remove(name)
                yield name, seconds
    finally:
        for worker in workers:
            worker.kill()
            worker.wait()
            if worker.stdin is not None:
                worker.stdin.close()


def _start(command: list[str], lines: Lines) -> subprocess.Popen[str]:
    """Start a worker whose output goes to the queue."""
    worker = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,  # ours carries GTP; the worker ends when this pipe does
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,  # an error there occurs here again and is reported
        text=True,
        # A temporary cache belongs to this process: a worker would choose another one.
        env=os.environ if CACHE is None else {**os.environ, "NUMBA_CACHE_DIR": str(CACHE.base)},
        # Windows would open a console for each worker when ours was started without one.
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )
    threading.Thread(target=_pass_on, args=(worker.stdout, lines), daemon=True).start()
    return worker


def _name_of(function: Callable[[], object]) -> str:
    return f"{function.__module__}:{function.__qualname__}"


def _pass_on(output: IO[str], lines: Lines) -> None:
    """Put a worker's lines into the queue, and None at its end."""
    with output:
        for line in output:
            lines.put(line)
    lines.put(None)
