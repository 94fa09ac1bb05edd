"""Edits that start a new cache folder, and folders that may be deleted."""

import os
import shutil

import pytest

from engine.jit import folders
from engine.jit.folders import Cache, base_folder, linking_folder


@pytest.fixture
def cache_of(monkeypatch, tmp_path):
    """Return a function that makes a cache for the sources in tmp_path/tree."""
    for package in folders.PACKAGES:
        (tmp_path / "tree" / package / "deep").mkdir(parents=True)
        (tmp_path / "tree" / package / "deep" / "kernels.py").write_text("1")
    monkeypatch.setattr(folders, "_ROOT", tmp_path / "tree")
    base = tmp_path / "cache"
    base.mkdir()
    return lambda flags="flags": Cache(base, flags)


def names(cache):
    return [cache.folder(f"{package}.deep.kernels").name for package in folders.PACKAGES]


@pytest.mark.parametrize("edited", range(3))
def test_an_edit_concerns_the_package_and_those_that_call_it(cache_of, tmp_path, edited):
    before = names(cache_of())
    (tmp_path / "tree" / folders.PACKAGES[edited] / "deep" / "kernels.py").write_text("2")
    after = names(cache_of())
    same = [old == new for old, new in zip(before, after, strict=True)]
    assert same == [number < edited for number in range(3)]


def test_order_of_asking_and_other_packages(cache_of):
    backwards = cache_of()
    found = [backwards.folder(package).name for package in reversed(folders.PACKAGES)]
    assert found[::-1] == names(cache_of())
    assert backwards.folder("tests.test_all") == backwards.folder("scripts")
    assert all(backwards.folder(package).is_dir() for package in folders.PACKAGES)


def test_flags_count_and_installed_packages_lack_scripts(cache_of, tmp_path):
    assert set(names(cache_of("other"))).isdisjoint(names(cache_of()))
    before = names(cache_of())
    shutil.rmtree(tmp_path / "tree" / "scripts")
    assert names(cache_of())[:2] == before[:2]


def test_only_old_folders_of_ours_are_deleted(cache_of, tmp_path):
    cache = cache_of()
    base, linking = tmp_path / "cache", tmp_path / "cache" / f"linking-{'1' * 16}"
    current = {cache.folder(package) for package in folders.PACKAGES} | {linking}
    foreign = {base / "numba_1234", base / "engine-notes"}
    old = {base / f"engine-{'0' * 16}", base / f"linking-{'0' * 16}", base / ("a" * 16)}
    for folder in current | foreign | old:
        (folder / "inside").mkdir(parents=True)
        (folder / "inside" / "file").touch()
    assert cache.prune(linking) == 3
    assert set(base.iterdir()) == current | foreign
    assert (linking / "inside" / "file").exists()


def test_where_folders_lie(monkeypatch, tmp_path):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "named"))
    assert base_folder() == tmp_path / "named"
    assert linking_folder(tmp_path, (1, 2)) != linking_folder(tmp_path, (1, 3))
    (tmp_path / "file").touch()
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "file" / "below"))
    monkeypatch.setattr(folders.tempfile, "gettempdir", lambda: str(tmp_path / "temporary"))
    assert base_folder().parent == tmp_path / "temporary"


@pytest.mark.skipif(os.name == "nt", reason="a user of Windows has a home")
def test_a_user_without_a_home_has_a_cache(monkeypatch, tmp_path):
    """As in ``docker run --user 12345``: no HOME, and no entry in the list of users."""
    for name in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("pwd.getpwuid", lambda number: {}[number])
    monkeypatch.setattr(folders.tempfile, "gettempdir", lambda: str(tmp_path))
    assert base_folder().parent == tmp_path
    monkeypatch.setattr(folders.tempfile, "gettempdir", refuse)
    monkeypatch.setattr(folders.tempfile, "mkdtemp", refuse)
    assert not base_folder().exists()


@pytest.fixture
def two_bases(monkeypatch, tmp_path):
    """Return the user's folder and the one in the temporary folder; neither exists yet."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "named"))
    monkeypatch.setattr(folders.tempfile, "gettempdir", lambda: str(tmp_path))
    return tmp_path / "named", tmp_path / f"yomi-{os.getuid()}"


def link(folder):
    folder.with_name("elsewhere").mkdir(exist_ok=True)
    folder.symlink_to(folder.with_name("elsewhere"))


def open_to_the_group(folder):
    folder.mkdir()
    folder.chmod(0o770)


def open_to_all(folder):
    folder.mkdir()
    folder.chmod(0o1777)


needs_owners = pytest.mark.skipif(os.name == "nt", reason="no owners and modes")


@needs_owners
def test_folders_are_made_for_their_owner_alone(two_bases, tmp_path):
    base = base_folder()
    assert base == two_bases[0]
    inside = [linking_folder(base, "flags"), Cache(base, "flags").folder("engine")]
    assert [path.stat().st_mode & 0o777 for path in (base, *inside)] == [0o700] * 3
    assert base_folder() == base  # found as it was made


@needs_owners
@pytest.mark.parametrize("plant", [link, open_to_the_group, open_to_all])
def test_a_folder_that_others_could_change_is_not_used(plant, two_bases, caplog):
    first, second = two_bases
    plant(first)
    assert base_folder() == second
    assert "is not used" in caplog.text
    assert len(caplog.records) == 1
    second.rmdir()
    plant(second)
    private = base_folder()
    assert private not in two_bases
    assert private.stat().st_mode & 0o777 == 0o700
    cache = Cache(private, "flags")
    folder = cache.folder("engine")
    folder.rmdir()
    plant(folder)
    assert Cache(private, "flags").folder("engine") != folder


@needs_owners
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs root")
def test_another_users_folder_is_not_used(two_bases):
    first, second = two_bases
    first.mkdir(0o700)
    os.chown(first, 12345, 12345)
    assert base_folder() == second


def test_a_full_disk_is_read_and_not_written(two_bases, monkeypatch):
    first, _ = two_bases
    monkeypatch.setattr(folders, "is_writable", lambda folder: False)
    assert base_folder() == first
    monkeypatch.setattr(folders.Path, "mkdir", refuse)
    monkeypatch.setattr(folders.tempfile, "mkdtemp", refuse)
    first.rmdir()
    two_bases[1].rmdir()
    assert not base_folder().exists()
    assert not Cache(first, "flags").folder("engine").exists()


def refuse(*_, **__):
    raise OSError(28, "No space left on device")
