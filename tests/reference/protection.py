"""The slow twin of protection: false eyes by their definition, chains found anew for each."""

from collections.abc import Collection

from tests.reference.board import Point, Stones, all_points, neighbors
from tests.reference.scoring import empty_regions


def _chain(stones: Stones, size: int, start: Point) -> set[Point]:
    chain = {start}
    while True:
        wider = {n for p in chain for n in neighbors(size, p) if stones.get(n) == stones[start]}
        if wider <= chain:
            return chain
        chain |= wider


def points_to_fill(
    stones: Stones, size: int, dead: Collection[Point] = (), seki: Collection[Point] = ()
) -> dict[int, set[Point]]:
    """Return by color (1, 2) the own territory that has to be filled once all dame are."""
    alive = {point: color for point, color in stones.items() if point not in dead}
    owner: dict[Point, int] = {}
    for region, border in empty_regions(alive, size):
        colors = {alive[point] for point in border}
        owner.update(dict.fromkeys(region, colors.pop() if len(colors) == 1 else 0))
    shared = {n for stone in seki for n in neighbors(size, stone)}
    dame = {point for point, color in owner.items() if color == 0} - shared
    found = {}
    for color in (1, 2):
        board = {**alive, **dict.fromkeys(dame, 3 - color)}
        filled: set[Point] = set()
        while news := {
            point
            for start in all_points(size)
            if board.get(start) == color
            for point in _needed(board, size, _chain(board, size, start), dame, set(seki))
            if owner[point] == color
        }:
            filled |= news
            board.update(dict.fromkeys(news, color))
        found[color] = filled
    return found


def _needed(
    board: Stones, size: int, chain: set[Point], dame: set[Point], seki: set[Point]
) -> set[Point]:
    """Return the last liberty of a chain, unless two dame connect it."""
    color = board[min(chain)]
    around = {near for point in chain for near in neighbors(size, point)}
    liberties = {point for point in around if point not in board}
    ways = [
        point
        for point in around & dame
        if any(board.get(n) == color and n not in chain for n in neighbors(size, point))
    ]
    return liberties if len(liberties) == 1 and len(ways) < 2 and not chain & seki else set()
