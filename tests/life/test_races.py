"""Races to capture: counting and search against brute force, proofs replayed, races on boards."""

import itertools

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine import BLACK, WHITE, BadSetup
from engine.go.board import COLOR, EMPTY
from engine.go.geometry import to_point
from engine.jit import JIT_ENABLED
from engine.life.goal import build_question
from engine.life.groups import ways_out_for_both
from engine.life.races import race_question, rivals_of
from engine.life.records import life_proof_record
from engine.picture.picture import picture_of
from scripts.check.groups import read_race
from scripts.check.life_proofs import LifeReplay
from scripts.check.plain_rules import RefutedError
from tests.life.test_life import READERS, board_of, place_of, plain
from tests.reference.life import State, fate

pytestmark = pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")


def always(color, point):
    return True


MOST_EMPTY = 6  # points of a race that brute force plays out


@st.composite
def corners(draw):
    """A corner of a 6x6 board, nearly full, and its surroundings; see ``questions_in``."""
    rows = [draw(st.lists(st.sampled_from("XO"), min_size=4, max_size=4))]
    rows += [draw(st.lists(st.sampled_from("XXOO."), min_size=5, max_size=5)) for _ in range(2)]
    lines = ["".join(row).ljust(6, ".") for row in rows]
    return ["......"] * 3 + lines, {(x, y) for x in range(1, 5) for y in (1, 2)}


@st.composite
def strips(draw):
    """White above Black, each with liberties of its own and some between, and a few changes."""

    def drawn(points):
        return draw(st.lists(st.sampled_from(points), min_size=5, max_size=5))

    rows = [drawn("XX."), list("OOOOO"), drawn("XXX."), list("XXXXX"), drawn("OO.")]
    for _ in range(draw(st.integers(0, 3))):
        rows[draw(st.integers(0, 4))][draw(st.integers(0, 4))] = draw(st.sampled_from("XO."))
    lines = ["".join(row) + wall + "." for row, wall in zip(rows, "XXOOO", strict=True)]
    corner = {(x, y) for x in range(1, 6) for y in range(2, 7)}
    return ["XXXXXX.", *lines, "OOOOOO."], corner


def questions_in(rows, corner):
    """Yield, for two chains inside a corner, the questions whether White is captured first."""
    try:
        board = board_of(rows)
    except BadSetup:
        return
    region = {to_point(x, y) for x, y in corner}
    question = build_question(picture_of(board), WHITE, region)
    groups, rivals = (
        [
            chain.stones
            for chain in picture_of(board).chains_of(question.points_of(stones))
            if chain.stones <= region
        ]
        for stones in (question.defenders, question.attackers)
    )
    empty = sum(board[COLOR + point] == EMPTY for point in region)
    for group, rival in itertools.product(groups, rivals) if empty <= MOST_EMPTY else ():
        apart = ways_out_for_both(picture_of(board), question, always)
        yield board, apart.about(group, rival)


def twin_of(question, defends):
    """The twin's fight, and its state."""
    twin, defenders, attackers = plain(question)
    group, rival = (
        frozenset(place_of(point) for point in question.points_of(stones))
        for stones in (question.group, question.rival)
    )
    return twin, State(defenders, attackers, group, defends, rival)


@settings(
    max_examples=100 if JIT_ENABLED else 30, deadline=None, suppress_health_check=list(HealthCheck)
)
@given(st.one_of(corners(), strips()), st.booleans(), st.sampled_from(["pp", "pns"]))
def test_the_search_agrees_with_brute_force(race, defends, method):
    for board, question in questions_in(*race):
        reading = READERS[method].read_group(board, question, WHITE if defends else BLACK)
        twin, state = twin_of(question, defends)
        assert reading.status == fate(twin, state)
        if reading.status != "ko":
            LifeReplay(life_proof_record(READERS[method])).check()


def rows_of_race(white, black, shared):
    """Two chains across the board: own liberties outside and in an eye of each, shared ones."""

    def holes(row, count, start=3):
        for column in range(start, start + 2 * count, 2):
            row[column] = "."

    rows = [list(c * 9) for c in ".XXOXXOO."]
    _, _, outer, chain, between, rival, outer_rival, _, _ = rows
    holes(outer, white[0])
    holes(between, shared)
    holes(outer_rival, black[0], 1)
    if white[1]:
        outer[:3] = between[:3] = "OOO"
        chain[: white[1]] = "." * white[1]
    if black[1]:
        outer_rival[-3:] = "XXX"
        rival[-black[1] :] = "." * black[1]
    return ["".join(row) for row in rows]


def chains_of(rows):
    """The board, the white chain and the black one."""
    board = board_of(rows)
    return board, *(picture_of(board).chain_at(to_point(5, row)).stones for row in (6, 5))


@pytest.mark.parametrize("color", [WHITE, BLACK])
@pytest.mark.parametrize("ahead", [0, 2])
def test_more_liberties_win_and_equal_ones_win_with_the_first_move(color, ahead):
    board, one, other = chains_of(rows_of_race((1 + ahead, 0), (1, 0), 0))
    reading = read_race(READERS["pns"], board, one, other, color, always)
    assert reading.captured == ("other" if ahead or color == WHITE else "one")


def test_unreachable_points_save_no_chain():
    """Both walls may fall, so no side can fill liberties for certain; but those are many."""
    board, one, other = chains_of(rows_of_race((3, 0), (1, 0), 0))
    question = race_question(picture_of(board), one, other, lambda color, point: False)
    assert not question.region.masks[2:].any()


def test_only_chains_that_touch_race():
    board, one, other = chains_of(rows_of_race((1, 0), (1, 0), 1))
    walls = [picture_of(board).chain_at(to_point(1, row)).stones for row in (2, 8)]
    assert rivals_of(picture_of(board), one, [other, *walls]) == [other, walls[1]]


def test_of_a_large_group_the_chains_at_its_rival_count():
    rows = rows_of_race((1, 0), (2, 0), 0)
    board, one, other = chains_of(["........O", *rows[1:]])
    both = one | picture_of(board).chain_at(to_point(9, 9)).stones
    assert race_question(picture_of(board), both, other, always) is None
    for color in (BLACK, WHITE):
        assert read_race(READERS["pns"], board, both, other, color, always).captured == "one"


@pytest.mark.parametrize("fault", ["other claim", "no reply", "a circle"])
def test_the_checker_refutes_false_proofs(fault):
    board, one, other = chains_of(rows_of_race((2, 0), (2, 0), 1))
    READERS["pns"].read_group(board, race_question(picture_of(board), one, other, always), BLACK)
    proof = life_proof_record(READERS["pns"])
    LifeReplay(proof).check()
    if fault == "other claim":
        proof["status"] = "alive"
    elif fault == "no reply":
        proof["nodes"] = [{"play": "B3", "then": 1}, {}]
    else:
        proof["nodes"] = [{"play": "D7", "then": 0}]
    with pytest.raises(RefutedError):
        LifeReplay(proof).check()
