"""The set-up of an environment, without installing one."""

import os
import subprocess
import sys

import pytest

from scripts import bootstrap


@pytest.fixture
def environment(tmp_path, monkeypatch):
    folder = tmp_path / ".venv"
    monkeypatch.setattr(bootstrap, "ENVIRONMENT", folder)
    monkeypatch.setattr(bootstrap, "STAMP", folder / "yomi-installed")
    monkeypatch.setattr("subprocess.run", Python())
    return folder


class Python:
    """Stands for the environment's interpreter: notes commands, and fails at some of them.

    failing  a word of a command that fails, and the message
    """

    def __init__(self, failing="", message=""):
        self.failing, self.message, self.commands = failing, message, []

    def __call__(self, command, **options):
        self.commands.append(command)
        assert command[1] == "-P"
        assert options["env"]["PYTHONSAFEPATH"] == "1"
        failed = bool(self.failing) and any(self.failing in word for word in command)
        return subprocess.CompletedProcess(command, int(failed), stderr=self.message)


def set_up_with(python, monkeypatch):
    """Set up with an interpreter. Return the exit status, and whether the stamp was written."""
    monkeypatch.setattr("venv.create", create)
    monkeypatch.setattr("subprocess.run", python)
    monkeypatch.setattr("os.execv", lambda *command: None)
    status = bootstrap.main(["play"])
    return status, bootstrap.STAMP.exists()


def create(folder, with_pip):
    """Create what the module venv creates, the command of pip at last."""
    bootstrap.environment_python().parent.mkdir(parents=True, exist_ok=True)
    bootstrap.environment_python().touch()
    bootstrap.environment_python().with_name("pip.exe" if os.name == "nt" else "pip").touch()


def test_an_environment_is_created_once(environment, monkeypatch, capsys):
    monkeypatch.setattr("venv.create", create)
    bootstrap.install("play")
    monkeypatch.setattr("venv.create", None)
    bootstrap.install("test")
    assert "ready" in capsys.readouterr().err
    bootstrap.install("play")
    assert capsys.readouterr().err == ""


def test_an_interrupted_creation_is_completed(environment, monkeypatch, capsys):
    def interrupted(folder, with_pip):
        create(folder, with_pip)
        bootstrap.environment_python().with_name("pip").unlink()
        raise KeyboardInterrupt

    monkeypatch.setattr("venv.create", interrupted)
    assert bootstrap.main(["play"]) == 130
    assert capsys.readouterr().err.endswith("stopped; the same command continues it\n")
    monkeypatch.setattr("venv.create", create)
    bootstrap.install("play")
    assert "creating" in capsys.readouterr().err


def test_a_python_without_pip_is_one_line(environment, monkeypatch, capsys):
    def failing(folder, with_pip):
        raise subprocess.CalledProcessError(1, "ensurepip")

    monkeypatch.setattr("venv.create", failing)
    assert bootstrap.main(["play"]) == 1
    line = capsys.readouterr().err.splitlines()[-1]
    assert line.startswith("yomi set-up: failed: this Python cannot install pip (on Debian")


def test_pip_checks_hashes_and_then_yomi_is_imported(environment, monkeypatch):
    python = Python()
    set_up_with(python, monkeypatch)
    lock, yomi, check = python.commands
    assert lock[2:5] == ["-m", "pip", "install"]
    assert "--require-hashes" in lock
    assert "--no-deps" in yomi
    assert check[2:] == ["-c", "import gtp.session"]


@pytest.mark.parametrize("failing", ["--require-hashes", "--editable", "import gtp"])
def test_nothing_is_stamped_unless_yomi_can_be_imported(environment, monkeypatch, capsys, failing):
    python = Python(failing, "ModuleNotFoundError: No module named 'gtp'")
    assert set_up_with(python, monkeypatch) == (1, False)
    assert "No module named" in capsys.readouterr().err


def test_versions_without_hashes_are_installed_only_on_request(environment, monkeypatch, capsys):
    python = Python("--require-hashes", f"ERROR: {bootstrap.NO_WHEEL} for numba==9.9")
    assert set_up_with(python, monkeypatch) == (1, False)
    assert len(python.commands) == 1
    assert "YOMI_UNLOCKED=1" in capsys.readouterr().err
    monkeypatch.setenv("YOMI_UNLOCKED", "1")
    assert set_up_with(python, monkeypatch)[1]
    assert python.commands[-2][-1].endswith("[pages]")


def test_nothing_of_the_callers_folder_is_imported(tmp_path, monkeypatch):
    monkeypatch.setattr(bootstrap, "environment_python", lambda: sys.executable)
    monkeypatch.chdir(tmp_path)
    for name in ("pip", "json"):
        (tmp_path / f"{name}.py").write_text(f"open('{name}-ran', 'w')")
    assert bootstrap.run_pip("--help") == ""
    child = "import subprocess as s, sys; s.run([sys.executable, '-c', 'import json'])"
    assert bootstrap.run_python("-c", child) == ""
    assert sorted(path.name for path in tmp_path.iterdir()) == ["json.py", "pip.py"]
