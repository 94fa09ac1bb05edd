"""Slow twin of engine.patterns: written from Stern, Herbrich & Graepel (2006), section 2.

Positions are sgfmill boards; points are (column, row) counted from 1. No numba, no increments:
patterns are dicts, moves are played on a copy, chains are found by flooding.
"""

from collections.abc import Callable, Iterable

from sgfmill.boards import Board

from engine.patterns.hashing import random_numbers
from tests.reference import board as slow
from tests.reference.ladders import OutOfBudgetError, is_captured

Point = tuple[int, int]

FIGURE_1 = """
14 14 14 14 14 14 14 14 14 14 14 14 14 14 14 14 14
14 14 14 14 14 14 14 13 13 13 14 14 14 14 14 14 14
14 14 14 14 14 14 13 13 12 13 13 14 14 14 14 14 14
14 14 14 14 14 13 12 12 11 12 12 13 14 14 14 14 14
14 14 14 14 13 12 11 11 9 11 11 12 13 14 14 14 14
14 14 14 13 12 11 10 8 6 8 10 11 12 13 14 14 14
14 14 13 12 11 10 7 5 4 5 7 10 11 12 13 14 14
14 13 13 12 11 8 5 3 2 3 5 8 11 12 13 13 14
14 13 12 11 9 6 4 2 1 2 4 6 9 11 12 13 14
14 13 13 12 11 8 5 3 2 3 5 8 11 12 13 13 14
14 14 13 12 11 10 7 5 4 5 7 10 11 12 13 14 14
14 14 14 13 12 11 10 8 6 8 10 11 12 13 14 14 14
14 14 14 14 13 12 11 11 9 11 11 12 13 14 14 14 14
14 14 14 14 14 13 12 12 11 12 12 13 14 14 14 14 14
14 14 14 14 14 14 13 13 12 13 13 14 14 14 14 14 14
14 14 14 14 14 14 14 13 13 13 14 14 14 14 14 14 14
14 14 14 14 14 14 14 14 14 14 14 14 14 14 14 14 14
"""
REACH = 24
RING = {(dx, dy): 14 for dx in range(-REACH, REACH + 1) for dy in range(-REACH, REACH + 1)}
RING.update(
    {
        (column - 8, row - 8): int(number)
        for row, line in enumerate(FIGURE_1.split("\n")[1:-1])
        for column, number in enumerate(line.split())
    }
)
SYMMETRIES: list[Callable[[int, int], Point]] = [
    lambda x, y: (x, y),
    lambda x, y: (-y, x),
    lambda x, y: (-x, -y),
    lambda x, y: (y, -x),
    lambda x, y: (-x, y),
    lambda x, y: (x, -y),
    lambda x, y: (y, x),
    lambda x, y: (-y, -x),
]
OTHER = {"b": "w", "w": "b"}


def color_at(board: Board, point: Point) -> str:
    """Return b, w, e (empty) or o (off the board)."""
    column, row = point
    if not (1 <= column <= board.side and 1 <= row <= board.side):
        return "o"
    return board.get(row - 1, column - 1) or "e"


def neighbors(point: Point) -> list[Point]:
    """Return the four points around a point."""
    column, row = point
    return [(column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1)]


def pattern_at(board: Board, point: Point, player: str) -> dict[Point, str]:
    """Return the pattern of T_14 around a point; the player to move is always Black."""
    column, row = point
    seen = {d: color_at(board, (column + d[0], row + d[1])) for d in RING}
    if player == "w":
        seen = {d: OTHER.get(color, color) for d, color in seen.items()}
    return seen


def class_keys(board: Board, point: Point, player: str, features: int) -> list[int]:
    """Return the class keys of the 14 templates: XOR per pattern, smallest of the symmetric ones.

    All of the paper's numbers except those of "empty" are the engine's own. Those of "empty" are 0
    except at one offset a ring, where they are the ring's salt for every color.
    """
    numbers, salts, feature_numbers = random_numbers()
    color_index = {"b": 0, "w": 1, "o": 2}
    found = [[0] * 15 for _ in SYMMETRIES]
    for (dx, dy), color in pattern_at(board, point, player).items():
        if color != "e":
            for symmetry, move in enumerate(SYMMETRIES):
                x, y = move(dx, dy)
                index = (y + REACH) * (2 * REACH + 1) + x + REACH
                found[symmetry][RING[dx, dy]] ^= int(numbers[color_index[color], index])
    code = 0
    for bit in range(8):
        if features >> bit & 1:
            code ^= int(feature_numbers[bit])
    keys = []
    sums = [0] * len(SYMMETRIES)
    for template in range(1, 15):
        salt = int(salts[template - 1])
        sums = [total ^ rings[template] ^ salt for total, rings in zip(sums, found, strict=True)]
        keys.append(min(sums) ^ code)
    return keys


def chain_of(board: Board, point: Point) -> set[Point]:
    """Return the stones of the chain at a point."""
    color = color_at(board, point)
    chain, border = {point}, [point]
    while border:
        for near in neighbors(border.pop()):
            if near not in chain and color_at(board, near) == color:
                chain.add(near)
                border.append(near)
    return chain


def liberties_of(board: Board, chain: Iterable[Point]) -> set[Point]:
    """Return the liberties of a chain."""
    return {near for stone in chain for near in neighbors(stone) if color_at(board, near) == "e"}


def chains_beside(board: Board, points: Iterable[Point], color: str) -> list[set[Point]]:
    """Return the different chains of a color that touch one of the points."""
    chains: list[set[Point]] = []
    for point in points:
        for near in neighbors(point):
            if color_at(board, near) == color and not any(near in chain for chain in chains):
                chains.append(chain_of(board, near))
    return chains


def in_atari(board: Board, chain: Iterable[Point]) -> bool:
    """Return whether a chain has one liberty."""
    return len(liberties_of(board, chain)) == 1


def play(board: Board, point: Point, player: str) -> Board:
    """Return the board after a move."""
    after = board.copy()
    after.play(point[1] - 1, point[0] - 1, player)
    return after


def line_of(board: Board, point: Point) -> int:
    """Return the line of a point, 1 at the edge."""
    return min(*point, board.side + 1 - point[0], board.side + 1 - point[1])


def features(board: Board, point: Point, player: str, ko: bool) -> int:
    """Return the eight binary features of a move (section 2.2), by playing it."""
    after = play(board, point, player)
    mine = min(len(liberties_of(after, chain_of(after, point))), 4) - 1
    others = []
    for chain in chains_beside(board, [point], OTHER[player]):
        captured = color_at(after, next(iter(chain))) == "e"
        others.append(0 if captured else len(liberties_of(after, chain)))
    closest = min(max(min(others, default=4), 1), 4) - 1
    escapes = False
    for stone in [(c, r) for c in range(1, board.side + 1) for r in range(1, board.side + 1)]:
        if color_at(board, stone) == player and in_atari(board, chain_of(board, stone)):
            escapes |= not in_atari(after, chain_of(after, stone))
    line = {1: 0, 2: 0, 3: 0, 4: 1, 5: 2}.get(line_of(board, point), 3)
    return mine | closest << 2 | int(ko) << 4 | int(escapes) << 5 | line << 6


def largest_match(keys: list[int], table: set[int]) -> tuple[int, int]:
    """Return the size of the largest template whose class is in the table, and its key."""
    found = [(template, key) for template, key in enumerate(keys, 1) if key in table]
    return max(found, default=(0, 0))


def distance(one: Point, other: Point) -> int:
    """Return Coulom's distance of two points."""
    dx, dy = abs(one[0] - other[0]), abs(one[1] - other[1])
    return dx + dy + max(dx, dy)


def size_class(stones: int) -> int:
    """Return 0, 1, 2 for 1, 2-3, more stones."""
    return 0 if stones == 1 else 1 if stones <= 3 else 2


def distance_class(point: Point, other: Point | None) -> int:
    """Return the class of the distance to an earlier move."""
    return 0 if other is None else min(max(distance(point, other), 1), 17)


def contact(board: Board, point: Point, player: str, last: Point | None) -> int:
    """Return the class in CONTACT."""
    if last is None or color_at(board, last) != OTHER[player]:
        return 0
    chain = chain_of(board, last)
    liberties = liberties_of(board, chain)
    if point in liberties:
        return min(len(liberties), 3) + (0 if point in neighbors(last) else 3)
    for own in chains_beside(board, [last], player):
        if point in liberties_of(board, own) and len(liberties_of(board, own)) <= 2:
            return 8
    return 7 if distance(point, last) == 3 else 0


def ladder(board: Board, point: Point, player: str) -> int:
    """Return the class in LADDER of a move that saves a chain from atari with two liberties."""
    game = slow.ReferenceGame(board.side)
    colors = {"b": slow.BLACK, "w": slow.WHITE}
    for color, (row, column) in board.list_occupied_points():
        game.stones[column + 1, row + 1] = colors[color]
    game.play(colors[player], point)
    try:
        return 1 if is_captured(game, point, True, [2000]) else 2
    except OutOfBudgetError:
        return 2


def evidence(
    board: Board,
    point: Point,
    player: str,
    last: Point | None,
    before: Point | None,
    ko: bool,
    recent_ko: Point | None,
) -> dict[str, int]:
    """Return the class in every group of engine.patterns.evidence, by playing the move.

    ko         a point is forbidden to the player now
    recent_ko  the point that the last ko taken made forbidden, if it is remembered
    """
    other = OTHER[player]
    after = play(board, point, player)
    new_chain = chain_of(after, point)
    libs = len(liberties_of(after, new_chain))
    own = chains_beside(board, [point], player)
    theirs = chains_beside(board, [point], other)
    captured = [chain for chain in theirs if color_at(after, next(iter(chain))) == "e"]
    threatened = [c for c in theirs if c not in captured and in_atari(after, c)]
    held = [c for chain in captured for c in chains_beside(board, chain, player)]
    saved = [chain for chain in own if in_atari(board, chain)]
    found = dict.fromkeys(
        ("capture", "extension", "self-atari", "atari", "links", "ko", "ladder"), 0
    )
    found["last"], found["before"] = distance_class(point, last), distance_class(point, before)
    found["contact"] = contact(board, point, player, last)
    found["line"] = min(line_of(board, point), 13)
    if captured:
        frees = bool(saved) or any(in_atari(board, chain) for chain in held)
        takes_last = any(last in chain for chain in captured)
        found["capture"] = 1 + size_class(sum(map(len, captured))) + 3 * takes_last + 6 * frees
    if saved and libs > 1:
        by_last = last is not None and color_at(board, last) == other
        by_last = by_last and any(c in saved for c in chains_beside(board, [last], player))
        stones = sum(map(len, saved))
        found["extension"] = 1 + size_class(stones) + 3 * (min(libs, 4) - 2) + 9 * by_last
        if libs == 2:
            found["ladder"] = ladder(board, point, player)
    if libs == 1:
        stones = len(new_chain)
        takes_ko = stones == 1 and sum(map(len, captured)) == 1
        found["self-atari"] = 5 if takes_ko else {1: 1, 2: 2, 3: 3, 4: 3}.get(stones, 4)
    if threatened:
        single = 1 + size_class(len(threatened[0])) + 3 * ko
        found["atari"] = 7 if len(threatened) > 1 else single
    if own or theirs:
        found["links"] = 1 + 4 * min(len(own), 3) + min(len(theirs), 3)
    if recent_ko is not None:
        apart = distance(point, recent_ko)
        found["ko"] = 3 if apart <= 5 else 4 if apart <= 10 else 5
        if point == recent_ko:
            found["ko"] = 1 if sum(map(len, captured)) == 1 else 2
    return found
