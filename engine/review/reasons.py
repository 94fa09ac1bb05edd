"""Reasons against a move: the effects of the better move.

To the effects of the two moves (``engine.explain.effects``) the record adds captures, and that the
opponent took the point of the better move. The board adds the shape of the better move, and that of
the opponent's move there. An expected line proves nothing, so none is a reason.
"""

from collections.abc import Collection, Iterator, Sequence

from engine.errors import MoveCode
from engine.explain.effects import EFFECTS, effects_of
from engine.explain.kinds import SHAPE_ORDER, STONE, Effect, Kind
from engine.explain.outcomes import MovePair, Outcome
from engine.explain.scene import Scene
from engine.explain.shapes import shapes_of
from engine.facts.position_facts import Facts
from engine.go.geometry import PASS
from engine.go.history import Game
from engine.picture.picture import StoneList
from engine.review.comparisons import Comparison, agreed_owners
from engine.review.looks import LEAD

SOON = 8  # moves of the game after a mistake that may show its punishment
# Points: place of a key point among the other reasons; the last is a share of the loss, for a key
# point that is worth more.
KEY_POINT, KEY_SHARE = 1.5, 0.25
# Shapes from this one on say little of a reason.
CALM = SHAPE_ORDER[Kind.PUSH]


def reasons_against(
    game: Game, played: int, comparison: Comparison, facts: Facts, later: Sequence[Game] = ()
) -> tuple[Effect, ...]:
    """Return the reasons against a move beside a better one, the largest first.

    game   before the move
    later  the positions of the record after the move and after each of the next moves
    """
    better = comparison.better
    if better is None:
        return ()
    owners, color = agreed_owners(comparison), game.to_play
    first = Outcome(game, color, better, owners[0], facts)
    choice = MovePair(game, color, first, Outcome(game, color, played, owners[1], facts))
    effects = effects_of(choice)
    # A key point and shapes come before smaller effects.
    points = max(KEY_POINT, KEY_SHARE * comparison.losses[LEAD].mean)
    effects += _key_point(choice, points, later)
    explained = [stones for effect in effects for stones in effect.stones]
    captures = _later_captures(choice, later[: SOON + 1])
    effects += [capture for capture in captures if capture.stones[0] not in explained]
    effects += _shapes(choice, points, explained)
    # After a mistake roll-outs misjudge how much ground changes hands, and half the time where.
    sure = (effect for effect in effects if not effect.kind.is_ground)
    return tuple(sorted(sure, key=lambda effect: -effect.points))


def _shapes(choice: MovePair, points: float, told: Collection[StoneList]) -> Iterator[Effect]:
    """Yield the shape of the better move, then of the opponent's move there after the other one.

    told  chains that other effects are about
    """
    game, color, first, second = choice
    if first.move == PASS:
        return
    scenes = [Scene(game, color, first.move)]
    if second.game.legality(3 - color, first.move) == MoveCode.LEGAL:
        scenes.append(Scene(second.game, 3 - color, first.move))
    for scene in scenes:
        for shape in shapes_of(scene, first.facts)[:1]:
            is_new = not any(chain in told for chain in shape.stones)
            if is_new and SHAPE_ORDER[shape.kind] < CALM:
                yield shape._replace(points=points)


def _key_point(choice: MovePair, points: float, later: Sequence[Game]) -> list[Effect]:
    """Return that the opponent soon took the point of the better move in the game."""
    reply = 3 - choice.color, choice.first.move
    for number, end in enumerate(later[1 : SOON + 1] if reply[1] != PASS else ()):
        if end.moves and end.moves[-1] == reply:
            kind = Kind.KEY_POINT_NEXT if number == 0 else Kind.KEY_POINT_SOON
            return [choice.effect(kind, points)]
    return []


def _later_captures(choice: MovePair, later: Sequence[Game]) -> Iterator[Effect]:
    """Yield the chains that the opponent soon captured, and that the better move helps."""
    color = choice.color
    for stones in choice.chains:
        helped = choice.gain(stones) >= EFFECTS.agreed and choice.shares(stones)[0] >= EFFECTS.lives
        if choice.game.color_at(stones[0]) == color and helped:
            ends = (end for end in later if end.moves and end.color_at(stones[0]) != color)
            for end in list(ends)[:1]:
                places = (end.moves[-1].point,)
                points = STONE * len(stones)
                yield choice.effect(Kind.CAPTURED_IN_GAME, points, stones, places=places)
