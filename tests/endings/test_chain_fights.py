"""Fights for chains on the board: chances, points, the right order, and fights left alone."""

from dataclasses import replace

import numpy as np
import pytest

from engine import BLACK, RULESETS, WHITE, Game, format_vertex, parse_vertex
from engine.endings.chain_fights import ChainFight, Outlook, find_chain_fight
from engine.endings.chances import ChanceAdvice
from engine.endings.regions import EndgameRegion
from engine.facts.chain_facts import ChainFacts
from engine.facts.open_chains import ChanceReader, ChanceReading
from engine.go.geometry import AREA, board_points
from engine.jit import JIT_ENABLED
from tests.diagrams import game_of
from tests.endings.advising import advice_for

# White's chains of 10 and 12 stones, o, hang on C6 and on H9; F8 and J12 are small.
TWO_CHAINS = """
    OOOO.OOO.XXXX
    O.OOOOOO.XXXX
    OOOOOOOOX.XX.
    OOOOOOOOXXXXX
    OOOO..O.ooooX
    OOOXX.XXooXo.
    OXXXXXXXXXXoX
    OO.oXXXXXXooX
    OOXoooooXXoXX
    OOXXooooX.oX.
    OOOXXXXXXXXXX
    OOOOXX.XXXXXX
    OOOOXXXXXXXXX
"""
# A chain of 10 white stones hangs on J8; D5 and D6 are a small fight, and B8 is dead.
ONE_CHAIN = """
    OOOO.OOOO
    .XOOOOOX.
    .OOOXXXXO
    .OO.XXOOO
    O.O.XXOXX
    OOOXXXOXX
    XXXXXXOXX
    X.XXOOOXX
    .XXXXXXXX
"""


def board(diagram: str, to_play: int = BLACK, komi: float = 0.5) -> Game:
    return game_of(diagram, to_play, RULESETS["chinese"], komi)


def points(game: Game, names: str) -> tuple[int, ...]:
    return tuple(sorted(parse_vertex(name, game.size) for name in names.split()))


def outlook(game: Game, open_stones: tuple[int, ...], *facts: ChainFacts) -> Outlook:
    """Return the ownership when all stones are alive except some open ones and a dead one."""
    expected = np.zeros(AREA, np.int64)
    for point in board_points(game.size):
        if point not in open_stones:
            expected[point] = {BLACK: 1, WHITE: -1}.get(game.color_at(point), 0)
    if game.size == 9:
        expected[parse_vertex("B8", 9)] = -1
    return Outlook(expected, {chain.stones[0]: chain for chain in facts}, 7)


class Told(ChanceReader):
    """A reader with given findings: the first for the attacker, the second for the defender."""

    def __init__(self, *answers: tuple[str, float, int]) -> None:
        self.answers = list(answers)

    def read(self, board, stone, attacker_first) -> ChanceReading | None:
        value, chance, move = self.answers.pop(0)
        return None if value == "ko" else ChanceReading(chance, move, (), False)


# The chain that hangs on J8 in ONE_CHAIN.
CHAIN = "E2 F2 G2 G3 G4 G5 G6 H6 J6 J7"


def one_chain() -> tuple[Game, EndgameRegion, tuple[int, ...]]:
    game = board(ONE_CHAIN)
    stones = points(game, CHAIN)
    region = tuple(sorted((*stones, parse_vertex("J8", 9))))
    return game, EndgameRegion(region, (3,) * len(region)), stones


def test_a_proved_fight_has_probabilities_of_1_and_0():
    game, region, stones = one_chain()
    found = find_chain_fight(game.board, region, outlook(game, stones), ChanceReader())
    gate = frozenset({parse_vertex("J8", 9)})
    assert found == ChainFight({BLACK: 1.0, WHITE: 0.0}, 11, -11, {BLACK: gate, WHITE: gate})


def test_an_unproved_fight_has_the_solvers_probability():
    game, region, stones = one_chain()
    gate = parse_vertex("J8", 9)
    told = Told(("unknown", 0.7, gate), ("unknown", 0.2, gate))
    found = find_chain_fight(game.board, region, outlook(game, stones), told)
    assert found is not None
    assert found.chances == {BLACK: 0.7, WHITE: 0.2}
    assert (found.captured, found.saved) == (11, -11)


@pytest.mark.parametrize(
    "answers",
    [
        [("ko", 0.0, "J8"), ("unknown", 0.2, "J8")],
        [("unknown", 0.2, "J8"), ("unknown", 0.7, "J8")],  # moving first does harm
        [("unknown", 0.7, "J8"), ("unknown", 0.2, "D5")],  # leads out of the region
        [("unknown", 0.7, "J8"), ("unknown", 0.2, "A1")],
    ],
)
def test_fights_without_two_sides_are_left_alone(answers):
    game, region, stones = one_chain()
    told = Told(*[(value, chance, parse_vertex(at, 9)) for value, chance, at in answers])
    assert find_chain_fight(game.board, region, outlook(game, stones), told) is None


def test_a_chain_that_is_saved_only_to_die_is_left_alone():
    """The solver's result for a rescue is not enough: after D5 White still takes the chain."""
    game, region, stones = one_chain()
    wide = EndgameRegion(tuple(sorted((*region.points, *points(game, "D5")))), (3,) * 12)
    facts = ChainFacts(stones, WHITE, points(game, "J8"), "critical", 4,
                       attacks=points(game, "J8"), defenses=points(game, "D5"))  # fmt: skip
    known = outlook(game, stones, facts)
    assert find_chain_fight(game.board, wide, known, ChanceReader()) is None
    saved = replace(facts, defenses=points(game, "J8"))
    known = outlook(game, stones, saved)
    assert find_chain_fight(game.board, wide, known, ChanceReader()) is not None


def test_chains_that_nobody_doubts_are_no_fight():
    game, region, _ = one_chain()
    assert find_chain_fight(game.board, region, outlook(game, ()), ChanceReader()) is None


def test_two_fights_in_one_region_are_left_alone():
    """The status of the larger chain implies nothing about the other one."""
    game = board(TWO_CHAINS)
    first = points(game, "D5 D6 E4 E5 F4 F5 G4 G5 H4 H5")
    second = points(game, "L4 L5 L6 M6 M7 M8 J8 K8 J9 K9 L9 M9")
    gates = points(game, "C6 H9")
    known = outlook(game, (*first, *second))
    reader = ChanceReader()
    for stones in (first, second):
        region = EndgameRegion(tuple(sorted((*stones, *points(game, "C6 H9 N8 K4")))), (3,) * 20)
        assert find_chain_fight(game.board, region, known, reader) is not None
    both = EndgameRegion(
        tuple(sorted((*first, *second, *gates, *points(game, "N8 K4")))), (3,) * 26
    )
    assert find_chain_fight(game.board, both, known, reader) is None


@pytest.mark.skipif(not JIT_ENABLED, reason="an exhaustive search without JIT takes minutes")
@pytest.mark.parametrize(
    ("diagram", "color", "best", "right"),  # by an exhaustive search of the whole board
    [(TWO_CHAINS, BLACK, "H9", 27), (ONE_CHAIN, BLACK, "J8", 21), (ONE_CHAIN, WHITE, "J8", -1)],
)
def test_the_right_order_is_that_of_an_exhaustive_search(diagram, color, best, right):
    game = board(diagram, color)
    advice = advice_for(game, color)
    assert isinstance(advice, ChanceAdvice)
    assert {format_vertex(point) for point in advice.moves} == {best}
    assert advice_for(game, color) == advice
    # komi on either side of the result makes it won or lost, as far as margins are certain
    sign = 1 if color == BLACK else -1
    for komi, won in ((right - sign * 0.5, True), (right + sign * 0.5, False)):
        close = advice_for(board(diagram, color, komi), color)
        assert isinstance(close, ChanceAdvice)
        assert (close.chance > 0.5) == won


def test_fights_that_share_a_chain_are_left_alone():
    """Without its eyes, the chain around both of White's lives only by their points."""
    rows = [list(row.strip()) for row in TWO_CHAINS.strip().splitlines()]
    for name in ("G2", "N4", "F8", "E9"):
        column, row = "ABCDEFGHJKLMN".index(name[0]), int(name[1:])
        rows[13 - row][column] = "X"
    game = board("\n".join("".join(row) for row in rows))
    for color in (BLACK, WHITE) if JIT_ENABLED else (BLACK,):
        assert advice_for(game, color) is None


def test_no_advice_under_territory_rules():
    game = game_of(TWO_CHAINS, BLACK, RULESETS["japanese"])
    assert advice_for(game, BLACK) is None
