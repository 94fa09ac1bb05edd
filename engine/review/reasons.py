"""Reasons against a move: the effects of the better move, and how usual both moves are.

The effects of the two moves are those of ``yomi-explain`` (``engine.explain.effects``); the
searches of both add who has to answer, and which point is the key for both sides.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine.errors import YomiError
from engine.explain.effects import EFFECTS, Effect, about, effects_of
from engine.explain.territory import largest_gain
from engine.explain.wording import color_name, share_alive, the_chain
from engine.facts.position_facts import Facts
from engine.go.board import BLACK, Ownership
from engine.go.geometry import PASS, format_vertex, lines_apart
from engine.go.history import Game
from engine.review.comparisons import Comparison, agreed_owners
from engine.review.looks import LEAD, PositionLook


class ReasonLimits(NamedTuple):
    """Thresholds of the reasons against a move, and their places among each other."""

    # Lines from a move to a local answer at most, and to one elsewhere at least
    near: int = 3
    far: int = 6
    line: int = 7  # moves of an expected line that are believed
    soon: int = 8  # moves of the game after a mistake that may show its punishment
    expected: float = 1.5  # points a stone that an expected line captures
    # Points: places among the other reasons
    key_point: float = 1.5
    sente: float = 1.0
    key_share: float = 0.25  # of the loss: a key point that is worth more
    # Of the loss: a good part of it; ground that is worth less is no reason
    main: float = 0.4
    # Probabilities of a move that most, that many and that hardly any experts play. A review that
    # names a move of most experts is wrong more often than it says.
    most: float = 0.5
    many: float = 0.15
    nobody: float = 0.01


REASONS = ReasonLimits()


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
    effects += [
        effect
        for name, effect in _later_captures(game, owners, later[: REASONS.soon + 1])
        if not _is_told(name, effects)
    ]
    effects += _line_captures(game, played, comparison, owners, effects)
    effects = [
        effect for effect in effects if not effect.territory or effect.points >= REASONS.main * size
    ]
    if not effects or sum(effect.points for effect in effects) < REASONS.main * size:
        effects += _ground_and_stones(game, better, owners, REASONS.main * size)
    return tuple(sorted(effects, key=lambda effect: -effect.points))


def _ground_and_stones(
    game: Game, better: int, owners: tuple[Ownership, Ownership], least: float
) -> Iterator[Effect]:
    """Yield the largest part of the board that the better move gains, if it is worth enough.

    It may be stones of both colors that neither live nor die for sure after either move.
    least  points
    """
    gained = (1.0 if game.to_play == BLACK else -1.0) * (owners[0] - owners[1])
    won, lost = (largest_gain(game, part, stones=True) for part in (gained, -gained))
    cost = lost.points if lost is not None else 0.0
    if won is None or won.points - cost < max(least, 1.0):
        return
    sentence = f"{format_vertex(better)} gains {about(won.points)} around"
    sentence += f" {format_vertex(won.middle)}, counting the stones there"
    if lost is not None and round(cost) > 0:
        sentence += f", and gives up about {cost:.0f} around {format_vertex(lost.middle)}"
    yield Effect(won.points - cost, f"{sentence}.", concrete=False, territory=True)


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
    rival = color_name(3 - game.to_play)
    key = max(REASONS.key_point, REASONS.key_share * comparison.losses[LEAD].mean)
    for number, end in enumerate(later[1 : REASONS.soon + 1]):
        if better not in (None, PASS) and end.moves and end.moves[-1] == (3 - game.to_play, better):
            when = "with the next move" if number == 0 else "soon after"
            yield Effect(
                key,
                f"{format_vertex(better)} is the key point for both sides: {rival} took it {when}.",
            )
            return
    if better is None or PASS in (better, played, *answers) or to_better == played:
        return
    if (
        lines_apart(to_better, better) <= REASONS.near
        and lines_apart(to_played, played) >= REASONS.far
    ):
        yield Effect(
            REASONS.sente,
            f"{format_vertex(better)} keeps sente: {rival} should answer at"
            f" {format_vertex(to_better)}, but need not answer {format_vertex(played)}.",
        )


def _later_captures(
    game: Game, owners: tuple[Ownership, Ownership], later: Sequence[Game]
) -> Iterator[tuple[str, Effect]]:
    """Yield the mover's chains that the opponent captured soon in the game, with their names.

    Roll-outs have to agree that the better move would have helped them.
    """
    color = game.to_play
    for chain in game.chains():
        stones = list(chain)
        if game.color_at(stones[0]) != color or not _hangs_on_it(game, stones, owners):
            continue
        for end in later:
            if end.moves and end.color_at(stones[0]) != color:
                name, move = the_chain(stones), format_vertex(end.moves[-1].point)
                sentence = f"{color_name(3 - color)} captured {name} with {move} in the game."
                yield name, Effect(EFFECTS.stone * len(stones), sentence)
                break


def _hangs_on_it(game: Game, stones: Sequence[int], owners: tuple[Ownership, Ownership]) -> bool:
    """Return whether stones fare better for the mover after the one move, by roll-outs."""
    color = game.color_at(stones[0])
    lives, lived = (share_alive(stones, color, owned) for owned in owners)
    return (lives - lived if color == game.to_play else lived - lives) >= EFFECTS.agreed


def _is_told(name: str, effects: Sequence[Effect]) -> bool:
    """Return whether a reason names a chain; a proof or a roll-out may tell of it."""
    # A1 is no part of A10.
    mention = re.compile(rf"\b{name.removeprefix('the ')}\b")
    return any(mention.search(effect.sentence) for effect in effects)


def _line_captures(
    game: Game,
    played: int,
    comparison: Comparison,
    owners: tuple[Ownership, Ownership],
    others: Sequence[Effect],
) -> list[Effect]:
    """Return the captures in the expected line of one move that the line of the other lacks.

    Roll-outs have to agree.
    others  other reasons; their chains are left out
    """
    after, other, better = comparison.after, comparison.alternative, comparison.better
    if after is None or other is None or better is None:
        return []
    color = game.to_play
    bad, good = expected_line(played, after), expected_line(better, other)
    in_bad, in_good = captured_in(game, bad), captured_in(game, good)
    effects = []
    for owner, line, taken, spared in (
        (color, bad, in_bad, in_good),
        (3 - color, good, in_good, in_bad),
    ):
        chains = [
            chain
            for chain in game.chains()
            if game.color_at(chain[0]) == owner
            and taken.issuperset(chain)
            and not spared.issuperset(chain)
            and not _is_told(the_chain(chain), others)
            and _hangs_on_it(game, chain, owners)
        ]
        if chains:
            names = " and ".join(map(the_chain, chains))
            moves = " ".join(map(format_vertex, line))
            sentence = f"{color_name(3 - owner)} captures {names} in the line {moves}."
            effects.append(Effect(REASONS.expected * sum(map(len, chains)), sentence))
    return effects


def expected_line(move: int, look: PositionLook) -> tuple[int, ...]:
    """Return a move and how a search of the position after it expects the game to go on."""
    best = look.decision.candidates[:1]
    return move, *(best[0].line[: REASONS.line - 1] if best else ())


def captured_in(game: Game, line: Sequence[int]) -> set[int]:
    """Return the stones of a position that a line takes off the board."""
    stones = {point for chain in game.chains() for point in chain}
    colors = {point: game.color_at(point) for point in stones}
    end = game.copy()
    try:
        for number, point in enumerate(line):
            end.play(end.to_play, point, forced=number == 0)  # a record may force a move (KO)
    except YomiError:  # the search did not know of a repetition
        pass
    return {point for point in stones if end.color_at(point) != colors[point]}


def habit(chance: float | None, better: float | None, best: str) -> list[str]:
    """Return a sentence about how usual a move is among strong players; none where it is unknown.

    chance, better  the ranking model's probabilities of the move and of the better one; None:
                    unknown
    best            the better move's name
    """
    if chance is None:
        return []
    instead = f", {_percent(better)} play {best}" if better is not None else ""
    if chance >= REASONS.most:
        return [f"Yet {_percent(chance)} of strong players play here{instead}."]
    if chance >= REASONS.many:
        return [f"It is a common mistake: {_percent(chance)} of strong players play here{instead}."]
    if chance < REASONS.nobody:
        if better is not None and better <= chance:  # they play elsewhere: no reason for the better
            return []
        return [f"Hardly a strong player plays here ({_percent(chance)}{instead})."]
    return [f"{_percent(chance)} of strong players play here{instead}."]


def _percent(share: float) -> str:
    if share < 0.001:
        return "under 0.1 %"
    return f"{100 * share:.0f} %" if share >= 0.01 else f"{100 * share:.1f} %"
