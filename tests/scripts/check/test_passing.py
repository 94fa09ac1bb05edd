"""The table of endings: games filled to the end are settled under both rule sets, none is early."""

import random

import pytest

from engine import RULESETS, Game
from engine.go.geometry import PASS
from engine.jit import JIT_ENABLED
from engine.rollout.uniform import is_playable
from patterns_db.records.replay import record_of
from patterns_db.records.sgf import write_record
from scripts.check import passing


def filled_game(seed: int) -> Game:
    """Return a random game in which both sides play until no sensible move is left."""
    rng = random.Random(seed)
    game = Game(5, RULESETS["chinese"], 0.5)
    while game.passes < 2:
        color = game.to_play
        moves = [p for p in game.legal_points(color) if is_playable(game.board, p, color)]
        game.play(color, rng.choice(moves) if moves else PASS)
    return game


@pytest.mark.skipif(not JIT_ENABLED, reason="judging positions without JIT takes long")
def test_endings_of_filled_games(tmp_path, capsys):
    for seed in range(4):
        (tmp_path / f"{seed}.sgf").write_bytes(write_record(record_of(filled_game(seed))))
    assert passing.main(["--games", str(tmp_path), "--endings", "3", "--komi", "0.5"]) == 0
    header, *rows = capsys.readouterr().out.splitlines()
    assert header.split()[0] == "rules"
    found = {name: list(map(float, figures)) for name, *figures in map(str.split, rows)}
    assert set(found) == {"chinese", "japanese"}
    for endings, still_open, before, plies, early, behind in found.values():
        assert (endings, still_open, behind) == (3, 0, 0)
        assert before <= endings
        assert early <= before
        assert 0 <= plies <= passing.PLIES


def test_no_games_no_table_of_nothing(tmp_path, capsys):
    assert passing.main(["--games", str(tmp_path / "none.sgf")]) == 2
    assert "none.sgf" in capsys.readouterr().err
