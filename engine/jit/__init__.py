"""The only package that imports numba: the ``@kernel`` decorator, its cache and group compilation.

Every compiled function of yomi is made by ``@kernel``, so that all share the same options and the
same cache. A ruff rule forbids other imports of numba. Read ``decorator``, then ``linking`` and
``kernel_files`` (overrides of numba's compiler and cache), ``folders``, ``atomic`` and ``memory``
(operations that numba lacks), ``compiling`` and ``worker``.
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
