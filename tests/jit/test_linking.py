"""The kernel decorator: what it compiles and when, and calls among kernels as in Python."""

import math
import os

import numpy as np
import pytest

from engine.jit import JIT_ENABLED, kernel

needs_jit = pytest.mark.skipif(not JIT_ENABLED, reason="the JIT is off: nothing is compiled")


checks_bounds = pytest.mark.skipif(
    not JIT_ENABLED or os.environ.get("NUMBA_BOUNDSCHECK") != "1",
    reason="needs compiled code that checks bounds (NUMBA_BOUNDSCHECK=1)",
)


@kernel
def element(values, index, most):
    """Return an element, or raise ValueError for a large index."""
    if index > most:
        raise ValueError("too large")
    return values[index]


@kernel
def two_elements(values, index):
    """Call a kernel with variables, with constants and by keyword."""
    return 10.0 * element(values, index, most=index) + element(values, 2, 3)


@kernel
def second_element(values, most):
    """Call a kernel that may raise."""
    return element(values, 1, most)


@kernel
def all_elements(values):
    """Return an argument."""
    return values


@kernel
def sum_of_row(row, table):
    """Return a number that depends on the shapes and the sizes of arrays."""
    total = table.size + 100.0 * table.shape[1]
    for number in row:
        total += number
    return total


@kernel
def sum_of_column(column):
    """Return the sum of an array that is not contiguous."""
    total = 0.0
    for number in column:
        total += number
    return total


@kernel
def weighted_sum(table):
    """Pass rows and columns of a table on."""
    total = sum_of_column(table[:, 1])
    for i in range(len(table)):
        total += i * sum_of_row(table[i], table)
    return total


@kernel
def factorial(n):
    """Call itself."""
    return 1 if n < 2 else n * factorial(n - 1)


@kernel
def binomial(n, k):
    """Call a kernel that calls itself."""
    return factorial(n) // (factorial(k) * factorial(n - k))


@kernel
def ripple(values, unused, x):
    """Compute something too long to be copied into every caller."""
    total = values[0]
    for n in range(1, 9):
        total += math.sin(n * x) * math.exp(-n) + math.cos(n * x) / math.log(n + 1.0)
        total *= math.sqrt(abs(total)) + math.tan(total) ** n
        total -= math.floor(total)
    while total > 1e-3:
        total = math.atan2(total, 2.0) * math.erf(total) - math.pow(total, x) * 1e-3
    return total


@kernel
def interference(values, x):
    """Call a kernel twice, with an array that it does not use."""
    return ripple(values, values, x) - ripple(values, values, -x)


def test_kernels_call_kernels():
    values = np.array([1.0, 2.0, 3.0, 4.0, 5.0])
    assert two_elements(values, 4) == 53.0
    assert element(values, 3, 3) == 4.0


def test_arrays_of_any_layout_are_passed_on():
    table = np.arange(12.0).reshape(3, 4)
    # 12 elements and 4 columns: 412 is added to each row's sum.
    rows = sum(i * (table[i].sum() + 412.0) for i in range(3))
    assert weighted_sum(table) == rows + table[:, 1].sum()


def test_an_argument_that_is_returned_is_the_same_array():
    table = np.arange(12.0).reshape(3, 4)
    assert all_elements(table) is table


def test_kernels_call_themselves():
    assert binomial(5, 2) == 10
    assert factorial(5) == 120


def test_errors_of_a_called_kernel_reach_python():
    with pytest.raises(ValueError, match="too large"):
        second_element(np.zeros(5), 0)


@needs_jit
def test_only_kernels_that_python_calls_become_machine_code():
    binomial(5, 2)
    if not binomial.parts:  # it came from the cache
        binomial.recompile()
    assert len(binomial.signatures) == 1
    assert {len(kernel.parts) for kernel in (binomial, factorial)} == {1}


@needs_jit
def test_parts_are_private_to_their_program():
    values = np.array([2.0])
    if not interference.parts:  # it came from the cache, without its object code
        interference.recompile()
    # First the program: Python's own call of the part must not use the program's part.
    assert interference(values, 0.5) == (ripple(values, values, 0.5) - ripple(values, values, -0.5))
    (program,) = interference.overloads.values()
    code = program.library._get_compiled_object()
    assert b"_ZN7cpython5tests3jit12test_linking12interference" in code
    assert b"_ZN5tests3jit12test_linking6ripple" not in code


@needs_jit
def test_constants_and_variables_of_a_type_share_one_compilation():
    two_elements(np.zeros(5), 4)
    if not element.parts:
        two_elements.recompile()
    assert len(element.parts) == 1


@checks_bounds
def test_no_index_counts_from_the_end():
    with pytest.raises(IndexError):
        element(np.zeros(5), -1, 3)
