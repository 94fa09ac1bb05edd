"""Shown values of short searches: tables of made-up looks by hand, and one of a real position."""

import json

import numpy as np
import pytest

from engine import Game
from engine.belief.best_move import chances_to_be_best
from engine.belief.calibration import no_calibration
from engine.jit import JIT_ENABLED
from patterns_db.records.replay import record_of
from patterns_db.records.sgf import write_record
from scripts.check import shown_values
from tests.scripts.check.test_outcome import LOOKS
from tests.scripts.check.test_passing import filled_game


@pytest.mark.skipif(not JIT_ENABLED, reason="long searches")
def test_the_tables_of_a_game(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(shown_values, "JUDGED", 1)  # the long search judges all moves
    (tmp_path / "game.sgf").write_bytes(write_record(record_of(filled_game(5))))
    out = tmp_path / "looks.json"
    arguments = ["--games", str(tmp_path), "--positions", "1", "--playouts", "30", "60"]
    assert shown_values.main([*arguments, "--out", str(out)]) == 0
    heading, header, every, few, *others = capsys.readouterr().out.splitlines()
    assert heading == "30 roll-outs, judged by 480:"
    assert "60 roll-outs, judged by 960:" in others
    assert header.split()[:2] == ["moves", "number"]
    assert every.split()[0] == "all"
    assert int(every.split()[1]) >= int(few.split()[3]) > 0
    assert any(line.split()[0] == "runner-up" for line in others)
    [row] = json.loads(out.read_text())["positions"]
    # The long ones went on with the short ones' tree.
    assert {
        int(number): sum(look[1] for look in looks) for number, looks in row["looks"].items()
    } == {number: number for number in (30, 60, 480, 960)}
    assert shown_values.main([*arguments, "--out", str(out)]) == 0  # nothing is searched again
    assert len(json.loads(out.read_text())["positions"]) == 1


@pytest.fixture
def looks():
    [found] = shown_values.read_looks([LOOKS])
    return found


def test_the_choice_and_the_differences_that_are_judged(looks):
    [choice] = shown_values.choices_of([looks])
    assert choice.chosen == 1
    [gap] = shown_values.gaps_of([looks])  # the third move has almost no visits
    assert (gap.difference, gap.judged) == (1.0, -5.0)
    assert gap.deviation == pytest.approx(np.hypot(2.0, 2.5))
    assert shown_values.gaps_of([looks], runner_up=True) == [gap]
    unknown = looks._replace(chosen=99)
    assert shown_values.choices_of([unknown]) == []


def test_tables_by_hand(looks, capsys):
    calibration = no_calibration()
    shown_values.print_best([looks], calibration)
    shown_values.print_gaps([looks], calibration)
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    [first] = [line for line in lines if line[0] == "best"]
    chance = chances_to_be_best(looks.features, calibration.choice[0])[0]
    assert float(first[2]) == pytest.approx(-np.log(1.0 - chance), abs=1e-4)
    assert "by 1%: 0.0%" in " ".join(lines[-4])
    # 6 points of error, and 1.645 times 3.2 of interval
    assert lines[-1][:3] == ["all", "1", "0.0000"]
    assert float(lines[-1][-1]) == pytest.approx(6.0)


def test_a_settled_position_has_no_moves_to_judge():
    assert shown_values.looks_at(filled_game(2), [5]) is None


def test_the_position_is_that_share_of_the_game(tmp_path):
    (tmp_path / "game.sgf").write_bytes(write_record(record_of(filled_game(3))))
    record = next(iter(shown_values.GameReader([tmp_path])))
    game = shown_values.position_of(record, 0.5)
    assert isinstance(game, Game)
    assert len(game.moves) == len(record.moves) // 2
