"""Reasons against a move: the effects of the better move.

To the effects of the two moves (``engine.explain.effects``) the record adds captures, and that the
opponent took the point of the better move. The board adds the shape of the better move, if it does
something to stones.
"""

from collections.abc import Collection, Iterator, Sequence

from engine.errors import MoveCode
from engine.explain.effects import EFFECTS, effects_of, is_refuted
from engine.explain.kinds import SHAPE_ORDER, STONE, Effect, Kind
from engine.explain.outcomes import MovePair, Outcome, share_alive
from engine.explain.scene import Scene
from engine.explain.shapes import shapes_of
from engine.facts.position_facts import Facts
from engine.go.geometry import PASS
from engine.go.history import Game
from engine.picture.picture import StoneList
from engine.review.comparisons import Comparison, agreed_owners
from engine.review.looks import LEAD

SOON = 8  # moves of the game after a mistake that may show its punishment
AT_ONCE = 3  # moves after a mistake in which the opponent takes a key point
# Points: place of a key point among the other reasons; the last is a share of the loss, for a key
# point that is worth more.
KEY_POINT, KEY_SHARE = 1.5, 0.25
SHARES = (Kind.OWN_LIVE, Kind.RIVALS_DIE)
# Least share of continuations that is usual. Where a chain's shares after two moves differed by 0.2
# or more, those of a strong judge differed in the same direction in 37 of 38 cases of 8 games.
USUAL = 0.6
ALIKE = 0.2  # most difference of the shares of chains that one sentence names
# Shapes that capture, save, connect or cut stones, or make or take an eye or a corner. An atari is
# none: stones mostly leave it.
ACTING = frozenset(kind for kind in SHAPE_ORDER if SHAPE_ORDER[kind] < SHAPE_ORDER[Kind.THROW_IN])
ACTING = ACTING - {Kind.ATARI} | {Kind.BAMBOO, Kind.CORNER, Kind.BASE}


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
    # Other searches confirm the shares, so ``_shifts`` needs smaller differences.
    effects = [effect for effect in effects_of(choice) if effect.kind not in SHARES]
    effects += _shifts(choice, [stones for effect in effects for stones in effect.stones])
    # A key point and shapes come before smaller effects.
    points = max(KEY_POINT, KEY_SHARE * comparison.losses[LEAD].mean)
    effects += _key_point(choice, points, later)
    explained = [stones for effect in effects for stones in effect.stones]
    captures = _later_captures(choice, later[: SOON + 1])
    effects += [capture for capture in captures if capture.stones[0] not in explained]
    effects += _shapes(choice, points, explained)
    # After a mistake roll-outs misjudge how much ground changes hands, and half the time where.
    sure = (e for e in effects if not e.kind.is_ground and _is_captured(choice, e))
    return tuple(sorted(sure, key=lambda effect: -effect.points))


def _is_captured(choice: MovePair, effect: Effect) -> bool:
    """Return whether roll-outs agree with a capture after the other move, if the effect is one."""
    most = {Kind.PREVENTS_CAPTURE: EFFECTS.dead, Kind.OTHER_IS_CAPTURED: EFFECTS.dead / 2}
    if effect.kind not in most:
        return True
    lives = share_alive(effect.stones[0], choice.color, choice.second.owners)
    return lives <= most[effect.kind]


def _shifts(choice: MovePair, told: Collection[StoneList]) -> Iterator[Effect]:
    """Yield the stones that fare better after the better move, as far as searches agree.

    told  chains that other effects are about
    """
    shifts = {
        stones: two
        for stones in choice.chains
        if stones not in told and choice.gain(stones) >= EFFECTS.agreed
        if min(two := choice.shares(stones)) <= 1.0 - USUAL and USUAL <= max(two)
        if not is_refuted(choice, stones)
    }
    if shifts:
        # Chains of a color with nearly the same shares are mostly one group.
        most = max(shifts, key=lambda stones: len(stones) * choice.gain(stones))
        color, (lives, lived) = choice.game.color_at(most[0]), shifts[most]
        alike = sorted(
            stones
            for stones, (here, there) in shifts.items()
            if choice.game.color_at(stones[0]) == color
            and max(abs(here - lives), abs(there - lived)) <= ALIKE
        )
        points = EFFECTS.group * abs(lives - lived) * sum(map(len, alike))
        kind = SHARES[color != choice.color]
        yield choice.effect(kind, points, *alike, numbers=(lives, lived))


def _shapes(choice: MovePair, points: float, told: Collection[StoneList]) -> Iterator[Effect]:
    """Yield the shape of the better move, if the other move does not have it, too.

    told  chains that other effects are about
    """
    game, color, first, second = choice
    if first.move == PASS:
        return
    same = set[tuple[Kind, tuple[StoneList, ...]]]()
    if game.legality(color, second.move) == MoveCode.LEGAL and second.move != PASS:
        shapes = shapes_of(Scene(game, color, second.move), second.facts)
        same = {(shape.kind, shape.stones) for shape in shapes}
    for shape in shapes_of(Scene(game, color, first.move), first.facts)[:1]:
        is_new = not any(chain in told for chain in shape.stones)
        if is_new and shape.kind in ACTING and (shape.kind, shape.stones) not in same:
            yield shape._replace(points=points)


def _key_point(choice: MovePair, points: float, later: Sequence[Game]) -> list[Effect]:
    """Return that the opponent soon took the point of the better move in the game."""
    reply = 3 - choice.color, choice.first.move
    for number, end in enumerate(later[1 : AT_ONCE + 1] if reply[1] != PASS else ()):
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
