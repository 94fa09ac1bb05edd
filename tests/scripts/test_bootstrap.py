"""The set-up of an environment, without installing one."""

import os
import subprocess

import pytest

from scripts import bootstrap


@pytest.fixture
def environment(tmp_path, monkeypatch):
    folder = tmp_path / ".venv"
    monkeypatch.setattr(bootstrap, "ENVIRONMENT", folder)
    monkeypatch.setattr(bootstrap, "STAMP", folder / "yomi-installed")
    monkeypatch.setattr(bootstrap, "run_pip", lambda *words: "")
    return folder


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
