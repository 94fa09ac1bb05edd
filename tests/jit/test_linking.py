"""The kernel decorator: what it compiles and when, and calls among kernels as in Python."""

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


@kernel(allocates=True)
def squares(count):
    """Return a new array."""
    values = np.zeros(count)
    for i in range(count):
        values[i] = i * i
    return values


@kernel(allocates=True)
def square(index):
    """Call a kernel that allocates, and one that does not."""
    return element(squares(index + 1), index, 100)


@kernel
def factorial(n):
    """Call itself."""
    return 1 if n < 2 else n * factorial(n - 1)


@kernel
def binomial(n, k):
    """Call a kernel that calls itself."""
    return factorial(n) // (factorial(k) * factorial(n - k))


def test_kernels_call_kernels():
    values = np.array([1.0, 2.0, 3.0, 4.0, 5.0])
    assert two_elements(values, 4) == 53.0
    assert square(7) == 49.0
    assert element(values, 3, 3) == 4.0


def test_kernels_call_themselves():
    assert binomial(5, 2) == 10
    assert factorial(5) == 120


def test_errors_of_a_called_kernel_reach_python():
    with pytest.raises(ValueError, match="too large"):
        square(101)


@needs_jit
def test_only_kernels_that_python_calls_become_machine_code():
    square(1)
    if not squares.parts:  # it came from the cache
        square.recompile()
    assert len(square.signatures) == 1
    assert squares.signatures == []
    assert len(squares.parts) == 1


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
