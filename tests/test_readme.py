"""The README's example is true."""

import doctest
from pathlib import Path

import pytest

from engine.jit import JIT_ENABLED

README = Path(__file__).parent.parent / "README.md"


@pytest.mark.skipif(not JIT_ENABLED, reason="a search without JIT takes minutes")
def test_the_example():
    failed, tried = doctest.testfile(str(README), module_relative=False)
    assert failed == 0
    assert tried >= 7
