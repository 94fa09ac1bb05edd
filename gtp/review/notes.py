"""The review's notes for each node of a record: win rate, lead, marks, comment, better lines."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from engine import BLACK, COLOR_NAMES, WHITE, format_vertex
from engine.explain.words import chance_words, percent, shown_chance
from engine.go.symmetry import pooled_chances
from engine.review import (
    LEAD,
    Judgement,
    Remark,
    Review,
    choices_of,
    describe_lead,
    good_moves,
    points_words,
    who_leads,
    with_again,
)
from patterns_db.records.annotations import Note, Variation


class NoteLimits(NamedTuple):
    """What a note says of a move."""

    shown: int = 5  # moves that a note lists
    line: int = 6  # moves of their lines
    shown_line: int = 10  # moves of a better line


NOTES = NoteLimits()

_LETTERS = "ABCDE"


def write_notes(review: Review, remarks: Sequence[Remark], nodes: int) -> list[Note | None]:
    """Return a note for each node of the main line, or None where there is nothing to say."""
    notes: list[Note | None] = [None] * nodes
    judged = {judgement.after: judgement for judgement in review.judgements}
    first = {remark.judgement.after: remark for remark in remarks}
    # A point that stays open gets a remark at every move there, for readers who step through.
    remark_after = {one.judgement.after: one for one in with_again(remarks)}
    good = {one.judgement.after for color in (BLACK, WHITE) for one in good_moves(review, color)}
    for number, thought in enumerate(review.thoughts):
        best = choices_of(review, number)[: NOTES.shown]
        labels = tuple((move.point, letter) for move, letter in zip(best, _LETTERS, strict=False))
        # No move follows a count.
        chances = {} if thought.look.counted else thought.chances
        likely = pooled_chances(thought.game, chances)[: NOTES.shown]
        lines = [describe_state(review, number)]
        if number in remark_after:
            remark = remark_after[number]
            lines.append(f"{_name(remark.judgement, thought.number)}: {remark.text}")
        elif number in judged:
            lines.append(describe_move(judged[number], thought.number))
        lines += _best_moves(review, number)
        if likely:
            moves = ", ".join(
                f"{format_vertex(point)} {percent(chance)}" for point, chance in likely
            )
            lines.append(f"\nStrong players mostly play: {moves}")
        notes[thought.node] = Note(
            win_rate=shown_chance(review.win_rates[number]),
            margin=float(points_words(review.leads[number][0])),
            labels=labels,
            triangle=likely[0][0] if likely else None,
            comment="\n".join(lines),
            judgement=_mark(number, remark_after.get(number), good),
            instead=_instead(review, first.get(number + 1)),
        )
    return notes


def describe_state(review: Review, number: int) -> str:
    """Return Black's chance to win and the lead in a position, or the result of the game."""
    thought = review.thoughts[number]
    if thought.look.counted:
        return f"By the count, {describe_result(thought.look.observations[LEAD].mean)}"
    rate = chance_words(review.win_rates[number])
    return f"Black's chance to win {rate}; {describe_lead(*review.leads[number])}"


def describe_result(margin: float) -> str:
    """Return who leads by how much, as "White leads by 3.5 points"; the margin is Black's."""
    return f"{who_leads(margin)} points" if margin != 0.0 else "a draw"


def _best_moves(review: Review, step: int) -> list[str]:
    """Return the moves that could be played, with the points that each loses, and their lines.

    Sabaki plays a line on its board when the mouse is over it, if the color's name is before it.
    """
    thought = review.thoughts[step]
    choices = choices_of(review, step)[: NOTES.shown]
    if not choices:
        return [f"{thought.look.decision.reason.capitalize()}."]
    color = COLOR_NAMES[thought.look.color].capitalize()
    lines = [f"\n{color}'s best moves, and the points that each loses:"]
    for letter, choice in zip(_LETTERS, choices, strict=False):
        line = " ".join(format_vertex(point) for point in choice.line[: NOTES.line])
        lines.append(f"{letter} {points_words(choice.loss)}: {color} {line}")
    return lines


def describe_move(judgement: Judgement, number: int) -> str:
    """Return one line about a move without a remark."""
    points, chance = points_words(judgement.loss.points), chance_words(judgement.mistake)
    lost = "nothing" if points == points_words(0.0) else f"about {points} points"
    words = f"{_name(judgement, number)}: lost {lost}, chance of a mistake {chance}"
    if judgement.chance is not None:
        words += f"; {percent(judgement.chance)} of strong players would play it"
    return words


def _name(judgement: Judgement, number: int) -> str:
    return f"Move {number}, {format_vertex(judgement.play.point)}"


def _mark(number: int, remark: Remark | None, good: AbstractSet[int]) -> str | None:
    """Return BM or DO for a move with a remark, TE for a good one that is hard to find.

    number  of the position after the move; good: those after good moves
    """
    if remark is not None:
        return {"clear": "BM", "likely": "DO", "perhaps": None}[remark.certainty]
    return "TE" if number in good else None


def _instead(review: Review, remark: Remark | None) -> tuple[Variation, ...]:
    """Return the better line of a mistake, for the node before it."""
    if remark is None or not remark.line:
        return ()
    before = review.thoughts[remark.judgement.before]
    comment = f"{_name(remark.judgement, remark.number)}: {remark.text}"
    return (Variation(before.look.color, remark.line[: NOTES.shown_line], comment),)
