"""Go's words for the shape of a move, recognized in the picture of the stones.

``DRAWINGS`` has the shapes of a few stones, ``openings`` those of sides and corners; ``nearby`` has
those that follow from liberties and eyes. ``docs/glossary.md`` defines the names with their
sources, and ``tests/explain/shapes.txt`` has positions with each shape and near misses.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from engine.explain.kinds import SHAPE_ORDER, Effect, Kind
from engine.explain.nearby import tactics
from engine.explain.scene import BEYOND, OWN, RIVAL, SHAPES, Scene, View
from engine.facts.position_facts import Facts
from engine.go.board import EMPTY
from engine.go.geometry import PASS, lines_apart, to_column_row
from engine.go.history import Game

# What the letters of a drawing allow. The words name the stones of A and B.
_LETTERS = {
    "*": {EMPTY}, ".": {EMPTY}, "+": {EMPTY}, "A": {OWN}, "X": {OWN}, "B": {RIVAL}, "O": {RIVAL},
    "x": {EMPTY, OWN}, "?": {EMPTY, OWN, RIVAL}, "_": {EMPTY, OWN, RIVAL, BEYOND},
}  # fmt: skip


class Match(NamedTuple):
    """A drawing that fits: the named stones, the key point, and the view with the edge below."""

    stones: tuple[int, ...]
    key: int
    view: View


def _is_apart(scene: Scene, match: Match) -> bool:
    """Return whether the move is not connected with the named own stones."""
    return scene.chain is not None and scene.chain.stones.isdisjoint(match.stones)


def _is_safe(scene: Scene, match: Match) -> bool:
    """Return whether the chain of the move is not in atari."""
    return scene.is_safe


def _joins_two(scene: Scene, match: Match) -> bool:
    """Return whether the named stones are of several chains."""
    return len(scene.before.chains_of(match.stones)) > 1


def _guards_cut(scene: Scene, match: Match) -> bool:
    """Return whether the opponent's stone at the key point would cut the named stones apart."""
    return scene.splits(3 - scene.color, [match.key], match.stones)


def _threatens_cut(scene: Scene, match: Match) -> bool:
    """Return whether a further stone at the key point cuts the named stones apart."""
    return scene.is_safe and scene.splits(scene.color, [scene.move, match.key], match.stones)


def _parts_two(scene: Scene, match: Match) -> bool:
    """Return whether the move lives for now between two chains."""
    return scene.is_safe and _joins_two(scene, match)


def _is_alone(scene: Scene, match: Match) -> bool:
    """Return whether no own stone is next to the move, also diagonally."""
    view = match.view
    columns, rows = (view.x - 1, view.x + 1), (view.y - 1, view.y + 1)
    return scene.is_safe and not view.stones(OWN, columns, rows)


def _is_above(scene: Scene, match: Match) -> bool:
    """Return whether the move is alone, nearer to the center than a stone on line 3 or 4."""
    _, y = match.view.places[match.stones[0]]
    here, there = _lines(scene, match.stones[0])
    return _is_alone(scene, match) and 3 <= y == there <= 4 and here > there


def _is_below(scene: Scene, match: Match) -> bool:
    """Return whether the move is apart, and goes below the opponent's stones at the edge."""
    x, y = match.view.x, match.view.y
    return _is_apart(scene, match) and bool(match.view.stones(RIVAL, (x - 1, x + 3), (y, y + 2)))


class Drawing(NamedTuple):
    """A shape in drawings of the stones around the move.

    drawings  rows from above, separated by "/": * is the move, + a key point
    holds     what must be true of the stones, too
    lines     of the move above the edge below; empty: any
    """

    kind: Kind
    drawings: tuple[str, ...]
    holds: Callable[[Scene, Match], bool] = _is_apart
    lines: str = ""


DRAWINGS = (
    Drawing(Kind.HANGING, ("_A_/*+A/_._", "_*_/A+A/_._"), _guards_cut),
    Drawing(Kind.CROSSCUT, ("B*/XB",), _joins_two),
    Drawing(Kind.WEDGE, ("?x?/B*B/?x?",), _parts_two),
    Drawing(Kind.PEEP, ("B+B/_*_", "_BX/*+B/_?_"), _threatens_cut),
    Drawing(Kind.BAMBOO, ("AA/../X*",)),
    Drawing(Kind.TABLE, ("*A?/.../A.A", "A*?/.../A.A", "AA?/.../*.A", "AA?/.../A.*"), _joins_two),
    Drawing(Kind.CAP, ("_*_/?.?/_B_",), _is_above),
    Drawing(Kind.SHOULDER_HIT, ("?x?/.*x/B.?",), _is_above),
    Drawing(Kind.CLAMP, ("XB*",), _is_alone),
    Drawing(Kind.HANE, (".*/XB",), _is_safe),
    Drawing(Kind.BLOCK, ("XX/*B", "*BO/X__"), _is_safe),
    Drawing(Kind.PUSH, ("*B/XO",), _is_safe),
    Drawing(Kind.DESCENT, ("OA/.*",), _is_safe, "12"),
    Drawing(Kind.ATTACHMENT, ("*B",), _is_alone),
    Drawing(Kind.STRETCH, (".*./OA?", ".*./.A./_O_"), _is_safe),
    Drawing(Kind.MONKEY_JUMP, ("A..?/?..*",), _is_below, "1"),
    Drawing(Kind.SLIDE, ("A.?/?.*", "A..?/?..*"), _is_below, "2"),
    Drawing(Kind.ONE_SPACE_JUMP, ("A.*",)),
    Drawing(Kind.SMALL_KNIGHT, ("A.?/?.*",)),
    Drawing(Kind.DIAGONAL, ("A./.*",)),
    Drawing(Kind.TWO_SPACE_JUMP, ("A..*",)),
    Drawing(Kind.LARGE_KNIGHT, ("A..?/?..*",)),
)
_JUMPS = {kind for kind in SHAPE_ORDER if "{way}" in kind.value}
_ALONE = _JUMPS | {Kind.FIRST_LINE, Kind.SECOND_LINE}  # they add nothing to another shape


@lru_cache(maxsize=64)
def _cells(drawing: str) -> list[tuple[int, int, str]]:
    """Return the cells of a drawing: column and row from the move, and letter."""
    cells = [
        (x, -y, letter) for y, row in enumerate(drawing.split("/")) for x, letter in enumerate(row)
    ]
    ((column, row),) = [(x, y) for x, y, letter in cells if letter == "*"]
    return [(x - column, y - row, letter) for x, y, letter in cells]


def _matches(scene: Scene, drawing: str) -> Iterator[Match]:
    """Yield the ways in which a drawing fits, one for each set of named stones."""
    cells = _cells(drawing)
    for view in scene.views:
        points = [(view.point(view.x + x, view.y + y), letter) for x, y, letter in cells]
        if all(view.colors[point] in _LETTERS[letter] for point, letter in points):
            named = (point for point, letter in points if letter in "AB")
            key = next((point for point, letter in points if letter == "+"), PASS)
            yield Match(tuple(sorted(named)), key, view)


def _drawn(scene: Scene) -> Iterator[Effect]:
    for kind, drawings, holds, lines in DRAWINGS:
        for drawing in drawings:
            for match in _matches(scene, drawing):
                if (not lines or str(match.view.y) in list(lines)) and holds(scene, match):
                    places = (match.key,) if kind == Kind.HANGING else match.stones
                    numbers = (_way(scene, places[0]),) if kind in _JUMPS else ()
                    yield scene.effect(kind, places=places, numbers=numbers)


def _way(scene: Scene, stone: int) -> int:
    """Return 1 for a jump toward the center, -1 toward the edge, 0 along it, 2 in the center."""
    here, there = _lines(scene, stone)
    in_center = min(here, there) > max(scene.game.size // 4, 3)
    return 2 if in_center else (here > there) - (here < there)


def _lines(scene: Scene, stone: int) -> tuple[int, int]:
    """Return the lines of the move and of a stone, counted from their nearest edges."""
    here, there = (
        min(min(line, scene.game.size + 1 - line) for line in to_column_row(point))
        for point in (scene.move, stone)
    )
    return here, there


# -- sides and corners ------------------------------------------------------------------------


def _openings(scene: Scene) -> Iterator[Effect]:
    sides = (_pincer, _extension, _between) if scene.game.size >= SHAPES.large else ()
    for view in scene.views:
        for find in (_corner, _edge, *sides):
            for kind, stones, *numbers in find(view):
                yield scene.effect(kind, places=tuple(stones), numbers=tuple(numbers))


Found = Iterator[tuple[Any, ...]]  # kinds, with stones and numbers


def _corner(view: View) -> Found:
    """Yield the first move in a corner or the center, an approach, an enclosure, or 3-3.

    An own stone that approaches the corner from the other side changes nothing.
    """
    x, y, size = view.x, view.y, view.size
    zone = (1, 6 if size >= SHAPES.large else size // 2)
    own, rivals = (view.stones(color, zone, zone) for color in (OWN, RIVAL))
    is_free = view.is_clear((x - 1, x + 1), (y - 1, y + 1))
    is_open = all(max(view.places[stone]) >= 5 for stone in own)
    if size % 2 and x == y == size // 2 + 1 and view.is_clear((x - 2, x + 2), (y - 2, y + 2)):
        yield Kind.CENTER, []
    is_empty = is_free and not own and not rivals
    if is_empty and min(x, y) >= 3 and max(x, y) <= min(5, zone[1]) and x + y <= 9:
        yield Kind.CORNER, [], min(x, y), max(x, y)
    if (x, y) == (3, 3) and size >= SHAPES.large and is_open and view.point(4, 4) in rivals:
        yield Kind.CORNER_INVASION, [view.point(4, 4)]
    if not is_free or not 3 <= y <= 4 or len(rivals or own) != 1:
        return
    column, row = view.places[(rivals or own)[0]]
    across, up = x - column, y - row
    if min(column, row) < 3 or max(column, row) > 5 or column + row > 9 or not 1 <= across <= 3:
        return
    if rivals and is_open and max(across, abs(up)) >= 2 >= abs(up) and x <= size // 2 + 1:
        yield Kind.APPROACH, rivals
    elif not rivals and size >= SHAPES.large and view.is_clear((column + 1, x + 2), (1, 6)):
        if abs(up) == 1 and across > 1:
            yield (Kind.SMALL_ENCLOSURE if across == 2 else Kind.LARGE_ENCLOSURE), own
        elif up == 0 and across > 1 and y == 4:
            yield Kind.HIGH_ENCLOSURE, own


def _pincer(view: View) -> Found:
    """Yield the stone that the move keeps from extending: an own stone is on its other side."""
    x, y = view.x, view.y
    rivals = view.stones(RIVAL, (x - 4, x - 2), (3, 4))
    if not 3 <= y <= 4 or len(rivals) != 1:
        return
    column, _ = view.places[rivals[0]]
    is_lone = view.stones(RIVAL, (column - 5, x), (1, 6)) == rivals
    if is_lone and view.is_clear((column + 1, x + 1), (1, 5)):
        if view.stones(OWN, (column - 6, column - 1), (2, 6)):
            yield Kind.PINCER, rivals


def _extension(view: View) -> Found:
    """Yield an extension along the side, and the base that it makes for a few stones."""
    x, y = view.x, view.y
    own = view.stones(OWN, (x - 6, x - 1), (2, 5))
    if not 2 <= y <= 4 or not own:
        return
    column, row = view.places[own[-1]]
    if x - column < 3 or abs(y - row) > 1 or not view.is_clear((column + 1, x - 1), (1, 5)):
        return
    if not view.is_clear((x, x + 1), (1, 5)):
        return
    yield Kind.EXTENSION, own[-1:], x - column - 1
    if x - column <= 4 and y == row == 3 and column > 6:
        if len(view.stones(OWN, (column - 4, column), (1, 7))) <= 2:
            yield Kind.BASE, own[-1:]


def _between(view: View) -> Found:
    """Yield the opponent's stones on both sides of an invasion, a split, or a reduction."""
    x, y = view.x, view.y
    if not 2 <= y <= 7 or not view.is_clear((x - 1, x + 1), (y - 1, y + 1)):
        return
    reach = 7 if y <= 4 else 5
    west = view.stones(RIVAL, (x - reach, x - (y <= 4)), (2, 4))[-1:]
    east = view.stones(RIVAL, (x + (y <= 4), x + reach), (2, 4))[:1]
    if not west or not east or west == east:
        return
    (low, _), (high, _) = (view.places[side[0]] for side in (west, east))
    if view.stones(OWN, (low, high), (1, max(y, 6))):
        return
    if y > 4:
        yield Kind.REDUCTION, west + east
    else:
        yield (Kind.SPLIT if min(x - low, high - x) >= 4 else Kind.INVASION), west + east


def _edge(view: View) -> Found:
    """Yield an endgame move on the first or second line, with the opponent's nearest stone."""
    x, y, size = view.x, view.y, view.size
    if y > 2 or sum(color in (OWN, RIVAL) for color in view.colors) < SHAPES.crowded * size**2:
        return
    own, rivals = (view.stones(color, (x - 2, x + 2), (1, 3)) for color in (OWN, RIVAL))
    if own and rivals:
        nearest = min(rivals, key=lambda p: (abs(view.places[p][0] - x), view.places[p][1], p))
        yield (Kind.FIRST_LINE if y == 1 else Kind.SECOND_LINE), [nearest]


# -- all --------------------------------------------------------------------------------------


def all_shapes(scene: Scene, facts: Facts | None = None) -> list[Effect]:
    """Return all shapes of a move, the most urgent first; several of a kind name other stones.

    facts  for nets; None: they are not read
    """
    effects = dict.fromkeys([*tactics(scene, facts), *_drawn(scene), *_openings(scene)])
    return sorted(effects, key=lambda effect: (SHAPE_ORDER[effect.kind], -effect.points))


def shapes_of(game: Game, color: int, move: int, facts: Facts | None = None) -> list[Effect]:
    """Return the most urgent shapes of a legal move, at most two, about different stones."""
    chosen: list[Effect] = []
    for effect in all_shapes(Scene(game, color, move), facts) if move != PASS else []:
        is_new = not any(
            effect.kind == other.kind or effect.points_named & other.points_named
            for other in chosen
        )
        if not chosen or (len(chosen) < SHAPES.most and is_new and effect.kind not in _ALONE):
            chosen.append(effect)
    return chosen


def ideas_of(game: Game, color: int, move: int, facts: Facts | None = None) -> list[Effect]:
    """Return why a move comes to mind: its shapes, the move that it answers, or its place."""
    shapes = shapes_of(game, color, move, facts)
    last, place = game.last_point, Effect(Kind.ANSWERS, 0.0, (), color, (move, PASS))
    is_rivals = last != PASS and game.color_at(last) == 3 - color
    is_named = any(last in effect.points_named for effect in shapes)
    if is_rivals and not is_named and lines_apart(last, move) <= SHAPES.answer:
        return [*shapes, place._replace(places=(last,))]
    return shapes or [place._replace(kind=Kind.TAKES_AREA, numbers=(game.size,))]
