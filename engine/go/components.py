"""Walks from point to point: connected components of points, and distances.

These are for Python, where a few calls a move are made. Kernels flood regions of the board
(``scoring.fill_region``) or bits (``engine/life/regions.py``).
The slow twins are in tests/reference/components.py.
"""

from collections import deque
from collections.abc import Callable, Iterable

from engine.go.geometry import neighbors


def components(
    points: Iterable[int], near: Callable[[int], Iterable[int]] = neighbors
) -> list[list[int]]:
    """Return the connected components of some points, by their least points.

    A component's points come in the order of a depth-first walk from the least one.
    near  tells which points are joined with one; it may name others. It has to be symmetric
    """
    found = []
    left = set(points)
    for start in sorted(left):
        if start not in left:
            continue
        left.remove(start)
        component, waiting = [], [start]
        while waiting:
            component.append(point := waiting.pop())
            for other in near(point):
                if other in left:
                    left.remove(other)
                    waiting.append(other)
        found.append(component)
    return found


def distances(
    starts: Iterable[int], may_enter: Callable[[int], bool], most: int = 1 << 30
) -> dict[int, int]:
    """Return how many steps every point is away that can be entered, up to ``most``.

    starts     points at distance 0, entered whatever is there
    may_enter  asked about the neighbors of points that were entered
    """
    found = dict.fromkeys(starts, 0)
    waiting = deque(found)
    while waiting:
        point = waiting.popleft()
        if found[point] == most:
            continue
        for near in neighbors(point):
            if near not in found and may_enter(near):
                found[near] = found[point] + 1
                waiting.append(near)
    return found
