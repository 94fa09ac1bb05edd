"""patterns_db.records.members: an odd member of an archive loses only itself, with one line."""

import io
import os
import tarfile
import zipfile
from pathlib import Path

import pytest

from engine.errors import SgfError
from patterns_db.records import members
from patterns_db.records.games import GameReader
from patterns_db.records.members import read_members, record_bytes

GAME = b"(;GM[1]SZ[9];B[cc])"


def add(tar, name, data=GAME, **fields):
    info = tarfile.TarInfo(name)
    info.size = len(data)
    for field, value in fields.items():
        setattr(info, field, value)
    tar.addfile(info, io.BytesIO(data))


@pytest.fixture
def odd_tar(tmp_path):
    path = tmp_path / "odd.tar.gz"
    with tarfile.open(path, "w:gz", format=tarfile.PAX_FORMAT) as tar:
        add(tar, "a/1.sgf")
        for name, kind in (("hard", tarfile.LNKTYPE), ("soft", tarfile.SYMTYPE),
                           ("pipe", tarfile.FIFOTYPE), ("device", tarfile.CHRTYPE)):  # fmt: skip
            add(tar, f"a/{name}.sgf", b"", type=kind, linkname="nowhere.sgf")
        add(tar, f"a/{'n' * 300}.sgf")
        sparse = {
            **{"GNU.sparse.major": "1", "GNU.sparse.minor": "0"},
            **{"GNU.sparse.name": "a/sparse.sgf", "GNU.sparse.realsize": str(1 << 40)},
        }
        add(tar, "a/sparse.sgf", b"1\n0\n0\n".ljust(512, b"\0"), pax_headers=sparse)
        add(tar, "a/\x1b[31m.sgf", b"no game")
        add(tar, "a/folder.sgf", b"", type=tarfile.DIRTYPE)
        add(tar, "a/2.sgf")
    return path


def test_odd_members_of_a_tar_archive(odd_tar, caplog):
    reader = GameReader([odd_tar])
    assert [game.source for game in reader] == ["a/1.sgf", "a/2.sgf"]
    reasons = [message.rpartition(": ")[2] for message in caplog.messages]
    assert reasons == [
        *["a link or device, not a file"] * 4,
        "its name is longer than 200 bytes",
        "a sparse file",
        "no SGF data found",
    ]
    assert reader.damaged == len(reasons)
    assert not any("\x1b" in line or "\n" in line for line in caplog.messages)
    assert [source for source, _ in reader.records()][-1] == "a/2.sgf"


def test_odd_members_of_a_zip_archive(tmp_path, caplog):
    path = tmp_path / "odd.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("1.sgf", GAME)
        archive.writestr("n" * 300 + ".sgf", GAME)
        link = zipfile.ZipInfo("link.sgf")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
        archive.writestr("damaged.sgf", b"(;GM[1]SZ[9];B[dd])")
        archive.writestr("2.sgf", GAME)
    path.write_bytes(path.read_bytes().replace(b"B[dd]", b"B[ee]"))
    reader = GameReader([path])
    assert [game.source for game in reader] == ["1.sgf", "2.sgf"]
    assert [message.rpartition(": ")[2] for message in caplog.messages] == [
        "its name is longer than 200 bytes",
        "a link or device, not a file",
        "Bad CRC-32 for file 'damaged.sgf'",
    ]
    records = [data for _, data in reader.records()]
    assert [data for data in records if isinstance(data, bytes)] == [GAME, GAME]
    assert sum(isinstance(data, SgfError) for data in records) == 3


@pytest.mark.parametrize("suffix", ["zip", "tar.xz"])
def test_an_archive_that_unpacks_to_much_more_is_left(tmp_path, suffix, monkeypatch):
    monkeypatch.setattr(members, "LIMITS", members.LIMITS._replace(always_unpacked=1000))
    monkeypatch.setattr(members, "LIMITS", members.LIMITS._replace(max_bytes=1 << 20))
    path = tmp_path / f"bomb.{suffix}"
    if suffix == "zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for number in range(2):
                archive.writestr(f"{number}.sgf", bytes(900_000))
    else:
        with tarfile.open(path, "w:xz") as tar:
            for number in range(2):
                add(tar, f"{number}.sgf", bytes(900_000))
    with pytest.raises(SgfError, match="unpacks to more than 200 times its size"):
        list(read_members(path, "x"))
    monkeypatch.setattr(members, "LIMITS", members.LIMITS._replace(always_unpacked=10**7))
    monkeypatch.setattr(members, "LIMITS", members.LIMITS._replace(max_bytes=800_000))
    assert all(isinstance(member.data, SgfError) for member in read_members(path, "x"))


def test_a_pipe_is_no_game(tmp_path):
    os.mkfifo(tmp_path / "x.sgf")
    with pytest.raises(SgfError, match="not a regular file"):
        list(read_members(tmp_path / "x.sgf", "x"))


def test_a_record_that_never_ends_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(members, "LIMITS", members.LIMITS._replace(max_bytes=9))
    (tmp_path / "a.sgf").write_bytes(b"(;B[ee])\n")
    assert record_bytes(tmp_path / "a.sgf") == b"(;B[ee])\n"
    with pytest.raises(SgfError, match="larger than"):
        record_bytes(Path("/dev/zero"))


def test_hidden_files_of_a_folder_are_passed_over(tmp_path):
    """macOS leaves ._NAME beside each file on foreign disks."""
    (tmp_path / "game.sgf").write_bytes(GAME)
    for name in ("._game.sgf", "._game.gib", "._games.zip", "._games.tar"):
        (tmp_path / name).write_bytes(b"\0\5\26\7\0\2\0\0Mac OS X        \0\2")
    reader = GameReader([tmp_path])
    assert [game.source for game in reader] == ["game.sgf"]
    assert reader.damaged == 0


def test_records_of_tygem_are_refused_with_a_way_out(tmp_path, caplog):
    (tmp_path / "a.GIB").write_bytes(b"\\HS")
    with zipfile.ZipFile(tmp_path / "b.zip", "w") as archive:
        archive.writestr("c.ngf", b"Rated game")
    reader = GameReader([tmp_path])
    assert list(reader) == []
    assert reader.damaged == 2
    assert all("Sabaki can open it" in message for message in caplog.messages)
    with pytest.raises(SgfError, match="save it as SGF"):
        record_bytes(tmp_path / "a.GIB")
