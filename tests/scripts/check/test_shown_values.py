"""What short searches show: the table has a row for all moves and one for hardly visited ones."""

import pytest

from engine import Game
from engine.jit import JIT_ENABLED
from patterns_db.records import write_record
from patterns_db.replay import record_of
from scripts.check import shown_values
from tests.scripts.check.test_passing import filled_game


@pytest.mark.skipif(not JIT_ENABLED, reason="long searches")
def test_the_table(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(shown_values, "JUDGED", 20)
    (tmp_path / "game.sgf").write_bytes(write_record(record_of(filled_game(1))))
    arguments = ["--games", str(tmp_path), "--positions", "1", "--playouts", "30"]
    assert shown_values.main(arguments) == 0
    header, every, few = capsys.readouterr().out.splitlines()
    assert header.split()[:2] == ["moves", "number"]
    assert every.split()[0] == "all"
    assert int(every.split()[1]) >= int(few.split()[3]) > 0


def test_a_settled_position_has_no_moves_to_judge():
    game = filled_game(2)
    assert shown_values.look(game, 5, 1) == {}
    assert shown_values.errors_of(game, 5) == []


def test_the_position_is_that_share_of_the_game(tmp_path):
    (tmp_path / "game.sgf").write_bytes(write_record(record_of(filled_game(3))))
    record = next(iter(shown_values.GameReader([tmp_path])))
    game = shown_values.position_of(record, 0.5)
    assert isinstance(game, Game)
    assert len(game.moves) == len(record.moves) // 2
