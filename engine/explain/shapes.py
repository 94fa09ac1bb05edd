"""Go's words for the shape of a move, recognized in the picture of the stones.

``DRAWINGS`` has the shapes of a few stones; ``nearby`` has those that follow from liberties and
eyes. ``docs/glossary.md`` defines the names with their sources.
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

# What the letters of a drawing allow. The words name the stones of A and B.
_LETTERS = {
    "*": {EMPTY}, ".": {EMPTY}, "+": {EMPTY}, "A": {OWN}, "X": {OWN}, "B": {RIVAL}, "O": {RIVAL},
    "x": {EMPTY, OWN}, "-": {EMPTY, OWN, BEYOND}, "?": {EMPTY, OWN, RIVAL},
    "_": {EMPTY, OWN, RIVAL, BEYOND},
}  # fmt: skip


class Match(NamedTuple):
    """A drawing that fits: the named stones, the key point, and the view with the edge below."""

    stones: tuple[int, ...]
    key: int
    view: View


_HOLDS: dict[str, Callable[[Scene, Match], bool]] = {
    # The move is not connected with the named own stones, or with none; it is not in atari; no own
    # stone is next to it, also diagonally, or no opponent's, straight or also diagonally; it is
    # nearer to the center than a stone on line 3 or 4; the opponent's stones are above it, along
    # the edge.
    "apart": lambda scene, m: scene.chain is not None and scene.chain.stones.isdisjoint(m.stones),
    "free": lambda scene, _: scene.chain is not None and not scene.own,
    "safe": lambda scene, _: scene.is_safe,
    "alone": lambda scene, m: scene.is_safe and not m.view.beside(OWN, (-1, 1), (-1, 1)),
    "loose": lambda scene, _: not scene.rivals,
    "open": lambda _, m: not m.view.beside(RIVAL, (-1, 1), (-1, 1)),
    "above": lambda scene, m: (
        3 <= m.view.places[m.stones[0]][1] == min(_lines(scene, m.stones[0])) <= 4
        and min(_lines(scene, scene.move)) > min(_lines(scene, m.stones[0]))
    ),
    "below": lambda _, m: bool(m.view.beside(RIVAL, (-1, 3), (0, 2))),
    # The named stones are of several chains; the opponent's stone at the key point would cut them
    # apart; a further stone of the mover there would.
    "joins": lambda scene, m: len(scene.before.chains_of(m.stones)) > 1,
    "guards": lambda scene, m: scene.splits(3 - scene.color, [m.key], m.stones),
    "threatens": lambda scene, m: scene.splits(scene.color, [scene.move, m.key], m.stones),
}
# Shapes in drawings of the stones around the move, rows from above, separated by "/": * is the
# move, + a key point. What must be true of the stones, too; the lines of the move above the edge.
DRAWINGS = (
    (Kind.HANGING, "_A_/*+A/_._ _*_/A+A/_._", "guards"),
    (Kind.CROSSCUT, "B*/XB", "joins"),
    (Kind.WEDGE, "?x?/B*B/?x?", "safe joins"),
    (Kind.PEEP, "B+B/_*_ _BX/*+B/_?_", "safe threatens"),
    (Kind.BAMBOO, "AA/../X*", "apart"),
    (Kind.TABLE, "*A?/.../A.A A*?/.../A.A AA?/.../*.A AA?/.../A.*", "joins"),
    (Kind.CAP, "_*_/?.?/_B_", "alone above open"),
    (Kind.SHOULDER_HIT, "?x?/.*x/B.?", "alone above"),
    (Kind.CLAMP, "XB*", "alone"),
    (Kind.HANE, ".*/XB", "safe free"),
    (Kind.BLOCK, "_XX/-*B", "safe"),
    (Kind.PUSH, "*B/XO", "safe"),
    (Kind.DESCENT, "OA/.*", "safe", (1, 2)),
    (Kind.ATTACHMENT, "*B", "alone"),
    (Kind.STRETCH, "_x_/.*./OA? _x_/.*./.A./_O_", "safe"),
    (Kind.MONKEY_JUMP, "A..?/?..*", "alone below", (1,)),
    (Kind.SLIDE, "A.?/?.* A..?/?..*", "alone loose below", (2,)),
    (Kind.ONE_SPACE_JUMP, "A.*", "free"),
    (Kind.SMALL_KNIGHT, "A.?/?.*", "free"),
    (Kind.DIAGONAL, "A./.*", "free"),
    (Kind.TWO_SPACE_JUMP, "A..*", "free"),
    (Kind.LARGE_KNIGHT, "A..?/?..*", "free"),
)
_JUMPS = {kind for kind in SHAPE_ORDER if "{way}" in kind.value}
_URGENT = {kind for kind, place in SHAPE_ORDER.items() if place <= SHAPE_ORDER[Kind.ATARI]}
_CALM = {kind for kind, place in SHAPE_ORDER.items() if place >= SHAPE_ORDER[Kind.CROSSCUT]}
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
    for kind, drawings, needs, *lines in DRAWINGS:
        for match in (m for drawing in drawings.split() for m in _matches(scene, drawing)):
            is_there = not lines or match.view.y in lines[0]
            if is_there and all(_HOLDS[need](scene, match) for need in needs.split()):
                places = (match.key,) if kind == Kind.HANGING else match.stones
                numbers = (_way(scene, places[0]),) if kind in _JUMPS else ()
                yield scene.effect(kind, places=places, numbers=numbers)


def _way(scene: Scene, stone: int) -> int:
    """Return 1 for a jump toward the center, -1 toward the edge, 0 along it, 2 if none is clear."""
    here, there = (_lines(scene, point) for point in (scene.move, stone))
    (near, edge), (far, _) = sorted((here[n] + there[n], n) for n in range(4))[:2]
    rise, along = (here[n] - there[n] for n in (edge, edge - 2))
    is_along = abs(rise) < abs(along)
    if far - near < 2 or near > (8 if is_along else 10):  # in a corner, or far from all edges
        return 2
    return 0 if is_along else (rise > 0) - (rise < 0)


def _lines(scene: Scene, point: int) -> list[int]:
    """Return the lines of a point, counted from each of the edges."""
    return [line for at in to_column_row(point) for line in (at, scene.game.size + 1 - at)]


# -- sides and corners ------------------------------------------------------------------------


Found = Iterator[tuple[Any, ...]]  # kinds, with stones and numbers


def _openings(scene: Scene) -> Iterator[Effect]:
    sides = (_pincer, _extension, _between) if scene.game.size >= SHAPES.large else ()
    for view in scene.views:
        for find in (_corner, _edge, *sides):
            for kind, stones, *numbers in find(view):
                yield scene.effect(kind, places=tuple(stones), numbers=tuple(numbers))


def _corner(view: View) -> Found:
    """Yield the first move in a corner or the center, an approach, an enclosure, or 3-3."""
    x, y, size, is_large = view.x, view.y, view.size, view.size >= SHAPES.large
    zone = (1, 6 if is_large else size // 2)
    own, rivals = (view.stones(color, zone, zone) for color in (OWN, RIVAL))
    # An own stone that approaches the corner from the other side changes nothing.
    is_free, is_open = view.is_free(1), all(max(view.places[stone]) >= 5 for stone in own)
    if size % 2 and x == y == size // 2 + 1 and view.is_free(2):
        yield Kind.CENTER, []
    if is_free and not own + rivals and _is_of_corner(x, y) and max(x, y) <= zone[1]:
        yield Kind.CORNER, [], min(x, y), max(x, y)
    if (x, y) == (3, 3) and is_large and is_open and view.point(4, 4) in rivals:
        yield Kind.CORNER_INVASION, [view.point(4, 4)]
    stones = rivals or own
    if not is_free or not 3 <= y <= 4 or len(stones) != 1:
        return
    column, row = view.places[stones[0]]
    across, up = x - column, abs(y - row)
    if not _is_of_corner(column, row) or not 1 <= across <= 3 or max(across, up) < 2:
        return
    if rivals and is_open and up <= 2 and x <= size // 2 + 1:
        yield Kind.APPROACH, rivals
    elif not rivals and is_large and view.is_clear((column + 1, x + 2), (1, 6)) and across > 1:
        if up == 1:
            yield (Kind.SMALL_ENCLOSURE if across == 2 else Kind.LARGE_ENCLOSURE), own
        elif up == 0 and y == 4:
            yield Kind.HIGH_ENCLOSURE, own


def _is_of_corner(x: int, y: int) -> bool:
    """Return whether a stone at a column and a row takes the corner."""
    return 3 <= min(x, y) and max(x, y) <= 5 and x + y <= 9


def _pincer(view: View) -> Found:
    """Yield the stone that the move keeps from extending: an own stone is on its other side."""
    x, y = view.x, view.y
    rivals = view.stones(RIVAL, (x - 4, x - 2), (3, 4))
    if 3 <= y <= 4 and len(rivals) == 1:
        column, _ = view.places[rivals[0]]
        is_lone = view.stones(RIVAL, (column - 5, x), (1, 6)) == rivals
        is_pinched = view.stones(OWN, (column - 6, column - 1), (2, 6))
        if is_lone and is_pinched and view.is_clear((column + 1, x + 1), (1, 5)):
            yield Kind.PINCER, rivals


def _extension(view: View) -> Found:
    """Yield an extension along the side, and the base that it makes for a few stones."""
    x, y = view.x, view.y
    own = view.stones(OWN, (x - 6, x - 1), (2, 5))[-1:]
    if not 2 <= y <= 4 or not own:
        return
    column, row = view.places[own[0]]
    if x - column < 3 or abs(y - row) > 1 or not view.is_clear((column + 1, x + 1), (1, 5)):
        return
    yield Kind.EXTENSION, own, x - column - 1
    few = len(view.stones(OWN, (column - 4, column), (1, 7))) <= 2
    if x - column <= 4 and y == row == 3 and column > 6 and few:
        yield Kind.BASE, own


def _between(view: View) -> Found:
    """Yield the opponent's stones on both sides of an invasion, a split, or a reduction."""
    x, y, is_low = view.x, view.y, view.y <= 4
    if not 2 <= y <= 7 or not view.is_free(1):
        return
    reach = 7 if is_low else 5
    west = view.stones(RIVAL, (x - reach, x - is_low), (2, 4))[-1:]
    east = view.stones(RIVAL, (x + is_low, x + reach), (2, 4))[:1]
    if west and east and west != east:
        low, high = (view.places[side[0]][0] for side in (west, east))
        is_wide = min(x - low, high - x) >= 4
        if low < high and not view.stones(OWN, (low, high), (1, max(y, 6))):
            low_kind = Kind.SPLIT if is_wide else Kind.INVASION
            yield (low_kind if is_low else Kind.REDUCTION), west + east


def _edge(view: View) -> Found:
    """Yield an endgame move on the first or second line, with the opponent's nearest stone."""
    x, y, size = view.x, view.y, view.size
    if y > 2 or sum(color in (OWN, RIVAL) for color in view.colors) < SHAPES.crowded * size**2:
        return
    own, rivals = (view.stones(color, (x - 2, x + 2), (1, 2)) for color in (OWN, RIVAL))
    if own and rivals:
        nearest = min(rivals, key=lambda p: (abs(view.places[p][0] - x), view.places[p][1], p))
        yield (Kind.FIRST_LINE if y == 1 else Kind.SECOND_LINE), [nearest]


# -- all --------------------------------------------------------------------------------------


def all_shapes(scene: Scene, facts: Facts) -> list[Effect]:
    """Return all shapes of a move, the most urgent first; several of a kind name other stones."""
    effects = dict.fromkeys([*tactics(scene, facts), *_drawn(scene), *_openings(scene)])
    return sorted(effects, key=lambda effect: (SHAPE_ORDER[effect.kind], -effect.points))


def shapes_of(scene: Scene, facts: Facts) -> list[Effect]:
    """Return the most urgent shapes of a legal move, at most two, about different stones."""
    chosen: list[Effect] = []
    for effect in all_shapes(scene, facts) if scene.move != PASS else []:
        is_new = not any(
            effect.kind == other.kind
            or effect.points_named & other.points_named
            or (effect.kind in _CALM and other.kind in _URGENT)
            for other in chosen
        )
        if not chosen or (len(chosen) < SHAPES.most and is_new and effect.kind not in _ALONE):
            chosen.append(effect)
    return chosen


def ideas_of(scene: Scene, facts: Facts) -> list[Effect]:
    """Return why a move comes to mind: its shapes, the move that it answers, or its place."""
    game, color, move = scene.game, scene.color, scene.move
    shapes = shapes_of(scene, facts)
    last, place = game.last_point, Effect(Kind.ANSWERS, 0.0, (), color, (move, PASS))
    is_rivals = last != PASS and game.color_at(last) == 3 - color
    is_named = any(last in effect.points_named for effect in shapes)
    apart = lines_apart(last, move)
    touched = scene.after.opponents_of(scene.chain) if scene.chain is not None else []
    if apart > 1 and not any(last in chain.stones for chain in touched):
        apart = SHAPES.answer + 1
    if is_rivals and not is_named and apart <= SHAPES.answer:
        return [*shapes, place._replace(places=(last,))]
    return shapes or [place._replace(kind=Kind.TAKES_AREA, numbers=(game.size,))]
