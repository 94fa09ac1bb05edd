"""The solver against whole game graphs on 3x3, and the traps of pruned replies."""

import numpy as np
import pytest

from engine.captures.goals import list_candidates
from engine.captures.reader import CaptureReader
from engine.errors import BadSetup
from engine.go.board import empty_board
from engine.go.geometry import AREA, format_vertex, to_point
from engine.go.setup import set_up_stones
from engine.jit import JIT_ENABLED
from patterns_db.records.problems import parse_problem
from scripts.reproduce.stern2007_printed import PrintedGoal
from tests.reference.tactics import CaptureGame

METHODS = ["pp", "pns"]


@pytest.fixture(scope="module", params=[(m, printed) for m in METHODS for printed in (False, True)])
def reader(request):
    method, printed = request.param
    reader = CaptureReader(method, 20_000)
    if printed:
        reader.goal = PrintedGoal()
    return reader


def random_position(rng, size):
    """Return stones of a legal position with at least one stone, as a flat tuple from row 1."""
    while True:
        stones = tuple(int(x) for x in rng.choice([0, 0, 1, 2], size * size))
        game = CaptureGame(size, 0, 1, 4)
        occupied = [p for p in range(size * size) if stones[p]]
        if occupied and all(game.chain(stones, p)[1] for p in occupied):
            return stones, int(rng.choice(occupied))


@pytest.mark.parametrize("seed", range(12 if JIT_ENABLED else 2))
def test_values_are_those_of_the_whole_game_graph(reader, seed):
    rng = np.random.default_rng(seed)
    stones, goal = random_position(rng, 3)
    attacker = 3 - stones[goal]
    attacker_first = bool(rng.integers(2))
    to_move = attacker if attacker_first else 3 - attacker
    limit = 4
    board = set_up_stones(
        3, [(to_point(p % 3 + 1, p // 3 + 1), c) for p, c in enumerate(stones) if c]
    )
    found = reader.read_chain(board, to_point(goal % 3 + 1, goal // 3 + 1), attacker_first, limit)
    strict = CaptureGame(3, goal, attacker, limit, True).solve(stones, to_move)
    lenient = CaptureGame(3, goal, attacker, limit, False).solve(stones, to_move)
    assert found.value == ("captured" if strict else "ko" if lenient else "safe")


def problem(rows, goal, attacker="black", to_move=None):
    return parse_problem(
        {
            "size": len(rows),
            "board": "/".join(rows),
            "goal": goal,
            "attacker": attacker,
            "to_move": to_move or attacker,
        }
    )


ATARI = [".........", ".........", ".........", ".........", ".........", ".........", ".XOX.....",
         "..X......", "........."]  # fmt: skip


def test_a_stone_in_atari_is_taken(reader):
    asked = problem(ATARI, "C3")
    found = reader.read_chain(asked.board, asked.goal, True)
    assert (found.value, format_vertex(found.move)) == ("captured", "C4")
    assert found.nodes == 1


def test_limit_and_goal_are_checked(reader):
    with pytest.raises(BadSetup, match="no stone"):
        reader.read_chain(empty_board(9), to_point(3, 3), True)
    asked = problem(ATARI, "C3")
    with pytest.raises(BadSetup, match="limit"):
        reader.read_chain(asked.board, asked.goal, True, max_liberties=99)


def test_weak_chains_within_three_contacts_are_in_the_wide_list():
    rows = ["O.O..X.XX", ".OOXXOXX.", "OOXXOOO.O", "XX.XO.OOO", "X.XOO....", ".XXO.....",
            "XXOO.....", "OOO......", "........."]  # fmt: skip
    asked = problem(rows, "H9", attacker="white")
    marks, moves = np.zeros(AREA, np.uint8), np.zeros(AREA, np.int64)
    found = []
    for wide in (0, 1):
        count = list_candidates(asked.board, asked.goal, False, wide, marks, moves)
        found.append({format_vertex(int(move)) for move in moves[:count]})
    assert "E9" not in found[0]
    assert "E9" in found[1]  # the book's move, which takes a liberty two contacts away
