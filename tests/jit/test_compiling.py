"""Groups compiled in worker processes: in every case all kernels are compiled in the end."""

import os
import subprocess
import sys
import time

import pytest

from engine.jit import JIT_ENABLED, KernelGroup, compile_all, compiling
from tests.jit import pair

pytestmark = pytest.mark.skipif(not JIT_ENABLED, reason="the JIT is off: nothing is compiled")


@pytest.fixture
def cold(monkeypatch, tmp_path):
    """Give the ready and lock files of this process a folder of their own."""

    class Folders:
        base = tmp_path

        def folder(self, module):
            return tmp_path

    monkeypatch.setattr(compiling, "CACHE", Folders())
    return tmp_path


def test_without_workers(cold):
    listed = [
        KernelGroup("a pair", (pair.compile_pair,)),
        KernelGroup("again", (pair.compile_pair,)),
    ]
    found = list(compile_all(listed, processes=1))
    assert [name for name, _ in found] == ["a pair", "again"]
    assert all(group.is_ready for group in listed)
    assert (cold / "a-pair.ready").exists()


def test_a_lock_is_held_by_one(cold):
    group = KernelGroup("a pair", (pair.compile_pair,))
    with group.locked() as ours, group.locked() as again:
        assert (ours, again) == (True, False)
    with group.locked() as ours:
        assert ours


IN_WORKERS = """
from engine.jit import KernelGroup, compile_all
from tests.jit import pair
if {fails}:
    pair.compile_pair.__module__ = "nowhere"
listed = [KernelGroup("one", (pair.compile_pair,)), KernelGroup("two", (pair.compile_pair,))]
for _ in range(2):
    print(*(name for name, _ in compile_all(listed, processes=2)))
stats = pair.halves.stats
print(sum(stats.cache_hits.values()), sum(stats.cache_misses.values()))
"""


@pytest.mark.parametrize("fails", [False, True])
def test_workers_compile_and_the_rest_is_compiled_here(tmp_path, fails):
    done = subprocess.run(
        [sys.executable, "-c", IN_WORKERS.format(fails=fails)],
        capture_output=True, text=True, timeout=250, check=True, stdin=subprocess.DEVNULL,
        env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)},
    )  # fmt: skip
    assert done.stderr == ""
    first, second, counts = done.stdout.splitlines()
    assert sorted(first.split()) == ["one", "two"]
    assert second == "one two"
    assert counts == ("0 1" if fails else "1 0")


def test_a_group_that_fails_says_so_here(cold):
    listed = [KernelGroup("one", (pair.fail,)), KernelGroup("two", (pair.compile_pair,))]
    with pytest.raises(RuntimeError, match="broken"):
        list(compile_all(listed, processes=2))
    assert not listed[0].is_ready


WORKER = """
from engine.jit import worker
worker.main(['["slow", "tests.jit.pair:compile_slowly"]'])
"""


def test_a_worker_ends_with_its_parent(tmp_path):
    with subprocess.Popen(
        [sys.executable, "-c", WORKER], stdin=subprocess.PIPE,
        env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)},
    ) as process:  # fmt: skip
        time.sleep(1.0)
        assert process.poll() is None
        process.stdin.close()
        assert process.wait(timeout=30) == 1
