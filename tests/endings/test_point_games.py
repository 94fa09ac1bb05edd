"""Games of points: sums against plain recursion with passes, order, negatives, the budget."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import BLACK, WHITE
from engine.endings.point_games import PointGame, Shapes
from engine.errors import BadSum
from tests.reference.fights import sum_margin


def trees(depth: int) -> st.SearchStrategy:
    """Return local games with any margins where both stop: seki and zugzwang included."""
    margins = st.integers(-4, 4)
    if depth == 0:
        return st.builds(lambda margin: ((), (), margin), margins)
    options = st.lists(trees(depth - 1), max_size=2).map(tuple)
    return st.tuples(options, options, margins)


def planted(shapes: Shapes, tree) -> PointGame:
    black, white, margin = tree
    return shapes.game(
        {planted(shapes, option) for option in black},
        {planted(shapes, option) for option in white},
        margin,
    )


@given(st.lists(trees(2), min_size=1, max_size=3), st.sampled_from([BLACK, WHITE]))
def test_sums_equal_plain_recursion(games, color):
    shapes = Shapes(10**6)
    found = shapes.margin([planted(shapes, tree) for tree in games], color)
    assert found == sum_margin(games, color)


@given(trees(2), trees(2), trees(2))
def test_a_game_at_least_as_good_is_so_in_sums(one, other, third):
    shapes = Shapes(10**6)
    a, b, c = (planted(shapes, tree) for tree in (one, other, third))
    if shapes.is_at_least(a, b):
        for color in (BLACK, WHITE):
            assert shapes.margin([a, c], color) >= shapes.margin([b, c], color)


@given(trees(2), trees(2))
def test_a_game_and_its_negative_cancel(tree, other):
    shapes = Shapes(10**6)
    game, rest = planted(shapes, tree), planted(shapes, other)
    assert shapes.negative(shapes.negative(game)) == game
    for color in (BLACK, WHITE):
        alone = shapes.margin([rest], color)
        assert shapes.margin([game, shapes.negative(game), rest], color) == alone


def test_a_beaten_option_is_dropped():
    shapes = Shapes(1000)
    plain = shapes.game({PointGame(0, 3)}, {PointGame(0, 0)}, 0)
    more = shapes.game({PointGame(0, 3), PointGame(0, 2)}, {PointGame(0, 0)}, 0)
    assert more == plain


def test_seki_is_a_number():
    shapes = Shapes(1000)
    assert shapes.game({PointGame(0, -8)}, {PointGame(0, 8)}, 0) == PointGame(0, 0)


def test_the_budget_ends():
    shapes = Shapes(3)
    dame = shapes.game({PointGame(0, 1)}, {PointGame(0, -1)}, 0)
    large = shapes.game({PointGame(0, 9)}, {PointGame(0, 0)}, 0)
    with pytest.raises(BadSum):
        shapes.margin([dame, large, dame, large, large], BLACK)


@given(trees(2), trees(2), trees(2))
def test_being_at_least_as_good_is_an_order(one, other, third):
    shapes = Shapes(10**6)
    a, b, c = (planted(shapes, tree) for tree in (one, other, third))
    assert shapes.is_at_least(a, a)
    if shapes.is_at_least(a, b) and shapes.is_at_least(b, c):
        assert shapes.is_at_least(a, c)
    if shapes.is_at_least(a, b) and shapes.is_at_least(b, a):
        assert a == b  # equal games are stored once
    reversed_order = shapes.is_at_least(shapes.negative(b), shapes.negative(a))
    assert reversed_order == shapes.is_at_least(a, b)


@given(trees(3), st.integers(-20, 20))
def test_points_for_one_side_are_added_to_everything(tree, points):
    shapes = Shapes(10**6)
    game = planted(shapes, tree)
    more = PointGame(game.shape, game.points + points)
    assert shapes.black_first(more) == shapes.black_first(game) + points
    assert shapes.white_first(more) == shapes.white_first(game) + points
    assert shapes.is_at_least(more, game) == (points >= 0)
    for color in (BLACK, WHITE):
        options = {option.points - points for option in shapes.options(more, color)}
        assert options == {option.points for option in shapes.options(game, color)}


@given(trees(3))
def test_moving_first_is_never_worse_than_moving_second(tree):
    """Numbers replace games that no side wants to begin, so no zugzwang remains."""
    shapes = Shapes(10**6)
    game = planted(shapes, tree)
    assert shapes.black_first(game) >= shapes.white_first(game)
    assert (shapes.black_first(game) == shapes.white_first(game)) == (game.shape == 0)
    assert shapes.margin([game], BLACK) == shapes.black_first(game)
    assert shapes.margin([game], WHITE) == shapes.white_first(game)


@given(st.lists(trees(2), min_size=1, max_size=3), st.randoms(use_true_random=False))
def test_a_sum_does_not_depend_on_order_or_memory(games, random):
    fresh, used = Shapes(10**6), Shapes(10**6)
    shuffled = random.sample(games, len(games))
    for tree in games[::-1]:
        used.margin([planted(used, tree), planted(used, games[0])], BLACK)
    for color in (BLACK, WHITE):
        found = fresh.margin([planted(fresh, tree) for tree in games], color)
        assert used.margin([planted(used, tree) for tree in shuffled], color) == found
