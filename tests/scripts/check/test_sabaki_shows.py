"""Sabaki's display of an analysis line: made-up lines, and one position through its own code."""

import os
import shutil
from pathlib import Path

import pytest

from engine import YomiError
from patterns_db.records.replay import record_of
from patterns_db.records.sgf import write_record
from scripts.check import sabaki_shows
from tests.gtp.conftest import needs_jit
from tests.scripts.check.test_passing import filled_game

KATA = "info move A1 winrate 0.5 scoreLead 1.5 pv A1 info move B1 winrate 0.25 scoreLead 2 pv B1"
LZ = "info move A1 visits 7 winrate 5000 pv A1"


def said(line, shown, win_rate, lead):
    return {"line": line, "shown": [{"move": x} for x in shown], "winrate": win_rate,
            "scoreLead": lead}  # fmt: skip


def test_a_lead_that_the_best_move_does_not_have():
    found = sabaki_shows.judge("kata-analyze", [said(KATA, ["A1", "B1"], 50.0, 2.0)])
    assert found["higher lead"] == 1
    assert found["higher win rate"] == found["dropped"] == 0
    assert found["moves"] == 2


def test_a_win_rate_that_the_best_move_does_not_have():
    lines = [said(LZ, ["A1"], 50.0, None), said(LZ, ["A1"], 50.01, None)]
    found = sabaki_shows.judge("lz-analyze", lines)
    assert (found["lines"], found["higher win rate"], found["higher lead"]) == (2, 1, 0)


def test_a_pass_is_not_shown():
    line = KATA.replace("A1", "pass", 1)
    found = sabaki_shows.judge("kata-analyze", [said(line, ["B1"], 25.0, 2.0)])
    assert (found["best is a pass"], found["dropped"], found["moves"]) == (1, 0, 1)
    assert found["higher lead"] == 1


def test_moves_that_the_parser_drops():
    assert sabaki_shows.judge("kata-analyze", [said(KATA, ["A1"], 50.0, 1.5)])["dropped"] == 1
    with pytest.raises(YomiError, match="another one"):
        sabaki_shows.judge("kata-analyze", [said(KATA, ["B1"], 50.0, 1.5)])


def test_without_sabakis_code_it_says_so(tmp_path, capsys):
    arguments = ["--parser", str(tmp_path / "analysis.js"), "--games", str(tmp_path)]
    assert sabaki_shows.main(arguments) == 2
    assert "nothing was checked" in capsys.readouterr().err


PARSER = Path(os.environ.get("SABAKI_PARSER", "analysis.js"))


@needs_jit
@pytest.mark.peers
@pytest.mark.skipif(
    shutil.which("node") is None or bool(sabaki_shows.missing(PARSER)),
    reason="Node, @sabaki/gtp, @sabaki/go-board or SABAKI_PARSER (analysis.js) is missing",
)
def test_one_position(tmp_path, capsys):
    (tmp_path / "game.sgf").write_bytes(write_record(record_of(filled_game(5))))
    assert sabaki_shows.main(["--parser", str(PARSER), "--games", str(tmp_path)]) == 0
    _, *rows = capsys.readouterr().out.splitlines()
    assert [row.split()[0] for row in rows] == list(sabaki_shows.COMMANDS)
    assert all(int(row.split()[2]) > 0 for row in rows)
