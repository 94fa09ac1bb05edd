"""Reasons against a move: the effects of the better move.

The effects of the two moves are those of ``yomi-explain`` (``engine.explain.effects``); the
searches of both add who has to answer, and which point is the key for both sides.
"""

import math
from collections.abc import Iterable, Iterator, Sequence

from engine.errors import YomiError
from engine.explain.effects import EFFECTS, effects_of
from engine.explain.kinds import STONE, Effect, Kind, StoneList
from engine.explain.outcomes import share_alive
from engine.explain.territory import Reach
from engine.facts.position_facts import Facts
from engine.go.board import BLACK, WHITE, Ownership
from engine.go.geometry import PASS, lines_apart
from engine.go.history import Game
from engine.picture.picture import picture_of
from engine.review.comparisons import Comparison, agreed_owners
from engine.review.looks import LEAD, PositionLook

NEAR, FAR = 3, 6  # lines from a move to a local answer at most, and to one elsewhere at least
# Moves of an expected line that are believed, and of the game after a mistake that may show its
# punishment.
LINE, SOON = 7, 8
EXPECTED = 1.5  # points a stone that an expected line captures
# Points: places of a key point and of sente among the other reasons; the last is a share of the
# loss, for a key point that is worth more.
KEY_POINT, SENTE, KEY_SHARE = 1.5, 1.0, 0.25
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

    Ground is a reason only if it explains a good part of the loss; there may be no reason.

    game   before the move
    size   points that the move lost
    later  the positions of the record after the move and after each of the next moves
    """
    after, other, better = comparison.after, comparison.alternative, comparison.better
    if after is None or other is None or better is None:
        return ()
    owners = agreed_owners(comparison)
    effects = effects_of(game, game.to_play, (better, played), owners, facts)
    effects += _from_lines(game, played, comparison, later)
    for captures in (
        _later_captures(game, owners, later[: SOON + 1]),
        _line_captures(game, played, comparison, owners),
    ):
        effects += list(_untold(captures, effects))
    effects = [e for e in effects if not e.kind.is_ground or e.points >= MAIN * size]
    if not effects or sum(effect.points for effect in effects) < MAIN * size:
        effects += _ground_and_stones(game, (better, played), owners, MAIN * size)
    return tuple(sorted(effects, key=lambda effect: -effect.points))


def _untold(captures: Iterable[Effect], effects: Sequence[Effect]) -> Iterator[Effect]:
    """Yield captures without the chains that other effects are about."""
    for capture in captures:
        stones = tuple(s for s in capture.stones if not any(e.is_about(s) for e in effects))
        if stones:
            points = capture.points * sum(map(len, stones)) / sum(map(len, capture.stones))
            yield capture._replace(stones=stones, points=points)


def _ground_and_stones(
    game: Game, moves: tuple[int, int], owners: tuple[Ownership, Ownership], least: float
) -> Iterator[Effect]:
    """Yield the largest part of the board that the better move gains, if it is worth enough.

    It may be stones of both colors that neither live nor die for sure after either move.
    moves  the better one, and the played one
    least  points
    """
    gained = (1.0 if game.to_play == BLACK else -1.0) * (owners[0] - owners[1])
    won, lost = (
        Reach(move, owners[0], owners[1], math.inf).largest(game, part, stones=True)
        for move, part in zip(moves, (gained, -gained), strict=True)
    )
    given_up = lost.points if lost is not None else 0.0
    if won is None or won.points - given_up < max(least, 1.0):
        return
    grounds = [won] if lost is None else [won, lost]
    yield Effect(
        kind=Kind.GROUND_AND_STONES,
        points=won.points - given_up,
        color=game.to_play,
        moves=moves,
        places=tuple(ground.middle for ground in grounds),
        numbers=tuple(ground.points for ground in grounds),
    )


def _from_lines(
    game: Game, played: int, comparison: Comparison, later: Sequence[Game]
) -> Iterator[Effect]:
    """Yield what the opponent's answers to both moves show."""
    better = comparison.better
    answers = [
        look.decision.candidates[0].point if look is not None and look.decision.candidates else PASS
        for look in (comparison.alternative, comparison.after)
    ]
    to_better, to_played = answers
    if better is None:
        return
    effect = Effect(Kind.KEEPS_SENTE, SENTE, color=game.to_play, moves=(better, played))
    for number, end in enumerate(later[1 : SOON + 1]):
        if better != PASS and end.moves and end.moves[-1] == (3 - game.to_play, better):
            kind = Kind.KEY_POINT_NEXT if number == 0 else Kind.KEY_POINT_SOON
            points = max(KEY_POINT, KEY_SHARE * comparison.losses[LEAD].mean)
            yield effect._replace(kind=kind, points=points)
            return
    if PASS in (better, played, *answers) or to_better == played:
        return
    if lines_apart(to_better, better) <= NEAR and lines_apart(to_played, played) >= FAR:
        yield effect._replace(places=(to_better,))


def _later_captures(
    game: Game, owners: tuple[Ownership, Ownership], later: Sequence[Game]
) -> Iterator[Effect]:
    """Yield the mover's chains that the opponent captured soon in the game.

    Roll-outs have to agree that the better move would have helped them.
    """
    color = game.to_play
    for chain in picture_of(game.board).chains:
        stones = tuple(sorted(chain.stones))
        if chain.color != color or not _hangs_on_it(game, stones, owners):
            continue
        for end in later:
            if end.moves and end.color_at(stones[0]) != color:
                yield Effect(
                    kind=Kind.CAPTURED_IN_GAME,
                    points=STONE * len(stones),
                    stones=(stones,),
                    color=color,
                    places=(end.moves[-1].point,),
                )
                break


def _hangs_on_it(game: Game, stones: StoneList, owners: tuple[Ownership, Ownership]) -> bool:
    """Return whether stones fare better for the mover after the one move, by roll-outs."""
    color = game.color_at(stones[0])
    lives, lived = (share_alive(stones, color, owned) for owned in owners)
    return (lives - lived if color == game.to_play else lived - lives) >= EFFECTS.agreed


def _line_captures(
    game: Game, played: int, comparison: Comparison, owners: tuple[Ownership, Ownership]
) -> Iterator[Effect]:
    """Yield the captures in the expected line of one move that the line of the other lacks.

    Roll-outs have to agree.
    """
    after, other, better = comparison.after, comparison.alternative, comparison.better
    if after is None or other is None or better is None:
        return
    color = game.to_play
    bad, good = expected_line(played, after), expected_line(better, other)
    lost, won = captured_in(game, bad), captured_in(game, good)
    for owner, line, taken, spared in ((color, bad, lost, won), (3 - color, good, won, lost)):
        chains = tuple(
            tuple(sorted(chain.stones))
            for chain in picture_of(game.board).chains
            if chain.color == owner and chain.stones <= taken and not chain.stones <= spared
        )
        stones = tuple(chain for chain in chains if _hangs_on_it(game, chain, owners))
        if stones:
            yield Effect(
                kind=Kind.CAPTURES_IN_LINE,
                points=EXPECTED * sum(map(len, stones)),
                stones=stones,
                color=3 - owner,
                places=line,
            )


def expected_line(move: int, look: PositionLook) -> tuple[int, ...]:
    """Return a move and how a search of the position after it expects the game to go on."""
    best = look.decision.candidates[:1]
    return move, *(best[0].line[: LINE - 1] if best else ())


def captured_in(game: Game, line: Sequence[int]) -> set[int]:
    """Return the stones of a position that a line takes off the board."""
    colors = {p: color for color in (BLACK, WHITE) for p in game.stones(color)}
    end = game.copy()
    try:
        for number, point in enumerate(line):
            end.play(end.to_play, point, forced=number == 0)  # a record may force a move (KO)
    except YomiError:  # the search did not know of a repetition
        pass
    return {point for point, color in colors.items() if end.color_at(point) != color}
