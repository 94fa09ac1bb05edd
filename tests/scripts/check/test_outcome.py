"""Shown values compared with results: figures by hand, a run that goes on, a learned table."""

import json

import pytest
from scripts.check.other_win_rates import OtherEngine

from engine import COLOR_NAMES, Game, format_vertex
from engine.belief.calibration import no_calibration
from engine.belief.open_points import KINDS
from engine.gaussian import NINETY_PERCENT
from engine.jit import JIT_ENABLED
from patterns_db.records.replay import record_of
from patterns_db.records.sgf import write_record
from patterns_db.search_tables.calibration_table import (
    CALIBRATION,
    read_calibration,
)
from patterns_db.store.table_files import open_arrays
from scripts.check import other_win_rates, outcome
from scripts.controller import ProgramFailed
from scripts.learn import make_tables
from tests.scripts.check.test_passing import filled_game


def row(counted=None, **found):
    usual = {
        "size": 19, "occupied": 0.3, "komi": 7.0, "rollouts": 10**8, "value": 0.0, "variance": 1.0,
        "length": 399.0, "margin": 0.0, "seen": 10**8, "stones": 0.0, "ground": 0.0, "open": 1.0,
        "kinds": [0.0] * KINDS,
    }  # fmt: skip
    kept = {"game": "a", "moves": 60, "share": 0.5, "result": 1.0, "counted": counted}
    return {**kept, "evidence": {**usual, **found}}


def test_findings_become_shown_values():
    found = outcome.shown([row(value=20.0), row()], no_calibration())
    assert found.win_rate == pytest.approx([0.8413447460685429, 0.5])
    assert found.end == pytest.approx([18.0, 0.0])
    assert found.likely == pytest.approx([18.0 * NINETY_PERCENT] * 2)


def test_even_games_and_those_with_handicap_stones(tmp_path):
    even, given = Game(5), Game(5)
    given.place_handicap(given.legal_points(1)[:2])
    for name, game in (("even", even), ("given", given)):
        (tmp_path / f"{name}.sgf").write_bytes(sgf_of(game, "B+3.5"))
    for handicap, name in ((False, "even"), (True, "given")):
        (record,) = outcome.games_of([str(tmp_path)], False, handicap)
        assert name in record.source


def test_coverage_counts_games_that_were_counted(capsys):
    rows = [row(counted=10.0), row(counted=40.0), row()]
    outcome.print_margins(rows, outcome.shown(rows, no_calibration()))
    *_, every = capsys.readouterr().out.splitlines()
    name, counted, held, *_ = every.split()
    assert (name, counted, float(held)) == ("all", "2", 0.5)


def sgf_of(game: Game, result: str) -> bytes:
    """Return a game as a record with a result."""
    return write_record(record_of(game)).replace(b"SZ[", f"RE[{result}]SZ[".encode())


def test_a_run_goes_on_and_teaches(tmp_path, capsys):
    for seed, result in enumerate(("B+3.5", "W+R", "Void")):
        (tmp_path / f"{seed}.sgf").write_bytes(sgf_of(filled_game(seed), result))
    out = tmp_path / "out.json"
    arguments = ["--games", str(tmp_path), "--moves", "4", "8", "--playouts", "5", "10"]
    arguments += ["--out", str(out)]
    assert outcome.main([*arguments, "--max-games", "1"]) == 0
    first = json.loads(out.read_text())["positions"]
    assert outcome.main(arguments) == 0
    rows = json.loads(out.read_text())["positions"]
    assert rows[: len(first)] == first
    assert [(row["evidence"]["rollouts"], row["weight"]) for row in first] == [
        (5, 0.5),
        (10, 0.5),
    ] * 2
    assert {(row["game"], row["moves"], row["result"], row["counted"]) for row in rows} == {
        (f"{seed}.sgf", moves, 1.0 - seed, margin)
        for seed, margin in ((0, 3.5), (1, None))
        for moves in (4, 8)
    }
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["all", "shown", "4"] in [line[:3] for line in lines[lines.index(["10", "playouts"]) :]]
    for name in ("ahead", "ranks"):  # both colors together are all; no ranks are equal ones
        counts = [int(line[3]) for line in lines if line[1:3] == [name, "shown"]]
        assert sum(counts) == 2 * (2 + 4)  # after 5 and after 10 playouts
    table = tmp_path / "calibration.table"
    looks = tmp_path / "looks.json"
    looks.write_text('{"playouts": [100], "positions": []}')
    command = ["calibration", "--positions", str(out), "--searches", str(looks)]
    # An empty file looks like any other file without results.
    assert make_tables.main([*command, "--out", str(table)]) == 1
    assert "not a file of searches' beliefs" in capsys.readouterr().err
    assert not table.exists()
    looks.write_text(json.dumps({"playouts": [100], "positions": [LOOKS]}))
    assert make_tables.main([*command, "--out", str(table)]) == 0
    learned = read_calibration(table)
    assert learned.gap.tolist() != no_calibration().gap.tolist()
    # Lessons of positions may come from a table; those of searches are learned anew.
    looks.write_text(json.dumps({"playouts": [100], "positions": [LOOKS, LOOKS]}))
    again = tmp_path / "again.table"
    command = ["calibration", "--keep", str(table), "--searches", str(looks)]
    assert make_tables.main([*command, "--out", str(again)]) == 0
    relearned = read_calibration(again)
    for name, weights in learned._asdict().items():
        same = weights.tolist() == getattr(relearned, name).tolist()
        assert same == (name not in ("gap", "choice"))
    counts = [open_arrays(path, CALIBRATION).manifest for path in (table, again)]
    assert counts[1] == {**counts[0], "differences": 2, "choices": 2}
    assert outcome.main([*arguments, "--calibration", str(table)]) == 0


# A position with three moves; the long search chose the second.
LOOKS = {
    "game": "a",
    "size": 9,
    "moves": 10,
    "occupied": 0.12,
    "looks": {
        "100": [
            [30, 60, 0.6, 3.0, 0.55, 1.0, 0.5, 2.0, 2.0, 0.5],
            [31, 30, 0.5, 1.0, 0.52, 0.8, 0.6, 1.0, 2.5, 0.3],
            [32, 10, 0.4, 0.0, 0.48, 0.1, 0.9, 0.5, 3.0, 0.2],
        ],
        "1600": [
            [31, 900, 0.55, 6.0, 0.56, 0.9, 0.2, 4.0, 0.5, 0.3],
            [30, 600, 0.5, 1.0, 0.5, 0.5, 0.2, 1.0, 0.6, 0.5],
            [32, 90, 0.4, 0.0, 0.45, 0.1, 0.6, 0.4, 1.4, 0.2],
        ],
    },
}


@pytest.mark.parametrize("text", ["no JSON", '{"positions": [{"shown": 0.5}]}'])
def test_other_files_teach_nothing(text, tmp_path, capsys):
    path, out = tmp_path / "rows.json", tmp_path / "calibration.table"
    path.write_text(text)
    command = ["calibration", "--positions", str(path), "--searches", str(path)]
    assert make_tables.main([*command, "--out", str(out)]) == 1
    assert f"make_tables: {path}: not " in capsys.readouterr().err
    assert not out.exists()


@pytest.mark.skipif(not JIT_ENABLED, reason="a whole game")
def test_own_games_are_played_to_their_end(tmp_path, capsys):
    out = tmp_path / "own.json"
    arguments = ["--own-games", "2", "--size", "5", "--playouts", "10", "--moves", "2", "5"]
    assert outcome.main([*arguments, "--out", str(out)]) == 0
    rows = json.loads(out.read_text())["positions"]
    assert {row["game"] for row in rows} == {"own 0", "own 1"}
    for found in rows:
        assert found["counted"] is None or (found["counted"] > 0) == (found["result"] == 1.0)


class Program:
    """Answers as Pachi does, and keeps the commands."""

    def __init__(self, result: str) -> None:
        self.result, self.told = result, []

    def send(self, command: str) -> str:
        self.told.append(command)
        return self.result if command == "pachi-result" else ""


@pytest.mark.parametrize(
    ("answer", "expected"), [("black D4 60 0.75 0.0", 0.75), ("white pass 9 0.75 0.0", 0.25)]
)
def test_another_engine_gets_the_same_position(answer, expected, monkeypatch):
    program = Program(answer)
    monkeypatch.setattr(other_win_rates, "Controller", lambda *_: program)
    game = filled_game(1)
    assert OtherEngine("pachi").black_win_rate(game) == expected
    plays = [f"play {COLOR_NAMES[c]} {format_vertex(p)}" for c, p in game.moves]
    assert program.told[:3] == ["boardsize 5", "clear_board", "komi 0.5"]
    assert program.told[3:-2] == plays
    assert program.told[-2:] == [f"genmove {COLOR_NAMES[game.to_play]}", "pachi-result"]


@pytest.mark.parametrize("known", ["true", "false"])
def test_an_engine_that_did_not_search_has_no_opinion(known, monkeypatch):
    class Silent(Program):
        def send(self, command: str) -> str:
            if command == "pachi-result":
                raise ProgramFailed("no search tree")
            return known if command.startswith("known_command") else ""

    monkeypatch.setattr(other_win_rates, "Controller", lambda *_: Silent(""))
    if known == "true":
        assert OtherEngine("pachi").black_win_rate(Game(5)) is None
    else:
        with pytest.raises(ProgramFailed, match="no search tree"):
            OtherEngine("gnugo").black_win_rate(Game(5))


def test_an_engine_with_another_answer_is_an_error(monkeypatch):
    monkeypatch.setattr(other_win_rates, "Controller", lambda *_: Program("no tree"))
    with pytest.raises(ProgramFailed, match="no tree"):
        OtherEngine("gnugo").black_win_rate(Game(5))
