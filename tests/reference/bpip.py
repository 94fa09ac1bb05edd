"""Slow twin of engine.belief: enumeration of every configuration of leaf values.

Written from Baum (1993). A leaf is a dict {value: probability}; an inner node a list; the root
is MAX and players alternate. Leaves are named by their path, a tuple of child numbers.
"""

import itertools


def leaves_of(node, path=()):
    if isinstance(node, dict):
        return {path: node}
    found = {}
    for i, child in enumerate(node):
        found.update(leaves_of(child, (*path, i)))
    return found


def value_of(node, known, path=(), is_max=True):
    if isinstance(node, dict):
        return known[path]
    values = [value_of(c, known, (*path, i), not is_max) for i, c in enumerate(node)]
    return max(values) if is_max else min(values)


def configurations(leaves):
    """Yield (probability, {leaf: value}) for every assignment of one value to each leaf."""
    for choice in itertools.product(*(leaf.items() for leaf in leaves.values())):
        probability = 1.0
        for _, mass in choice:
            probability *= mass
        yield probability, dict(zip(leaves, (value for value, _ in choice), strict=True))


def move_values(root, known):
    return [value_of(child, known, (i,), False) for i, child in enumerate(root)]


def mean_moves(root, leaves):
    means = [0.0] * len(root)
    for probability, known in configurations(leaves):
        for i, value in enumerate(move_values(root, known)):
            means[i] += probability * value
    return means


def expected_best(root, leaves):
    return sum(p * max(move_values(root, known)) for p, known in configurations(leaves))


def utility(root, leaves=None, played=None):
    """U; of playing one move now instead of the best mean, if ``played`` names one."""
    leaves = leaves or leaves_of(root)
    means = mean_moves(root, leaves)
    return expected_best(root, leaves) - (max(means) if played is None else means[played])


def ess(root, leaf):
    """Return the expected absolute change of U when a leaf becomes known."""
    leaves = leaves_of(root)
    total = utility(root)
    left = {value: utility(root, {**leaves, leaf: {value: 1.0}}) for value in leaves[leaf]}
    return sum(mass * abs(total - left[value]) for value, mass in leaves[leaf].items())


def shares_on_grid(grid, value):
    """Return {place: share} of a value on a rising grid; the ends take values beyond it."""
    if value <= grid[0]:
        return {0: 1.0}
    if value >= grid[-1]:
        return {len(grid) - 1: 1.0}
    right = next(k for k, point in enumerate(grid) if point >= value)
    share = (value - grid[right - 1]) / (grid[right] - grid[right - 1])
    return {right - 1: 1.0 - share, right: share}
