"""Guided roll-outs: neighborhoods, local candidates and their kinds, frequencies of draws."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import BLACK, EMPTY, WHITE, Game, to_column_row, to_point
from engine.go.board import COLOR, KO, place
from engine.go.geometry import AREA, PASS
from engine.jit import JIT_ENABLED
from engine.rollout.careful import THROW_IN, stones_exposed
from engine.rollout.guided import (
    KIND_BESIDE,
    KIND_CAPTURES,
    KIND_DIAGONAL,
    KIND_FARTHER,
    KIND_SAVES,
    KIND_SELF_ATARI,
    KINDS,
    MAX_LOCAL,
    NEIGHBORHOODS,
    GuidedPolicy,
    KnownReply,
    choose_guided,
    guided_roll_out,
    list_local,
    neighborhood,
    new_guided_scratch,
    set_replies,
)
from tests.diagrams import game_of, points_marked, random_games, stones_of
from tests.go.test_board import assert_consistent
from tests.reference.board import ReferenceGame, chain_at, liberties_of, neighbors, result_of
from tests.reference.rollout import playable_points
from tests.rollout.test_uniform import board_of, seeded

WALL = 3
FEWEST = 1e-3


def policy_of(seed: int) -> GuidedPolicy:
    """Return random weights, some of them small; a self-atari's is the smaller one of two."""
    rng = np.random.default_rng(seed)
    kinds = rng.uniform(FEWEST, 2.0, KINDS).astype(np.float32)
    safe = np.arange(KINDS) & ~KIND_SELF_ATARI
    return GuidedPolicy(
        rng.uniform(FEWEST, 2.0, NEIGHBORHOODS).astype(np.float32),
        np.minimum(kinds, kinds[safe]),
        np.array([1.5], np.float32),
    )


def last_stones(game: Game) -> list[int]:
    """Return the stones that may have been the last move: all of them, and PASS."""
    return [PASS, *game.stones(BLACK), *game.stones(WHITE)]


# -- neighborhoods --------------------------------------------------------------------------------


def slow_neighborhood(game: Game, point: int, color: int) -> int:
    """Read the eight points as on a screen: from the upper left, two bits each."""
    column, row = to_column_row(point)
    stones, size = stones_of(game), game.size
    around = [(column + i, row + j) for j in (1, 0, -1) for i in (-1, 0, 1) if (i, j) != (0, 0)]
    code = 0
    for place_number, (c, r) in enumerate(around):
        found = stones.get((c, r), EMPTY) if 1 <= c <= size and 1 <= r <= size else WALL
        if found in (BLACK, WHITE):
            found = 1 if found == color else 2
        code += found * 4**place_number
    return code


@given(random_games())
def test_neighborhoods_are_the_twins(game):
    for color in (BLACK, WHITE):
        for row in range(1, game.size + 1):
            for column in range(1, game.size + 1):
                point = to_point(column, row)
                found = neighborhood(game.board, point, color)
                assert found == slow_neighborhood(game, point, color)
                assert 0 <= found < NEIGHBORHOODS


# -- candidates -----------------------------------------------------------------------------------


def slow_candidates(game: Game, color: int, last: int) -> dict[tuple[int, int], int]:
    """Return the local candidates and their kinds, on the slow board."""
    if last == PASS:
        return {}
    stones, size = stones_of(game), game.size
    slow = ReferenceGame(size)
    slow.stones = stones
    playable = playable_points(slow, color)
    point = to_column_row(last)

    def in_atari(stone) -> bool:
        return len(liberties_of(stones, size, chain_at(stones, size, stone))) == 1

    def liberty(stone):
        return next(iter(liberties_of(stones, size, chain_at(stones, size, stone))))

    takes, saves = set(), set()
    if in_atari(point):
        takes.add(liberty(point))
    for near in neighbors(size, point):
        if stones.get(near) == color and in_atari(near):
            saves.add(liberty(near))
            held = chain_at(stones, size, near)
            besiegers = {x for s in held for x in neighbors(size, s) if stones.get(x) == 3 - color}
            freeing = {liberty(x) for x in besiegers if in_atari(x)}
            takes |= freeing
            saves |= freeing
    column, row = point
    diagonal = {(column + i, row + j) for i in (1, -1) for j in (1, -1)} & playable
    beside = set(neighbors(size, point)) & playable
    found = {}
    for candidate in (takes | saves | beside | diagonal) & playable:
        kind = KIND_BESIDE if candidate in beside else KIND_DIAGONAL
        if candidate in takes | saves:
            kind = KIND_FARTHER | (KIND_CAPTURES if candidate in takes else 0)
            kind |= KIND_SAVES if candidate in saves else 0
        after, captured, _ = result_of(stones, size, color, candidate)
        chain = chain_at(after, size, candidate)
        # Captures and losses are checked in tight places only.
        if sum(near not in stones for near in neighbors(size, candidate)) < 2:
            if captured:
                kind |= KIND_CAPTURES
            elif len(liberties_of(after, size, chain)) == 1 and len(chain) > THROW_IN:
                kind |= KIND_SELF_ATARI
        found[candidate] = kind
    return found


def candidates(game: Game, color: int, last: int, work=None) -> dict[int, int]:
    work = work or new_guided_scratch()
    count = int(list_local(game.board, color, last, work))
    assert count <= MAX_LOCAL
    points = [int(p) for p in work.points[:count]]
    assert len(set(points)) == count
    return dict(zip(points, (int(k) for k in work.kinds[:count]), strict=True))


@given(random_games(largest=7))
def test_candidates_are_the_twins(game):
    fresh = Game(game.size)
    fresh.setup(game.stones(BLACK), game.stones(WHITE), BLACK)
    before = fresh.board.copy()
    for last in last_stones(game):
        color = 3 - game.color_at(last) if last != PASS else BLACK
        found = {to_column_row(p): kind for p, kind in candidates(fresh, color, last).items()}
        assert found == slow_candidates(game, color, last)
    np.testing.assert_array_equal(fresh.board, before)


def test_nothing_is_local_to_a_pass_or_to_a_stone_that_is_gone():
    game = game_of(". . .\n. O .\n. . .")
    assert candidates(game, BLACK, PASS) == {}
    assert candidates(game, BLACK, to_point(1, 1)) == {}


# -- choices --------------------------------------------------------------------------------------


def chances(game: Game, color: int, last: int, policy: GuidedPolicy) -> dict[int, float]:
    """Return the chance of every move: its own weight, and its share of "elsewhere"."""
    slow = ReferenceGame(game.size)
    slow.stones = stones_of(game)
    prudent = [
        to_point(*point)
        for point in playable_points(slow, color)
        if stones_exposed(game.board, to_point(*point), color) <= THROW_IN
    ]
    weights = {
        to_point(*point): float(
            policy.neighborhood[slow_neighborhood(game, to_point(*point), color)]
            * policy.kind[kind]
        )
        for point, kind in slow_candidates(game, color, last).items()
    }
    elsewhere = float(policy.elsewhere[0])
    total = sum(weights.values()) + elsewhere
    if not weights:
        total = elsewhere
    result = {point: weight / total for point, weight in weights.items()}
    for point in prudent or [PASS]:
        result[point] = result.get(point, 0.0) + elsewhere / total / len(prudent or [PASS])
    return result


FIGHT = """
    . . . . . .
    . O X X . .
    . O O X X .
    . X O O X .
    . X X O . .
    . . . . . ."""


# Points drawn before they are checked: Black's eye at C4, a large self-atari at C1.
EYE = """
    . . . . . .
    . . X . . .
    . X . X . .
    . . X O . .
    . . . . . .
    . . . . . ."""
SELF_ATARI = """
    . . O . .
    O O O O .
    X X X O .
    . X X O .
    . O . O ."""


@pytest.mark.parametrize(
    ("diagram", "last"),
    [
        (FIGHT, to_point(4, 2)),
        (FIGHT, to_point(2, 5)),
        (FIGHT, PASS),
        (EYE, to_point(4, 3)),
        (SELF_ATARI, to_point(4, 2)),
    ],
)
def test_choices_follow_the_weights(diagram, last):
    """Chi-square; its limit is exceeded once in a thousand times at most."""
    game, policy, rng = game_of(diagram), policy_of(3), seeded(77)
    expected = chances(game, BLACK, last, policy)
    assert sum(expected.values()) == pytest.approx(1.0)
    count = 20_000 if JIT_ENABLED else 1_500
    seen = dict.fromkeys(expected, 0)
    board, work = game.board.copy(), new_guided_scratch()
    for _ in range(count):
        seen[int(choose_guided(board, BLACK, last, rng, policy, work))] += 1
    statistic = sum((seen[p] - count * x) ** 2 / (count * x) for p, x in expected.items())
    freedom = len(expected) - 1
    # Wilson and Hilferty's (1931) approximation at 3.09 deviations
    limit = freedom * (1 - 2 / (9 * freedom) + 3.09 * (2 / (9 * freedom)) ** 0.5) ** 3
    assert statistic < limit
    np.testing.assert_array_equal(board[COLOR : COLOR + AREA], game.board[COLOR : COLOR + AREA])
    assert_consistent(board)


@given(random_games(largest=6), st.integers(1, 2**64 - 1))
def test_choices_are_possible_ones(game, seed):
    fresh = Game(game.size)
    fresh.setup(game.stones(BLACK), game.stones(WHITE), BLACK)
    policy, work = policy_of(1), new_guided_scratch()
    for last in last_stones(game)[:6]:
        color = 3 - game.color_at(last) if last != PASS else WHITE
        board = fresh.board.copy()
        chosen = int(choose_guided(board, color, last, seeded(seed), policy, work))
        assert chosen in chances(fresh, color, last, policy)


# -- answers known beforehand ---------------------------------------------------------------------

KNOWN = """
    . . . .
    . X . .
    . . b .
    a . . ."""
MOVE, ANSWER = points_marked(KNOWN, "b")[0], points_marked(KNOWN, "a")[0]
TARGET = points_marked(KNOWN, "X")[0]


def answers_to(game: Game, replies: list[KnownReply], color: int, last: int) -> set[int]:
    """Return the roll-outs' answers in 40 tries."""
    work = new_guided_scratch()
    set_replies(work, replies)
    rng = seeded(5)
    return {
        int(choose_guided(game.board.copy(), color, last, rng, policy_of(3), work))
        for _ in range(40)
    }


def test_a_known_answer_is_played():
    game = game_of(KNOWN)
    game.play(BLACK, MOVE)
    known = KnownReply(BLACK, MOVE, ANSWER, TARGET)
    assert answers_to(game, [known], WHITE, MOVE) == {ANSWER}
    # The first one, of several; and nothing is left of the earlier knowledge.
    assert answers_to(game, [known, known._replace(answer=TARGET)], WHITE, MOVE) == {ANSWER}
    assert len(answers_to(game, [], WHITE, MOVE)) > 1


@pytest.mark.parametrize(
    "change",
    [{"color": WHITE}, {"move": ANSWER}, {"target": MOVE + 1}, {"answer": TARGET}],
    ids=["of the other color", "to another move", "about stones that are gone", "not possible"],
)
def test_a_known_answer_is_for_its_move_and_its_stones(change):
    game = game_of(KNOWN)
    game.play(BLACK, MOVE)
    known = KnownReply(BLACK, MOVE, ANSWER, TARGET)._replace(**change)
    assert len(answers_to(game, [known], WHITE, MOVE)) > 1
    assert len(answers_to(game, [known], WHITE, PASS)) > 1


def test_old_answers_are_forgotten():
    work = new_guided_scratch()
    set_replies(work, [KnownReply(WHITE, MOVE, ANSWER, TARGET)])
    assert np.count_nonzero(work.replies) == 2
    set_replies(work, [])
    assert not work.replies.any()


# -- whole games ----------------------------------------------------------------------------------


@settings(max_examples=30 if JIT_ENABLED else 10)
@given(random_games(largest=6), st.integers(1, 2**64 - 1), st.integers(0, 400))
def test_roll_outs_are_made_of_choices(game, seed, limit):
    """The game, its length and the first player by point, from choices made one by one."""
    limit = limit if limit < 20 else 3 * game.size**2
    policy, work = policy_of(2), new_guided_scratch()
    board, stepped = board_of(game), board_of(game)
    rng, slow_rng = seeded(seed), seeded(seed)
    stones = last_stones(game)
    last = stones[seed % len(stones)]
    color = 3 - game.color_at(last) if last != PASS else BLACK
    first = np.full(AREA, 9, np.uint8)
    length = guided_roll_out(board, color, last, rng, first, limit, policy, work)

    expected: dict[int, int] = {}
    moves: list[int] = []
    while len(moves) < limit and moves[-2:] != [PASS, PASS]:
        point = int(choose_guided(stepped, color, last, slow_rng, policy, work))
        if point == PASS:
            stepped[KO] = 0
        else:
            place(stepped, point, color)
            expected.setdefault(point, color)
        moves.append(point)
        last, color = point, 3 - color
    assert length == len(moves) <= limit
    assert rng[0] == slow_rng[0]
    assert {p: int(first[p]) for p in range(AREA) if first[p]} == expected
    np.testing.assert_array_equal(board, stepped)
    assert_consistent(board)


def test_games_end():
    """Long before the limit."""
    policy, work, rng = policy_of(4), new_guided_scratch(), seeded(5)
    for size in (5, 9, 13) if JIT_ENABLED else (5,):
        board, first = Game(size).board.copy(), np.zeros(AREA, np.uint8)
        length = guided_roll_out(board, BLACK, PASS, rng, first, 10 * size**2, policy, work)
        assert size**2 / 2 < length < 3 * size**2
