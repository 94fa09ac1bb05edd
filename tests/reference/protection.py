"""The slow twin of protection: false eyes by their definition, chains found anew for each."""

from collections.abc import Collection

from tests.reference.board import Point, Stones, neighbors
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
        boards = [{**alive, **dict.fromkeys(dame, filler)} for filler in (3 - color, color)]
        filled: set[Point] = set()
        while news := {
            point
            for start, found_color in alive.items()
            if found_color == color
            for point in _needed(boards, size, start, set(seki))
            if owner[point] == color
        }:
            filled |= news
            for board in boards:
                board.update(dict.fromkeys(news, color))
        found[color] = filled
    return found


def _needed(boards: list[Stones], size: int, start: Point, seki: set[Point]) -> set[Point]:
    """Return the last liberty of a stone's chain if it is in atari whoever fills the dame."""
    chains = [_chain(board, size, start) for board in boards]
    by_opponent, by_owner = (
        {near for stone in chain for near in neighbors(size, stone)} - board.keys()
        for board, chain in zip(boards, chains, strict=True)
    )
    if chains[0] & seki or len(by_opponent) != 1 or len(by_owner) != 1:
        return set()
    return by_opponent
