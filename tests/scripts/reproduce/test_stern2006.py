import numpy as np
import pytest

from patterns_db.patterns.evaluation import ABOVE, EQUAL, LEGAL, OUTCOMES, TEMPLATE, Evaluation
from scripts.reproduce.stern2006 import full_boards, main
from tests.patterns_db.collections import random_collection, write_collection


def test_all_models_on_the_same_games(tmp_path, capsys):
    games = random_collection(3, size=4, length=10)
    folder = str(write_collection(tmp_path / "games", games))
    assert main(["--games", folder, "--test", folder, "--max-test-games", "2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("2 test games, ")
    tops = {line.split()[0]: [float(x) for x in line.split()[1:5]] for line in lines[2:5]}
    assert list(tops) == ["independent", "bernoulli", "nested"]
    assert all(0 < first < 100 and row == sorted(row) for row in tops.values() for first in row[:1])
    phase = lines[lines.index("by template") - 2].split()
    assert phase[:2] == ["1-30", "100.0000"]
    first, last = lines.index("by template") + 2, lines.index("full-board matches") - 1
    assert sum(float(line.split()[1]) for line in lines[first:last]) == pytest.approx(100, abs=0.01)
    assert main(["--games", folder, "--test", str(tmp_path / "none.tar.gz")]) == 2
    assert capsys.readouterr().err.count("stern2006: ") == 1


def test_full_boards_say_how_many_symmetric_moves_share_a_place():
    outcomes = np.zeros((4, OUTCOMES))
    outcomes[:, EQUAL], outcomes[:, LEGAL] = (4, 1, 1, 1), 50
    outcomes[:, ABOVE] = 0, 0, 3, 9
    outcomes[:, TEMPLATE] = 14, 14, 14, 13
    result = Evaluation(outcomes, np.array([0, 1, 20, 1]), np.zeros(4, int), np.zeros((20, 3)), 0.0)
    header, rows = full_boards(result)
    assert header[2:5] == ["right %", "at best %", "ties %"]
    assert rows[0] == ["1-1", 1, 25.0, 100.0, 100.0, 100.0, 1.0]
    assert rows[-1][:5] == [
        "1-",
        3,
        pytest.approx(125 / 3),
        pytest.approx(200 / 3),
        pytest.approx(100 / 3),
    ]
