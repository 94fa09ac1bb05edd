"""The slow twin of scoring: regions as sets, counted as the rules say."""

from collections.abc import Collection

from tests.reference.board import BLACK, WHITE, Point, Stones, all_points, neighbors


def empty_regions(stones: Stones, size: int) -> list[tuple[set[Point], set[Point]]]:
    """Return each region of empty points with the stones at its border."""
    regions = []
    left = {point for point in all_points(size) if point not in stones}
    while left:
        region, frontier, border = set(), [min(left)], set()
        while frontier:
            point = frontier.pop()
            region.add(point)
            for near in neighbors(size, point):
                if near in stones:
                    border.add(near)
                elif near not in region and near not in frontier:
                    frontier.append(near)
        left -= region
        regions.append((region, border))
    return regions


def area_score(stones: Stones, size: int, dead: Collection[Point] = ()) -> int:
    """Return Black's living stones and surrounded points minus White's."""
    alive = {point: color for point, color in stones.items() if point not in dead}
    area = {color: sum(c == color for c in alive.values()) for color in (BLACK, WHITE)}
    for region, border in empty_regions(alive, size):
        owners = {alive[point] for point in border}
        if len(owners) == 1:
            area[owners.pop()] += len(region)
    return area[BLACK] - area[WHITE]


def territory_score(
    stones: Stones,
    size: int,
    captures: tuple[int, int],
    dead: Collection[Point] = (),
    seki: Collection[Point] = (),
) -> int:
    """Return Black's territory and prisoners minus White's; no territory next to seki stones."""
    alive = {point: color for point, color in stones.items() if point not in dead}
    points = {
        BLACK: captures[0] + sum(stones[p] == WHITE for p in dead),
        WHITE: captures[1] + sum(stones[p] == BLACK for p in dead),
    }
    for region, border in empty_regions(alive, size):
        owners = {alive[point] for point in border}
        if len(owners) == 1 and not border.intersection(seki):
            points[owners.pop()] += len(region)
    return points[BLACK] - points[WHITE]
