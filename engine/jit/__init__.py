"""The one door to numba: the ``@kernel`` decorator, its cache, and groups compiled beforehand.

Every compiled function of yomi is made by ``@kernel``, so that all of them share the same
options and the same cache. Only this package imports numba (a ruff rule says so).

decorator     ``kernel``, and whether numba's insides may be used to compile faster
linking       overrides numba's compiler: parts and programs
kernel_files  overrides numba's cache: files with a digest, damage compiled anew
folders       where compiled code is kept, one folder for each package and version of its sources
memory        what a processor can do with memory and numba does not say
atomic        what several threads may do to one array at once
compiling     kernels compiled beforehand, group by group, in as many processes as there are cores
worker        what such a process runs
"""

from engine.jit.atomic import exchange_if, fetch_add, observe, publish
from engine.jit.compiling import KernelGroup, compile_all
from engine.jit.decorator import CACHE, JIT_ENABLED, KERNELS, kernel, prune_cache
from engine.jit.memory import prefetch, xor_line

__all__ = [
    "CACHE",
    "JIT_ENABLED",
    "KERNELS",
    "KernelGroup",
    "compile_all",
    "exchange_if",
    "fetch_add",
    "kernel",
    "observe",
    "prefetch",
    "prune_cache",
    "publish",
    "xor_line",
]
