"""Sums for tests: the worked example of the notes, random ones, and their plain-list form."""

from engine.pcg.game import OutcomeDistribution, SimpleGame, Sum
from engine.pcg.halves import build_halves, win_split
from scripts.reproduce.papers.pcg.terminal import direct_scratch, sum_arrays, win_direct

D = OutcomeDistribution.of

EXAMPLE = (
    SimpleGame(D((0.6, 5), (0.4, -1)), D((0.5, 2), (0.5, -4))),
    SimpleGame(D((0.3, 8), (0.7, 1)), D((0.9, -3), (0.1, 4))),
    SimpleGame(D((0.25, 6), (0.75, -2)), D((0.8, -5), (0.2, 3))),
    SimpleGame(D((0.5, 1), (0.5, -1)), D((0.35, 0), (0.65, -7))),
)


def plain(distribution):
    """Return a distribution as the twins take it: a list of (probability, value)."""
    return list(zip(distribution.probs, distribution.values, strict=True))


def plain_games(game):
    return [(plain(subgame.left), plain(subgame.right)) for subgame in game.subgames]


def random_distribution(rng, span=9, most_points=3):
    """Return a distribution of up to ``most_points`` points, with values close together."""
    points = int(rng.integers(1, most_points + 1))
    cuts = sorted(int(cut) for cut in rng.integers(0, 17, points - 1))
    parts = [b - a for a, b in zip([0, *cuts], [*cuts, 16], strict=True)]
    return D(*[(part / 16, int(rng.integers(-span, span + 1))) for part in parts])


def random_many_point_sum(n_subgames, rng, span=9, offset=0):
    return Sum(
        tuple(
            SimpleGame(random_distribution(rng, span), random_distribution(rng, span))
            for _ in range(n_subgames)
        ),
        offset,
    )


def win_probability(game, left, method="halves"):
    """Return Left's win probability once Left has played ``left`` and Right all else."""
    n_subgames = len(game.subgames)
    right = (1 << n_subgames) - 1
    for i in left:
        right &= ~(1 << i)
    outcomes = sum_arrays(game)
    if method == "direct":
        return float(win_direct(outcomes, right, *direct_scratch(outcomes)))
    first, second = build_halves(game)
    low = n_subgames // 2
    return float(win_split(first, second, right & ((1 << low) - 1), right >> low))
