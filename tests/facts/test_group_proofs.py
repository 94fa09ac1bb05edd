"""Groups proved dead, compared with brute force; groups in seki or dependent on neighbors."""

import itertools

import numpy as np
import pytest

from engine import BLACK, WHITE, Game
from engine.facts.group_prover import ProvedFates, prove_fates
from engine.go.geometry import AREA, board_points, format_vertex, parse_vertex, to_column_row
from engine.jit import JIT_ENABLED
from tests.diagrams import BENT_FOUR, PLAIN, TWO_SELF_ATARIS, chain_of, game_of, points_marked
from tests.reference.life import PlainFight, State, dies

pytestmark = pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")

# White's space is to be filled with all possible stones; Black lives in every case.
LIVING = """
    . X . X . X .
    X X X X X X X
    . X . X . X .
    X X X X X X X"""
SPACES = {
    "four in a row": """
        X X X X X X X
        O O O O O X .
        ? ? ? ? O X X""",
    "two and two": """
        O O O X X X X
        ? ? O O X X .
        O ? ? O X X X""",
    "two by two": """
        O O O X X X X
        ? ? O X X X .
        ? ? O X X X X""",
}


def ownership_of(game, secure=1.0):
    """Owners where Black's stones live in a share of the roll-outs, and White's in half of them."""
    ownership = np.zeros(AREA)
    ownership[game.stones(BLACK)] = secure
    return ownership


def filled(space):
    """Yield the positions with every filling of the points of a space, empty ones included."""
    diagram = LIVING + SPACES[space]
    points = points_marked(diagram, "?")
    black, white = (points_marked(diagram, mark) for mark in "XO")
    for colors in itertools.product((0, BLACK, WHITE), repeat=len(points)):
        inside = [[p for p, c in zip(points, colors, strict=True) if c == x] for x in (1, 2)]
        game = Game(7, PLAIN)
        try:
            game.setup(black + inside[0], white + inside[1], BLACK)
        except ValueError:  # a chain without liberties
            continue
        yield game, inside[0]


def fates_by_brute_force(game, inside):
    """Return the status of White's stones, with those inside: a field of ProvedFates, or ""."""
    white, black = (
        frozenset(map(to_column_row, stones)) for stones in (game.stones(WHITE), inside)
    )
    outside = set(map(to_column_row, game.stones(BLACK))) - black
    points = {to_column_row(p) for p in board_points(7) if p <= max(game.stones(WHITE)) + 2}
    points = {place for place in points if place not in outside and place[0] <= 5}
    firm = {
        (x, y)
        for x, y in points
        for near in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1))
        if near in outside
    }
    # All points next to Black's outer stones are also next to the region's rim.
    fight = PlainFight(points, firm, (), firm)
    first, second = (State(white, black, white, defends) for defends in (True, False))

    def all_dead(state, **how):
        return all(dies(fight, state, obeys, **how) for obeys in (False, True))

    if all_dead(first):
        return "dead"
    if dies(fight, second, True):
        return "critical"
    if not dies(fight, second, True, aim="eyes"):
        return "alive"
    return "seki" if all_dead(first, aim="eyes") else ""


@pytest.mark.skipif(not JIT_ENABLED, reason="too slow without the JIT")
@pytest.mark.parametrize("space", SPACES)
def test_proofs_agree_with_brute_force(space):
    found = set()
    for game, inside in filled(space):
        white = frozenset(game.stones(WHITE))
        proved = prove_fates(game.board, white | set(inside), set(), ownership_of(game))
        expected = fates_by_brute_force(game, inside)
        told = {name for name, stones in proved._asdict().items() if stones & white}
        # Critical groups may hang on a ko or not; brute force does not distinguish these.
        assert told - {"kos", "won_kos"} == {expected} - {""}
        assert proved.kos | proved.won_kos <= proved.critical
        assert all(stones & white in (white, frozenset()) for stones in proved)
        # The question of Black's stones inside arises only where White lives, and they never do
        # there.
        if inside and proved.alive:
            assert proved.dead == frozenset(inside)
        found |= told
    assert {"dead", "alive"} <= found


# White's space of four points with two black stones in its middle.
SHUT_IN = LIVING + SPACES["four in a row"].replace("? ? ? ?", ". X X .")


def test_two_stones_in_the_middle_of_four_points_kill():
    game = game_of(SHUT_IN)
    white = frozenset(game.stones(WHITE))
    assert prove_fates(game.board, white, set(), ownership_of(game)) == ProvedFates(dead=white)


def test_no_status_while_the_surroundings_are_in_doubt():
    game = game_of(SHUT_IN)
    white = frozenset(game.stones(WHITE))
    assert prove_fates(game.board, white, set(), ownership_of(game, secure=0.55)) == ProvedFates()
    # One stone thrown in makes roll-outs this uncertain, and means nothing.
    ownership = ownership_of(game, secure=0.85)
    assert prove_fates(game.board, white, set(), ownership) == ProvedFates(dead=white)
    # The surroundings are first proved to have eyes of their own, if that is in doubt.
    around = frozenset(chain_of(game, parse_vertex("A4", 7)))
    proved = prove_fates(game.board, white, around, ownership_of(game))
    assert proved == ProvedFates(alive=around, dead=white)


def test_the_side_that_fills_shared_liberties_is_given_only_beyond_doubt():
    """Black may live by the capture alone, and cannot take the capture for granted."""
    game = game_of(SHUT_IN.replace("O O O O O X .", "O O O O O . X"))
    white = frozenset(game.stones(WHITE))
    assert prove_fates(game.board, white, set(), ownership_of(game)) == ProvedFates(dead=white)
    ownership = ownership_of(game, secure=0.85)
    ownership[list(white)] = -0.88
    assert prove_fates(game.board, white, set(), ownership) == ProvedFates()


@pytest.mark.parametrize(("share", "is_told"), [(-0.65, True), (0.65, True), (-0.75, False)])
def test_surroundings_may_be_in_less_doubt_than_the_group(share, is_told):
    """Black around the group lives in 0.7 of the roll-outs, net."""
    game = game_of(SHUT_IN)
    white = frozenset(game.stones(WHITE))
    ownership = ownership_of(game, secure=0.7)
    ownership[list(white)] = share
    expected = ProvedFates(dead=white) if is_told else ProvedFates()
    assert prove_fates(game.board, white, set(), ownership) == expected


def test_settled_groups_are_read_only_if_they_have_few_liberties():
    game = game_of(SHUT_IN)
    white = frozenset(game.stones(WHITE))
    assert prove_fates(game.board, set(), set(), ownership_of(game)) == ProvedFates(dead=white)


# White's chain and Black's live in seki: an eye each, and one liberty that is shared.
AN_EYE_EACH = """
    . o . x . x O
    o o x x x x O
    X X O O O O O
    . X O . . . .
    X X O . . . .
    . X O . . . .
    . X O . . . ."""


def test_a_seki_stays_one():
    """Each side lives only because neither may fill the point that both need."""
    game = game_of(AN_EYE_EACH)
    ownership = np.zeros(AREA)
    for color, sign in ((BLACK, 1.0), (WHITE, -1.0)):
        ownership[game.stones(color)] = sign
    sharing = frozenset(p for mark in "ox" for p in points_marked(AN_EYE_EACH, mark))
    proved = prove_fates(game.board, set(), sharing, ownership)
    # Black's group at the left has two eyes of its own.
    beside = frozenset(points_marked(AN_EYE_EACH, "X"))
    assert proved == ProvedFates(alive=beside, seki=sharing)


def test_bent_four_in_the_corner_is_a_ko():
    """Under any rules: Black can start the ko, and moves alone do not decide it."""
    game = game_of(BENT_FOUR)
    white = frozenset(game.stones(WHITE))
    doubtful = white | set(chain_of(game, parse_vertex("B1", 7)))
    assert prove_fates(game.board, doubtful, set(), ownership_of(game)) == ProvedFates(
        critical=white, won_kos=white
    )


def test_a_ko_that_its_owner_wins_with_the_first_move_kills_nothing():
    """From a game: whoever moves first in the corner wins the ko."""
    diagram = """
        . o x . X X . X .
        x . o x o X X X X
        . o o . o X X . X
        . x o o o o X X X
        X o . X X X X . X
        . X X . X . X X X
        X X . X X X X . X
        . X X . X . X X .
        X X . X X X X . X"""
    game = game_of(diagram)
    white, inside = (points_marked(diagram, mark) for mark in "ox")
    ownership = ownership_of(game)
    ownership[inside] = 0.5
    proved = prove_fates(game.board, {*white, *inside}, set(), ownership)
    assert proved == ProvedFates(critical=frozenset(white))


def test_stones_shut_in_with_a_seki_belong_to_it():
    game = game_of(TWO_SELF_ATARIS)
    ownership = np.zeros(AREA)
    ownership[points_marked(TWO_SELF_ATARIS, "O")] = -1.0
    sharing = {p for mark in "ox" for p in points_marked(TWO_SELF_ATARIS, mark)}
    proved = prove_fates(game.board, set(), sharing, ownership)
    assert {format_vertex(point) for point in proved.seki} == {"F1", "F2", "G2"}
    assert proved.dead | proved.critical | proved.alive == set()
