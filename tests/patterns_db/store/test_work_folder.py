"""patterns_db.store.work_folder: the owner of a folder, and its permitted uses."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine.errors import YomiError
from patterns_db.store.work_folder import MARK, begun_setting, open_work, remove_work

SETTINGS = {"beta": 2.0, "models": ("evidence", "paper")}
GAMES = [{"name": "games", "sha256": "00"}]


@pytest.fixture
def work(tmp_path):
    return tmp_path / "p.table.work"


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def begin(work, settings=SETTINGS, games=GAMES, **earlier):
    with open_work(work, settings, games, **earlier):
        pass


def leave_checkpoint(work):
    begin(work)
    (work / "learned.npz").write_bytes(b"hours of work")


def test_a_new_folder_is_marked(work):
    begin(work)
    assert names(work) == [MARK, "settings.json"]
    assert begun_setting(work, "beta") == 2.0
    assert begun_setting(work, "gamma") is None


@pytest.mark.parametrize("earlier", [{}, {"resume": True}, {"anew": True}])
def test_a_folder_of_somebody_else_is_left_alone(work, earlier):
    work.mkdir()
    (work / "thesis.txt").write_text("all of it")
    with pytest.raises(YomiError, match="not the work of yomi train"):
        begin(work, **earlier)
    assert names(work) == ["thesis.txt"]
    for mark in (lambda file: file.symlink_to("thesis.txt"), Path.touch, os.mkfifo):
        mark(work / MARK)
        with pytest.raises(YomiError, match="not the work of yomi train"):
            begin(work, **earlier)
        (work / MARK).unlink()
    assert (work / "thesis.txt").read_text() == "all of it"


@pytest.mark.parametrize("earlier", [{}, {"resume": True}, {"anew": True}])
def test_a_folder_behind_a_link_is_left_alone(work, earlier):
    other = work.with_name("other.work")
    leave_checkpoint(other)
    work.symlink_to(other)
    with pytest.raises(YomiError, match="not the work of yomi train"):
        begin(work, **earlier)
    assert (other / "learned.npz").exists()
    work.unlink()
    work.symlink_to("missing")
    with pytest.raises(YomiError, match="not the work of yomi train"):
        begin(work, **earlier)
    assert not work.exists()


def test_a_checkpoint_demands_a_word(work):
    leave_checkpoint(work)
    with pytest.raises(YomiError, match="--resume continues it, --anew deletes it"):
        begin(work)
    assert (work / "learned.npz").read_bytes() == b"hours of work"
    begin(work, resume=True)
    assert (work / "learned.npz").read_bytes() == b"hours of work"
    (work / "folder").mkdir()
    (work / "link").symlink_to(work.parent)
    begin(work, anew=True)
    assert names(work) == [MARK, "settings.json"]
    assert work.parent.exists()


def test_a_run_with_other_settings_is_not_resumed(work):
    leave_checkpoint(work)
    with pytest.raises(YomiError, match="other settings"):
        begin(work, {**SETTINGS, "beta": 1.0}, resume=True)
    for games in ([{"name": "games", "sha256": "01"}], GAMES + GAMES):
        with pytest.raises(YomiError, match="the games of games have changed since"):
            begin(work, games=games, resume=True)
    for text in ("", "[]", "{}", "[" * 10_000):
        (work / "settings.json").write_text(text)
        with pytest.raises(YomiError, match="other settings"):
            begin(work, resume=True)
    assert (work / "learned.npz").read_bytes() == b"hours of work"


@pytest.mark.skipif(os.name != "posix", reason="locks are POSIX's")
def test_two_trainings_do_not_share_a_folder(work):
    begin(work)
    program = (
        "import sys; from pathlib import Path\n"
        "from patterns_db.store.work_folder import open_work\n"
        "from engine.errors import YomiError\n"
        "try:\n"
        "    with open_work(Path(sys.argv[1]), {}, [], anew=True): print('open')\n"
        "except YomiError as error: print(error)"
    )
    other = [sys.executable, "-c", program, str(work)]
    with open_work(work, SETTINGS, GAMES):
        said = subprocess.run(other, capture_output=True, text=True, check=True).stdout
        assert said == f"{work}: another training is using this folder\n"
        assert begun_setting(work, "beta") == 2.0
    assert subprocess.run(other, capture_output=True, text=True, check=True).stdout == "open\n"


def test_a_folder_is_removed_within_its_context(work):
    leave_checkpoint(work)
    with open_work(work, SETTINGS, GAMES, resume=True):
        remove_work(work)
    assert not work.exists()
    begin(work)
    assert names(work) == [MARK, "settings.json"]
