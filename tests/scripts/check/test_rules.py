"""The check of the rules: agreement with the twin, and a fault that is noticed."""

from random import Random

import pytest

from engine import MoveCode
from scripts.check import rules


def test_a_short_run(capsys):
    assert rules.main(["--games", "2", "--max-size", "3"]) == 0
    assert "2 games" in capsys.readouterr().out


def test_a_fault_is_reported(monkeypatch):
    wrong = lambda *_: MoveCode.KO  # noqa: E731
    monkeypatch.setattr(rules.Game, "legality", wrong)
    with pytest.raises(rules.Difference, match="KO, expected LEGAL"):
        rules.check_game(3, rules.VARIANTS[0], Random(1))
