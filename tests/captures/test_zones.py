"""Relevance zones against sets: the kernels keep the module's conditions on any position.

The solver's tests and the independent checker show that a proof found with zones holds. Here each
step is shown to keep the conditions of the next one.
"""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from engine import BLACK, EMPTY, WHITE, Game, MoveCode, board_points
from engine.captures.zones import (
    add_captures,
    add_chain,
    add_point,
    add_suicide,
    add_zone,
    attack_zone,
    begin_zone,
    give_liberty,
    has_point,
    seal,
    touches,
)
from engine.proof.graph import ZONE_BYTES
from tests.diagrams import PLAIN, chain_of, chains_of, liberties_at, random_games, rim_of

COLORS = st.sampled_from([BLACK, WHITE])


def empty_zone():
    return np.zeros(ZONE_BYTES, np.uint8)


def zone_of(points):
    zone = empty_zone()
    for point in points:
        add_point(zone, point)
    return zone


def points_in(zone, game):
    """Return the points of a zone; none may lie off the board."""
    found = {
        8 * int(i) + bit for i in np.flatnonzero(zone) for bit in range(8) if zone[i] >> bit & 1
    }
    assert found <= set(board_points(game.size))
    return found


@st.composite
def positions(draw):
    """Return (game, a stone, a random set of points): a position with at least one stone."""
    game = draw(random_games(smallest=3, largest=7, rules=PLAIN, most_moves=50))
    if not chains_of(game):
        game.play(BLACK, board_points(game.size)[0])
    goal = draw(st.sampled_from([chain[0] for chain in chains_of(game)]))
    some = draw(st.sets(st.sampled_from(board_points(game.size)), max_size=8))
    return game, goal, some


@given(st.sets(st.integers(0, 8 * ZONE_BYTES - 1)), st.sets(st.integers(0, 8 * ZONE_BYTES - 1)))
def test_zones_are_sets(one, other):
    zone = zone_of(one)
    assert {point for point in range(8 * ZONE_BYTES) if has_point(zone, point)} == one
    add_zone(zone, zone_of(other))
    assert {point for point in range(8 * ZONE_BYTES) if has_point(zone, point)} == one | other


@given(positions())
def test_a_chain_comes_with_its_rim(position):
    game, goal, some = position
    zone = zone_of(some)
    add_chain(game.board, goal, zone)
    whole = set(chain_of(game, goal)) | rim_of(game, chain_of(game, goal))
    assert points_in(zone, game) == some | whole
    begin_zone(game.board, goal, zone)
    assert points_in(zone, game) == whole


@given(positions())
def test_a_chain_touches_a_zone_by_a_stone_in_it(position):
    game, goal, some = position
    assert bool(touches(game.board, goal, zone_of(some))) == bool(set(chain_of(game, goal)) & some)


@given(positions(), st.data())
def test_a_chain_is_given_one_liberty_at_most(position, data):
    game, goal, some = position
    chain = data.draw(st.sampled_from(chains_of(game)))
    liberties = set(liberties_at(game, chain[0]))
    without = data.draw(st.sampled_from([0, *sorted(liberties)]))
    zone = zone_of(some)
    give_liberty(game.board, chain[0], without, goal, zone)
    added = points_in(zone, game) - some
    allowed = liberties - {without}
    if allowed & some or not allowed:
        assert added == set()
        return
    (point,) = added
    assert point in allowed

    def distance(place):
        return abs(place // 26 - goal // 26) + abs(place % 26 - goal % 26)

    assert distance(point) == min(map(distance, allowed))


@given(positions(), COLORS)
def test_a_sealed_zone_has_a_liberty_of_every_attacker_that_touches_it(position, attacker):
    game, goal, some = position
    zone = zone_of(some)
    seal(game.board, attacker, goal, zone)
    sealed = points_in(zone, game)
    assert some <= sealed
    assert all(game.color_at(point) == EMPTY for point in sealed - some)
    for chain in chains_of(game):
        if game.color_at(chain[0]) == attacker and sealed & set(chain):
            assert sealed & set(liberties_at(game, chain[0]))
    again = zone.copy()
    seal(game.board, attacker, goal, again)
    assert np.array_equal(zone, again)  # one pass is enough


def captured_by(game, color, point):
    """Return the chains that a move captures."""
    after = game.copy()
    after.play(color, point)
    return [chain for chain in chains_of(game) if after.color_at(chain[0]) == EMPTY]


@given(positions(), st.data())
def test_captures_are_in_the_zone_with_their_rims(position, data):
    game, _, some = position
    color = data.draw(COLORS)
    moves = game.legal_points(color)
    if not moves:
        return
    point = data.draw(st.sampled_from(moves))
    captured = [set(chain) | rim_of(game, chain) for chain in captured_by(game, color, point)]
    touching = [
        set(chain) | rim_of(game, chain)
        for chain in captured_by(game, color, point)
        if some & set(chain)
    ]
    everything = zone_of(some)
    add_captures(game.board, point, color, True, everything)
    assert points_in(everything, game) == some.union(*captured)
    zone = zone_of(some)
    add_captures(game.board, point, color, False, zone)
    # The test is not exact: the rim of one chain may make the zone touch the next one.
    assert some.union(*touching) <= points_in(zone, game) <= some.union(*captured)
    assert touching or points_in(zone, game) == some


@given(positions())
def test_causes_of_a_suicide_reply_stay(position):
    """Any change is allowed outside the zone; the reply must stay without a liberty."""
    game, goal, _ = position
    attacker = 3 - game.color_at(goal)
    for point in board_points(game.size):
        if game.legality(3 - attacker, point) != MoveCode.SUICIDE:
            continue
        zone = empty_zone()
        add_suicide(game.board, point, attacker, goal, zone)
        found = points_in(zone, game)
        around = rim_of(game, [point])
        assert point in found
        assert around <= found
        for near in around:
            chain = set(chain_of(game, near))
            if game.color_at(near) == attacker:
                assert (set(liberties_at(game, near)) - {point}) & found
            else:
                assert chain | rim_of(game, chain) <= found


@given(positions())
def test_the_zone_of_a_capture(position):
    game, goal, _ = position
    liberties = liberties_at(game, goal)
    attacker = 3 - game.color_at(goal)
    if len(liberties) != 1 or game.legality(attacker, liberties[0]) != MoveCode.LEGAL:
        return
    zone = empty_zone()
    attack_zone(game.board, goal, liberties[0], True, game.board, zone, zone)
    found = points_in(zone, game)
    assert set(chain_of(game, goal)) | rim_of(game, chain_of(game, goal)) <= found


@given(positions(), st.data())
def test_the_zone_of_an_attack_holds_its_move_and_the_proof_below(position, data):
    game, goal, some = position
    attacker = 3 - game.color_at(goal)
    moves = [
        point
        for point in game.legal_points(attacker)
        if chain_of(game, goal) not in captured_by(game, attacker, point)
    ]
    if not moves:
        return
    move = data.draw(st.sampled_from(moves))
    after = game.copy()
    after.play(attacker, move)
    zone = empty_zone()
    attack_zone(game.board, goal, move, False, after.board, zone_of(some), zone)
    found = points_in(zone, game)
    assert some | {move} | set(chain_of(game, goal)) | rim_of(game, chain_of(game, goal)) <= found
    assert set(liberties_at(after, move)) & found  # so an equal zone makes the move legal
    for chain in captured_by(game, attacker, move):
        assert set(chain) | rim_of(game, chain) <= found


def test_a_zone_of_a_small_board_is_as_large_as_any():
    game = Game(2, PLAIN)
    game.play(BLACK, board_points(2)[0])
    zone = np.full(ZONE_BYTES, 255, np.uint8)
    begin_zone(game.board, board_points(2)[0], zone)
    assert points_in(zone, game) == set(board_points(2)) - {board_points(2)[3]}
