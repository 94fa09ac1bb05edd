"""Proved facts about groups in doubt, and the advice from them."""

from dataclasses import replace

import numpy as np
import pytest

from engine import BLACK, WHITE
from engine.facts.chain_facts import ChainFacts
from engine.facts.group_facts import GroupFacts, GroupSurveyor
from engine.facts.position_facts import Facts, ReadingBudget
from engine.go.board import COLOR
from engine.go.geometry import AREA, board_points, format_vertex, parse_vertex
from engine.thinkers.prior_steps import AdviceModel, advise
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


def test_two_points_are_death():
    (group,) = survey(DEAD)
    assert (group.status, group.attacks, group.defenses) == ("dead", (), ())
    assert [format_vertex(point) for point in group.space] == ["B1", "C1"]


def test_certain_or_dependent_groups_are_not_read():
    assert survey(CRITICAL, unsure(CRITICAL, white=0.95)) == []
    assert survey(CRITICAL, unsure(CRITICAL, white=-0.95)) == []
    assert survey(CRITICAL, unsure(CRITICAL, black=0.1), nodes=200) == []


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
    (urge,) = advise([group], WHITE, set(group.defenses), MODEL)
    assert urge.reason == "saves the group of A6 (9 stones) in a race"
    assert {format_vertex(point) for point in group.attacks} <= {"D7", "F7"}
    assert {format_vertex(point) for point in group.defenses} <= {"B3", "D3"}
    # The first move makes no difference, or it is no race.
    assert race(3, 1) == race(1, 3) == []
    assert [group.status for group in race(2, 2, rival=1.0)] == ["dead"]


def test_reading_is_bounded():
    assert survey(CRITICAL, nodes=0) == []
    assert survey(CRITICAL, stopped=lambda: True) == []


def test_the_same_facts_each_time():
    surveyor = GroupSurveyor()
    board, ownership = game_of(CRITICAL).board, unsure(CRITICAL)
    first = surveyor.survey(board, ownership, 10_000)
    assert surveyor.survey(game_of(DEAD).board, unsure(DEAD), 10_000) != first
    assert surveyor.survey(board, ownership, 10_000) == first


MODEL = AdviceModel(
    urge=1.0,
    urge_a_stone=0.5,
    group_urge=0.5,
    group_urge_a_stone=0.75,
    most_urge=3.0,
    urge_variance=4.0,
    in_vain=2.0,
)
B1, C1, D1 = (parse_vertex(text, 9) for text in ("B1", "C1", "D1"))


def group(status, moves=(), space=()):
    return GroupFacts((B1, C1), WHITE, status, moves, moves, space)


@pytest.mark.parametrize(
    ("color", "reason"),
    [
        (BLACK, "kills the group of B1 (2 stones)"),
        (WHITE, "saves the group of B1 (2 stones)"),
    ],
)
def test_deciding_moves_are_urged(color, reason):
    (item,) = advise([group("critical", (D1,))], color, {D1}, MODEL)
    assert (item.point, item.urged, item.mean, item.reason) == (D1, True, 2.0, reason)


@pytest.mark.parametrize(
    ("color", "reason"),
    [
        (BLACK, "is needless: the group of B1 (2 stones) cannot be saved"),
        (WHITE, "cannot save the group of B1 (2 stones)"),
    ],
)
def test_moves_in_a_dead_group_are_in_vain(color, reason):
    (item,) = advise([group("dead", space=(D1,))], color, {D1}, MODEL)
    assert (item.point, item.urged, item.mean, item.reason) == (D1, False, -2.0, reason)
    both = [group("dead", space=(D1,)), group("critical", (D1,))]
    assert [one.urged for one in advise(both, color, {D1}, MODEL)] == [True]


def test_a_move_for_a_chain_and_a_group_is_worth_the_better_one():
    stones = tuple(range(50, 53))
    chain = ChainFacts(stones, WHITE, (D1,), "critical", 4, attacks=(D1,))
    (item,) = advise([chain, group("critical", (D1,))], BLACK, {D1}, MODEL)
    assert item.mean == 2.5
    (item,) = advise([chain, *[group("critical", (D1,))] * 2], WHITE, {D1}, MODEL)
    assert item.mean == 2.0
    large = group("critical", (D1,))
    (item,) = advise([replace(large, stones=tuple(range(40, 60)))], BLACK, {D1}, MODEL)
    assert item.mean == MODEL.most_urge


def test_advice_about_a_group_joins_that_about_its_chains():
    board, moves = game_of(CRITICAL).board, frozenset(board_points(9))
    facts, budget = Facts(), ReadingBudget(10_000)
    chains, groups = facts.chains(board, budget), facts.groups(board, unsure(CRITICAL), budget)
    (alone,) = advise(chains, BLACK, moves, AdviceModel())
    (item,) = advise([*chains, *groups], BLACK, moves, AdviceModel())
    # Its stones are those of the chain: they count once.
    assert item[:-1] == alone[:-1] == (B1, True, *alone[2:4])
    assert item.reason == f"{alone.reason} and kills the group of D1 (5 stones)"
    assert {fact.basis for fact in (*chains, *groups)} == {"proof"}
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
