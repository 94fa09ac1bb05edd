"""Races of counted games: choice of pairs, counts, proofs that fail."""

import numpy as np
import pytest

from engine import BLACK, WHITE
from engine.go.geometry import AREA
from scripts.check import groups, races
from scripts.check.races import RaceTally, pairs_in
from tests.diagrams import game_of
from tests.life.test_races import chains_of, rows_of_race
from tests.scripts.check.test_rollouts import counted

pytestmark = pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")


def test_pairs_touch_and_are_large_enough():
    rows = rows_of_race((1, 0), (1, 0), 1)
    _, one, other = chains_of(rows)
    for color, own, pairs in ((WHITE, one, 3), (BLACK, other, 3)):
        game = game_of("\n".join(rows), color)
        found = list(pairs_in(game, 9))
        assert len(found) == pairs
        assert sum(first == own for first, _ in found) == 2
        assert all(game.color_at(min(first)) == color for first, _ in found)
        assert list(pairs_in(game, 18)) == []


def test_answers_and_survivors(capsys):
    board, one, other = chains_of(rows_of_race((2, 0), (2, 0), 0))
    owners = np.zeros(AREA)
    owners[[*one, *other]] = -1.0
    tally = RaceTally(1000)
    tally.add(board, (one, other), owners)
    tally.add(board, (other, one), owners)
    assert tally.ends == {
        ("captures the other", True, False): 1,
        ("captures the other", False, True): 1,
    }
    assert (tally.counted, tally.proofs) == (2, {True: 2})
    tally.show()
    assert "2 captures known at once; proofs that hold, and refuted ones: 2, 0" in (
        capsys.readouterr().out
    )


def test_a_proof_that_fails_is_an_error(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(groups, "FIRST", 20)
    monkeypatch.setattr(groups, "LAST", 40)
    for seed in range(2):
        (tmp_path / f"{seed}.sgf").write_bytes(counted(seed)[0])
    command = ["--games", str(tmp_path), "--races", "3", "--stones", "1", "--nodes", "200"]
    assert races.main(command) == 0
    assert "refuted ones: " in capsys.readouterr().out
    record = races.life_proof_record

    def fault(reader):
        return record(reader) | {"nodes": [{"play": "pass", "then": 0}]}

    monkeypatch.setattr(races, "life_proof_record", fault)
    assert races.main(command) == 1
    assert "refuted: " in capsys.readouterr().out
    assert races.main(["--games", str(tmp_path / "missing")]) == 1
