"""Played games read back as choices of ranked players, and how they end."""

import json

import pytest

from engine import BLACK, WHITE, BadSetup, Knowledge, parse_vertex
from engine.patterns.valuing import no_patterns
from engine.people.model import model_of_patterns
from scripts.check import level_habits
from scripts.check.level_habits import main, played_games

ROW = {"game": 0, "level": "12k", "against": "14k", "first_color": "B", "error": ""}
RESIGNED = ROW | {"record": "BC3 WD3 BC4", "result": "B+R"}
COUNTED = ROW | {"game": 1, "first_color": "W", "record": "BC3 WD3 Bpass Wpass", "result": "B+3.5"}
FAILED = ROW | {"game": 2, "error": "no end", "record": "BC3", "result": "?"}


@pytest.fixture
def ladder(tmp_path):
    path = tmp_path / "ladder.json"
    path.write_text(json.dumps({"size": 5, "games": [RESIGNED, COUNTED, FAILED]}))
    return path


def test_games_are_read_back(ladder):
    resigned, counted = played_games(ladder)
    assert resigned.ranks == ("12k", "14k")
    assert counted.ranks == ("14k", "12k")
    assert resigned.colors.tolist() == [BLACK, WHITE, BLACK]
    assert resigned.moves[0] == parse_vertex("C3", 5)
    assert (resigned.margin, counted.margin is None) == (None, False)
    assert resigned.winner == counted.winner == BLACK


def test_the_tables(ladder, capsys, monkeypatch):
    knows = Knowledge(patterns=no_patterns(), people=model_of_patterns())
    monkeypatch.setattr(level_habits, "load_knowledge", lambda: knows)
    monkeypatch.setattr("engine.facts.survey.ROLLOUTS", 60)
    assert main([str(ladder)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "levels:"
    moves, ends = (line.split() for line in lines if "15k to 11k" in line)
    assert moves[3] == "5"  # passes are no choices
    assert [float(cell) for cell in ends[3:]] == [2, 0.5, 3, 4, 0, 0, 0, 0]


def test_another_file_is_refused_in_one_line(tmp_path, capsys):
    path = tmp_path / "other.json"
    path.write_text("[]")
    with pytest.raises(BadSetup, match="no games of a ladder"):
        list(played_games(path))
    assert main([str(path)]) == 2
    assert capsys.readouterr().err == f"level_habits: {path}: no games of a ladder\n"
