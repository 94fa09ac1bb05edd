"""The picture of a position: every answer against the slow board."""

import pytest
from hypothesis import given

from engine import BLACK, board_points, to_column_row
from engine.go.geometry import parse_vertex
from engine.picture.picture import join_chains, picture_of
from tests import diagrams
from tests.reference import board as slow
from tests.reference.groups import groups_of


def places(points):
    """Return points as (column, row)."""
    return frozenset(to_column_row(point) for point in points)


@given(diagrams.random_games())
def test_chains_and_their_liberties_are_the_slow_boards(game):
    stones, picture = diagrams.stones_of(game), picture_of(game.board)
    assert picture.size == game.size
    assert all(picture.colors[p] == game.color_at(p) for p in board_points(game.size))
    assert {places(chain.stones) for chain in picture.chains} == {
        frozenset(chain) for chain in slow.all_chains(stones, game.size)
    }
    assert [min(c.stones) for c in picture.chains] == sorted(min(c.stones) for c in picture.chains)
    for chain in picture.chains:
        liberties = slow.liberties_of(stones, game.size, set(places(chain.stones)))
        assert places(chain.liberties) == liberties
        assert list(chain.liberties) == sorted(chain.liberties)
        assert chain.color == game.color_at(min(chain.stones))
        assert all(picture.chain_at(stone) is chain for stone in chain.stones)
        around = {n for p in places(chain.stones) for n in slow.neighbors(game.size, p)}
        hostile = {p for p in around if stones.get(p) == 3 - chain.color}
        touching = {
            place for other in picture.opponents_of(chain) for place in places(other.stones)
        }
        assert hostile <= touching
        assert all(places(other.stones) & hostile for other in picture.opponents_of(chain))


@given(diagrams.random_games())
def test_groups_are_the_slow_boards(game):
    stones, picture = diagrams.stones_of(game), picture_of(game.board)
    assert {places(group) for group in picture.groups} == groups_of(stones, game.size, 1)
    joined = join_chains(picture.chains, 2)
    assert [min(group) for group in joined] == sorted(min(group) for group in joined)
    assert {places(group) for group in joined} == groups_of(stones, game.size, 2)


def test_a_position_has_one_picture_whatever_way_led_to_it():
    one = diagrams.game_of(". X .\n. O .\n. . .")
    other = one.copy()
    assert picture_of(one.board) is picture_of(other.board)
    other.play(BLACK, parse_vertex("A1", 3))
    assert picture_of(one.board) is not picture_of(other.board)
    with pytest.raises(KeyError):
        picture_of(one.board).chain_at(parse_vertex("A1", 3))


def test_a_picture_prints_the_board_its_groups_and_their_statuses():
    game = diagrams.game_of(". X .\nX . .\n. O O")
    picture = picture_of(game.board)
    stone = parse_vertex("B1", 3)
    picture.statuses = {stone: ("dead", "proof")}
    text = str(picture)
    assert " 3 . X . 3" in text
    assert "black A2: 2 stones, 4 liberties" in text
    assert "white B1: 2 stones, 3 liberties; dead (proof)" in text
