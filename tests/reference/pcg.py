"""Slow twins of engine.pcg, written from Zhao & Mueller with recursion and dictionaries only.

A distribution is a list of (probability, value); a simple game a pair (left, right) of them.
"""

from itertools import combinations, product
from math import comb, prod


def terminal_value(distributions, offset=0):
    """P(offset + sum > 0) by Formula (1)."""
    return sum(
        prod(p for p, _ in choice)
        for choice in product(*distributions)
        if offset + sum(v for _, v in choice) > 0
    )


def game_value(games, left=frozenset(), right=frozenset(), offset=0):
    """Minimax over all move sequences, no transpositions: Left's win probability."""
    n = len(games)
    open_games = set(range(n)) - left - right
    if not open_games:
        return terminal_value([games[i][0 if i in left else 1] for i in range(n)], offset)
    if len(left) == len(right):
        return max(game_value(games, left | {i}, right, offset) for i in open_games)
    return min(game_value(games, left, right | {i}, offset) for i in open_games)


def table_value(games, offset=0):
    """The same by a table in base 3 (open, Left's, Right's); returns every position's value."""
    n = len(games)
    values = {}
    for code in range(3**n - 1, -1, -1):
        digits = [code // 3**i % 3 for i in range(n)]
        lead = digits.count(1) - digits.count(2)
        if lead not in (0, 1):
            continue
        if 0 not in digits:
            values[code] = terminal_value([games[i][d - 1] for i, d in enumerate(digits)], offset)
            continue
        digit, best = (1, max) if lead == 0 else (2, min)
        values[code] = best(values[code + digit * 3**i] for i in range(n) if digits[i] == 0)
    return values


def interior_value(games, left, right, offset=0):
    """P'_w: the mean value of all finished sums below a position (Section 3.2)."""
    n = len(games)
    open_games = sorted(set(range(n)) - left - right)
    missing = (n + 1) // 2 - len(left)
    total = 0.0
    for more in combinations(open_games, missing):
        mine = left | set(more)
        total += terminal_value([games[i][0 if i in mine else 1] for i in range(n)], offset)
    return total / comb(len(open_games), missing)


def frontier_value(games, left, right, depth, offset=0):
    """Minimax to a depth; unfinished positions there count their interior value (Section 4)."""
    n = len(games)
    open_games = set(range(n)) - left - right
    if depth == 0 or not open_games:
        return interior_value(games, left, right, offset)
    if len(left) == len(right):
        return max(frontier_value(games, left | {i}, right, depth - 1, offset) for i in open_games)
    return min(frontier_value(games, left, right | {i}, depth - 1, offset) for i in open_games)
