"""What a processor can do with memory and numba does not say: fetch early, change a line at once.

What is looked up in a large table is rarely in a cache, and waiting for it takes as long as some
hundred operations; a processor waits for several such places at once if it is told of them early.
Eight numbers side by side, a cache line, are changed by two operations instead of eight, but a
compiler that can not know whether two arrays overlap makes eight.

An index is an integer or a tuple of them, is not checked and does not wrap around.
"""

from typing import Any

from llvmlite import ir
from numba.core import types

from engine.jit.atomic import Generated, cell_of, kernel_of

LINE = 8  # uint64 of a cache line


def _prefetch(typing: Any, array: Any, index: Any) -> Generated:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        number, pointer = ir.IntType(32), ir.IntType(8).as_pointer()
        cell = builder.bitcast(cell_of(context, builder, signature, arguments), pointer)
        kind = ir.FunctionType(ir.VoidType(), [pointer, number, number, number])
        hint = builder.module.declare_intrinsic("llvm.prefetch", [pointer], kind)
        # To be read; to be kept in all caches; data.
        builder.call(hint, [cell, number(0), number(3), number(1)])
        return context.get_dummy_value()

    return types.none(array, index), generate


def _xor_line(typing: Any, array: Any, index: Any, other: Any, place: Any) -> Generated:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        line = ir.VectorType(ir.IntType(64), LINE).as_pointer()
        second = types.none(*signature.args[2:])
        target = builder.bitcast(cell_of(context, builder, signature, arguments), line)
        source = builder.bitcast(cell_of(context, builder, second, arguments[2:]), line)
        # Aligned as single numbers are; which costs nothing where lines are cache lines.
        before, change = (builder.load(cells, align=8) for cells in (target, source))
        builder.store(builder.xor(before, change), target, align=8)
        return context.get_dummy_value()

    return types.none(array, index, other, place), generate


def _plain_prefetch(array: Any, index: Any) -> None:
    pass


def _plain_xor_line(array: Any, index: Any, other: Any, place: Any) -> None:
    array[index : index + LINE] ^= other[place : place + LINE]


prefetch: Any = kernel_of(_prefetch, _plain_prefetch)
"""prefetch(array, index): have an element brought near, while other things are done."""

xor_line: Any = kernel_of(_xor_line, _plain_xor_line)
"""xor_line(array, index, other, place): XOR eight uint64 of another array into eight of this one.

The eight from ``place`` on into the eight from ``index`` on, both one-dimensional."""
