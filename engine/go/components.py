"""Walks from point to point: connected components of points, and distances.

For Python callers; kernels flood regions of the board (``scoring.fill_region``) or bits
(``engine/life/regions.py``). The slow twins are in tests/reference/components.py.
"""

from collections import deque
from collections.abc import Callable, Iterable

from engine.go.geometry import neighbors


def components(
    points: Iterable[int], near: Callable[[int], Iterable[int]] = neighbors
) -> list[list[int]]:
    """Return the connected components of some points, ordered by their smallest points.

    A component's points come in the order of a depth-first walk from the smallest one.
    near  returns the points adjacent to one; it may name others. It must be symmetric
    """
    parts = []
    unvisited = set(points)
    for start in sorted(unvisited):
        if start not in unvisited:
            continue
        unvisited.remove(start)
        component, waiting = [], [start]
        while waiting:
            component.append(point := waiting.pop())
            for other in near(point):
                if other in unvisited:
                    unvisited.remove(other)
                    waiting.append(other)
        parts.append(component)
    return parts


def distances(
    starts: Iterable[int], may_enter: Callable[[int], bool], most: int = 1 << 30
) -> dict[int, int]:
    """Return the distance in steps of every point that can be entered, up to ``most``.

    starts     points at distance 0, entered without a test
    may_enter  called for the neighbors of points that were entered
    """
    steps = dict.fromkeys(starts, 0)
    waiting = deque(steps)
    while waiting:
        point = waiting.popleft()
        if steps[point] == most:
            continue
        for near in neighbors(point):
            if near not in steps and may_enter(near):
                steps[near] = steps[point] + 1
                waiting.append(near)
    return steps
