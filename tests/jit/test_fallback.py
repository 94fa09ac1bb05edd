"""A numba with unexpected internals: kernels become plain ``njit``, and everything still works.

A ``sitecustomize`` module breaks the internals, so that workers meet them, too.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine.jit import JIT_ENABLED

pytestmark = pytest.mark.skipif(not JIT_ENABLED, reason="the JIT is off: nothing is compiled")

MISSING_NAME = """
from numba.core import codegen
del codegen.JITCodeLibrary
"""
FAILING_METHOD = """
from numba.core.codegen import CPUCodeLibrary
link = CPUCodeLibrary._get_module_for_linking
def changed(self):
    if type(self).__name__ == "_LinkedLibrary":
        raise NotImplementedError("no longer")
    return link(self)
CPUCodeLibrary._get_module_for_linking = changed
"""
LOST_OVERRIDE = """
from numba.core.dispatcher import _FunctionCompiler
compile = _FunctionCompiler.compile
_FunctionCompiler.compile = property(lambda self: compile.__get__(self), lambda self, value: None)
"""
WORKS = "import sys"


def run(code, tmp_path, arguments, text="", timeout=250):
    (tmp_path / "broken").mkdir(exist_ok=True)
    (tmp_path / "broken" / "sitecustomize.py").write_text(code)
    paths = [str(tmp_path / "broken"), str(Path.cwd())]
    environment = {
        **os.environ,
        "NUMBA_CACHE_DIR": str(tmp_path / "cache"),
        "PYTHONPATH": os.pathsep.join(paths),
    }
    return subprocess.run(
        [sys.executable, *arguments],
        input=text, env=environment, capture_output=True, text=True, timeout=timeout, check=True,
    )  # fmt: skip


CALL = """
from tests.jit.pair import half, halves
print(halves(40, 3), hasattr(half, "parts"), end=" ")
try:
    halves(10, 2)
except ValueError as error:
    print(error)
"""


@pytest.mark.parametrize("code", [MISSING_NAME, FAILING_METHOD, LOST_OVERRIDE])
def test_kernels_are_plain_where_the_insides_have_changed(tmp_path, code):
    done = run(code, tmp_path, ["-c", CALL])
    assert done.stdout == "5 False odd\n"
    assert done.stderr.count("\n") == 1
    assert "kernels compile one by one" in done.stderr
    assert not list((tmp_path / "cache").glob("linking-*/works"))


def test_the_insides_are_tried_once(tmp_path):
    done = run(WORKS, tmp_path, ["-c", CALL])
    assert (done.stdout, done.stderr) == ("5 True odd\n", "")
    (works,) = (tmp_path / "cache").glob("linking-*/works")
    before = sorted(works.parent.rglob("*"))
    # Broken or not: once it has worked, only compiling needs the internals.
    done = run(FAILING_METHOD, tmp_path, ["-c", CALL])
    assert (done.stdout, done.stderr) == ("5 True odd\n", "")
    assert sorted(works.parent.rglob("*")) == before


@pytest.mark.slow
@pytest.mark.timeout(1500)
def test_the_engine_plays_with_plain_kernels(tmp_path):
    session = "boardsize 5\ngenmove b\nquit\n"
    done = run(
        FAILING_METHOD, tmp_path, ["-m", "gtp", "--playouts", "50", "--threads", "1"], session, 1400
    )
    size, move, end, rest = done.stdout.split("\n\n")
    assert (size, end, rest) == ("=", "=", "")
    assert move[:2] == "= "
    assert move[2] in "ABCDE"
