"""Memory operations of the processor that numba lacks: prefetching and changing a cache line.

Waiting for an element of a large table takes as long as some hundred operations. A processor waits
for several at once if they are announced early. A cache line, eight adjacent numbers, can be
changed by two operations. A compiler generates eight, because two arrays might overlap. Indices are
those of ``atomic``.
"""

from typing import Any

from llvmlite import ir
from numba.core import types

from engine.jit.atomic import Generated, cell_of, kernel_of

LINE = 8  # uint64 per cache line


def _prefetch(typing: Any, array: Any, index: Any) -> Generated:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        number, pointer = ir.IntType(32), ir.IntType(8).as_pointer()
        cell = builder.bitcast(cell_of(context, builder, signature, arguments), pointer)
        kind = ir.FunctionType(ir.VoidType(), [pointer, number, number, number])
        hint = builder.module.declare_intrinsic("llvm.prefetch", [pointer], kind)
        # LLVM's arguments: read access, keep in all caches, data.
        builder.call(hint, [cell, number(0), number(3), number(1)])
        return context.get_dummy_value()

    return types.none(array, index), generate


def _xor_line(typing: Any, array: Any, index: Any, other: Any, place: Any) -> Generated:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        line = ir.VectorType(ir.IntType(64), LINE).as_pointer()
        second = types.none(*signature.args[2:])
        target = builder.bitcast(cell_of(context, builder, signature, arguments), line)
        source = builder.bitcast(cell_of(context, builder, second, arguments[2:]), line)
        # Aligned like single numbers. This costs nothing if lines are cache lines.
        before, change = (builder.load(cells, align=8) for cells in (target, source))
        builder.store(builder.xor(before, change), target, align=8)
        return context.get_dummy_value()

    return types.none(array, index, other, place), generate


def _plain_prefetch(array: Any, index: Any) -> None:
    pass


def _plain_xor_line(array: Any, index: Any, other: Any, place: Any) -> None:
    array[index : index + LINE] ^= other[place : place + LINE]


prefetch: Any = kernel_of(_prefetch, _plain_prefetch)
"""prefetch(array, index): start fetching an element into the cache while other work goes on."""

xor_line: Any = kernel_of(_xor_line, _plain_xor_line)
"""xor_line(array, index, other, place): XOR eight uint64 of another array into eight of this one.

The sources start at ``place``, the targets at ``index``; both arrays are one-dimensional."""
