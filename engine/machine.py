"""The processor cores and the memory that this process may use."""

import os


def usable_cores() -> int:
    """Return the number of cores that this process may use, at least 1."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))  # the cores that a container allows
    return os.cpu_count() or 1  # None where the system does not tell


def workers_for(memory: int) -> int:
    """Return the number of workers to run side by side: one a core, as far as memory allows.

    memory  bytes of main memory to leave for each worker
    """
    try:
        available = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return usable_cores()
    return min(usable_cores(), max(1, available // memory))
