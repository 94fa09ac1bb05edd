"""The lessons of a game: who won and why, where it turned, what went wrong and what went well.

All of it comes from the review: no position is searched again.
"""

from collections.abc import Sequence
from typing import NamedTuple

from engine.explain.outcomes import share_alive
from engine.explain.words import about, color_name, listed
from engine.go.board import BLACK, WHITE
from engine.go.geometry import PASS, format_vertex
from engine.go.symmetry import equal_moves
from engine.picture.picture import picture_of
from engine.review.judging import Judgement, Review
from engine.review.looks import LEAD
from engine.review.move_loss import LOSS
from engine.review.remarks import Remark, who_leads
from engine.review.worth import WORTH


class LessonLimits(NamedTuple):
    """Thresholds of the lessons of a game."""

    deciding: int = 2  # moves that the verdict names at most
    sudden: float = 0.2  # chance that each of them loses at least, for good
    turned: float = 0.25  # the same of the first one, with which the game turned
    span: int = 10  # moves in which the lead changes hands at most
    pace: float = 0.5  # least points a move by which it changes meanwhile
    lead: float = 4.0  # least points of a lead; a smaller one may be the other side's
    alive: float = 0.6  # least share of continuations in which a group lives before it dies
    dead: float = 0.35  # largest share in which it lives after that
    least_group: int = 2  # stones
    good: int = 2  # good moves of each player
    hard: float = 0.05  # probability of a move, by the ranking model, that is hard to find
    calm: float = 0.15  # P(mistake) of a move that is right
    gain: float = 1.0  # points by which a good move is better than the usual one
    # Points between a record's result and the count that rules and rounding may explain.
    same_count: float = 1.0
    lost: float = 0.05  # chance to win of a side that seems to have lost


LESSONS = LessonLimits()


class GameResult(NamedTuple):
    """The result of a game in its record."""

    winner: int = 0  # BLACK or WHITE; 0: unknown, or a draw
    margin: float | None = None  # Black's [points]; None: the game was not counted
    ending: str = ""  # " by resignation", " on time"; "": unknown, or counted


class GoodMove(NamedTuple):
    """A move that few strong players would find, and that the search prefers."""

    judgement: Judgement
    number: int
    gain: float  # points by which it is better than the move that most would play
    sentence: str  # "Move 31, White G4, is hard to find: ..."


class GameLessons(NamedTuple):
    """What a review says of the whole game."""

    # The first line: who won, by what, because of which moves, or where the lead changed
    verdict: str
    # Sentences about what limits the review: players stronger than the engine, a result that
    # disagrees with the count
    notes: tuple[str, ...]
    turning: Judgement | None  # the largest of those moves; None: no single one turned the game
    # By color, at most three remarks, the largest loss first
    costliest: dict[int, tuple[Remark, ...]]
    # By color, at most two good moves, the largest gain first
    good: dict[int, tuple[GoodMove, ...]]


def lessons_of(
    review: Review, remarks: Sequence[Remark], result: GameResult | None = None
) -> GameLessons:
    """Return the lessons of a reviewed game, given the result in the record, if it has one."""
    result = result or GameResult()
    winner = result.winner or (BLACK if review.leads[-1][0] > 0.0 else WHITE)
    largest = sorted(remarks, key=lambda one: -one.judgement.loss.points)
    own = {
        color: [one for one in largest if one.judgement.play.color == color]
        for color in (BLACK, WHITE)
    }
    falls = _deciding(review, 3 - winner)
    return GameLessons(
        verdict=_verdict(review, result, winner, falls),
        notes=(*_about_strength(review), *_about_result(review, result)),
        turning=falls[0] if falls else None,
        costliest={color: tuple(own[color][: WORTH.costliest]) for color in own},
        good={color: tuple(good_moves(review, color)) for color in (BLACK, WHITE)},
    )


def _verdict(review: Review, result: GameResult, winner: int, falls: Sequence[Judgement]) -> str:
    """Return who won by what, and the mistakes of the loser that decided it, most chances first."""
    name, margin = color_name(winner), result.margin
    last = review.thoughts[-1].look
    if margin is None and last.counted and not result.winner:
        margin = last.observations[LEAD].mean
    if margin is not None and abs(margin) > 0.0:
        text = f"{name} won by {abs(margin):g} point{'s' * (abs(margin) != 1.0)}"
    elif result.winner:
        text = f"{name} won{result.ending}"
    else:
        text = f"In the last position, {who_leads(review.leads[-1][0])} points"
    if not falls:
        return f"{text}.{_change_of_lead(review, winner)}"
    plays = sorted((review.thoughts[one.after].number, one.play.point) for one in falls)
    moves = [f"{number} ({format_vertex(point)})" for number, point in plays]
    which = f"{color_name(3 - winner)}'s move{'s' * (len(moves) > 1)}"
    probably = "probably " * any(one.certainty != "clear" for one in falls)
    text = f"{text}, {probably}because of {which} {listed(moves)}"
    if stones := _changed_group(review, 3 - winner, falls[0]):
        color = review.thoughts[falls[0].before].game.color_at(stones[0])
        when = f"with move {review.thoughts[falls[0].after].number} " * (len(moves) > 1)
        fate = "lived" if color == winner else "died"
        text += f": {when}{color_name(color)}'s group at {format_vertex(stones[0])} {fate}"
    return f"{text}."


def _change_of_lead(review: Review, winner: int) -> str:
    """Return a sentence about the moves in which the winner took the lead for good; "": none.

    Leads in games of a loser who is stronger than the engine are too doubtful.
    """
    sign = 1.0 if winner == BLACK else -1.0
    leads = [sign * mean for mean, _ in review.leads]
    # The lead does not change while handicap stones are placed.
    placed = [thought.game.handicap for thought in review.thoughts]
    start = placed.index(placed[-1])
    last = max((step for step, lead in enumerate(leads) if lead < 0.0), default=0)
    last = max(last, start)
    begins = range(max(last - LESSONS.span, start), last + 1)
    ends = range(last, min(last + LESSONS.span + 1, len(leads)))
    swings = (
        (leads[end] - leads[first] - LESSONS.pace * (end - first), first, end)
        for first in begins
        for end in ends
        if end - first <= LESSONS.span
    )
    _, first, end = max(swings)
    if leads[end] < LESSONS.lead or 3 - winner in review.stronger:
        return ""
    begin, finish = max(review.thoughts[first].number, 1), review.thoughts[end].number
    when = f"between moves {begin} and {finish}" if begin < finish else f"with move {finish}"
    names = color_name(3 - winner), color_name(winner)
    if leads[first] <= -LESSONS.lead:
        return f" {when.capitalize()} the lead passed from {names[0]} to {names[1]}."
    close = max(map(abs, leads[: first + 1])) < LESSONS.lead
    return f" {names[1]} took the lead {when}." if close else ""


def _deciding(review: Review, loser: int) -> list[Judgement]:
    """Return the loser's clear and likely mistakes that cost most chances for good, most first."""
    rates = _chances(review, loser)
    falls = [
        (rates[one.before] - max(rates[one.after :]), one)
        for one in review.judgements
        if one.play.color == loser and one.certainty != "perhaps"
    ]
    falls.sort(key=lambda fall: -fall[0])
    if not falls or falls[0][0] < LESSONS.turned:
        return []
    return [one for fall, one in falls[: LESSONS.deciding] if fall >= LESSONS.sudden]


def _chances(review: Review, color: int) -> list[float]:
    """Return a color's chance to win in each position."""
    return [rate if color == BLACK else 1.0 - rate for rate in review.win_rates]


def _about_strength(review: Review) -> list[str]:
    """Return a sentence about players who are stronger than the engine; none if nobody is."""
    names = [color_name(color) for color in sorted(review.stronger)]
    if not names:
        return []
    losses = "losses" if names[1:] else f"{names[0]}'s losses"
    return [
        f"{listed(names)} may be stronger than yomi: {losses} under {LOSS.large:g} points are"
        " doubtful."
    ]


def _about_result(review: Review, result: GameResult) -> list[str]:
    """Return a sentence if the record's result disagrees with the last position; else none."""
    last, (lead, reach) = review.thoughts[-1].look, review.leads[-1]
    if result.margin is not None:
        counted = last.observations[LEAD].mean if last.counted else lead
        doubt = LESSONS.same_count if last.counted else reach
        if abs(counted - result.margin) > doubt:
            won = f"{color_name(BLACK if result.margin > 0.0 else WHITE)} won by"
            how = "the count of the last position says" if last.counted else "yomi estimates"
            said = f"{won} {abs(result.margin):g}"
            return [f"The record says {said}, but {how}: {who_leads(counted)} points."]
    elif result.winner:
        if _chances(review, result.winner)[-1] < LESSONS.lost:
            return [f"At the end, {who_leads(lead)} points."]
    return []


def _changed_group(review: Review, loser: int, turn: Judgement) -> tuple[int, ...]:
    """Return the sorted stones of the largest group that was lost for good, or ()."""
    before, last = review.thoughts[turn.before], review.thoughts[-1]
    owners = [one.look.ownership for one in (before, review.thoughts[turn.after], last)]
    changed = []
    for group in picture_of(before.game.board).groups:
        stones = tuple(sorted(group))
        # Of the loser: an opponent's group that lives is a loss, too.
        shares = [share_alive(stones, loser, one) for one in owners]
        if (
            len(stones) >= LESSONS.least_group
            and shares[0] >= LESSONS.alive
            and max(shares[1:]) <= LESSONS.dead
        ):
            changed.append(stones)
    return max(changed, key=len, default=())


def good_moves(review: Review, color: int) -> list[GoodMove]:
    """Return the moves of a color that are hard to find and right, the largest gain first."""
    moves = []
    for one in review.judgements:
        if one.play.color != color or one.chance is None or one.play.point == PASS:
            continue
        thought = review.thoughts[one.before]
        candidates = thought.look.decision.candidates
        hard = one.chance <= LESSONS.hard and one.mistake <= LESSONS.calm
        compared = one.comparison is not None and one.comparison.better is None
        if not (hard and compared and candidates):
            continue
        best, usual = candidates[0], max(thought.chances, key=thought.chances.__getitem__)
        other = next((move for move in candidates if move.point == usual), None)
        if other is None or not equal_moves(thought.game, best.point, one.play.point):
            continue
        gain = best.margin - other.margin
        if gain >= LESSONS.gain:
            number = review.thoughts[one.after].number
            text = (
                f"Move {number}, {color_name(color)} {format_vertex(one.play.point)}, was hard to"
                f" find and right: {format_vertex(usual)}, the usual move, is worth {about(gain)}"
                " less."
            )
            moves.append(GoodMove(one, number, gain, text))
    return sorted(moves, key=lambda move: -move.gain)[: LESSONS.good]
