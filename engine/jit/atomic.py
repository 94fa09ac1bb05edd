"""Atomic operations on array elements, lock-free, for several threads.

numba has none of them for the processor. LLVM has them, and an intrinsic makes them available.
Without JIT the plain operations suffice: the GIL keeps two threads from being in a kernel at once.

An index is an integer or a tuple of integers; it is not checked and does not wrap around.
"""

import operator
from collections.abc import Callable
from typing import Any

from numba.core import cgutils, types
from numba.extending import intrinsic

from engine.jit.decorator import JIT_ENABLED

Generated = tuple[Any, Callable[[Any, Any, Any, Any], Any]]


def cell_of(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """Return the address of the element given by the first two arguments, array and index."""
    kind, where = signature.args[:2]
    array = context.make_array(kind)(context, builder, arguments[0])
    if hasattr(where, "types"):
        parts = zip(where, cgutils.unpack_tuple(builder, arguments[1]), strict=True)
    else:
        parts = zip([where], [arguments[1]], strict=True)
    indices = [context.cast(builder, part, of, types.intp) for of, part in parts]
    return cgutils.get_item_pointer(context, builder, kind, array, indices)


def _element(context: Any, builder: Any, signature: Any, arguments: Any, which: int) -> Any:
    """Convert an argument to the array's element type."""
    held = signature.args[0].dtype
    return context.cast(builder, arguments[which], signature.args[which], held)


def _fetch_add(typing: Any, array: Any, index: Any, amount: Any) -> Generated:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        operation = "fadd" if isinstance(array.dtype, types.Float) else "add"
        cell = cell_of(context, builder, signature, arguments)
        # No ordering with other memory: a sum needs none.
        return builder.atomic_rmw(
            operation, cell, _element(context, builder, signature, arguments, 2), "monotonic"
        )

    return array.dtype(array, index, amount), generate


def _exchange_if(typing: Any, array: Any, index: Any, expected: Any, value: Any) -> Generated:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        cell = cell_of(context, builder, signature, arguments)
        old, new = (_element(context, builder, signature, arguments, i) for i in (2, 3))
        return builder.extract_value(builder.cmpxchg(cell, old, new, "acq_rel", "acquire"), 1)

    return types.boolean(array, index, expected, value), generate


def _publish(typing: Any, array: Any, index: Any, value: Any) -> Generated:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        cell = cell_of(context, builder, signature, arguments)
        new = _element(context, builder, signature, arguments, 2)
        builder.store_atomic(new, cell, "release", array.dtype.bitwidth // 8)
        return context.get_dummy_value()

    return types.none(array, index, value), generate


def _observe(typing: Any, array: Any, index: Any) -> Generated:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        cell = cell_of(context, builder, signature, arguments)
        return builder.load_atomic(cell, "acquire", array.dtype.bitwidth // 8)

    return array.dtype(array, index), generate


def _plain_fetch_add(array: Any, index: Any, amount: Any) -> Any:
    before = array[index]
    array[index] += amount
    return before


def _plain_exchange_if(array: Any, index: Any, expected: Any, value: Any) -> bool:
    is_equal = bool(array[index] == expected)
    if is_equal:
        array[index] = value
    return is_equal


def kernel_of(compiled: Callable[..., Generated], plain: Callable[..., Any]) -> Any:
    """Return the function for kernels: the intrinsic, or the plain operation without JIT."""
    return intrinsic(compiled) if JIT_ENABLED else plain


fetch_add: Any = kernel_of(_fetch_add, _plain_fetch_add)
"""fetch_add(array, index, amount): add to an element and return its previous value."""

exchange_if: Any = kernel_of(_exchange_if, _plain_exchange_if)
"""exchange_if(array, index, expected, value): compare-and-swap of an element.

Returns whether the element was as expected. If several threads try at once, one succeeds."""

publish: Any = kernel_of(_publish, operator.setitem)
"""publish(array, index, value): set an element after all earlier writes of this thread."""

observe: Any = kernel_of(_observe, operator.getitem)
"""observe(array, index): read an element and see all writes before its publication."""
