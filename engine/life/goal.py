"""The group in question, and the region in which its life is decided.

Points far from every stone are the outside. A walk that starts there meets the stones of the
enclosed side last: the goal. The region consists of the points that the goal reaches before its
opponent, or together with it, the points that these enclose, and one more ring. Empty points
outside count as the opponent's, so a group lives by its eyes, or by reaching friends outside.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from engine.go.board import BLACK, EMPTY, WALL, WHITE
from engine.go.components import components, distances
from engine.go.geometry import neighbors, to_column_row
from engine.life.regions import (
    MASK_EXIT,
    MASK_FIRM,
    MASK_OPEN,
    MASK_PLAY,
    MASKS,
    MOST_POINTS,
    Region,
)
from engine.picture.picture import Picture, Stones


class GoalLayout(NamedTuple):
    """The regions of the questions about life and death."""

    far: int = 4  # Moves from the nearest stone: surely outside.
    shut_in: int = 12  # Larger distances from the outside count as this one.
    # Distance from the goal that a region reaches; rings around it; most liberties outside of an
    # attacking chain that belongs to the fight. The first layout that fits is used.
    layouts: tuple[tuple[int, int, int], ...] = ((3, 1, 0), (2, 1, 0), (1, 1, 0), (1, 0, 0))
    # Wider layouts, to test whether the answer holds there too.
    wider: tuple[tuple[int, int, int], ...] = ((3, 1, 1), (3, 1, 2), (3, 2, 2), (4, 2, 3))


GOAL = GoalLayout()


@dataclass(frozen=True)
class LifeQuestion:
    """A group, by its color, and the region in which it lives or dies; sets of bits of it."""

    defender: int
    region: Region
    defenders: int
    attackers: int
    group: int  # the defender's stones in question
    # Attacking stones that the group races with: it is saved when all of them are captured; 0:
    # none. In a question about returns, new stones on these points count, too
    rival: int = 0
    # Stones of chains in the region that have no bit: they touch nothing there
    left_out: Stones = frozenset()

    @property
    def goal(self) -> list[int]:
        """The points of the group's stones."""
        return self.points_of(self.group)

    def points_of(self, stones: int) -> list[int]:
        """Return the points of a set of bits."""
        return [int(self.region.points[bit]) for bit in range(64) if stones >> bit & 1]

    def bits_of(self, points: Collection[int]) -> int:
        """Return the set of bits of those points that are in the region."""
        places = enumerate(self.region.points.tolist())
        return sum(1 << bit for bit, point in places if point and point in points)

    def about(self, group: Collection[int], rival: Collection[int] = ()) -> "LifeQuestion":
        """Return the question about other stones in the same region, and a rival of them."""
        return replace(self, group=self.bits_of(group), rival=self.bits_of(rival))

    def with_outside(
        self, exits: Collection[int], firm: Collection[int] | None = None
    ) -> "LifeQuestion":
        """Return the question with another outside.

        exits  points where a stone of the group's color joins stones that save it
        firm   points where an opposing stone cannot be captured; None: as before
        """
        masks = self.region.masks.copy()
        masks[MASK_EXIT] = np.uint64(self.bits_of(exits))
        if firm is not None:
            masks[MASK_FIRM] = np.uint64(self.bits_of(firm))
        return replace(self, region=self.region._replace(masks=masks))

    @property
    def points(self) -> frozenset[int]:
        """The points of the region, with the stones that are left out."""
        return self.left_out.union(int(point) for point in self.region.points if point)


def _outside(picture: Picture) -> dict[int, int]:
    """Return the distance from the outside of every empty point that can be reached from there."""
    stones = [point for point in picture.points if not picture.is_empty(point)]
    from_stones = distances(stones, picture.is_empty)
    # On a full board the roomiest place is the outside.
    far = min(
        GOAL.far, max((from_stones.get(point, GOAL.far) for point in picture.points), default=0)
    )
    starts = [
        p for p in picture.points if picture.is_empty(p) and from_stones.get(p, GOAL.far) >= far
    ]
    return distances(starts, picture.is_empty)


def find_questions(picture: Picture) -> Iterator[LifeQuestion]:
    """Yield the groups that may be meant, the likeliest first; none when nothing fits."""
    outside = _outside(picture)
    shut_in: dict[int, int] = {}
    for point in picture.points:
        if not picture.is_empty(point):
            ways = [outside[near] + 1 for near in neighbors(point) if near in outside]
            shut_in[point] = min([GOAL.shut_in, *ways])
    sides = [{p for p in shut_in if picture.colors[p] == color} for color in (BLACK, WHITE)]

    def depth(stones: Collection[int]) -> float:
        return sum(shut_in[point] for point in stones) / len(stones)

    for side in sorted(filter(None, sides), key=depth, reverse=True):
        # Usually all stones of a color together; a part of them where the whole is too large.
        parts = sorted(_clusters(picture, side), key=depth, reverse=True)
        for stones in [side, *(map(set, parts) if len(parts) > 1 else [])]:
            layouts = (_question(picture, stones, set(outside), *layout) for layout in GOAL.layouts)
            question = next(filter(None, layouts), None)
            if question is not None:
                yield question
                break


def wider_questions(picture: Picture, question: LifeQuestion) -> Iterator[LifeQuestion]:
    """Yield the same question in larger and larger regions, as long as they fit."""
    outside = set(_outside(picture))
    last = question.points
    for layout in GOAL.wider:
        wider = _question(picture, set(question.goal), outside, *layout)
        if wider is not None and wider.points > last:
            last = wider.points
            yield wider


def _clusters(picture: Picture, side: set[int]) -> list[list[int]]:
    """Return sets of stones of a color that touch each other or the same empty points."""

    def near(stone: int) -> Iterator[int]:
        for point in neighbors(stone):
            yield point
            if picture.is_empty(point):
                yield from neighbors(point)

    return components(side, near)


def _question(
    picture: Picture, goal: set[int], outside: set[int], reach: int, rings: int, weak: int
) -> LifeQuestion | None:
    """Return the question about some stones of a color, or None if its region is too large."""
    points, is_empty = picture.points, picture.is_empty
    defender = picture.colors[next(iter(goal))]
    others = {point for point in points if picture.colors[point] == 3 - defender}
    near = distances(goal, is_empty, reach)
    from_others = distances(others, is_empty, reach)
    inner = {p for p, far in near.items() if far > 0 and far <= from_others.get(p, reach)}
    far_away = {point for point in outside if point not in near and point not in from_others}
    open_points = set(distances(far_away, lambda p: is_empty(p) and p not in inner))
    inner |= {point for point in points if is_empty(point) and point not in open_points}
    playable = inner | goal
    for _ in range(rings):
        playable |= picture.around(playable - goal, EMPTY)
    # Attacking chains with few or no liberties outside may fall, so they belong to the fight.
    for chain in picture.chains_of(others):
        rim = set(chain.liberties)
        if rim & playable and len(rim - playable) <= weak:
            playable |= chain.stones | rim
    return closed_question(picture, defender, playable)


def closed_question(picture: Picture, defender: int, playable: set[int]) -> LifeQuestion | None:
    """Return a question as ``build_question`` does, with the chains around it that may fall."""
    playable_at_first = frozenset(playable)
    add_weak(picture, playable)
    # Friends that were added belong to the fight, but not to the group in question.
    question = build_question(picture, defender, playable)
    return question and replace(
        question, group=question.group & question.bits_of(playable_at_first)
    )


def add_weak(picture: Picture, playable: set[int]) -> None:
    """Add the chains of either color without a liberty outside a region: they may fall."""
    for chain in picture.chains_of({n for p in playable for n in neighbors(p)} - playable):
        if playable.issuperset(chain.liberties):
            playable |= chain.stones


def build_question(
    picture: Picture, defender: int, playable: set[int], left_out: Stones = frozenset()
) -> LifeQuestion | None:
    """Return the question whether a color's stones in a set of points live.

    playable  points; each chain is in it as a whole or not at all, the color's with all liberties
    left_out  further stones of chains in ``playable``, which touch no other points than their chain
    returns   None when the points' box has more than MOST_POINTS bits
    """
    places = {point: to_column_row(point) for point in playable}
    low_column = min(column for column, _ in places.values())
    low = min(row for _, row in places.values())
    stride = max(column for column, _ in places.values()) - low_column + 2
    bits = {p: (row - low) * stride + column - low_column for p, (column, row) in places.items()}
    if max(bits.values()) >= MOST_POINTS:
        return None
    masks = [0] * MASKS
    stones = {EMPTY: 0, BLACK: 0, WHITE: 0}
    points = np.zeros(MOST_POINTS, np.int64)
    for point, bit in bits.items():
        one = 1 << bit
        points[bit] = point
        stones[picture.colors[point]] |= one
        masks[MASK_PLAY] |= one
        beside = set(neighbors(point)) - playable - left_out
        around = {picture.colors[n] for n in beside} - {WALL}
        if around:
            masks[MASK_OPEN] |= one
        if around & {EMPTY, 3 - defender}:
            masks[MASK_FIRM] |= one
        if defender in around:
            masks[MASK_EXIT] |= one
    region = Region(np.array(masks, np.uint64), np.array([stride], np.uint64), points)
    defenders, attackers = stones[defender], stones[3 - defender]
    return LifeQuestion(defender, region, defenders, attackers, defenders, left_out=left_out)
