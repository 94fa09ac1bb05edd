"""Front ends in windows: driven where they are installed, else the parts of the driver."""

import json
import os
import threading
from pathlib import Path

import pytest

from engine import YomiError
from scripts.check import front_ends, screen
from tests.gtp.conftest import needs_jit


@needs_jit
@pytest.mark.peers
@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", ["gogui", "katrain"])
def test_a_front_end(name, tmp_path, capsys):
    """GOGUI names gogui.jar, KATRAIN the program katrain."""
    program = os.environ.get(name.upper(), "none")
    status = front_ends.main(["--out", str(tmp_path), f"--{name}", program])
    said = capsys.readouterr()
    if status == 2:
        pytest.skip(said.err.strip())
    assert status == 0, said.out
    pictures = list(tmp_path.glob(f"{name}-*.png"))
    assert len(pictures) >= 2
    assert all(2_000 < picture.stat().st_size < 150_000 for picture in pictures)


def test_missing_front_ends_are_skipped(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(front_ends, "missing_programs", lambda *others: "")
    assert front_ends.main(["--out", str(tmp_path), "--gogui", str(tmp_path / "no.jar")]) == 2
    said = capsys.readouterr().err.splitlines()
    assert said == [
        f"front_ends: gogui is skipped: --gogui {tmp_path / 'no.jar'} names no file",
        "front_ends: katrain is skipped: --katrain names no file",
    ]


def test_missing_programs(monkeypatch):
    monkeypatch.setattr(screen.shutil, "which", lambda name: None if name == "java" else name)
    assert screen.missing_programs() == ""
    assert screen.missing_programs("java") == "not installed: java"


def test_a_failure_is_reported(tmp_path, monkeypatch, capsys):
    def fail(program, folder):
        raise YomiError("xdotool search: failed")

    jar = tmp_path / "gogui.jar"
    jar.touch()
    monkeypatch.setattr(front_ends, "missing_programs", lambda *others: "")
    monkeypatch.setattr(front_ends, "drive_gogui", fail)
    assert front_ends.main(["--out", str(tmp_path), "--gogui", str(jar)]) == 1
    assert "gogui: xdotool search: failed; " in capsys.readouterr().out


def test_places():
    assert front_ends.place_of("A9", (110, 134), 71) == (110, 134)
    assert front_ends.place_of("J1", (110, 134), 71) == (678, 702)
    assert front_ends.place_of("E5", (183, 116), 67) == (451, 384)


def test_a_click_goes_to_a_free_point(tmp_path):
    moves = [["B", "E5"], ["W", "G7"], ["B", "C6"]]
    queries = tmp_path / "queries.jsonl"
    asked = [{"id": "1", "moves": []}, {"id": "2", "moves": moves}, {"action": "terminate"}]
    queries.write_text("".join(f"{json.dumps(query)}\n" for query in asked))
    assert front_ends.moves_asked(queries) == moves
    assert front_ends.free_point([vertex for _, vertex in moves]) == "G3"
    queries.write_text("")
    assert front_ends.moves_asked(queries) == []
    # Neither side plays on more points than are there.
    assert len(front_ends.POINTS) >= 2 * front_ends.CLICKS


def test_waiting_for_a_log(tmp_path):
    log: Path = tmp_path / "log"
    log.write_text("old << = B2\n")
    begin = log.stat().st_size

    def grow():
        with log.open("a") as file:
            file.write(">> genmove w\nwaiting\n<< = C3\n")

    timer = threading.Timer(0.1, grow)
    timer.start()
    screen.wait_for_text(log, ">> genmove w\n", "<< = ", most=20.0, after=begin)
    timer.join()
    assert "C3" in log.read_text()
    with pytest.raises(YomiError, match="no '<< =  >> genmove w' after 0 s"):
        screen.wait_for_text(log, "<< = ", ">> genmove w", most=0.0, after=begin)
    screen.wait_until_quiet(log, 0.0, 20.0)
    with pytest.raises(YomiError, match="no end after 0 s"):
        screen.wait_until_quiet(log, 1.0, 0.0)
