"""Slow twin of engine.patterns.owner_facts, from single roll-outs."""

from collections.abc import Callable
from typing import NamedTuple

from tests.reference.board import Point, Stones, chain_at, neighbors

NONE = 400


class Rollout(NamedTuple):
    """The owner of each point, and the side that played there first: 1 the mover's, -1, or 0."""

    owner: dict[Point, int]
    first: dict[Point, int]


def within(point: Point, reach: int, points: dict[Point, int]) -> list[Point]:
    """Return the points within some lines of one."""
    return [p for p in points if max(abs(p[0] - point[0]), abs(p[1] - point[1])) <= reach]


def gain(rollouts: list[Rollout], side: int, point: Point, of: Callable[[Rollout], int]) -> float:
    """Return what a side gains by the first move at a point, with four mean roll-outs added."""
    mean = sum(map(of, rollouts)) / len(rollouts)
    own = [of(one) - mean for one in rollouts if one.first[point] == side]
    return sum(own) / (len(own) + 4)


def facts(
    board: Stones,
    size: int,
    mover: tuple[int, Point | None],
    rollouts: list[Rollout],
    values: dict[Point, float],
    point: Point,
) -> list[float]:
    """Return all facts about one of the contenders, whose values are given, before rounding.

    mover  its color, and the other color's last move
    """
    color, last = mover
    points = rollouts[0].owner
    owner = {p: sum(one.owner[p] for one in rollouts) / len(rollouts) for p in points}
    stones = {side: [p for p in points if board.get(p) == side] for side in (1, 2)}

    def status(stone: Point) -> float:
        chain = chain_at(board, size, stone)
        return sum(owner[p] for p in chain) / len(chain)

    def free(reach: int) -> float:
        return sum(1 - abs(owner[p]) for p in within(point, reach, points))

    def difference(of: Callable[[Rollout], int]) -> float:
        return gain(rollouts, 1, point, of) - gain(rollouts, -1, point, of)

    def far(other: Point) -> Callable[[Rollout], int]:
        return lambda one: sum(one.owner[p] for p in within(other, 4, points))

    def swing(other: Point) -> int:
        own, theirs = (gain(rollouts, side, other, far(other)) for side in (1, -1))
        return round(16 * (own - theirs))

    region = []
    for reach in (2, 4):
        own = [owner[p] for p in within(point, reach, points) if p in stones[color]]
        other = [owner[p] for p in within(point, reach, points) if p in stones[3 - color]]
        region += [256 * sum(x) / len(x) if x else NONE for x in (own, other)]
        region += [8 * free(reach), 8 * (len(own) - sum(own)), 8 * (len(other) + sum(other))]
    beside = neighbors(size, point)
    ordered = sorted(values.values(), reverse=True)
    return [
        free(size),
        256 * owner[point],
        256 * min([2.0, *(status(p) for p in beside if p in stones[color])]),
        256 * max([-2.0, *(status(p) for p in beside if p in stones[3 - color])]),
        *region,
        64 * free(1),
        16 * difference(lambda one: sum(one.owner.values())),
        256 * sum(one.first[point] for one in rollouts) / len(rollouts),
        swing(point),
        16 * gain(rollouts, 1, point, far(point)),
        32 * difference(lambda one: sum(one.owner[p] for p in within(point, 2, points))),
        256 * status(last) if last in board else NONE,
        256 * (ordered[0] - values[point]),
        sum(value > values[point] for value in values.values()),
        256 * min(ordered[0] - ordered[1], 100.0) if len(ordered) > 1 else 25600,
        sum(swing(other) > swing(point) for other in values),
    ]
