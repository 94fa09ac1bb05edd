import numpy as np
import pytest

from patterns_db.patterns.evaluation import ABOVE, EQUAL, LEGAL, OUTCOMES, TEMPLATE, Evaluation
from scripts.reproduce.stern2006 import full_boards


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
