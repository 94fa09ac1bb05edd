"""Proved facts about groups in doubt, and the advice from them."""

import numpy as np
import pytest

from engine import BLACK, WHITE
from engine.facts.group_facts import GroupSurveyor
from engine.facts.group_prover import ReadingBudget
from engine.facts.position_facts import Facts
from engine.go.board import COLOR
from engine.go.geometry import AREA, board_points, format_vertex, parse_vertex
from tests.diagrams import game_of, points_marked
from tests.life.test_races import chains_of, rows_of_race

pytestmark = pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")

# Three points in a row, in a corner: the first move in the middle decides.
CRITICAL = """
    . . . . . . . . .
    . . X . . . X . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    X X X X X . . . .
    O O O O X . . . .
    . . . O X . . . .
"""
DEAD = CRITICAL.replace(". . . O X", "O . . O X")


def unsure(diagram, white=0.0, black=1.0):
    """Owners of a position whose white stones live in half of the roll-outs."""
    ownership = np.zeros(AREA)
    ownership[points_marked(diagram, "X")] = black
    ownership[points_marked(diagram, "O")] = -white
    return ownership


def survey(diagram, ownership=None, nodes=10_000, **more):
    board = game_of(diagram).board
    return GroupSurveyor().survey(
        board, unsure(diagram) if ownership is None else ownership, nodes, **more
    )


def test_the_first_move_decides():
    (group,) = survey(CRITICAL)
    assert (group.color, group.status) == (WHITE, "critical")
    assert list(group.stones) == points_marked(CRITICAL, "O")
    assert [format_vertex(point) for point in (*group.attacks, *group.defenses)] == ["B1", "B1"]


def test_only_groups_with_some_stones_are_read():
    here, elsewhere = points_marked(CRITICAL, "O")[:1], points_marked(CRITICAL, "X")[-1:]
    assert len(survey(CRITICAL, about=frozenset(here))) == 1
    assert survey(CRITICAL, about=frozenset(elsewhere)) == []


def test_two_points_are_death():
    (group,) = survey(DEAD)
    assert (group.status, group.attacks, group.defenses) == ("dead", (), ())


def test_certain_or_dependent_groups_are_not_read():
    assert survey(CRITICAL, unsure(CRITICAL, white=0.95)) == []
    assert survey(CRITICAL, unsure(CRITICAL, white=-0.95)) == []
    assert survey(CRITICAL, unsure(CRITICAL, black=0.1), nodes=200) == []


# White lives with H3: Black has to save the stones on the right edge, which are short of liberties.
BESIEGED = """
    . . . . . . . . X
    X X . . . . . X .
    O X . . . . X O X
    O O X X . . X O X
    . O O X X . X O X
    . O O O O X X O .
    . O O X X X O . .
    . O O O X O O . .
    . O O X X X O . .
"""


def test_a_besieger_with_few_liberties_may_fall_although_it_lives_in_rollouts():
    connected = BESIEGED.replace(". X .\n    O", "X X X\n    O")
    assert [group.status for group in survey(connected)] == ["dead"]
    assert survey(BESIEGED) == []


def race(white, black, rival=0.0):
    """The findings where a white chain with a number of liberties races with a black one."""
    board, one, other = chains_of(rows_of_race((white, 0), (black, 0), 0))
    ownership = np.zeros(AREA)
    for point in board_points(9):
        ownership[point] = {BLACK: 1.0, WHITE: -1.0}.get(int(board[COLOR + point]), 0.0)
    ownership[[*one]], ownership[[*other]] = 0.0, rival
    found = GroupSurveyor().survey(board, ownership, 10_000)
    return [group for group in found if group.color == WHITE]


def test_a_race_is_read_where_a_surrounding_chain_may_fall():
    (group,) = race(2, 2)
    assert (group.status, len(group.stones), len(group.rival)) == ("critical", 9, 18)
    assert group.defenses
    assert {format_vertex(point) for point in group.attacks} <= {"D7", "F7"}
    assert {format_vertex(point) for point in group.defenses} <= {"B3", "D3"}
    # The first move makes no difference, or it is no race.
    assert race(3, 1) == race(1, 3) == []
    assert [group.status for group in race(2, 2, rival=1.0)] == ["dead"]


def test_the_same_facts_each_time():
    surveyor = GroupSurveyor()
    board, ownership = game_of(CRITICAL).board, unsure(CRITICAL)
    first = surveyor.survey(board, ownership, 10_000)
    assert surveyor.survey(game_of(DEAD).board, unsure(DEAD), 10_000) != first
    assert surveyor.survey(board, ownership, 10_000) == first


def test_facts_about_groups_take_a_budget():
    board, facts = game_of(CRITICAL).board, Facts()
    assert facts.groups(board, unsure(CRITICAL), ReadingBudget(10_000))
    for nothing in (ReadingBudget(0), ReadingBudget(deadline=0.0)):
        assert facts.groups(board, unsure(CRITICAL), nothing) == []


# White's chain and Black's in the corner share two liberties, and neither has an eye.
SEKI = """
    . . . . . . .
    . . . . . . .
    O O X X . . .
    X X O X . . .
    X X O X . . .
    X . O X . . .
    X . O X . . .
"""


def test_a_group_that_lives_without_eyes_lives_in_seki():
    facts, shared = Facts(), game_of(SEKI).board
    assert facts.life_of(shared, parse_vertex("C1", 7)) == "seki"
    assert facts.life_of(shared, parse_vertex("A1", 7)) == "seki"
    eyes = game_of(SEKI.replace("X X O X", ". . O X", 1).replace("X X O X", "O O O X", 1))
    assert facts.life_of(eyes.board, parse_vertex("C1", 7)) == "alive"
    assert facts.life_of(shared, parse_vertex("A5", 7)) == "unknown"  # too few stones to be read
