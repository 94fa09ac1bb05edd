"""A process that compiles groups of kernels into the cache; started by ``compiling``.

Its arguments are the groups, each a JSON list: a name, then functions as "module:name". It prints
name and seconds of each as a JSON list.
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
    # A compiler keeps almost all of its objects, so garbage collection is useless. The search
    # took 31 s of processor time and 410 MB with it, 26.5 s and 290 MB without.
    gc.disable()
    pending = [_read_group(argument) for argument in arguments]
    while pending:
        for group in pending:
            with group.locked() as ours:
                # It is already ready: another worker, perhaps of another engine, was quicker.
                if ours:
                    print(json.dumps([group.name, _make_ready(group)]), flush=True)
                    pending.remove(group)
                    break
        else:
            time.sleep(_POLL_SECONDS)  # if the lock's holder dies, this process takes over


def _make_ready(group: KernelGroup) -> float:
    """Compile a group unless it is ready; return the seconds taken."""
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
    caller: Callable[[], object] = getattr(importlib.import_module(module), function)
    return caller


def _end_with_parent() -> None:
    """End when the input ends: the parent never writes to it, so the parent has ended."""
    os.read(0, 1)  # not sys.stdin: its lock would block Python at its end
    os._exit(1)
