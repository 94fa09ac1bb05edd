"""Counted games: their ends, the fates of groups and races in them, and roll-outs."""

import numpy as np
import pytest

from engine import WHITE
from engine.go.board import COLOR
from engine.go.geometry import AREA, board_points
from engine.life.groups import find_groups, questions_about
from engine.picture.picture import picture_of
from scripts.check.groups import FateReader
from tests.diagrams import game_of
from tests.facts.test_group_facts import CRITICAL, DEAD, unsure
from tests.life.test_races import chains_of, rows_of_race

pytestmark = pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")
ALIVE = (
    CRITICAL.replace("X X X X X .", "X X X X X X")
    .replace("O O O O X .", "O O O O O X")
    .replace(". . . O X .", ". . . . O X")
)


@pytest.mark.parametrize(
    ("diagram", "status"), [(CRITICAL, "depends"), (DEAD, "dead"), (ALIVE, "alive")]
)
def test_statuses_of_groups(diagram, status):
    game = game_of(diagram)
    picture = picture_of(game.board)
    found = [q for group in find_groups(picture) for q in questions_about(picture, group)]
    question = next(question for question in found if question.defender == WHITE)
    reader = FateReader(5000)
    assert reader.read(game.board, question, unsure(diagram)) == status
    assert reader.nodes > 0


@pytest.mark.parametrize(
    ("white", "black", "status"), [(3, 2, "wins a race"), (2, 2, "depends"), (1, 3, "dead")]
)
def test_races_are_read_with_chains_that_may_fall(white, black, status):
    board, one, other = chains_of(rows_of_race((white, 0), (black, 0), 0))
    shares = np.zeros(AREA)
    for point in board_points(9):
        shares[point] = 0.0 if point in one | other else {WHITE: -1.0}.get(board[COLOR + point], 1)
    (question,) = (q for q in questions_about(picture_of(board), one) if set(q.goal) == one)
    assert FateReader(5000).read(board, question, shares) == status
    firm = np.where(np.isin(np.arange(AREA), list(other)), 1.0, shares)
    assert FateReader(5000).read(board, question, firm) == "dead"
