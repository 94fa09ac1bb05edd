"""How many workers fit on a machine."""

import os

import pytest

from engine.jit import machine
from engine.jit.machine import usable_cores, usable_memory, workers_for
from engine.player.thinker import ThinkerOptions

MIB = 1 << 20


@pytest.fixture
def machine_of(monkeypatch):
    """Return a function that pretends to be on a machine with some cores and memory."""

    def pretend(cores: int, mib: int | None) -> None:
        def sysconf(name: str) -> int:
            if mib is None:
                raise ValueError(name)
            return {"SC_PAGE_SIZE": 4096, "SC_PHYS_PAGES": mib * MIB // 4096}[name]

        monkeypatch.setattr(machine, "usable_cores", lambda: cores)
        monkeypatch.setattr(os, "sysconf", sysconf, raising=False)

    return pretend


@pytest.mark.parametrize(
    ("cores", "mib", "each", "expected"),
    [(16, 65536, 32, 16), (16, 256, 32, 8), (16, 16, 32, 1), (16, None, 32, 16), (1, 65536, 32, 1)],
)
def test_there_is_a_worker_for_every_core_as_far_as_memory_allows(
    machine_of, cores, mib, each, expected
):
    machine_of(cores, mib)
    assert workers_for(each * MIB) == expected


def test_a_search_uses_all_cores(machine_of):
    machine_of(64, 65536)
    assert ThinkerOptions().thread_count == 64


def test_only_cores_that_a_container_allows_are_counted(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {3, 5}, raising=False)
    assert usable_cores() == 2
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert usable_cores() == 1


@pytest.mark.skipif(os.name != "posix", reason="limits are POSIX's")
def test_the_least_limit_of_memory_counts(machine_of, monkeypatch, tmp_path):
    import resource

    limit = [-1]
    monkeypatch.setattr(machine, "_CONTAINER_LIMITS", (str(tmp_path / "memory.max"),))
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (limit[0], -1))
    machine_of(1, None)
    assert usable_memory() is None
    machine_of(1, 4096)
    assert usable_memory() == 4096 * MIB
    (tmp_path / "memory.max").write_text("max\n")
    assert usable_memory() == 4096 * MIB
    (tmp_path / "memory.max").write_text(f"{512 * MIB}\n")
    assert usable_memory() == 512 * MIB
    limit[0] = 100 * MIB
    assert usable_memory() == 100 * MIB
