"""A process that compiles groups of kernels into the cache; started by ``groups``.

Its arguments are the groups, each a JSON list: a name, then functions as "module:name". It takes
one that nobody else has locked, again and again until all are ready, and prints name and seconds
of each as a JSON list.
"""

import gc
import importlib
import json
import os
import threading
import time
from collections.abc import Callable

from engine.jit.compiling import KernelGroup

_POLL_SECONDS = 0.05


def main(arguments: list[str]) -> None:
    """Compile groups until all are ready."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    # A compiler keeps almost all that it makes, so collecting is in vain: for the search it took
    # 31 s of processor time with it and 26.5 s without, and 410 MB instead of 290 MB.
    gc.disable()
    left = [_read_group(argument) for argument in arguments]
    while left:
        for group in left:
            with group.locked() as ours:
                # Ready already means that another worker, perhaps another engine's, was quicker.
                if ours:
                    print(json.dumps([group.name, _make_ready(group)]), flush=True)
                    left.remove(group)
                    break
        else:
            time.sleep(_POLL_SECONDS)  # should who has the lock die, the group is ours


def _make_ready(group: KernelGroup) -> float:
    """Compile a group unless it is ready; return the seconds that it took."""
    if group.is_ready:
        return 0.0
    seconds = group.compile()
    group.note_ready()
    return seconds


def _read_group(text: str) -> KernelGroup:
    name, *functions = json.loads(text)
    return KernelGroup(name, tuple(_find(function) for function in functions))


def _find(name: str) -> Callable[[], object]:
    module, _, function = name.partition(":")
    found: Callable[[], object] = getattr(importlib.import_module(module), function)
    return found


def _end_with_parent() -> None:
    """Wait for the end of the input, which the parent never writes to: it has gone."""
    os.read(0, 1)  # not sys.stdin: its lock would be held while Python wants to end
    os._exit(1)
