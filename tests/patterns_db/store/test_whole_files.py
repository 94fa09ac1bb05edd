"""patterns_db.store.whole_files: the old file or the new one, never a part of one."""

import os
import subprocess
import sys

import pytest

from patterns_db.store import whole_files
from patterns_db.store.whole_files import require_writable, whole_file, write_whole


@pytest.fixture(params=["nameless", "named"])
def path(request, tmp_path, monkeypatch):
    """Return an existing file, on systems with and without new files that have no name."""
    if request.param == "named":
        monkeypatch.setattr(whole_files, "_NAMELESS", 0)
    file = tmp_path / "notes"
    file.write_bytes(b"before")
    return file


def names(path):
    return [file.name for file in path.parent.iterdir()]


def write_half(path, error):
    with whole_file(path) as file:
        file.write(b"half")
        raise error


def test_a_file_is_replaced(path):
    write_whole(path, b"after")
    assert path.read_bytes() == b"after"
    assert names(path) == [path.name]


@pytest.mark.parametrize("error", [RuntimeError, OSError, KeyboardInterrupt])
def test_a_failed_write_changes_nothing(path, error):
    with pytest.raises(error):
        write_half(path, error)
    assert path.read_bytes() == b"before"
    assert names(path) == [path.name]


@pytest.mark.skipif(not whole_files._NAMELESS, reason="files have names from the beginning")
def test_a_kill_leaves_nothing_behind(path):
    program = (
        "import os, sys; from pathlib import Path\n"
        "from patterns_db.store.whole_files import whole_file\n"
        "with whole_file(Path(sys.argv[1])) as file:\n"
        "    file.write(b'half'); file.flush(); os.kill(os.getpid(), 9)"
    )
    killed = subprocess.run([sys.executable, "-c", program, str(path)], check=False)
    assert killed.returncode == -9
    assert path.read_bytes() == b"before"
    assert names(path) == [path.name]


def test_hidden_files_of_others_stay(path):
    victims = [path.with_name(f".{path.name}{end}") for end in (".lock", ".test", ".0.part", "")]
    for victim in victims:
        victim.write_bytes(victims[2].name.encode())
    for plant in (os.mkfifo, lambda name: name.symlink_to("missing")):
        for victim in victims[:2]:
            victim.unlink()
            plant(victim)
        before = sorted(names(path))
        write_whole(path, b"after")
        require_writable(path, path.parent)
        assert sorted(names(path)) == before
    assert path.read_bytes() == b"after"
    assert victims[2].read_bytes() == victims[2].name.encode()


def test_permissions_are_kept(path):
    path.chmod(0o640)
    write_whole(path, b"after")
    assert path.stat().st_mode & 0o777 == 0o640
    fresh = path.with_name("fresh")
    before = os.umask(0o027)
    try:
        write_whole(fresh, b"new")
    finally:
        os.umask(before)
    assert fresh.stat().st_mode & 0o777 == 0o640


def test_a_link_is_neither_followed_nor_replaced(path):
    link = path.with_name("link")
    for target in (path, path.with_name("missing")):
        link.unlink(missing_ok=True)
        link.symlink_to(target)
        with pytest.raises(OSError, match="a link is not replaced") as caught:
            write_whole(link, b"after")
        assert caught.value.filename == str(link)
        assert link.is_symlink()
        assert path.read_bytes() == b"before"


def test_a_pipe_and_a_folder_are_not_replaced(path):
    pipe, folder = path.with_name("pipe"), path.with_name("folder")
    os.mkfifo(pipe)
    folder.mkdir()
    with pytest.raises(OSError, match="a device or pipe is not replaced"):
        write_whole(pipe, b"after")
    with pytest.raises(IsADirectoryError):
        write_whole(folder, b"after")
    assert pipe.is_fifo()
    assert sorted(names(path)) == ["folder", "notes", "pipe"]


def test_of_two_writers_the_last_one_wins(path):
    with whole_file(path) as file:
        file.write(b"first")
        write_whole(path, b"second")
        assert path.read_bytes() == b"second"
    assert path.read_bytes() == b"first"
    assert names(path) == [path.name]


def test_long_names(tmp_path):
    path = tmp_path / ("n" * 255)
    require_writable(path, tmp_path)
    write_whole(path, b"new")
    assert path.read_bytes() == b"new"
    assert names(path) == [path.name]


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(FileNotFoundError):
        write_whole(tmp_path / "missing" / "notes", b"")


def test_a_full_disk_is_an_error_of_the_file(path):
    with pytest.raises(OSError, match="No space left") as caught:
        write_half(path, OSError(28, "No space left on device"))
    assert caught.value.filename == str(path)


def test_a_write_protected_file_is_not_replaced(path, monkeypatch):
    monkeypatch.setattr("os.access", lambda *_: False)  # administrators may write everywhere
    with pytest.raises(PermissionError, match="write-protected"):
        write_whole(path, b"after")
    assert path.read_bytes() == b"before"
    assert names(path) == [path.name]
