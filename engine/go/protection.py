"""Points inside a player's own territory that have to be filled at the end: false eyes.

When all dame are filled, some living chains are left in atari. Each has to be connected, and the
point where that happens is no territory (Nihon Ki-in 1989, commentary on article 8: moves that
become necessary once the dame are filled are played before the game is counted). The stone that
won the last ko is such a chain, too: the ko is filled.

A chain that dame connect needs nothing: the opponent could have taken them and passed instead. So a
chain counts only if it is in atari whichever side fills the dame. The slow twin is
tests/reference/protection.py.
"""

from collections.abc import Collection

from engine.go.board import BLACK, COLOR, EMPTY, SIZE, WHITE, Board
from engine.go.components import components
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
    return {color: _connections(colors, owner, color, dame, set(seki)) for color in (BLACK, WHITE)}


def _connections(
    colors: list[int], owner: list[int], color: int, dame: list[int], seki: set[int]
) -> set[int]:
    """Return where a color's chains in atari are connected, until none is left.

    colors  int[AREA], the board without dead stones
    owner   int[AREA], whose territory each point is
    """
    by_opponent, by_owner = list(colors), list(colors)
    for point in dame:
        by_opponent[point], by_owner[point] = 3 - color, color
    filled: set[int] = set()
    while True:
        still = {p for chain, liberty in _in_atari(by_owner, color) for p in chain}
        urgent = {
            liberty
            for chain, liberty in _in_atari(by_opponent, color)
            if owner[liberty] == color and still & chain and not chain & seki
        }
        if not urgent:
            return filled
        filled |= urgent
        for point in urgent:
            by_opponent[point] = by_owner[point] = color


def _in_atari(colors: list[int], color: int) -> list[tuple[set[int], int]]:
    """Return a color's chains that have one liberty, with the liberty."""
    stones = (point for point, found in enumerate(colors) if found == color)
    chains = []
    for chain in map(set, components(stones)):
        liberties = {p for stone in chain for p in neighbors(stone) if colors[p] == EMPTY}
        if len(liberties) == 1:
            chains.append((chain, min(liberties)))
    return chains
