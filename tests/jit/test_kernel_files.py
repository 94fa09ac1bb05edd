"""Files of compiled kernels: damaged and foreign files are refused, and kernels compiled anew."""

import os
import pickle
import subprocess
import sys

import pytest

from engine.jit import JIT_ENABLED
from engine.jit.kernel_files import DamagedFileError, read_file, write_file

CALL = "from tests.jit.pair import halves; print(halves(40, 3), halves.stats.cache_hits.total())"

needs_jit = pytest.mark.skipif(not JIT_ENABLED, reason="the JIT is off: nothing is compiled")
needs_owners = pytest.mark.skipif(os.name == "nt", reason="no owners and modes")


def call(cache, **environment):
    """Call a kernel in a process of its own; return its output, and its error messages."""
    done = subprocess.run(
        [sys.executable, "-c", CALL], capture_output=True, text=True, check=True, timeout=250,
        env={**os.environ, "NUMBA_CACHE_DIR": str(cache), **environment},
    )  # fmt: skip
    return done.stdout, done.stderr


def test_contents_come_back(tmp_path):
    assert read_file(tmp_path / "file") is None
    for contents in (b"", b"kernel" * 1000):
        write_file(tmp_path / "file", contents)
        assert read_file(tmp_path / "file") == contents
    assert os.listdir(tmp_path) == ["file"]


@pytest.mark.parametrize(
    "damage",
    [
        *(lambda d, n=n: d[:n] + bytes([d[n] ^ 1 << n % 8]) + d[n + 1 :] for n in range(0, 40, 3)),
        *(lambda d, n=n: d[:n] for n in (0, 1, 31, 32, 39)),
    ],
)
def test_any_flipped_bit_and_any_cut_is_damage(damage, tmp_path):
    write_file(tmp_path / "file", b"contents")
    (tmp_path / "file").write_bytes(damage((tmp_path / "file").read_bytes()))
    with pytest.raises(DamagedFileError):
        read_file(tmp_path / "file")


@needs_owners
def test_a_file_that_others_may_write_is_refused(tmp_path):
    write_file(tmp_path / "file", b"contents")
    (tmp_path / "file").chmod(0o620)
    with pytest.raises(DamagedFileError):
        read_file(tmp_path / "file")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    with pytest.raises(OSError):  # noqa: PT011 - the system decides which one
        read_file(tmp_path / "link")


class Planted:
    """Runs code when it is unpickled."""

    def __init__(self, marker):
        self.marker = marker

    def __reduce__(self):
        return os.mkdir, (str(self.marker),)


def empty(file, tmp_path):
    file.write_bytes(b"")


def plant(file, tmp_path):
    """Plant a pickle with a wrong digest. It would run if the digest were not compared."""
    file.write_bytes(bytes(32) + pickle.dumps(Planted(tmp_path / "planted")))


def plant_open(file, tmp_path):
    """Plant a pickle with its digest, in a file that others may write."""
    write_file(file, pickle.dumps(Planted(tmp_path / "planted")))
    file.chmod(0o666)


def outdate(file, tmp_path):
    """Plant a complete file that is no kernel."""
    write_file(file, pickle.dumps(("another", "version")))


@needs_jit
@pytest.mark.slow
def test_damage_is_one_line_and_compiled_anew(tmp_path):
    cache = tmp_path / "cache"
    assert call(cache) == ("5 0\n", "")
    assert call(cache) == ("5 1\n", "")
    (file,) = cache.glob("scripts-*/*.kernel")
    for damage in (empty, plant, plant_open, outdate):
        damage(file, tmp_path)
        answer, complaint = call(cache)
        assert answer == "5 0\n"
        assert complaint.count("\n") == 1
        assert "compiling it again" in complaint
    assert call(cache) == ("5 1\n", "")
    assert not (tmp_path / "planted").exists()


@needs_jit
@pytest.mark.slow
def test_a_cache_that_takes_nothing_is_no_error(tmp_path):
    cache = tmp_path / "cache"
    call(cache)
    (file,) = cache.glob("scripts-*/*.kernel")
    file.unlink()
    code = (
        "import os\n"
        "def full(*_): raise OSError(28, 'No space left on device')\n"
        "os.replace = full\n"
        f"{CALL}"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=250,
        env={**os.environ, "NUMBA_CACHE_DIR": str(cache)},
    )  # fmt: skip
    assert done.stdout == "5 0\n"
    assert done.stderr.count("\n") == 1
    assert "No space left on device" in done.stderr
    assert not list(file.parent.glob("*.kernel*"))
