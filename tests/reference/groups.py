"""Groups on a full board, from their definitions: the slow twin of engine/life/groups.py.

Stones are {(column, row): color}.
"""

from tests.reference.board import chain_at, liberties_of, neighbors


def chain_of(stones, start, size):
    return frozenset(chain_at(stones, size, start))


def near(place, size):
    return set(neighbors(size, place))


def groups_of(stones, size, shared):
    """Return chains of a color put together, two by two, while any share a number of liberties."""
    chains = {chain_of(stones, place, size) for place in stones}
    held = {chain: liberties_of(stones, size, chain) for chain in chains}
    groups = {frozenset([chain]) for chain in chains}

    def touch(one, other):
        if stones[min(min(one))] != stones[min(min(other))]:
            return False
        return any(len(held[a] & held[b]) >= shared for a in one for b in other)

    while True:
        pair = next(((a, b) for a in groups for b in groups if a != b and touch(a, b)), None)
        if pair is None:
            return {frozenset().union(*group) for group in groups}
        groups = groups - set(pair) | {pair[0] | pair[1]}


def enclosed_by(stones, group, size, most):
    """Return the points of the places that a group cuts off, each up to a number of points."""
    board = {(column, row) for column in range(1, size + 1) for row in range(1, size + 1)}
    found = set()
    for start in board - group:
        place = {start}
        while True:
            more = {n for p in place for n in near(p, size)} - group - place
            if not more:
                break
            place |= more
        if len(place) <= most and any(near(p, size) & group for p in place):
            found |= place
    return found
