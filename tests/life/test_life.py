"""Life and death against brute force over all positions of small regions."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.go.board import BLACK, COLOR, WHITE, empty_board
from engine.go.geometry import format_vertex, to_point
from engine.go.setup import set_up_stones
from engine.life.fight import position_key
from engine.life.goal import build_question, find_questions, wider_questions
from engine.life.groups import seen_from_attackers, ways_out_for_both
from engine.life.priors import FEATURES, find_features
from engine.life.reader import LifeReader
from engine.life.records import life_proof_record
from engine.life.regions import MOST_POINTS, living_stones, room_to_live
from engine.picture.picture import picture_of
from scripts.check.life_proofs import LifeReplay
from tests.diagrams import game_of
from tests.reference.life import PlainFight, State, dies, fate, features_of, living

pytestmark = pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")
READERS = {method: LifeReader(method, 20_000) for method in ("pp", "pns")}


def board_of(rows):
    """A board from rows of X, O and dots, the top one first."""
    return game_of("\n".join(rows)).board


def stones_of(rows):
    """The stones by place of rows of X, O and dots, the bottom one first; x is Black's, too."""
    return {
        (column, row): BLACK if c in "xX" else WHITE
        for row, line in enumerate(rows, 1)
        for column, c in enumerate(line, 1)
        if c != "."
    }


def place_of(point):
    return point // 26, point % 26


def plain(question):
    """The twin's fight and its stones, from a question of the engine."""
    region = question.region
    places = [place_of(int(point)) if point else None for point in region.points]

    def points(bits):
        return {place for bit, place in enumerate(places) if place and int(bits) >> bit & 1}

    fight = PlainFight(*(points(region.masks[row]) for row in (0, 2, 3, 1)))
    return fight, frozenset(points(question.defenders)), frozenset(points(question.attackers))


# The surroundings of a fight on a 5x5 or 6x6 board, from the bottom up: X. Some points of the
# region are White's wall, O, and the others hold anything, ?.
SPACES = (
    ("???X.", "???X.", "XXXX.", ".....", "....."),
    # A region holds all liberties of its group: the gap belongs to it.
    ("???X.", "???X.", "XX?X.", ".....", "....."),
    ("?????", "XXXXX", ".....", ".....", "....."),
    # With a wall of its own White may live, by eyes or in seki.
    ("????OX", "OOOOOX", "XXXXXX", "......", "......", "......"),
    ("??OXX.", "??OX..", "OOOX..", "XXXX..", "......", "......"),
    ("?O??OX", "OO?OOX", "XXXXXX", "......", "......", "......"),
    # Kos.
    ("???OX.", "???OX.", "OOOOX.", "XXXXX.", "......", "......"),
)


@st.composite
def fights(draw):
    """A space with some stones of either owner, as a question about White."""
    rows = draw(st.sampled_from(SPACES))
    region, stones = set(), {}
    for row, line in enumerate(rows, 1):
        for column, c in enumerate(line, 1):
            if c in "?O":
                region.add((column, row))
            if c == "?":
                color = draw(st.sampled_from([0, 0, WHITE, WHITE, BLACK]))
            else:
                color = {"X": BLACK, "O": WHITE}.get(c, 0)
            if color:
                stones[column, row] = color
    return len(rows), region, stones


def question_of(size, region, stones):
    try:
        board = set_up_stones(size, [(to_point(*place), color) for place, color in stones.items()])
    except ValueError:
        return None
    white = {place for place in region if stones.get(place) == WHITE}
    rim = {(x + a, y + b) for x, y in white for a, b in ((1, 0), (-1, 0), (0, 1), (0, -1))}
    outside = {place for place in rim - region if 1 <= min(place) and max(place) <= size}
    # A question's region holds all liberties of its group (``build_question``).
    if not white or not outside <= stones.keys():
        return None
    return board, build_question(picture_of(board), WHITE, {to_point(*place) for place in region})


QUESTIONS = fights().map(lambda fight: question_of(*fight)).filter(lambda asked: asked is not None)
slowly = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


@slowly
@given(QUESTIONS, st.booleans(), st.sampled_from(["pp", "pns"]))
def test_the_search_agrees_with_brute_force(asked, defends, method):
    board, question = asked
    twin, defenders, attackers = plain(question)
    start = State(defenders, attackers, defenders, defends)
    reading = READERS[method].read_group(board, question, WHITE if defends else BLACK)
    assert reading.status == fate(twin, start)
    # Without a threat on the board, the side that needs the first one fails.
    works = {"other": True, "mover": False, None: None}[reading.threat]
    assert works == ((dies(twin, start, None) != defends) if reading.status == "ko" else None)


@slowly
@given(QUESTIONS, st.booleans(), st.sampled_from(["pp", "pns"]))
def test_seki_and_life_are_distinguished_as_by_brute_force(asked, defends, method):
    board, question = asked
    twin, defenders, attackers = plain(question)
    to_move = WHITE if defends else BLACK
    reading = READERS[method].read_group(board, question, to_move)
    told = READERS[method].tell_seki(board, reading, to_move)
    if reading.status != "alive":
        assert told == reading
        return
    start = State(defenders, attackers, defenders, defends)
    assert (told.status == "seki") == dies(twin, start, False, aim="eyes")
    assert told.nodes > reading.nodes


@pytest.mark.parametrize("method", ["pp", "pns"])
@pytest.mark.parametrize(
    ("rows", "to_move", "threat"),
    [
        (("XXXO", "X.OO"), WHITE, "mover"),
        (("X.XO", ".XOO"), WHITE, "other"),
        ((".X.O", "XO.O"), BLACK, "mover"),
        (("XX.O", "XO.O"), BLACK, "other"),
    ],
)
def test_the_side_that_needs_the_first_ko_threat(rows, to_move, threat, method):
    stones = stones_of([*(f"{row}X" for row in rows), "OOOOX", "XXXXX"])
    region = {(column, row) for row in (1, 2, 3) for column in (1, 2, 3, 4)}
    board, question = question_of(6, region, stones)
    reading = READERS[method].read_group(board, question, to_move)
    assert (reading.status, reading.threat) == ("ko", threat)
    twin, defenders, attackers = plain(question)
    start = State(defenders, attackers, defenders, to_move == WHITE)
    assert dies(twin, start, None) == ((threat == "other") == (to_move == BLACK))


# Three points without capturing: Black takes four stones at A1, and White then takes back.
@pytest.mark.parametrize("method", ["pp", "pns"])
@pytest.mark.parametrize(
    ("third_row", "white", "black"),
    [
        ("OXXX", "alive", "alive"),
        # Without a friend at A3 nothing can be taken back.
        ("XXXX", "dead", "alive"),
    ],
)
def test_stones_that_return_after_their_capture(third_row, white, black, method):
    rows = (".OOX", "XOOX", third_row, "O..X")
    stones = stones_of(rows)
    board, question = question_of(4, {(x, y) for x in (1, 2, 3) for y in (1, 2)}, stones)
    reader = READERS[method]
    assert reader.read_group(board, question, BLACK).status == "dead"
    assert reader.read_group(board, question, BLACK, aim="return").status == white
    theirs = seen_from_attackers(picture_of(board), question)
    rival = theirs.bits_of(question.goal)
    assert reader.read_group(board, theirs, WHITE).status == ("dead" if white == "alive" else black)
    asked = replace(theirs, rival=rival)
    assert reader.read_group(board, asked, WHITE, aim="return").status == black


# Three points in a row: the side that moves first takes the middle.
THREE = ["........."] * 6 + ["XXXXX....", "OOOOX....", "...OX...."]
# White's chain o against x, and the side to move first; a dot is empty, and belongs to the region
# if it is in it.
SHARED = ("x.oX.", "x.oX.", "xxoX.", "OOXX.", ".....")
ABOUT_TO_SHARE = ("x.oX.", "x.oX.", "x.oX.", "OOXX.", ".....")


@pytest.mark.parametrize("method", ["pp", "pns"])
@pytest.mark.parametrize(
    ("rows", "to_move", "status", "move"),
    [
        # The side that fills a shared liberty is captured.
        (SHARED, BLACK, "seki", "pass"),
        (SHARED, WHITE, "seki", "pass"),
        (ABOUT_TO_SHARE, BLACK, "seki", "B3"),
        (ABOUT_TO_SHARE, WHITE, "alive", "B3"),
    ],
)
def test_sekis(rows, to_move, status, move, method):
    stones = stones_of(rows)
    region = {(column, row) for row in (1, 2, 3) for column in (1, 2, 3)}
    board, question = question_of(5, region, stones)
    twin, defenders, attackers = plain(question)
    start = State(defenders, attackers, defenders, to_move == WHITE)
    assert not dies(twin, start, False)
    assert dies(twin, start, False, aim="eyes") == (status == "seki")
    reading = READERS[method].read_group(board, question, to_move)
    told = READERS[method].tell_seki(board, reading, to_move)
    assert (told.status, format_vertex(told.move)) == (status, move)


@slowly
@given(QUESTIONS)
def test_unconditional_life_survives_every_attack(asked):
    _, question = asked
    twin, defenders, attackers = plain(question)
    bits = living_stones(
        question.region, np.uint64(question.defenders), np.uint64(question.attackers)
    )
    found = {place_of(int(p)) for i, p in enumerate(question.region.points) if int(bits) >> i & 1}
    # The twin also keeps stones that only lack an attacker's legal move, as in seki.
    assert found <= living(twin, State(defenders, attackers, defenders, False))


@slowly
@given(QUESTIONS)
def test_no_room_to_live_is_death_whoever_moves(asked):
    _, question = asked
    room = room_to_live(
        question.region,
        np.uint64(question.defenders),
        np.uint64(question.attackers),
        np.uint64(question.defenders),
    )
    twin, defenders, attackers = plain(question)
    if room == 0:
        assert dies(twin, State(defenders, attackers, defenders, True), False)


def engine_features(question, before, after, moves, rooms):
    """The engine's features of a move, in the twin's terms."""
    bits = {place_of(int(p)): i for i, p in enumerate(question.region.points) if p}
    opposing = before.attackers if before.defends else before.defenders
    left = after.attackers if before.defends else after.defenders
    stones = [after.defenders, after.attackers, after.goal, (), (), opposing - left]
    position = np.array([sum(1 << bits[place] for place in part) for part in stones], np.uint64)
    features = np.zeros(FEATURES, np.int64)
    find_features(
        question.region,
        position,
        tuple(MOST_POINTS if place is None else bits[place] for place in moves),
        tuple(MOST_POINTS if room is None else room for room in rooms),
        before.defends,
        features,
    )
    assert all(value // 32 == before.defends for value in features)
    room, taken, captured, beside, steps, chain, goals, eyes, touched, inside = (
        int(value) % 32 for value in features
    )
    found = {
        "room": -1 if room == 31 else room,
        "goals": (goals // 7 + 1, goals % 7),
        "eyes": divmod(eyes, 6),
        "inside": divmod(inside, 7),
    }
    if moves[1] is None:
        assert taken == captured == beside == steps == chain == touched == 31
        return found
    return found | {
        "room taken": taken,
        "chain": (chain // 6 + 1, chain % 6),
        "stones taken": captured,
        "touched": divmod(touched, 7),
        "beside": divmod(beside, 4),
        "steps": -1 if steps == 31 else steps,
    }


rooms = st.one_of(st.none(), st.integers(1, 30))


@slowly
@given(QUESTIONS, st.booleans(), st.tuples(rooms, rooms), st.randoms(use_true_random=False))
def test_features_are_those_of_the_twin(asked, defends, rooms, random):
    _, question = asked
    twin, defenders, attackers = plain(question)
    before = State(defenders, attackers, defenders, defends)
    last = random.choice([None, *sorted(twin.points)])
    for move in [None, *sorted(twin.points - defenders - attackers)]:
        played = (before, False) if move is None else twin.play(before, move)
        if played is not None:
            asked_of = (before, played[0], (last, move), rooms)
            assert engine_features(question, *asked_of) == features_of(twin, *asked_of)


def test_the_group_in_question_is_the_one_that_is_shut_in():
    board = board_of(THREE)
    question = next(find_questions(picture_of(board)))
    assert question.defender == WHITE
    assert len(question.goal) == 5
    assert all(board[COLOR + point] == WHITE for point in question.goal)


def test_without_stones_there_is_no_question():
    board = empty_board(9)
    assert list(find_questions(picture_of(board))) == []
    assert READERS["pp"].read_position(board, BLACK, 1.0).status == "unknown"


def test_wider_regions_hold_weak_attackers_and_their_liberties():
    board = board_of(["........."] * 5 + ["XXXXX....", "OOOOX....", "...OX....", "..OOX...."])
    question = next(find_questions(picture_of(board)))
    regions = [question, *wider_questions(picture_of(board), question)]
    for smaller, larger in itertools.pairwise(regions):
        assert smaller.points < larger.points
        assert sorted(smaller.goal) == sorted(larger.goal)


@pytest.mark.parametrize("hint", ["A1", "B1", "C1"])
def test_a_hint_changes_no_status(hint):
    board = board_of(THREE)
    question = next(find_questions(picture_of(board)))
    point = to_point("ABC".index(hint[0]) + 1, int(hint[1]))
    reading = READERS["pns"].read_group(board, question, BLACK, hint=point)
    assert (reading.status, reading.move) == ("dead", to_point(2, 1))


def test_positions_that_had_one_key_have_two():
    """Two positions of one fight: with a plain product as key, a proof once did not hold."""
    position, other = (
        np.array([defenders, attackers, 0x18080000000000, 0x404040F040000, 0], np.uint64)
        for defenders, attackers in (
            (0x081A0B0000000000, 0x2004140C0F040000),
            (0x681A0B0000000000, 0x0004140D0F040000),
        )
    )
    assert position_key(position, False) != position_key(other, False)
    assert position_key(position, False) != position_key(position, True)


@st.composite
def links(draw):
    """Two white stones in a small region, anything between them, black ones around."""
    region = {(column, row) for column in (1, 2, 3, 4) for row in (1, 2)}
    stones = {(column, 3): BLACK for column in range(1, 6) if draw(st.booleans())}
    stones |= {(5, row): BLACK for row in (1, 2) if draw(st.booleans())}
    for place in sorted(region):
        color = draw(st.sampled_from([0, 0, WHITE, BLACK]))
        if color:
            stones[place] = color
    return 5, region, stones


@slowly
@given(links(), st.booleans(), st.sampled_from(["pp", "pns"]))
def test_links_agree_with_brute_force(position, defends, method):
    size, region, stones = position
    try:
        board = set_up_stones(size, [(to_point(*place), c) for place, c in stones.items()])
    except ValueError:
        return
    white = sorted(place for place in region if stones.get(place) == WHITE)
    question = build_question(picture_of(board), WHITE, {to_point(*place) for place in region})
    if len(white) < 2:
        return
    ends = {to_point(*white[0]), to_point(*white[-1])}
    question = ways_out_for_both(picture_of(board), question, lambda color, point: True)
    question = question.about(ends)
    twin, defenders, attackers = plain(question)
    goal = frozenset(place_of(point) for point in ends)
    start = State(defenders, attackers, goal, defends)
    if twin.is_safe(start, "link"):
        return
    reading = READERS[method].read_group(board, question, WHITE if defends else BLACK, aim="link")
    assert reading.status == fate(twin, start, "link")
    if reading.status != "ko":
        LifeReplay(life_proof_record(READERS[method])).check()
