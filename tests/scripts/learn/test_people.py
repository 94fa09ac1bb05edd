"""Learning people's choices from records, and the printed figures of held-out games."""

import pytest

from patterns_db.people.table import read_people
from scripts.learn import people
from tests.patterns_db.collections import random_collection, to_sgf
from tests.player.test_patterns import knowledge


@pytest.fixture
def games(tmp_path):
    folder = tmp_path / "games"
    folder.mkdir()
    for number, game in enumerate(random_collection(count=6, size=5, length=8)):
        text = to_sgf(game).replace("SZ[5]", "SZ[5]BR[20k]WR[26k]")
        (folder / f"{number}.sgf").write_text(text)
    return folder


@pytest.fixture(autouse=True)
def _little_of_everything(monkeypatch):
    monkeypatch.setattr("patterns_db.people.training.ROUNDS", 3)
    monkeypatch.setattr("scripts.learn.people.KNOTS", (14.0, 2.0))
    monkeypatch.setattr("scripts.learn.people.load_knowledge", lambda path: knowledge())


def test_it_learns_judges_and_writes(games, tmp_path, capsys):
    table = tmp_path / "people.table"
    words = ["--games", str(games), "--counted-up", "--held-out", "0.5", "--out", str(table)]
    assert people.main(words) == 0
    printed = capsys.readouterr().out
    # 20 and 26 counted up are 10k and 4k.
    assert "10k to 6k" in printed
    assert "5k to 1k" in printed
    assert "20k to 16k" not in printed
    assert read_people(table).knots.tolist() == [14.0, 2.0]


def test_nothing_held_out_nothing_judged(games, capsys):
    assert people.main(["--games", str(games), "--held-out", "0"]) == 0
    assert capsys.readouterr().out == ""


def test_a_missing_path_is_one_line(tmp_path, capsys):
    assert people.main(["--games", str(tmp_path / "none")]) == 2
    assert "people: no such file or directory" in capsys.readouterr().err
