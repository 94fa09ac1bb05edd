"""Operations on memory that numba lacks: they change their target, or nothing."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from engine.jit import kernel, prefetch, xor_line

LINE = st.lists(st.integers(0, 2**64 - 1), min_size=8, max_size=8)


@kernel
def cross(array, index, other, place):
    """XOR a line into another array's; both are prefetched."""
    prefetch(array, index)
    prefetch(other, place)
    xor_line(array, index, other, place)


@kernel
def ask(table, row, column):
    """Prefetch an element of a matrix, and return it."""
    prefetch(table, (row, column))
    return table[row, column]


@given(LINE, LINE, st.integers(0, 3), st.integers(0, 3))
def test_a_line_is_changed_and_nothing_else(before, change, index, place):
    array, other = np.full(11, 7, np.uint64), np.full(11, 9, np.uint64)
    array[index : index + 8], other[place : place + 8] = before, change
    kept = other.copy()
    cross(array, np.int64(index), other, np.int64(place))
    assert array[index : index + 8].tolist() == [a ^ b for a, b in zip(before, change, strict=True)]
    assert array.tolist().count(7) >= 3
    assert np.delete(array, np.s_[index : index + 8]).tolist() == [7, 7, 7]
    assert (other == kept).all()
    # The same operation takes it back.
    cross(array, np.int64(index), other, np.int64(place))
    assert array[index : index + 8].tolist() == before


def test_asking_for_memory_changes_nothing():
    table = np.arange(12, dtype=np.int16).reshape(4, 3)
    assert ask(table, np.int64(2), np.int64(1)) == 7
    assert table.reshape(-1).tolist() == list(range(12))
