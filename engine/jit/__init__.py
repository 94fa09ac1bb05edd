"""The only package that imports numba: the ``@kernel`` decorator, its cache and group compilation.

Every compiled function of yomi is made by ``@kernel``, so that all share the same options and the
same cache. A ruff rule forbids other imports of numba.

decorator     ``kernel``, and the decision whether numba's internals may be used to compile faster
linking       overrides numba's compiler: parts and programs
kernel_files  overrides numba's cache: files with a digest; damaged ones are compiled again
folders       folders of compiled code, one per package and version of its sources
memory        memory operations of the processor that numba lacks
atomic        atomic operations on arrays, for several threads
compiling     ahead-of-time compilation, group by group, in one process per core
worker        the program of such a process
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
