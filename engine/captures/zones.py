"""Relevance zones: why a proof found with few replies holds against every legal reply.

A zone Z of a proved position P is a set of points. The same attack must still work in every
position P' that agrees with P on Z and has the attacking chains of P that touch Z. A reply outside
the zone of the proof against a *pass* leads to such a P' and need not be tried. Zones are built
from the leaves of a proof upwards. Each contains

* the goal chain and its rim, so that the goal chain has the same liberties in P';
* a liberty of every attacking chain that touches it (``seal``), so that moves outside Z capture
  nothing that touches Z;
* a captured chain that touches it, with its rim: the defender can save it neither by a connection
  nor by a capture next to it;
* the attacker's move, the own stones next to it and a liberty, so that it is legal in P' too;
* the points that make a reply suicide (``add_suicide``): it must stay illegal.

Source: Shih et al. 2021 and Wu et al., relevance zones for goals in Go, with conditions of our own
for capture goals. Ko needs no condition: stones that were just captured touch the zone or do not
matter to it. The independent check is scripts/check/proofs.py. A zone is a bit set,
uint8[ZONE_BYTES]; the attacker's color is 3 - the goal chain's color.
"""

import numpy as np

from engine.captures.goals import Zone
from engine.go.board import COLOR, EMPTY, WALL, Board
from engine.go.chains import chain_size, is_in_atari, next_stone
from engine.go.geometry import STRIDE, neighbors
from engine.jit import kernel
from engine.proof.graph import ZONE_BYTES


@kernel
def has_point(zone: Zone, point: int) -> bool:
    """Return whether a point is in a zone."""
    return (zone[point >> 3] >> (point & 7)) & 1 != 0


@kernel
def add_point(zone: Zone, point: int) -> None:
    """Add a point to a zone, in place."""
    zone[point >> 3] |= 1 << (point & 7)


@kernel
def add_zone(zone: Zone, other: Zone) -> None:
    """Add all points of another zone, in place."""
    for i in range(ZONE_BYTES):
        zone[i] |= other[i]


@kernel
def add_chain(board: Board, point: int, zone: Zone) -> None:
    """Add a chain and its rim, the points next to it that are on the board."""
    stone = np.int64(point)
    for _ in range(chain_size(board, point)):
        add_point(zone, stone)
        for near in neighbors(stone):
            if board[COLOR + near] != WALL:
                add_point(zone, near)
        stone = next_stone(board, stone)


@kernel
def touches(board: Board, point: int, zone: Zone) -> bool:
    """Return whether a chain has a stone in a zone."""
    stone = np.int64(point)
    for _ in range(chain_size(board, point)):
        if has_point(zone, stone):
            return True
        stone = next_stone(board, stone)
    return False


@kernel
def give_liberty(board: Board, chain: int, without: int, goal: int, zone: Zone) -> None:
    """Ensure that a chain has a liberty in a zone, not at ``without``: the nearest to the goal."""
    best = 0
    best_distance = np.int64(1 << 30)
    stone = np.int64(chain)
    for _ in range(chain_size(board, chain)):
        for near in neighbors(stone):
            if board[COLOR + near] != EMPTY or near == without:
                continue
            # One liberty inside is enough, so the zone stays as small as possible.
            if has_point(zone, near):
                return
            distance = abs(near // STRIDE - goal // STRIDE) + abs(near % STRIDE - goal % STRIDE)
            if distance < best_distance:
                best = near
                best_distance = distance
        stone = next_stone(board, stone)
    if best != 0:
        add_point(zone, best)


@kernel
def seal(board: Board, attacker: int, goal: int, zone: Zone) -> None:
    """Give every attacking chain that touches a zone a liberty inside it; one pass is enough."""
    # Liberties are empty, so adding them makes no other chain touch the zone.
    for byte in range(ZONE_BYTES):
        if zone[byte] == 0:
            continue
        for bit in range(8):
            if (zone[byte] >> bit) & 1 and board[COLOR + 8 * byte + bit] == attacker:
                give_liberty(board, 8 * byte + bit, 0, goal, zone)


@kernel
def add_captures(board: Board, point: int, color: int, always: bool, zone: Zone) -> None:
    """Add the chains that a color's move captures and that touch a zone, with their rims.

    board   the position before the move
    always  whether captured chains that do not touch the zone are added as well
    """
    for near in neighbors(point):
        # Such a chain is in atari next to the move, which therefore takes its last liberty.
        if board[COLOR + near] == 3 - color and is_in_atari(board, near):
            if always or touches(board, near, zone):
                add_chain(board, near, zone)


@kernel
def add_suicide(board: Board, point: int, attacker: int, goal: int, zone: Zone) -> None:
    """Add the points that make a reply suicide: its chain, and the attackers' other liberties."""
    add_point(zone, point)
    for near in neighbors(point):
        if board[COLOR + near] == attacker:
            add_point(zone, near)
            give_liberty(board, near, point, goal, zone)
        elif board[COLOR + near] == 3 - attacker:
            add_chain(board, near, zone)
            _give_rim_liberties(board, near, point, attacker, goal, zone)


@kernel
def _give_rim_liberties(
    board: Board, chain: int, point: int, attacker: int, goal: int, zone: Zone
) -> None:
    """Give each attacking chain around a defending chain a liberty other than ``point``."""
    stone = np.int64(chain)
    for _ in range(chain_size(board, chain)):
        for near in neighbors(stone):
            if board[COLOR + near] == attacker:
                give_liberty(board, near, point, goal, zone)
        stone = next_stone(board, stone)


@kernel
def begin_zone(board: Board, goal: int, zone: Zone) -> None:
    """Make a zone the goal chain and its rim."""
    for i in range(ZONE_BYTES):
        zone[i] = 0
    add_chain(board, goal, zone)


@kernel
def attack_zone(
    board: Board, goal: int, move: int, captures: bool, after: Board, child: Zone, zone: Zone
) -> None:
    """Write the zone of an attacker's node from the zone of the position after its proved move.

    captures  whether the move captures the goal: ``after`` and ``child`` are not read then
    """
    attacker = 3 - np.int64(board[COLOR + goal])
    begin_zone(board, goal, zone)
    add_point(zone, move)
    for near in neighbors(move):
        if board[COLOR + near] == attacker:
            add_point(zone, near)
    # A captured goal leaves no chain, so ``child`` would be the zone of nothing.
    if not captures:
        add_zone(zone, child)
        add_captures(board, move, attacker, True, zone)
        give_liberty(after, move, 0, goal, zone)
    seal(board, attacker, goal, zone)
