"""Why a move was a mistake, in Go terms: from two searches, after it and after the better one.

Looked at are captures and rescues that are proved, the stones that the expected lines capture, the
chains that live after one move and not after the other, and the points that change owner. Of all
that, the largest is said.
"""

from collections.abc import Iterable
from typing import NamedTuple

from engine.arrays import Floats
from engine.errors import YomiError
from engine.go.board import BLACK, EMPTY
from engine.go.components import components
from engine.go.geometry import PASS, board_points, format_vertex, to_column_row
from engine.go.history import Game
from engine.go.played import COLOR_NAMES
from engine.review.looks import Comparison, PositionLook, after_move
from engine.thinkers.wording import ChainFate, alive_words, chain_fates, count_stones

LINE = 8  # moves of an expected line that are believed
FATE = 0.15  # change of the share of continuations in which a chain lives that counts
PROVED = 4.0  # points that a proof is worth: its place in the sentence
GROUP = 3.0  # points a stone of a chain is worth that dies or lives: its place in the sentence
NEAR = 2  # points so far apart are one place, columns or rows
TELLING = 0.08  # net share that a point's owner changes by, to count
FAR = 0.35  # of the board's side: farther apart, two moves are in different places
EVERYONE, NOBODY = 0.15, 0.01  # probabilities of a move that many, and that hardly any expert plays


class Reason(NamedTuple):
    """One thing that speaks against a move, and about how many points it is."""

    points: float
    text: str


def reason_for(game: Game, played: int, comparison: Comparison) -> str:
    """Return the largest reason why the better move is better, as a clause without a period."""
    after, other = comparison.after, comparison.alternative
    if after is None or other is None or comparison.better is None:
        return ""
    color = game.to_play
    sign = 1 if color == BLACK else -1
    lost = sign * (other.ownership - after.ownership)
    worse, better = after_move(game, played), after_move(game, comparison.better)
    reasons = [
        *_proved(played, comparison),
        *_captures(game, worse, after, better, other),
        *_fates(game, worse, better, after, other),
        *_places(game, lost, played, comparison.better),
    ]
    if not reasons:
        return f"{format_vertex(comparison.better)} is worth more, a little in many places"
    return max(reasons).text


def _proved(played: int, comparison: Comparison) -> Iterable[Reason]:
    """Yield what was read out beforehand: a capture or a rescue, or a move that is in vain."""
    if comparison.known.startswith(("captures", "saves")):
        yield Reason(PROVED, f"it {comparison.known}")
    if comparison.vain.startswith(("cannot", "needless")):
        yield Reason(PROVED, f"{format_vertex(played)} is in vain ({comparison.vain})")


def _captures(
    game: Game, worse: Game, after: PositionLook, better: Game, other: PositionLook
) -> Iterable[Reason]:
    """Yield the chains that are taken in one expected line and not in the other."""
    color = game.to_play
    own, theirs = _name(color), _name(3 - color)
    lost, kept = captured_in(worse, after), captured_in(better, other)
    for chain in game.chains():
        stones = f"{count_stones(chain)} at {format_vertex(chain[0])}"
        mine = game.color_at(chain[0]) == color
        if mine and set(chain) <= lost and not set(chain) <= kept:
            yield Reason(2.0 * len(chain), f"{theirs} captures the {stones}")
        elif not mine and set(chain) <= kept and not set(chain) <= lost:
            yield Reason(2.0 * len(chain), f"{own} could capture the {stones}")


def captured_in(game: Game, look: PositionLook) -> set[int]:
    """Return the stones of a position that the line which a search expects takes off the board."""
    stones = {p: game.color_at(p) for p in board_points(game.size) if game.color_at(p) != EMPTY}
    line = look.decision.candidates[0].line[:LINE] if look.decision.candidates else ()
    end = game.copy()
    try:
        for point in line:
            end.play(end.to_play, point)
    except YomiError:  # the search did not know of a repetition
        pass
    return {point for point, color in stones.items() if end.color_at(point) != color}


def _fates(
    game: Game, worse: Game, better: Game, after: PositionLook, other: PositionLook
) -> Iterable[Reason]:
    """Yield the chains that live after the better move only, or the opponent's the other way."""
    for fate in chain_fates(game, after.ownership, other.ownership):
        chain = fate.stones
        if any(worse.color_at(p) == EMPTY or better.color_at(p) == EMPTY for p in chain):
            continue  # the move itself took it: that is a capture
        mine = fate.color == game.to_play
        change = fate.lived - fate.lives if mine else fate.lives - fate.lived
        if change < FATE:
            continue
        name = f"{_name(fate.color)}'s {count_stones(chain)} at {format_vertex(chain[0])}"
        yield Reason(GROUP * change * len(chain), f"{name} {_verdict(fate, mine)}")


def _verdict(fate: ChainFate, mine: bool) -> str:
    """Return in words what became of a chain; mine: it belongs to the player of the move."""
    be, get = ("is", "gets") if len(fate.stones) == 1 else ("are", "get")
    if mine:
        verb = f"{be} likely to die" if fate.lives < 0.5 else f"{be} in danger"
    else:
        verb = f"{get} away" if fate.lives > 0.5 else f"{be} not quite dead"
    return f"{verb} ({alive_words(fate)})"


def _places(game: Game, lost: Floats, played: int, better: int) -> Iterable[Reason]:
    """Yield the place where most points change owner."""
    color = game.to_play
    places = sorted(_clusters(game.size, lost), key=lambda place: -sum(lost[p] for p in place))
    if not places or sum(lost[p] for p in places[0]) < 1.0:
        return
    place = places[0]
    points = float(sum(lost[p] for p in place))
    center = format_vertex(max(place, key=lambda p: lost[p]))
    one = round(points) == 1
    count = f"about {points:.0f} point{'' if one else 's'}"
    # Elsewhere than at the better move the points are lost by what was played.
    far = PASS not in (played, better) and distance(played, better) > FAR * game.size
    if far and min(distance(p, better) for p in place) <= 2 * NEAR:
        be = "is" if one else "are"
        yield Reason(points, f"the fight around {center} is larger, {count} {be} at stake")
    else:
        where = "there" if center == format_vertex(better) else f"around {center}"
        go = "goes" if one else "go"
        yield Reason(points, f"{count} {where} {go} to {_name(3 - color)}")


def _clusters(size: int, lost: Floats) -> list[list[int]]:
    """Return the places where points are lost: what lies near each other is one."""
    points = [p for p in board_points(size) if lost[p] >= TELLING]
    near = {one: [p for p in points if distance(one, p) <= NEAR] for one in points}
    return [sorted(place) for place in components(points, near.__getitem__)]


def distance(one: int, other: int) -> int:
    """Return how far apart two points are, in columns or rows, whichever is more."""
    (a, b), (c, d) = to_column_row(one), to_column_row(other)
    return max(abs(a - c), abs(b - d))


def _name(color: int) -> str:
    return COLOR_NAMES[color].capitalize()


def habit(chance: float | None, better: float | None, best: str) -> str:
    """Return how usual a move is among strong players, and how usual the better one.

    chance, better  the ranking model's probabilities; None: unknown
    best            the better move's name
    """
    if chance is None:
        return ""
    instead = f", {_percent(better)} {best}" if better is not None else ""
    if chance >= EVERYONE:
        return f"a common mistake: {_percent(chance)} of strong players play here{instead}"
    if chance < NOBODY:
        return f"hardly a strong player plays here ({_percent(chance)}{instead})"
    return f"{_percent(chance)} of strong players play here{instead}"


def _percent(share: float) -> str:
    if share < 0.001:
        return "under 0.1 %"
    return f"{100 * share:.0f} %" if share >= 0.01 else f"{100 * share:.1f} %"
