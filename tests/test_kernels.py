"""A census of the compiled kernels; runs after all other tests."""

import pytest

from engine.jit import JIT_ENABLED, KERNELS


@pytest.mark.skipif(not JIT_ENABLED, reason="the JIT is off: nothing is compiled")
def test_every_kernel_was_compiled_for_one_signature():
    """A second signature is an accidental int32, read-only or strided argument: slow to compile."""
    compiled = [
        (k.__module__, k.__name__, {*k.signatures, *getattr(k, "parts", ())}) for k in KERNELS
    ]
    assert [one for one in compiled if len(one[2]) > 1] == []


@pytest.mark.skipif(not JIT_ENABLED, reason="the JIT is off: kernels are plain functions")
def test_every_kernel_has_a_docstring():
    assert [k.__name__ for k in KERNELS if not k.__doc__] == []
