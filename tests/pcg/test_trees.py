import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import BadSum
from engine.pcg.exact import solve
from engine.pcg.game import OutcomeDistribution, Sum, random_sum
from engine.pcg.trees import Branch, mirrored, solve_trees
from tests.pcg.sums import EXAMPLE, plain, random_distribution
from tests.reference.pcg import tree_value


def point(value):
    return OutcomeDistribution.of((1.0, value))


def plain_tree(game):
    if isinstance(game, OutcomeDistribution):
        return plain(game)
    return ([plain_tree(g) for g in game.left], [plain_tree(g) for g in game.right])


def random_tree(rng, depth):
    if depth == 0 or rng.random() < 0.3:
        return random_distribution(rng, span=6, most_points=2)
    return Branch(
        tuple(random_tree(rng, depth - 1) for _ in range(int(rng.integers(1, 3)))),
        tuple(random_tree(rng, depth - 1) for _ in range(int(rng.integers(1, 3)))),
    )


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 2**32 - 1), st.integers(1, 3), st.integers(-3, 3))
def test_agrees_with_minimax(seed, n_games, offset):
    rng = np.random.default_rng(seed)
    games = tuple(random_tree(rng, 2 if n_games < 3 else 1) for _ in range(n_games))
    plain_games = [plain_tree(game) for game in games]
    solution = solve_trees(games, offset)
    assert solution.value == pytest.approx(tree_value(plain_games, True, offset), abs=1e-12)
    for i, (game, values) in enumerate(zip(plain_games, solution.first_moves, strict=True)):
        options = [] if isinstance(game, list) else game[0]
        for option, value in zip(options, values, strict=True):
            after = tree_value([*plain_games[:i], option, *plain_games[i + 1 :]], False, offset)
            assert value == pytest.approx(after, abs=1e-12)
    if solution.subgame >= 0:
        option = plain_games[solution.subgame][0][solution.option]
        plain_games[solution.subgame] = option
        after = tree_value(plain_games, False, offset)
        assert after == pytest.approx(solution.value, abs=1e-12)
    mirror = solve_trees(tuple(mirrored(game) for game in games), 1 - offset)
    plain_games = [plain_tree(game) for game in games]
    assert mirror.value == pytest.approx(1 - tree_value(plain_games, False, offset), abs=1e-12)


@pytest.mark.parametrize("n_subgames", [1, 2, 5, 8])
def test_simple_games_are_the_two_level_case(n_subgames):
    game = random_sum(n_subgames, np.random.default_rng(n_subgames))
    trees = tuple(Branch((g.left,), (g.right,)) for g in game.subgames)
    solution, expected = solve_trees(trees), solve(game)
    assert solution.value == pytest.approx(expected.value, abs=1e-12)
    assert (solution.subgame, solution.option) == (expected.best, 0)


def test_worked_example():
    trees = tuple(Branch((g.left,), (g.right,)) for g in EXAMPLE)
    assert solve_trees(trees).value == pytest.approx(0.436875, abs=1e-12)
    assert Sum(EXAMPLE).offset == 0


def test_sente_is_played_before_gote():
    # 10 points threatened: Left's move into it gains nothing unless Right fails to answer
    sente = Branch((Branch((point(10),), (point(1),)),), (point(0),))
    gote = Branch((point(2),), (point(-2),))
    # first the sente (+1), answered, then the gote (+2): 3; gote first: 2, then Right takes 0
    assert solve_trees((sente, gote), offset=-2).value == 1.0
    assert solve_trees((sente, gote), offset=-2).subgame == 0
    assert solve_trees((sente, gote), offset=-3).value == 0.0


def test_finished_games_only():
    coin = OutcomeDistribution((-1, 1), (0.5, 0.5))
    solution = solve_trees((coin, coin), offset=1)
    assert (solution.value, solution.subgame, solution.option) == (0.75, -1, -1)


def test_refusals():
    with pytest.raises(BadSum, match="option"):
        Branch((), (point(1),))
    with pytest.raises(BadSum, match="at least one"):
        solve_trees(())
    deep = point(0)
    for _ in range(5):
        deep = Branch((deep,), (deep,))
    with pytest.raises(BadSum, match="positions are more"):
        solve_trees((deep,) * 40)
