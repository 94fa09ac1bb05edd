"""Settings of the whole suite: fewer examples without the JIT, and the kernels' census last."""

import pytest
from hypothesis import settings

from engine.jit import JIT_ENABLED

settings.register_profile(
    "yomi", max_examples=60 if JIT_ENABLED else 15, deadline=None, derandomize=True
)
settings.load_profile("yomi")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run tests/test_kernels.py after everything else: it looks at what the others compiled."""
    items.sort(key=lambda item: item.path.name == "test_kernels.py")
