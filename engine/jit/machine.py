"""The processor cores and the memory that this process may use."""

import os
from contextlib import suppress
from pathlib import Path

# The kernel's answers about the container that this process runs in (cgroups, versions 2 and 1).
_CONTAINER_LIMITS = ("memory.max", "memory/memory.limit_in_bytes")


def usable_cores() -> int:
    """Return the number of cores that this process may use, at least 1."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))  # the cores that a container allows
    return os.cpu_count() or 1  # None where the system does not tell


def workers_for(memory: int) -> int:
    """Return the number of workers, one a core, each of which has this ``memory`` [bytes]."""
    available = usable_memory()
    return usable_cores() if available is None else min(usable_cores(), max(1, available // memory))


def usable_memory() -> int | None:
    """Return the bytes that the machine, the process's limit and its container allow, if known."""
    limits = []
    with suppress(AttributeError, ValueError, OSError):
        limits.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    with suppress(ImportError):  # Windows lacks it
        import resource

        limits.append(resource.getrlimit(resource.RLIMIT_AS)[0])
    for name in _CONTAINER_LIMITS:
        with suppress(OSError, ValueError):  # "max" is no limit
            limits.append(int((Path("/sys/fs/cgroup") / name).read_text()))
    return min((limit for limit in limits if limit > 0), default=None)
