"""The slow twin of sums of fights: every game of a small board, by the rules alone.

Also plain recursion over sums of local games, where passing is a move like any other.
"""

from functools import cache

from tests.reference.board import BLACK, all_points, chain_at, liberties_of, neighbors, result_of


def moves(stones, size, color, open_points):
    """Yield (point, stones after it as items) for the sensible moves; None is a pass."""
    stones = dict(stones)
    yield None, frozenset(stones.items())
    for point in all_points(size):
        if point in stones or point not in open_points:
            continue
        if all(stones.get(near) == color for near in neighbors(size, point)):
            chains = {frozenset(chain_at(stones, size, near)) for near in neighbors(size, point)}
            if all(len(liberties_of(stones, size, set(chain))) > 1 for chain in chains):
                continue  # fills an own point and saves nothing
        after, _, lost = result_of(stones, size, color, point)
        if not lost:
            yield point, frozenset(after.items())


def sum_margin(games, color, passes=0):
    """The margin of a sum of local games; two passes end it, each game as it stands.

    A game is (black options, white options, margin when both stop), options being tuples of games.
    """
    return _sum_margin(tuple(sorted(games)), color, passes)


@cache
def _sum_margin(games, color, passes):
    if passes == 2:
        return sum(margin for _, _, margin in games)
    found = [_sum_margin(games, 3 - color, passes + 1)]
    for i, game in enumerate(games):
        for option in game[color - 1]:
            rest = tuple(sorted([option, *games[:i], *games[i + 1 :]]))
            found.append(_sum_margin(rest, 3 - color, 0))
    return max(found) if color == BLACK else min(found)
