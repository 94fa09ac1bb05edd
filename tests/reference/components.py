"""Components and distances by slow and obvious means: merged sets, counted steps.

Twins of engine/go/components.py; points are (column, row).
"""

from collections.abc import Callable, Collection

Place = tuple[int, int]


def components(
    points: Collection[Place], joined: Callable[[Place, Place], bool]
) -> set[frozenset[Place]]:
    """Return the connected components: single points, merged until no two are joined."""
    found = {frozenset([point]) for point in points}
    while True:
        for one in found:
            for other in found - {one}:
                if any(joined(a, b) for a in one for b in other):
                    found = found - {one, other} | {one | other}
                    break
            else:
                continue
            break
        else:
            return found


def touch(one: Place, other: Place) -> bool:
    """Return whether two points are neighbors on a board."""
    return abs(one[0] - other[0]) + abs(one[1] - other[1]) == 1


def distances(
    starts: Collection[Place], enterable: Collection[Place], most: int
) -> dict[Place, int]:
    """Return the points by number of steps: those of no step, of one, of two, and so on."""
    found = dict.fromkeys(starts, 0)
    for step in range(1, most + 1):
        reached = {p for p in enterable if any(touch(p, q) for q in found)} - set(found)
        found |= dict.fromkeys(reached, step)
    return found
