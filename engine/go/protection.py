"""False eyes: points inside a player's own territory that must be filled at the end.

When all dame are filled, some living chains are left in atari. Each must be connected, and its
connecting point is not territory (Nihon Ki-in 1989, commentary on article 8). The stone that won
the last ko is such a chain. A chain counts only if it is in atari whichever side fills the dame,
because the opponent could take those that connect it. The slow twin is
tests/reference/protection.py.
"""

from collections.abc import Collection

from engine.go.board import BLACK, COLOR, EMPTY, WHITE, Board, Mask
from engine.go.components import components
from engine.go.geometry import AREA, neighbors
from engine.go.scoring import NEUTRAL


def points_to_fill(
    board: Board, owner: Mask, dead: Collection[int] = (), seki: Collection[int] = ()
) -> dict[int, set[int]]:
    """Return by color the points of its own territory that it must fill.

    owner  of each point without the dead stones, as ``scoring.point_owners`` returns it
    dead   dead stones, which are removed first
    seki   stones alive in seki; their chains and the adjacent dame are left alone
    """
    owners, colors = owner.tolist(), board[COLOR : COLOR + AREA].tolist()
    for point in dead:
        colors[point] = EMPTY
    beside_seki = {near for stone in seki for near in neighbors(stone)}
    dame = [p for p, o in enumerate(owners) if o == NEUTRAL and p not in beside_seki]
    return {color: _connections(colors, owners, color, dame, set(seki)) for color in (BLACK, WHITE)}


def _connections(
    colors: list[int], owner: list[int], color: int, dame: list[int], seki: set[int]
) -> set[int]:
    """Return the connecting points of a color's chains in atari, until none is in atari."""
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
    """Return a color's chains with one liberty, and that liberty."""
    stones = (point for point, owner in enumerate(colors) if owner == color)
    chains = []
    for chain in map(set, components(stones)):
        liberties = {p for stone in chain for p in neighbors(stone) if colors[p] == EMPTY}
        if len(liberties) == 1:
            chains.append((chain, min(liberties)))
    return chains
