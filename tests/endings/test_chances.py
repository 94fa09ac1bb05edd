"""Sums of small fights and of fights for chains: against plain recursion, and by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import BLACK, WHITE
from engine.endings import chances
from engine.endings.chain_fights import ChainFight
from engine.endings.chances import ChanceAdvice, best_chances, slack
from engine.endings.fights import Bound, LocalFight
from engine.endings.point_games import PointGame, Shapes
from engine.errors import BadSum
from tests.reference.fights import win_chance


def chain(points: int, margins: tuple[int, int], probs=(1.0, 0.0)) -> ChainFight:
    """Return a fight for a white chain at a point; (captured, saved), Black first and White."""
    moves = {BLACK: frozenset({points}), WHITE: frozenset({points})}
    return ChainFight({BLACK: probs[0], WHITE: probs[1]}, *margins, moves)


def small(game: PointGame, shapes: Shapes, first: int) -> LocalFight:
    """Return a fight without a ko whose options are at the points from ``first`` on."""
    moves = {
        color: {first + i: option for i, option in enumerate(shapes.options(game, color))}
        for color in (BLACK, WHITE)
    }
    bound = Bound(game, moves)
    return LocalFight(bound, bound)


def random_game(rng, shapes: Shapes, depth: int) -> PointGame:
    if depth == 0:
        return PointGame(0, int(rng.integers(-4, 5)))
    sides = [
        {random_game(rng, shapes, depth - 1 - int(rng.integers(2)) * (depth > 1)) for _ in range(2)}
        for _ in range(2)
    ]
    return shapes.game(sides[0], sides[1], 0)


def plain(fight, shapes: Shapes):
    """Return a fight in the form that the slow twin takes."""
    if isinstance(fight, ChainFight):
        ends = [
            [(fight.chances[color], fight.captured), (1 - fight.chances[color], fight.saved)]
            for color in (BLACK, WHITE)
        ]
        return ([ends[0]], [ends[1]])
    return plain_game(fight.lower.game, shapes)


def plain_game(game: PointGame, shapes: Shapes):
    if game.shape == 0:
        return [(1.0, game.points)]
    return tuple(
        [plain_game(option, shapes) for option in shapes.options(game, color)]
        for color in (BLACK, WHITE)
    )


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 2**32 - 1), st.sampled_from([-1.5, 0.0, 0.5, 3.0]), st.booleans())
def test_moves_and_chances_are_those_of_plain_recursion(seed, komi, black):
    rng = np.random.default_rng(seed)
    color = BLACK if black else WHITE
    shapes = Shapes(10_000)
    fights: list[LocalFight | ChainFight] = [
        small(random_game(rng, shapes, 2), shapes, 40 + 20 * i) for i in range(2)
    ]
    for i in range(2):
        good, bad = sorted(float(p) for p in rng.integers(0, 9, 2) / 8)[::-1]
        saved = int(rng.integers(-6, 2))
        fights.append(chain(100 + i, (saved + int(rng.integers(1, 9)), saved), (good, bad)))
    settled = int(rng.integers(-5, 6))
    found = best_chances(fights, settled, color, komi, shapes)
    games = [plain(fight, shapes) for fight in fights]
    expected = {}
    for i, (fight, game) in enumerate(zip(fights, games, strict=True)):
        for k, option in enumerate([] if isinstance(game, list) else game[color - 1]):
            point = 100 + i - 2 if isinstance(fight, ChainFight) else 40 + 20 * i + k
            after = [*games[:i], option, *games[i + 1 :]]
            expected[point] = win_chance(after, settled, komi, color, not black)
    assert found is not None
    assert found.chance == pytest.approx(max(expected.values()), abs=1e-9)
    best = {p for p, value in expected.items() if value >= max(expected.values()) - 1e-12}
    assert found.moves == best
    assert found.chains == 2
    assert found.fights == sum(not isinstance(game, list) for game in games)


@pytest.mark.parametrize("color", [BLACK, WHITE])
def test_the_larger_chain_comes_first_and_a_threat_before_it(color):
    shapes = Shapes(1000)
    large, smaller = chain(80, (12, -12)), chain(40, (9, -10))
    advice = best_chances([smaller, large], 0, color, 0.5, shapes)
    assert advice is not None
    assert (advice.moves, advice.fights, advice.chains) == ({80}, 2, 2)
    # {{40 | 9} | 0}: White has to answer Black's move, and would gain 9 points by moving first
    threat = shapes.game({PointGame(0, 40)}, {PointGame(0, 9)}, 0)
    sente = small(shapes.game({threat}, {PointGame(0, 0)}, 0), shapes, 60)
    advice = best_chances([chain(40, (2, -2)), large, sente], 0, BLACK, 0.5, shapes)
    assert advice is not None
    assert advice.moves == {60}  # the large chain is still there afterwards


def test_a_likely_gain_may_be_worth_more_than_a_larger_one():
    """10 points at one in five against 6 certain points: 6 first, if that is enough."""
    risky, sure = chain(80, (5, -5), (0.2, 0.0)), chain(40, (3, -3))
    advice = best_chances([risky, sure], 3, BLACK, 0.5, Shapes(1000))
    assert advice is not None
    assert advice.moves == {40}


def test_only_a_long_shot_wins_when_far_behind():
    """Black is 20 points behind, and must try the capture of 30 that works one time in ten."""
    risky, sure = chain(80, (30, 0), (0.1, 0.0)), chain(40, (4, -4))
    behind = best_chances([risky, sure], -20, BLACK, 0.5, Shapes(1000))
    ahead = best_chances([risky, sure], 2, BLACK, 0.5, Shapes(1000))
    assert behind is not None
    assert ahead is not None
    assert (behind.moves, ahead.moves) == ({80}, {40})


@pytest.mark.parametrize(
    ("margin", "komi", "chance"), [(3, 3.0, 0.5), (3, 2.5, 2 / 3), (2, 2.5, 1 / 3)]
)
@pytest.mark.parametrize("color", [BLACK, WHITE])
def test_a_level_sum_is_half_won_by_either_side(margin, komi, chance, color):
    """The mover takes one fight and the opponent the other, so the margin stays."""
    fights = [chain(80, (6, -6)), chain(40, (6, -6))]
    advice = best_chances(fights, margin, color, komi, Shapes(1000))
    assert advice is not None
    assert advice.chance == pytest.approx(chance if color == BLACK else 1 - chance, abs=1e-8)


def test_slack_is_never_level():
    for offset in (-3, 0, 1, 8):
        errors = slack(offset)
        assert all((value + offset) % 2 for value in errors.values)
        assert errors.values == errors.negated().values
        assert errors.probs == pytest.approx(errors.negated().probs)


def test_fights_that_hang_on_a_ko_give_no_advice():
    shapes = Shapes(1000)
    low = shapes.game({PointGame(0, 1)}, {PointGame(0, 0)}, 0)
    high = shapes.game({PointGame(0, 30)}, {PointGame(0, 0)}, 0)
    ko = LocalFight(small(low, shapes, 60).lower, small(high, shapes, 60).upper)
    assert best_chances([ko, chain(80, (6, -6))], 0, BLACK, 0.5, shapes) is None
    two = shapes.game({PointGame(0, 2)}, {PointGame(0, 0)}, 0)
    mild = LocalFight(small(low, shapes, 60).lower, small(two, shapes, 60).upper)
    advice = best_chances([mild, chain(80, (6, -6))], 0, BLACK, 0.5, shapes)
    assert advice == ChanceAdvice(frozenset({80}), advice.chance if advice else 0.0, 2, 1)


def test_no_advice_when_no_fight_is_left():
    done = small(PointGame(0, 3), Shapes(1), 60)
    assert best_chances([done], 0, BLACK, 0.5, Shapes(1000)) is None


def test_sums_too_large_raise(monkeypatch):
    monkeypatch.setattr(chances, "MOST_POSITIONS", 20)
    with pytest.raises(BadSum):
        best_chances([chain(80 + i, (6, -6)) for i in range(3)], 0, BLACK, 0.5, Shapes(1000))
