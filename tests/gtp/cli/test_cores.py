"""How ``yomi analysis`` shares the cores out."""

import pytest

from engine.jit import machine
from gtp.cli.analysis import share_cores


@pytest.mark.parametrize(
    ("at_once", "threads", "memory", "expected"),
    [
        (None, None, 512, (16, 1)),
        (4, None, 512, (4, 4)),
        (3, None, 512, (3, 5)),
        (None, 4, 512, (4, 4)),
        (32, None, 512, (32, 1)),
        (None, 32, 512, (1, 32)),
        (2, 3, 512, (2, 3)),
        (None, None, 64, (4, 4)),
        (None, None, 1, (1, 16)),
    ],
)
def test_all_cores_are_used(monkeypatch, at_once, threads, memory, expected):
    monkeypatch.setattr(machine, "usable_cores", lambda: 16)
    assert share_cores(at_once, threads, memory) == expected
