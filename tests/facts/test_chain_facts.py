"""Facts about chains, against whole game graphs and on drawn positions."""

import numpy as np
import pytest

from engine import BLACK, PASS, WHITE
from engine.facts.chain_facts import CHAINS, Surveyor, chains_in_trouble
from engine.go.board import COLOR, EMPTY, is_legal
from engine.go.geometry import AREA, to_column_row, to_point
from engine.go.setup import set_up_stones
from engine.jit import JIT_ENABLED
from tests.diagrams import chains_of, game_of, liberties_at, points_marked
from tests.reference.tactics import CaptureGame

PLENTY = 100_000


def survey(diagram, nodes=PLENTY):
    return Surveyor().survey(game_of(diagram).board, nodes)


def facts_at(diagram, mark):
    """Return the facts of the chain whose stones carry a mark; None: there are none."""
    stones = tuple(points_marked(diagram, mark))
    return next((facts for facts in survey(diagram) if facts.stones == stones), None)


class Twin:
    """The result of the whole game graph for a chain on a 3x3 board."""

    def __init__(self, stones, facts):
        self.stones = stones
        self.goal = self.index(facts.stones[0])
        self.defender = facts.color
        self.limit = max(4, len(facts.liberties) + 2)

    @staticmethod
    def index(point):
        column, row = to_column_row(point)
        return 3 * (row - 1) + column - 1

    def value(self, stones, to_move):
        attacker = 3 - self.defender
        strict = CaptureGame(3, self.goal, attacker, self.limit, True).solve(stones, to_move)
        lenient = CaptureGame(3, self.goal, attacker, self.limit, False).solve(stones, to_move)
        return "captured" if strict else "ko" if lenient else "safe"

    def after(self, color, point):
        game = CaptureGame(3, self.goal, 3 - self.defender, self.limit)
        return game.play((self.stones, color, -1), self.index(point))[0]


def random_stones(rng):
    while True:
        stones = tuple(int(x) for x in rng.choice([0, 0, 1, 2], 9))
        game = CaptureGame(3, 0, 1, 4)
        if any(stones) and all(game.chain(stones, p)[1] for p in range(9) if stones[p]):
            return stones


def check_with_twin(seed):
    """Compare every fact of a random 3x3 position with the twin; return the statuses met."""
    stones = random_stones(np.random.default_rng(seed))
    board = set_up_stones(
        3, [(to_point(p % 3 + 1, p // 3 + 1), c) for p, c in enumerate(stones) if c]
    )
    found = Surveyor().survey(board, PLENTY)
    for facts in found:
        twin = Twin(stones, facts)
        attack = twin.value(stones, 3 - facts.color)
        defense = twin.value(stones, facts.color)
        assert attack == ("safe" if facts.status == "safe" else "captured")
        if facts.status in ("critical", "dead"):
            assert defense == ("safe" if facts.status == "critical" else "captured")
        for point in facts.attacks:
            assert twin.value(twin.after(3 - facts.color, point), facts.color) == "captured"
        for point in facts.defenses:
            assert twin.value(twin.after(facts.color, point), 3 - facts.color) == "safe"
    return [facts.status for facts in found]


def test_every_fact_is_true_of_the_whole_game_graph():
    met = [status for seed in range(14 if JIT_ENABLED else 2) for status in check_with_twin(seed)]
    assert len(set(met)) >= (3 if JIT_ENABLED else 1)


CRITICAL = """
    . . . . . . .
    . . X . . . .
    . X o X . . .
    . . . . . . .
    . O O O . . .
    . . . . . . .
    . . . . . . ."""


def test_the_first_move_decides():
    facts = facts_at(CRITICAL, "o")
    assert facts.status == "critical"
    assert to_point(3, 4) in facts.attacks
    assert to_point(3, 4) in facts.defenses


DEAD = """
    o . X . . . .
    o X . . . . .
    X . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . ."""


def test_a_chain_that_dies_whoever_moves():
    facts = facts_at(DEAD, "o")
    assert (facts.status, facts.color) == ("dead", WHITE)
    assert facts.defenses == ()
    assert facts.liberties == (to_point(2, 7),)


SAVED_BY_CAPTURE = """
    . . . . . . .
    . . . . . . .
    . . . . . . .
    X X X X . . .
    . O O . . . .
    o X O . . . .
    x . O . . . ."""


def test_capturing_a_neighbor_in_atari_is_a_rescue():
    """The black stone cannot move out, but the white one above it can be taken."""
    facts = facts_at(SAVED_BY_CAPTURE, "x")
    assert (facts.status, facts.color) == ("critical", BLACK)
    assert facts.attacks == facts.liberties == (to_point(2, 1),)
    assert facts.defenses == (to_point(1, 3),)


def test_safe_means_that_the_opponent_cannot_capture_even_first():
    diagram = """
        . . . . . . .
        . . . . . . .
        . X . . . . .
        . . . . . . .
        . O x . . . .
        . . . X X . .
        . . . . . . ."""
    facts = facts_at(diagram, "x")
    assert facts.status == "safe"
    assert facts.attacks == facts.defenses == ()


def test_listed_moves_are_legal_and_no_passes():
    for diagram in (CRITICAL, DEAD, SAVED_BY_CAPTURE):
        board = game_of(diagram).board
        for facts in survey(diagram):
            assert PASS not in facts.attacks + facts.defenses
            assert all(is_legal(board, p, 3 - facts.color) for p in facts.attacks)
            assert all(is_legal(board, p, facts.color) for p in facts.defenses)
            assert len(set(facts.attacks)) == len(facts.attacks)


def test_the_bound_on_nodes_is_kept():
    surveyor = Surveyor()
    board = game_of(CRITICAL).board
    assert surveyor.survey(board, 0) == []
    surveyor.survey(board, 50)
    assert surveyor.nodes < 50 + CHAINS.defense_nodes + 2 * AREA


def test_a_stopped_survey_ends_between_two_readings():
    board = game_of(CRITICAL).board
    asked = []

    def stopped():
        asked.append(1)
        return len(asked) > 1

    assert len(Surveyor().survey(board, PLENTY, stopped)) <= 1


def test_chains_come_with_the_fewest_liberties_first_and_the_largest_of_these():
    board = game_of(SAVED_BY_CAPTURE).board
    chains = chains_in_trouble(board)
    assert all(board[COLOR + p] != EMPTY for chain in chains for p in chain)
    game = game_of(SAVED_BY_CAPTURE)
    keys = [(len(liberties_at(game, chain[0])), -len(chain)) for chain in chains]
    assert keys == sorted(keys)
    assert sorted(map(tuple, chains)) == sorted(
        tuple(c) for c in chains_of(game) if len(liberties_at(game, c[0])) <= 3
    )


@pytest.mark.parametrize("diagram", [CRITICAL, DEAD])
def test_the_same_position_has_the_same_facts(diagram):
    assert survey(diagram) == survey(diagram)
