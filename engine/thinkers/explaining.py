"""Reasons for a move against another one: chances and points, and changes of stones and ground.

The words describe findings that exist anyway (``judgement``). Two outlooks of roll-outs, one after
each of two moves, give ``changes``. These are chains that live after one move only, and the ground
that a move brings. Proofs that a move links chains or cuts them apart give ``links``. All words
take the mover's side.
"""

import math
from collections.abc import Iterable

from engine.gaussian import NINETY_PERCENT
from engine.go.board import BLACK, Ownership
from engine.go.components import components
from engine.go.geometry import board_points, format_vertex
from engine.go.history import Game
from engine.life.links import LinkFacts
from engine.search.root_moves import MoveBelief
from engine.thinkers.wording import alive_words, chain_fates, named

FATE = 0.25  # Least change worth a word, of the share of continuations in which a chain lives.
OWNED = 0.2  # Least gain of ownership for a point to belong to the ground that a move brings.
GROUND = 1.0  # Least ground worth a word [points].
MOST = 2  # Most chains that are named.


def gap_between(better: MoveBelief, other: MoveBelief) -> tuple[float, float]:
    """Return by how many points one move is better, and the half width of the 90 % interval."""
    deviation = math.hypot(better.margin_deviation, other.margin_deviation)
    return better.margin - other.margin, NINETY_PERCENT * deviation


def judgement(move: MoveBelief, rival: MoveBelief | None) -> str:
    """Return how good a move is, beside another one.

    rival  the best move, or the second best for the best one itself; None: there is no other
    """
    said = f"the best move at {move.best:.0%}"
    if rival is None:
        return said
    gap, likely = gap_between(move, rival)
    size, other = abs(gap), format_vertex(rival.point)
    if size < 0.05:
        return f"{said}, as good as {other} but for {likely:.1f} points either way"
    points = f"{size:.1f} points ({size - likely:.1f} to {size + likely:.1f})"
    return f"{said}, {points} {'better' if gap > 0.0 else 'worse'} than {other}"


def links(pairs: Iterable[LinkFacts], color: int) -> dict[int, str]:
    """Return which chains each move of a color links or cuts apart: the largest pair for each.

    pairs  proved facts about links
    """
    found: dict[int, str] = {}
    # The largest pair comes last and is kept.
    for pair in sorted(pairs, key=lambda pair: sorted(map(len, pair[:2]))):
        one, other = (named(stones) for stones in pair[:2])
        if pair.color == color:
            found[pair.link] = f"{one} is linked with {other}"
        else:
            found[pair.cut] = f"{one} is cut off from {other}"
    return found


def changes(game: Game, color: int, first: Ownership, second: Ownership) -> list[str]:
    """Return the gains of one move of a color over another one, the largest first.

    If the move brings ground, the ground that the other move would have brought is named as well.

    game           before either move
    first, second  float64[AREA], -1 White .. 1 Black, after the one and after the other
    """
    sign = 1.0 if color == BLACK else -1.0
    fates = []
    for fate in chain_fates(game, first, second):
        better = fate.lives - fate.lived if fate.color == color else fate.lived - fate.lives
        if better >= FATE:
            words = f"{named(fate.stones)} is {alive_words(fate)}"
            fates.append((len(fate.stones), words))
    fates.sort(key=lambda fate: -fate[0])
    said = [words for _, words in fates[:MOST]]
    gained = sign * (first - second)
    if (won := _largest_ground(game, gained)) is not None:
        more = f"{won[0]:.1f} points more around {format_vertex(won[1])}"
        # One region alone would promise more than the difference between the moves.
        lost = _largest_ground(game, -gained)
        less = "" if lost is None else f" for {lost[0]:.1f} fewer around {format_vertex(lost[1])}"
        said.append(more + less)
    return said


def _largest_ground(game: Game, gained: Ownership) -> tuple[float, int] | None:
    """Return the points of the largest ground gained, and its middle; None if it is too small."""
    empty = (point for point in board_points(game.size) if not game.color_at(point))
    parts = components(point for point in empty if gained[point] >= OWNED)
    grounds = [(float(gained[ground].sum()), ground) for ground in parts]
    points, ground = max(grounds, key=lambda pair: pair[0], default=(0.0, []))
    if points < GROUND:
        return None
    return points, max(ground, key=lambda point: float(gained[point]))


def margin_words(likely: tuple[float, float]) -> str:
    """Return the results between which a game ends with 90 % probability, as "W+3.5 to B+10.0"."""
    return " to ".join(
        "jigo" if round(margin, 1) == 0.0 else f"{'B' if margin > 0 else 'W'}+{abs(margin):.1f}"
        for margin in likely
    )
