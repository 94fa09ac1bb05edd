"""Reasons against a move: the effects of the better move.

To the effects of the two moves (``engine.explain.effects``) the record and the expected lines add
captures, and the point that is the key for both sides.
"""

from collections.abc import Iterable, Iterator, Sequence

from engine.errors import YomiError
from engine.explain.effects import EFFECTS, effects_of, ground_of, replies
from engine.explain.kinds import STONE, Effect, Kind, StoneList
from engine.explain.outcomes import MovePair, Outcome
from engine.facts.position_facts import Facts
from engine.go.geometry import PASS
from engine.go.history import Game
from engine.review.comparisons import Comparison, agreed_owners
from engine.review.looks import LEAD

# Moves of an expected line that are believed after its first, and of the game after a mistake that
# may show its punishment.
LINE, SOON = 6, 8
EXPECTED = 1.5  # points a stone that an expected line captures
# Points: place of a key point among the other reasons; the last is a share of the loss, for a key
# point that is worth more.
KEY_POINT, KEY_SHARE = 1.5, 0.25
MAIN = 0.4  # of the loss: a good part of it; ground that is worth less is no reason


def reasons_against(
    game: Game,
    played: int,
    comparison: Comparison,
    facts: Facts,
    later: Sequence[Game] = (),
    size: float = 0.0,
) -> tuple[Effect, ...]:
    """Return the reasons against a move beside a better one, the largest first.

    game   before the move
    size   points that the move lost
    later  the positions of the record after the move and after each of the next moves
    """
    better, after, other = comparison.better, comparison.after, comparison.alternative
    if better is None or after is None or other is None:
        return ()
    owners, color = agreed_owners(comparison), game.to_play
    first = Outcome(game, color, better, owners[0], facts, other.decision.line[:LINE])
    second = Outcome(game, color, played, owners[1], facts, after.decision.line[:LINE])
    choice = MovePair(game, color, first, second)
    effects = effects_of(choice)
    effects += _key_point(choice, comparison, later) or [
        effect for effect in replies(choice) if effect.kind == Kind.KEEPS_SENTE
    ]
    for captures in (_later_captures(choice, later[: SOON + 1]), _line_captures(choice)):
        effects += list(_untold(captures, effects))
    effects = [e for e in effects if not e.kind.is_ground or e.points >= MAIN * size]
    if not effects or sum(effect.points for effect in effects) < MAIN * size:
        ground = ground_of(choice, stones=True)
        effects += [e for e in ground if e.points >= max(MAIN * size, 1.0)]
    return tuple(sorted(effects, key=lambda effect: -effect.points))


def _untold(captures: Iterable[Effect], effects: Sequence[Effect]) -> Iterator[Effect]:
    """Yield captures without the chains that other effects are about."""
    for capture in captures:
        stones = tuple(s for s in capture.stones if not any(s in e.stones for e in effects))
        if stones:
            points = capture.points * sum(map(len, stones)) / sum(map(len, capture.stones))
            yield capture._replace(stones=stones, points=points)


def _key_point(choice: MovePair, comparison: Comparison, later: Sequence[Game]) -> list[Effect]:
    """Return that the opponent soon took the point of the better move in the game."""
    reply = 3 - choice.color, choice.first.move
    for number, end in enumerate(later[1 : SOON + 1] if reply[1] != PASS else ()):
        if end.moves and end.moves[-1] == reply:
            kind = Kind.KEY_POINT_NEXT if number == 0 else Kind.KEY_POINT_SOON
            points = max(KEY_POINT, KEY_SHARE * comparison.losses[LEAD].mean)
            return [choice.effect(kind, points)]
    return []


def _later_captures(choice: MovePair, later: Sequence[Game]) -> Iterator[Effect]:
    """Yield the chains that the opponent soon captured, and that the better move helps."""
    color = choice.color
    for stones in choice.chains:
        if choice.game.color_at(stones[0]) == color and choice.gain(stones) >= EFFECTS.agreed:
            ends = (end for end in later if end.moves and end.color_at(stones[0]) != color)
            for end in list(ends)[:1]:
                places = (end.moves[-1].point,)
                points = STONE * len(stones)
                yield choice.effect(Kind.CAPTURED_IN_GAME, points, stones, places=places)


def _line_captures(choice: MovePair) -> Iterator[Effect]:
    """Yield the captures in one expected line that the other lacks, as far as roll-outs agree."""
    good, bad = ((outcome.move, *outcome.line) for outcome in (choice.first, choice.second))
    chains = [chain for chain in choice.chains if choice.gain(chain) >= EFFECTS.agreed]
    won, lost = (captured_in(choice.game, line, chains) for line in (good, bad))
    for owner, line, taken in (
        (choice.color, bad, lost - won), (3 - choice.color, good, won - lost)
    ):  # fmt: skip
        stones = tuple(c for c in sorted(taken) if choice.game.color_at(c[0]) == owner)
        if stones:
            points = EXPECTED * sum(map(len, stones))
            effect = choice.effect(Kind.CAPTURES_IN_LINE, points, *stones, places=line)
            yield effect._replace(color=3 - owner)


def captured_in(game: Game, line: Sequence[int], chains: Iterable[StoneList]) -> set[StoneList]:
    """Return the chains of a position that a line takes off the board."""
    end = game.copy()
    try:
        for number, point in enumerate(line):
            end.play(end.to_play, point, forced=number == 0)  # a record may force a move (KO)
    except YomiError:  # the search did not know of a repetition
        pass
    return {
        stones
        for stones in chains
        if any(end.color_at(stone) != game.color_at(stone) for stone in stones)
    }
