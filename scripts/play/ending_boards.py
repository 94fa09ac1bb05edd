"""Random late endings: small open rooms between chains that live by two eyes each.

Colors spread over the board from a few random seeds, and every chain gets two one-point eyes. Rooms
of a few points, some with stones in them, are cut where the colors meet or inside one color. Large
rooms hold one chain that is connected or captured.
"""

import random
from collections.abc import Set
from typing import NamedTuple

from engine import BLACK, EMPTY, WHITE

Point = tuple[int, int]  # column and row, from 1
Cells = dict[Point, int]

LARGE_CHAIN = (8, 12)
"""Stones of the chain in a large room, from and to."""


class Ending(NamedTuple):
    """A position: the color of each point, the points of eyes, and the open rooms."""

    size: int
    cells: Cells
    eyes: frozenset[Point]
    rooms: tuple[frozenset[Point], ...]


def near(size: int, point: Point) -> list[Point]:
    """Return the points next to a point."""
    column, row = point
    around = ((column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1))
    return [(c, r) for c, r in around if 1 <= c <= size and 1 <= r <= size]


def make_ending(
    size: int,
    fights: int,
    most_open: int,
    random_numbers: random.Random,
    bands: bool = False,
    large: int = 0,
) -> Ending | None:
    """Return a random ending with a number of rooms; None when this attempt failed.

    most_open  points of all rooms together at most
    bands      whether the colors lie in bands, for many fights on a large board
    large      how many rooms are large; they come first
    """
    cells = _bands(size, random_numbers) if bands else _spread(size, random_numbers)
    rooms: list[frozenset[Point]] = []
    stones: Cells = {}
    # On 9x9 only about 2 in 100 walks of a chain work out (34 of 2,000 tried).
    for _ in range(400 * large):
        made = _large_room(size, cells, random_numbers) if len(rooms) < large else None
        if made is not None and not _touches(size, made[0], rooms):
            rooms.append(made[0])
            stones |= made[1]
    # A board without all the large chains that the caller asked for is of no use.
    if len(rooms) < large:
        return None
    _add_rooms(size, cells, rooms, fights, random_numbers)
    open_points = frozenset().union(*rooms)
    if len(rooms) < fights or len(open_points) > most_open:
        return None
    eyes: set[Point] = set()
    for chain in _chains(size, cells, open_points):
        found = _eyes_for(size, cells, chain, eyes, random_numbers)
        if found is None:
            return None
        eyes |= found
    for point in eyes:
        cells[point] = EMPTY
    for point in open_points:
        if point in stones:
            continue
        kind = random_numbers.random()
        cells[point] = EMPTY if kind < 0.65 else BLACK if kind < 0.825 else WHITE
    cells |= stones
    ending = Ending(size, cells, frozenset(eyes), tuple(rooms))
    # Random stones in a room may have taken each other's last liberty.
    return ending if _stands(ending) else None


def _spread(size: int, random_numbers: random.Random) -> Cells:
    """Return a color for every point: that of the nearest of some seeds."""
    count = random_numbers.randint(2, 3 + size // 4)
    seeds = [
        (random_numbers.uniform(1, size), random_numbers.uniform(1, size), color)
        for color in (BLACK, WHITE)
        for _ in range(count)
    ]
    return {
        (c, r): min((abs(c - x) ** 1.5 + abs(r - y) ** 1.5, color) for x, y, color in seeds)[1]
        for c in range(1, size + 1)
        for r in range(1, size + 1)
    }


def _bands(size: int, random_numbers: random.Random) -> Cells:
    """Return bands of four or five rows with alternating colors."""
    cells: Cells = {}
    color = random_numbers.choice((BLACK, WHITE))
    row = 1
    while row <= size:
        height = random_numbers.choice((4, 5))
        last = size if size - row - height < 3 else row + height - 1
        cells |= {(c, r): color for r in range(row, last + 1) for c in range(1, size + 1)}
        row, color = last + 1, 3 - color
    return cells


def _large_room(
    size: int, cells: Cells, random_numbers: random.Random
) -> tuple[frozenset[Point], Cells] | None:
    """Return a room with a chain that is connected or captured at one point, and its stones.

    The chain winds through the other color's area. Each point of the room touches a stone of that
    color outside. The side that captures the chain therefore owns the room, because no stone of its
    color could live there.
    """
    # The point that decides: an own stone there connects the chain to its color outside, and an
    # enemy stone takes the last way out.
    gate = random_numbers.choice(sorted(cells))
    color = random_numbers.choice((BLACK, WHITE))
    if all(cells[q] != color for q in near(size, gate)):
        return None
    chain: list[Point] = []
    length = random_numbers.randint(*LARGE_CHAIN)
    while len(chain) < length:
        end = chain[-1] if chain else gate
        steps = [
            q
            for q in near(size, end)
            if q not in chain and all(cells[p] != color for p in (q, *near(size, q)) if p != gate)
        ]
        if not steps:
            return None
        chain.append(random_numbers.choice(steps))
    outside = sorted({q for p in chain for q in near(size, p)} - {gate, *chain})
    liberties = random_numbers.sample(outside, random_numbers.randint(0, 2))
    room = frozenset([gate, *chain, *liberties])
    for point in room:
        # An inner point could become an eye of the chain's color after a capture.
        if all(q in room or cells[q] == color for q in near(size, point)):
            return None
    return room, {p: color if p in chain else EMPTY for p in room}


def _add_rooms(
    size: int,
    cells: Cells,
    rooms: list[frozenset[Point]],
    fights: int,
    random_numbers: random.Random,
) -> None:
    """Add connected rooms that do not touch each other, two in three where colors meet."""
    points = sorted(cells)
    for _ in range(40 * fights):
        if len(rooms) == fights:
            break
        start = random_numbers.choice(points)
        # Rooms inside one color mostly hold nothing to fight for, so few are made.
        mixed = len({cells[p] for p in near(size, start)}) == 2
        if not mixed and random_numbers.random() < 0.9:
            continue
        room = {start}
        for _ in range(random_numbers.choice((0, 1, 1, 2, 2, 3))):
            edge = sorted({q for p in room for q in near(size, p)} - room)
            room.add(random_numbers.choice(edge))
        if not _touches(size, room, rooms):
            rooms.append(frozenset(room))


def _touches(size: int, room: Set[Point], rooms: list[frozenset[Point]]) -> bool:
    """Return whether a room shares a point with others, or lies next to one of them."""
    around = room.union(*(near(size, p) for p in room))
    return any(around & other for other in rooms)


def _chains(size: int, cells: Cells, open_points: frozenset[Point]) -> list[set[Point]]:
    """Return the connected points of one color outside the rooms."""
    chains: list[set[Point]] = []
    known: set[Point] = set(open_points)
    for start in sorted(cells):
        if start in known:
            continue
        chain, frontier = {start}, [start]
        while frontier:
            for q in near(size, frontier.pop()):
                if cells[q] == cells[start] and q not in chain and q not in open_points:
                    chain.add(q)
                    frontier.append(q)
        chains.append(chain)
        known |= chain
    return chains


def _eyes_for(
    size: int, cells: Cells, chain: set[Point], eyes: set[Point], random_numbers: random.Random
) -> set[Point] | None:
    """Return two points to be eyes of a chain that stays connected; None if there are none."""
    # Inside the chain only, so that no other color ever touches an eye. Sorted, because a set has
    # no order and the same seed must make the same boards.
    inner = [p for p in sorted(chain) if all(q in chain for q in near(size, p))]
    random_numbers.shuffle(inner)
    found: set[Point] = set()
    for point in inner:
        if len(found) == 2:
            break
        rest = chain - found - {point}
        # Two adjacent eyes would be one.
        touching = any(q in found for q in near(size, point))
        if rest and not touching and _is_connected(size, rest):
            found.add(point)
    return found if len(found) == 2 else None


def _is_connected(size: int, points: set[Point]) -> bool:
    found, frontier = {min(points)}, [min(points)]
    while frontier:
        for q in near(size, frontier.pop()):
            if q in points and q not in found:
                found.add(q)
                frontier.append(q)
    return len(found) == len(points)


def _stands(ending: Ending) -> bool:
    """Return whether every chain has a liberty."""
    # Any chain, also inside rooms, because a board cannot be set up otherwise.
    stones = {p for p, color in ending.cells.items() if color != EMPTY}
    while stones:
        chain, frontier = set(), [min(stones)]
        breath = False
        while frontier:
            point = frontier.pop()
            if point in chain:
                continue
            chain.add(point)
            for q in near(ending.size, point):
                breath |= ending.cells[q] == EMPTY
                if ending.cells[q] == ending.cells[point]:
                    frontier.append(q)
        if not breath:
            return False
        stones -= chain
    return True


def picture(ending: Ending) -> list[str]:
    """Return the rows of a diagram, the highest first: X Black, O White."""
    size = ending.size
    return [
        "".join(".XO"[ending.cells[c, r]] for c in range(1, size + 1)) for r in range(size, 0, -1)
    ]
