"""Groups on a full board, from their definitions: the slow twin of engine/life/groups.py.

Stones are {(column, row): color}.
"""


def near(place, size):
    column, row = place
    steps = ((column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1))
    return {step for step in steps if 1 <= min(step) and max(step) <= size}


def chain_of(stones, start, size):
    chain = {start}
    while True:
        rim = {n for place in chain for n in near(place, size)}
        more = {n for n in rim - chain if stones.get(n) == stones[start]}
        if not more:
            return frozenset(chain)
        chain |= more


def liberties_of(stones, chain, size):
    return {n for place in chain for n in near(place, size) if n not in stones}


def groups_of(stones, size, shared):
    """Return chains of a color put together, two by two, while any share a number of liberties."""
    chains = {chain_of(stones, place, size) for place in stones}
    held = {chain: liberties_of(stones, chain, size) for chain in chains}
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
