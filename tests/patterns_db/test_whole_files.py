"""patterns_db.whole_files: the old file or the new one, never half of it, and nothing beside it."""

import pytest

from patterns_db.whole_files import whole_file, write_whole


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


def test_what_a_kill_left_is_overwritten(path):
    path.with_name(f".{path.name}.part").write_bytes(b"left by a process that was killed")
    write_whole(path, b"after")
    assert path.read_bytes() == b"after"
    assert names(path) == [path.name]


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(FileNotFoundError):
        write_whole(tmp_path / "missing" / "notes", b"")
