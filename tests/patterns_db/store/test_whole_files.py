"""patterns_db.store.whole_files: the old file or the new one, never a part of one."""

import os
import threading
import time

import pytest

from patterns_db.store import whole_files
from patterns_db.store.whole_files import whole_file, write_whole


@pytest.fixture
def path(tmp_path):
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


def test_the_old_file_stays_until_the_new_one_is_whole(path):
    with whole_file(path) as file:
        file.write(b"after")
        assert path.read_bytes() == b"before"
    assert path.read_bytes() == b"after"


@pytest.mark.parametrize("error", [RuntimeError, OSError, KeyboardInterrupt])
def test_a_failed_write_changes_nothing(path, error):
    with pytest.raises(error):
        write_half(path, error)
    assert path.read_bytes() == b"before"
    assert names(path) == [path.name]


def test_leftovers_of_a_kill_are_removed(path):
    left = path.with_name(f".{path.name}.0123456789abcdef.part")
    left.write_bytes(b"left by a process that was killed")
    path.with_name(f".{path.name}.lock").write_text(left.name)
    write_whole(path, b"after")
    assert path.read_bytes() == b"after"
    assert names(path) == [path.name]


def test_a_lock_that_names_other_files_removes_none(path):
    other = path.with_name("other.part")
    other.write_bytes(b"mine")
    for name in ("other.part", f".{path.name}.x/../../other.part", f".{path.name}.", ""):
        path.with_name(f".{path.name}.lock").write_text(name)
        write_whole(path, b"after")
        assert sorted(names(path)) == [path.name, other.name]


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


@pytest.mark.parametrize("plant", [lambda lock, to: lock.symlink_to(to),
                                   lambda lock, _: os.mkfifo(lock)])  # fmt: skip
def test_a_planted_lock_is_refused(path, plant):
    victim = path.with_name("victim")
    victim.write_bytes(b"mine")
    plant(path.with_name(f".{path.name}.lock"), victim)
    with pytest.raises(OSError) as caught:  # noqa: PT011
        write_whole(path, b"after")
    assert caught.value.filename == str(path)
    assert (path.read_bytes(), victim.read_bytes()) == (b"before", b"mine")


def test_one_writer_at_a_time(path):
    order = []

    def second():
        order.append("waits")
        write_whole(path, b"second")
        order.append("wrote")

    with whole_file(path) as file:
        file.write(b"first")
        thread = threading.Thread(target=second)
        thread.start()
        time.sleep(0.05)
        order.append("first")
    thread.join()
    assert order == ["waits", "first", "wrote"]
    assert path.read_bytes() == b"second"
    assert names(path) == [path.name]


def test_a_writer_that_never_ends_is_not_waited_for(path, monkeypatch):
    monkeypatch.setattr(whole_files, "WAIT_SECONDS", 0.0)
    with whole_file(path) as file:
        file.write(b"first")
        with pytest.raises(OSError, match="another process is writing this file"):
            write_whole(path, b"second")
    assert path.read_bytes() == b"first"


def test_long_names(tmp_path):
    path = tmp_path / ("n" * 255)
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
