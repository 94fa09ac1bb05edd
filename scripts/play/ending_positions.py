"""Late endings with known right first moves, to measure the play of endings.

Small endings (three to five fights) are solved by an exhaustive search of the whole board. Some
hold large chains, which are captured or saved as a whole. Larger endings consist of rooms that are
switches: the side that moves first in a room gets its result there, and no second move or threat
gains anything. Each room is searched alone, with all others filled; a sum of switches is then
played largest first.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from engine import BLACK, EMPTY, RULESETS, WHITE, Game, to_point
from engine.errors import BadSetup
from engine.go.geometry import PASS
from scripts.play.ending_boards import LARGE_CHAIN, Cells, Ending, Point, make_ending, picture
from scripts.play.ending_search import move_margins

LEAST_SWITCHES = 6
_ROOM_BITS = 12


@dataclass(frozen=True)
class EndingProblem:
    """A position that only the right moves win.

    kind     "searched" on the whole board, "chains" (searched as well), or "switches"
    right    points of the right first moves
    choices  number of possible moves, without the pass
    """

    kind: str
    size: int
    board: list[str]
    to_play: int
    komi: float
    right: list[int]
    choices: int

    def game(self) -> Game:
        """Return the position, under Chinese rules."""
        cells = {
            (column, self.size - row): ".XO".index(mark)
            for row, line in enumerate(self.board)
            for column, mark in enumerate(line, 1)
        }
        return game_of(self.size, cells, self.to_play, self.komi)


def game_of(size: int, cells: Cells, to_play: int, komi: float = 0.0) -> Game:
    """Return the position as a game. Raises BadSetup when a chain has no liberty."""
    game = Game(size, RULESETS["chinese"], komi)
    black, white = ([to_point(*p) for p in cells if cells[p] == c] for c in (BLACK, WHITE))
    game.setup(black, white, to_play)
    return game


def searched_problems(size: int, seed: int) -> Iterator[EndingProblem]:
    """Yield problems without end: three to five fights, solved on the whole board."""
    random_numbers = random.Random(seed)
    while True:
        ending = make_ending(size, random_numbers.randint(3, 5), 11, random_numbers)
        color = random_numbers.choice((BLACK, WHITE))
        if ending is None:
            continue
        game = game_of(size, ending.cells, color)
        margins = move_margins(game.board, color)
        if margins is None or PASS not in margins:
            continue
        problem = _problem("searched", ending, color, margins)
        if problem is not None:
            yield problem


def chain_problems(size: int, seed: int) -> Iterator[EndingProblem]:
    """Yield problems without end: chains that live or die by the next move, and small fights."""
    random_numbers = random.Random(seed)
    chains = size // 6  # large chains, where they fit
    while True:
        fights = chains + random_numbers.randint(2, 3)
        ending = make_ending(size, fights, 14 * fights, random_numbers, large=chains)
        color = random_numbers.choice((BLACK, WHITE))
        if ending is None:
            continue
        open_points = {p for room in ending.rooms for p in room if ending.cells[p] == EMPTY}
        if len(open_points) > 12:
            continue
        game = game_of(size, ending.cells, color)
        # The side that captures a large chain gets its points at once. The room is made so that no
        # stone could live there, and captures of many stones would make the search too large.
        margins = move_margins(game.board, color, large=LARGE_CHAIN[0])
        if margins is None or PASS not in margins:
            continue
        problem = _problem("chains", ending, color, margins)
        if problem is not None:
            yield problem


def switch_problems(size: int, seed: int) -> Iterator[EndingProblem]:
    """Yield problems without end: six or more fights, all of them switches.

    Rooms that are no switch are filled.
    """
    random_numbers = random.Random(seed)
    while True:
        fights = size * size // 20  # rooms, where they fit
        ending = make_ending(size, fights, 5 * fights, random_numbers, bands=True)
        color = random_numbers.choice((BLACK, WHITE))
        filled = None if ending is None else _filled(ending)
        if ending is None or filled is None:
            continue
        # The base of each switch's result: all rooms are filled.
        base = int(game_of(size, filled, color).score())
        switches = {room: _switch(ending, filled, room) for room in ending.rooms}
        kept = {room: switch for room, switch in switches.items() if switch is not None}
        if len(kept) < LEAST_SWITCHES:
            continue
        # Rooms that are no switch stay filled.
        cells = filled | {p: ending.cells[p] for room in kept for p in room}
        if not _is_legal(size, cells):
            continue
        margins = {
            point: _sum_margin(base, list(kept.values()), i, result, color)
            for i, switch in enumerate(kept.values())
            for point, result in switch[color].items()
        }
        ending = ending._replace(cells=cells, rooms=tuple(kept))
        problem = _problem("switches", ending, color, margins)
        if problem is not None:
            yield problem


def _problem(
    kind: str, ending: Ending, color: int, margins: dict[int, int]
) -> EndingProblem | None:
    """Return a problem whose komi makes the right moves the only winning ones.

    None when more than half of the moves are right.
    """
    sign = 1 if color == BLACK else -1
    moves = {point: margin for point, margin in margins.items() if point != PASS}
    if not moves:
        return None
    best = max(sign * margin for margin in margins.values())
    right = sorted(point for point, margin in moves.items() if sign * margin == best)
    # A problem that a random move mostly solves measures nothing.
    if not right or 2 * len(right) > len(moves):
        return None
    # Margins are whole, so every other move, at least a point worse, loses by half a point.
    komi = sign * best - sign * 0.5
    return EndingProblem(kind, ending.size, picture(ending), color, komi, right, len(moves))


Switch = dict[int, dict[int, int]]  # by color: its moves, and Black's margin after all play


def _filled(ending: Ending) -> Cells | None:
    """Return the board with stones in all rooms, without open points; None if impossible."""
    cells = dict(ending.cells)
    for room in ending.rooms:
        for color in (BLACK, WHITE):
            after = cells | dict.fromkeys(room, color)
            if _is_legal(ending.size, after):
                cells = after
                break
        else:
            return None
    return cells


def _is_legal(size: int, cells: Cells) -> bool:
    try:
        game_of(size, cells, BLACK)
    except BadSetup:
        return False
    return True


def _switch(ending: Ending, filled: Cells, room: frozenset[Point]) -> Switch | None:
    """Return a room's moves, searched alone; None unless it is a switch that ends with one move."""
    size = ending.size
    cells = filled | {p: ending.cells[p] for p in room}
    if not _is_legal(size, cells):
        return None
    switch: Switch = {}
    for color in (BLACK, WHITE):
        sign = 1 if color == BLACK else -1
        game = game_of(size, cells, color)
        margins = move_margins(game.board, color, _ROOM_BITS)
        if margins is None or len(margins) < 2 or PASS not in margins:
            return None
        best = max(sign * margin for margin in margins.values())
        moves = {}
        for point in margins:
            if point == PASS:
                continue
            after = game.copy()
            after.play(color, point)
            # A second move of the same color that gains more would make the room more than a
            # switch; then largest first would no longer be right.
            again = move_margins(after.board, color, _ROOM_BITS)
            if again is None or max(sign * margin for margin in again.values()) > best:
                return None
            moves[point] = margins[point]
        switch[color] = moves
    gain = max(switch[BLACK].values()) - min(switch[WHITE].values())
    return switch if gain > 0 else None


def _sum_margin(base: int, switches: list[Switch], first: int, result: int, color: int) -> int:
    """Return Black's margin after a first move in one switch, the others played largest first."""
    margin = result
    others = switches[:first] + switches[first + 1 :]
    ends = [(max(s[BLACK].values()), min(s[WHITE].values())) for s in others]
    # Largest first is the right order for switches, without threats or second moves.
    for left, right in sorted(ends, key=lambda pair: pair[1] - pair[0]):
        color = 3 - color
        margin += (left if color == BLACK else right) - base
    return margin
