"""Positions divided into regions: the promises of a division, on random positions.

The sums rely on these promises: nothing open is left out, regions hold whole chains, and no chain
can be captured by moves in two regions together.
"""

import random

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine import BLACK, EMPTY, WHITE, Game, board_points
from engine.endings.regions import SETTLED_SHARE, divide
from engine.endings.sums import DECIDED, expected_owners, ownership_given
from engine.facts.chain_facts import ChainFacts
from engine.go.geometry import AREA
from engine.go.scoring import point_owners
from engine.jit import JIT_ENABLED
from scripts.play.endings import read_endings
from tests.diagrams import (
    PLAIN,
    chain_of,
    chains_of,
    game_of,
    liberties_at,
    points_marked,
    random_games,
    rim_of,
)

BOTH = BLACK | WHITE
SIGN = {BLACK: 1.0, WHITE: -1.0}


@st.composite
def endings(draw):
    """Return (game, points in doubt): rooms in a settled board, those of the experiments."""
    ending = draw(st.sampled_from([each for each in read_endings() if each.size == 9]))
    return ending.game(), {point for room in ending.rooms for point in room}


@st.composite
def scrambles(draw):
    """Return (game, points in doubt) for any position and any points."""
    game = draw(random_games(smallest=3, largest=7, rules=PLAIN, most_moves=60))
    points = st.sets(st.sampled_from(board_points(game.size)), max_size=6)
    return game, draw(points)


@st.composite
def judged_positions(draw):
    """Return (game, ownership): most points certainly as the stones say, some in doubt."""
    game, in_doubt = draw(st.one_of(endings(), scrambles()))
    numbers = random.Random(draw(st.integers(0, 2**32 - 1)))
    owners = point_owners(game.board)
    ownership = np.zeros(AREA)
    for point in board_points(game.size):
        sure = SIGN.get(int(owners[point]), 0.0)
        ownership[point] = numbers.uniform(-1.0, 1.0) if point in in_doubt else sure
    for chain in chains_of(game):  # roll-outs find the same for all stones of a chain
        ownership[chain] = ownership[chain[0]]
    return game, ownership


@st.composite
def divided(draw, most=None):
    """Return (game, ownership, its division)."""
    game, ownership = draw(judged_positions())
    division = divide(game.board, ownership, most or draw(st.integers(1, 12)))
    assume(division is not None)
    return game, ownership, division


def swapped(game, ownership):
    """Return the position and its judgment with the colors exchanged."""
    image = Game(game.size, PLAIN)
    image.setup(game.stones(WHITE), game.stones(BLACK), BLACK)
    return image, -ownership


@given(divided())
def test_every_point_is_in_one_region_or_settled(judged):
    game, ownership, division = judged
    inside = [point for region in division.regions for point in region.points]
    assert len(inside) == len(set(inside))
    assert set(inside) <= set(board_points(game.size))
    for point in board_points(game.size):
        owner = int(division.owners[point])
        assert (owner == 0) == (point in inside)
        if owner:
            assert SIGN[owner] * ownership[point] >= SETTLED_SHARE
    outside = set(range(AREA)) - set(board_points(game.size))
    assert not division.owners[sorted(outside)].any()
    margin = sum(SIGN.get(int(owner), 0) for owner in division.owners)
    assert division.settled_margin() == margin


@given(divided())
def test_regions_hold_whole_chains_and_say_who_may_play(judged):
    game, ownership, division = judged
    for region in division.regions:
        points = set(region.points)
        assert list(region.points) == sorted(points)
        assert len(region.movers) == len(region.points)
        for point, movers in zip(region.points, region.movers, strict=True):
            assert set(chain_of(game, point)) <= points
            assert movers in (BLACK, WHITE, BOTH)
            if movers != BOTH:  # the rim: settled, empty, its owner's alone
                assert game.color_at(point) == EMPTY
                assert SIGN[movers] * ownership[point] >= SETTLED_SHARE
            elif game.color_at(point) == EMPTY:
                # All points next to a point where both may play belong to the region.
                near = rim_of(game, [point])
                assert {p for p in near if game.color_at(p) == EMPTY} <= points


@given(divided())
def test_chains_at_a_region_cannot_be_taken_from_two(judged):
    game, _, division = judged
    number = {p: i for i, region in enumerate(division.regions) for p in region.points}
    for chain in chains_of(game):
        places = {number.get(p) for p in liberties_at(game, chain[0])}
        assert len(places - {None}) < 2 or None in places
        if chain[0] not in number and places - {None}:
            # A settled chain keeps liberties of its own, outside the fight.
            color = game.color_at(chain[0])
            assert division.owners[chain[0]] == color


@given(divided(1))  # no room, so that no region is widened
def test_a_chain_that_stays_outside_keeps_two_liberties_of_its_own(judged):
    """One liberty is no protection: the opponent fills all others and captures."""
    game, ownership, division = judged
    inside = {p for region in division.regions for p in region.points}
    both = {
        point
        for region in division.regions
        for point, movers in zip(region.points, region.movers, strict=True)
        if movers == BOTH
    }
    for chain in chains_of(game):
        if chain[0] in inside or not rim_of(game, chain) & both:
            continue
        sign = SIGN[game.color_at(chain[0])]
        kept = [p for p in liberties_at(game, chain[0]) if p not in both]
        assert sum(sign * ownership[p] >= SETTLED_SHARE for p in kept) > 1


@given(judged_positions(), st.integers(1, 12))
def test_colors_do_not_matter(judged, most):
    plain = Game(judged[0].size, PLAIN)
    plain.setup(judged[0].stones(BLACK), judged[0].stones(WHITE), BLACK)
    division = divide(plain.board, judged[1], most)
    image, ownership = swapped(plain, judged[1])
    other = divide(image.board, ownership, most)
    if division is None or other is None:
        assert division is other
        return
    assert [region.points for region in other.regions] == [r.points for r in division.regions]
    exchanged = {BLACK: WHITE, WHITE: BLACK, BOTH: BOTH}
    for one, two in zip(division.regions, other.regions, strict=True):
        assert [exchanged[movers] for movers in one.movers] == list(two.movers)
    assert other.settled_margin() == -division.settled_margin()


@given(judged_positions())
def test_more_room_widens_and_never_narrows(judged):
    game, ownership = judged
    tight, wide = divide(game.board, ownership, 1), divide(game.board, ownership, 60)
    if tight is None or wide is None or len(tight.regions) != 1:
        return
    (small,) = tight.regions
    assert any(set(small.points) <= set(region.points) for region in wide.regions)


def facts(status, color, stones):
    return ChainFacts(tuple(stones), color, (), status)


@given(judged_positions(), st.data())
def test_expected_owners_are_the_judged_and_the_proved_ones(judged, data):
    game, ownership = judged
    chains = chains_of(game)
    known = (
        data.draw(st.lists(st.sampled_from(chains), max_size=3, unique_by=tuple)) if chains else []
    )
    statuses = [
        data.draw(st.sampled_from(["safe", "dead", "critical", "attackable"])) for _ in known
    ]
    proved = [facts(s, game.color_at(c[0]), c) for s, c in zip(statuses, known, strict=True)]
    expected = expected_owners(game.board, ownership, proved)
    told = {p: (s, game.color_at(c[0])) for s, c in zip(statuses, known, strict=True) for p in c}
    for point in range(AREA):
        status, color = told.get(point, ("", 0))
        if point not in board_points(game.size) or game.color_at(point) == EMPTY:
            owner = 0
        elif status == "dead":
            owner = -SIGN[color]
        elif status in ("critical", "attackable"):
            owner = 0
        else:
            owner = np.sign(ownership[point]) if abs(ownership[point]) >= DECIDED else 0
        assert expected[point] == owner


SETTLED_BOARD = """
    . X O . .
    X X O O O
    . X O . O
    X X O O O
    . X O . O"""


@pytest.mark.skipif(not JIT_ENABLED, reason="roll-outs take long without the JIT")
def test_only_roll_outs_that_end_as_expected_count():
    game = game_of(SETTLED_BOARD)
    nothing = np.zeros(AREA, np.int64)
    all_of_them = ownership_given(game.board, nothing, 7, 200, 200)
    assert all_of_them is not None
    assert (np.abs(all_of_them) <= 1.0).all()
    expected = nothing.copy()
    expected[points_marked(SETTLED_BOARD, "O")] = -1
    given_that = ownership_given(game.board, expected, 7, 200, 10)
    assert given_that is not None
    assert (given_that[points_marked(SETTLED_BOARD, "O")] == -1.0).all()
    assert ownership_given(game.board, -expected, 7, 200, 10) is None  # never ends so
    again = ownership_given(game.board, expected, 7, 200, 10)
    assert np.array_equal(given_that, again)
