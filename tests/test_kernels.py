"""Every kernel of the modules that tests import has a docstring."""

import pytest

from engine.jit import JIT_ENABLED, KERNELS


@pytest.mark.skipif(not JIT_ENABLED, reason="the JIT is off: kernels are plain functions")
def test_every_kernel_has_a_docstring():
    assert [k.__name__ for k in KERNELS if not k.__doc__] == []
