"""Points inside a player's own territory that have to be filled at the end: false eyes.

When all dame are filled, some living chains are left in atari. Each has to be connected, and the
point where that happens is no territory (Nihon Ki-in 1989, commentary on article 8: moves that
become necessary once the dame are filled are played before the game is counted). The stone that
won the last ko is such a chain, too: the ko is filled. The slow twin is
tests/reference/protection.py.
"""

from collections.abc import Collection

from engine.go.board import BLACK, COLOR, EMPTY, SIZE, WHITE, Board
from engine.go.geometry import AREA, board_points, neighbors
from engine.go.scoring import NEUTRAL, point_owners


def points_to_fill(
    board: Board, dead: Collection[int] = (), seki: Collection[int] = ()
) -> dict[int, set[int]]:
    """Return by color the points of its own territory that it has to fill.

    board  uint16[BOARD_CELLS]
    dead   dead stones, which are taken off first
    seki   stones alive in seki; their chains and the dame beside them are left alone
    """
    owner = point_owners(board, dead).tolist()
    colors = board[COLOR : COLOR + AREA].tolist()
    for point in dead:
        colors[point] = EMPTY
    points = board_points(int(board[SIZE]))
    beside_seki = {near for stone in seki for near in neighbors(stone)}
    dame = [
        p for p in points if colors[p] == EMPTY and owner[p] == NEUTRAL and p not in beside_seki
    ]
    found = {}
    for color in (BLACK, WHITE):
        filled = list(colors)
        for point in dame:
            filled[point] = 3 - color
        found[color] = _connections(filled, owner, color, set(dame), set(seki))
    return found


def _connections(
    colors: list[int], owner: list[int], color: int, dame: set[int], seki: set[int]
) -> set[int]:
    """Return where a color's chains in atari are connected, until none is left.

    A chain that two dame connect needs nothing more: its owner gets one of them.
    colors  int[AREA], the board with all dame filled by the opponent; changes in place
    owner   int[AREA], whose territory each point is
    """
    filled: set[int] = set()
    while True:
        urgent = set()
        for chain, liberties in _chains(colors, color):
            if len(liberties) == 1 and not chain & seki:
                if _ways_to_connect(colors, chain, dame) < 2:
                    urgent |= {point for point in liberties if owner[point] == color}
        if not urgent:
            return filled
        filled |= urgent
        for point in urgent:
            colors[point] = color


def _ways_to_connect(colors: list[int], chain: set[int], dame: set[int]) -> int:
    """Return how many dame connect a chain with another one of its color."""
    color = colors[min(chain)]
    beside = {near for stone in chain for near in neighbors(stone)} & dame
    return sum(
        any(colors[near] == color and near not in chain for near in neighbors(point))
        for point in beside
    )


def _chains(colors: list[int], color: int) -> list[tuple[set[int], set[int]]]:
    """Return a color's chains with their liberties."""
    found = []
    seen: set[int] = set()
    for start, found_color in enumerate(colors):
        if found_color != color or start in seen:
            continue
        chain, liberties, waiting = {start}, set(), [start]
        while waiting:
            for near in neighbors(waiting.pop()):
                if colors[near] == EMPTY:
                    liberties.add(near)
                elif colors[near] == color and near not in chain:
                    chain.add(near)
                    waiting.append(near)
        seen |= chain
        found.append((chain, liberties))
    return found
