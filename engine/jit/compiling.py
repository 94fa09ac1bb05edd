"""Kernels compiled beforehand, group by group, in as many processes as there are cores.

numba compiles one kernel at a time in a process, so a cold start is spread over processes that
fill the one cache. They agree through files in the cache folder: a group's lock, held while it is
compiled, and a file that says that it is ready. So two engines started at once share the work as
well; a lock dies with its process, whatever ends it.

Nothing is taken on trust: at the end the caller's own process calls every group. What is in the
cache is loaded; what a worker failed to bring is compiled.

Compiled twice at the same time is no harm either: files are replaced whole.
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

Lines: TypeAlias = "queue.SimpleQueue[str | None]"

_MEMORY_PER_WORKER = 1 << 30  # compiling the search takes 410 MB, and others live here, too
# Spawned by hand, not by multiprocessing: that would run the caller's main module again and hand
# our input down. The worker imports what this process imports, so sys.path travels along; with
# -P nothing comes before it.
_START = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); import engine.jit.worker as w"


class KernelGroup(NamedTuple):
    """Kernels that one process compiles, because they share many parts.

    name       unique
    functions  of modules, without arguments; they call every kernel that Python calls once
    """

    name: str
    functions: tuple[Callable[[], object], ...]

    def compile(self) -> float:
        """Compile or load all kernels; return the seconds that it took."""
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
        """Whether the cache holds all its kernels, or there is nothing to compile at all."""
        file = self._file("ready")
        return file is None or file.exists()

    @property
    def is_storable(self) -> bool:
        """Whether the cache takes files: it may lie on a full or read-only disk."""
        file = self._file("ready")
        return file is not None and is_writable(file.parent)

    def note_ready(self) -> None:
        """Note that the cache holds all its kernels."""
        file = self._file("ready")
        if file is not None:
            with contextlib.suppress(OSError):  # then it is only compiled, or loaded, once more
                file.touch()

    @contextlib.contextmanager
    def locked(self) -> Iterator[bool]:
        """Hold the group's lock; yields False, at once, if another process has it."""
        file = self._file("lock")
        if file is None:
            yield True
            return
        try:
            lock = file.open("ab")
        except OSError:  # a cache that cannot be written: nobody else can use what we compile
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
        # Windows says EACCES for "taken"; a file system without locks must not stop us.
        return not isinstance(error, PermissionError)
    return True


def compile_all(
    groups: Sequence[KernelGroup], processes: int | None = None
) -> Iterator[tuple[str, float]]:
    """Compile or load groups; yield the name and the seconds of each that is done.

    groups     the longest first; those that are not in the cache are compiled side by side
    processes  workers at most; None: as many as there are cores and memory for. With fewer than
               two, and for a single group, and where workers could not hand over what they
               compile, this process does it
    """
    cold = {group.name: group for group in groups if not group.is_ready}
    done = set()
    if processes is None:
        processes = _processes()
    if min(processes, len(cold)) > 1 and all(group.is_storable for group in cold.values()):
        with contextlib.closing(_compile_in_workers(list(cold.values()), processes)) as finished:
            for name, seconds in finished:
                cold[name].compile()  # loads it now: the other workers are still at it
                done.add(name)
                yield name, seconds
    for group in groups:
        if group.name not in done:
            seconds = group.compile()
            group.note_ready()
            yield group.name, seconds


def _processes() -> int:
    """Return how many compilers this machine can run at once."""
    if hasattr(os, "sched_getaffinity"):
        cores = len(os.sched_getaffinity(0))  # what a container allows, not what there is
    else:
        cores = os.cpu_count() or 1
    try:
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return cores
    return min(cores, max(1, memory // _MEMORY_PER_WORKER))


def _compile_in_workers(
    groups: list[KernelGroup], processes: int
) -> Generator[tuple[str, float], None, None]:
    """Compile groups in processes of their own; yield each one's name and seconds when it is done.

    Groups that no worker could compile are missing. Workers end with this process, however it
    ends: they watch the pipe that is their input.
    """
    words = [json.dumps([g.name, *(_name_of(f) for f in g.functions)]) for g in groups]
    command = [sys.executable, "-P", "-c", f"{_START}; w.main(sys.argv[2:])", json.dumps(sys.path)]
    workers: list[subprocess.Popen[str]] = []
    lines: Lines = queue.SimpleQueue()
    try:
        for _ in range(min(processes, len(groups))):
            with contextlib.suppress(OSError):
                workers.append(_start([*command, *words], lines))
        running, left = len(workers), {group.name for group in groups}
        while running and left:
            line = lines.get()
            if line is None:
                running -= 1
                continue
            name, seconds = json.loads(line)
            if name in left:  # every worker reports every group, once it finds it ready
                left.remove(name)
                yield name, seconds
    finally:
        for worker in workers:
            worker.kill()
            worker.wait()
            if worker.stdin is not None:
                worker.stdin.close()


def _start(command: list[str], lines: Lines) -> subprocess.Popen[str]:
    """Start a worker whose output goes to the queue.

    It must not have our own input or output: there a Go program speaks GTP.
    """
    worker = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,  # what fails there fails here again, aloud
        text=True,
        # A temporary cache is this process's own: a worker would choose another one.
        env=os.environ if CACHE is None else {**os.environ, "NUMBA_CACHE_DIR": str(CACHE.base)},
        # Windows would open a console for each worker where ours was started without one.
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )
    threading.Thread(target=_pass_on, args=(worker.stdout, lines), daemon=True).start()
    return worker


def _name_of(function: Callable[[], object]) -> str:
    return f"{function.__module__}:{function.__qualname__}"


def _pass_on(output: IO[str], lines: Lines) -> None:
    """Put a worker's lines into the queue, and None when it has ended."""
    with output:
        for line in output:
            lines.put(line)
    lines.put(None)
