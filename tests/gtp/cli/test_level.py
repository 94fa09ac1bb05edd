"""``yomi level``: a rank for each player, separated by name, and one-line error messages."""

import json
import re

import numpy as np
import pytest
from tqdm import tqdm

from engine.people.model import model_of_patterns
from engine.people.posterior import STRONGEST, WEAKEST, rank_posterior
from gtp.__main__ import main
from patterns_db.people.levels import PlayerLevel
from tests.player.test_patterns import knowledge

MOVES = ";B[dd];W[cc];B[dc];W[cd];B[ce];W[be];B[bf];W[bd]"


def game(size=9, names="PB[Ann]PW[Bob]"):
    return f"(;GM[1]FF[4]SZ[{size}]KM[5.5]{names}{MOVES})"


@pytest.fixture(autouse=True)
def _small_tables(monkeypatch):
    knows = knowledge()._replace(people=model_of_patterns())
    monkeypatch.setattr("gtp.cli.level.load_knowledge", lambda: knows)


def level(tmp_path, records, *options):
    for number, record in enumerate(records):
        (tmp_path / f"{number}.sgf").write_text(record)
    return main(["level", str(tmp_path), *options])


def test_players_are_told_apart_by_name(tmp_path, capsys):
    swapped = game(names="PB[ Bob]PW[Cid]")
    assert level(tmp_path, [game(), swapped], "--json") == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(row["player"], row["games"], row["moves"]) for row in rows] == [
        ("Ann", 1, 4), ("Bob", 2, 8), ("Cid", 1, 4),
    ]  # fmt: skip
    for row in rows:
        assert sum(row["chances"].values()) == pytest.approx(1.0, abs=0.01)
        assert not row["extrapolated"]
        ranks = list(row["chances"])
        weak, strong = map(ranks.index, row["interval"])
        assert weak <= ranks.index(row["rank"]) <= strong


def test_in_words(tmp_path, capsys):
    assert level(tmp_path, [game(13, names="PB[Ann]BR[8k]PW[Bob]")]) == 0
    one, ann, bob = capsys.readouterr().out.splitlines()
    assert one == "0.sgf: Ann (8k) against Bob (no rank), 13x13, 8 moves"
    shown = re.fullmatch(
        r"Ann: between (\d+)k and .*, most likely .*; .*more games would .*"
        r" \(1 game, 4 moves, 8k in the records; extrapolated, since ranks were learned on 9x9\)",
        ann,
    )
    assert shown
    assert bob.startswith("Bob: between ")
    assert "in the records" not in bob


def test_players_without_names_are_not_pooled(tmp_path, capsys):
    nobody = game(names="PB[]")
    assert level(tmp_path, [nobody, nobody], "--json") == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(row["player"], row["games"]) for row in rows] == [
        ("Black of 0.sgf", 1), ("White of 0.sgf", 1), ("Black of 1.sgf", 1), ("White of 1.sgf", 1),
    ]  # fmt: skip


def test_more_games_narrow_the_interval_as_they_are_said_to():
    """Sixteen games of evidence are what four and twelve more give."""
    ranks = np.arange(STRONGEST, WEAKEST + 1)

    def known_by(games):
        logs = -0.5 * games * ((ranks - 6) / 6.0) ** 2
        return PlayerLevel("Ann", games, 40 * games, rank_posterior(logs), False)

    few, many = known_by(4), known_by(16)
    assert few.width_after(0) == pytest.approx(few.width)
    assert few.width_after(12) == pytest.approx(many.width, abs=1.0)
    assert few.width_after(100) > 2.0  # the scatter of recorded ranks stays


def test_unreadable_files_are_named_and_the_others_judged(tmp_path, capsys):
    assert level(tmp_path, ["(SZ[9", game()], "--json") == 1
    found = capsys.readouterr()
    assert len(found.out.splitlines()) == 2
    assert found.err.startswith("yomi: 0.sgf: ")
    assert len(found.err.splitlines()) == 1


def test_damaged_archives_are_named_once(tmp_path, capsys):
    (tmp_path / "a.zip").write_text("no archive")
    assert level(tmp_path, []) == 1
    err = capsys.readouterr().err
    assert err.count("a.zip") == err.count("\n") == 1


def test_moves_that_are_left_out_are_counted(tmp_path, capsys, caplog):
    corrected = game()[:-1] + ";AB[ee]AE[be];B[ef];W[ff])"
    assert level(tmp_path, [game(), corrected], "--json") == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["moves"] for row in rows] == [8, 8]
    assert caplog.messages == [
        "1 game is read up to an illegal move or stones set up by hand (2 moves are left out);"
        " the first is 1.sgf, at move 9"
    ]


def test_progress_is_shown_on_a_terminal(tmp_path, capsys, monkeypatch):
    def impatient_bar(**options):
        return tqdm(**options | {"disable": False, "delay": 0})

    monkeypatch.setattr("patterns_db.records.games.tqdm", impatient_bar)
    assert level(tmp_path, [game(), game()], "--json") == 0
    out, err = capsys.readouterr()
    assert "judging: 100%" in err
    assert "judging" not in out


def test_nothing_is_compiled_for_unreadable_records(tmp_path, capsys, monkeypatch):
    compiled = []
    monkeypatch.setattr("gtp.cli.level.compile_visibly", lambda *_: compiled.append(1))
    assert level(tmp_path, ["(SZ[9", "no record"]) == 1
    assert compiled == []
    assert level(tmp_path, ["(SZ[9", game(), game()]) == 1
    assert compiled == [1]


def test_nothing_to_judge(tmp_path, capsys):
    assert level(tmp_path, ["(;SZ[9])"]) == 1
    assert capsys.readouterr().err.endswith(": no moves in these records\n")
    assert main(["level", str(tmp_path / "missing.sgf")]) == 1
    assert "no such file" in capsys.readouterr().err
