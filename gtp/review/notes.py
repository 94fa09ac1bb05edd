"""The review's notes for each node of a record: win rate, lead, marks, comment, better lines."""

from collections.abc import Sequence
from statistics import NormalDist
from typing import NamedTuple

from engine import BLACK, COLOR_NAMES, format_vertex
from engine.go.symmetry import pooled_chances
from engine.review import (
    LEAD,
    LOOKS,
    MISTAKES,
    Judgement,
    Remark,
    Review,
    Thought,
    describe_lead,
    describe_loss,
    likelihood,
    who_leads,
    with_again,
)
from patterns_db.records.annotations import Note, Variation


class NoteLimits(NamedTuple):
    """What a note says of a move."""

    shown: int = 5  # moves that a note lists
    shown_line: int = 10  # moves of a better line
    calm: float = 0.1  # probability of a mistake below which a move may be praised
    unusual: float = 0.02  # probability below which an expert's move is unusual
    surest: float = 1e-6  # chances of a whole review nearer to 0 or 1 count as this


NOTES = NoteLimits()

_LETTERS = "ABCDEFGHIJ"
_NORMAL = NormalDist()


def write_notes(review: Review, remarks: Sequence[Remark], nodes: int) -> list[Note | None]:
    """Return a note for each node of the main line, or None where there is nothing to say."""
    notes: list[Note | None] = [None] * nodes
    judged = {judgement.after: judgement for judgement in review.judgements}
    first = {remark.judgement.after: remark for remark in remarks}
    # A point that stays open gets a remark at every move there, for readers who step through.
    remark_after = {one.judgement.after: one for one in with_again(remarks)}
    for number, thought in enumerate(review.thoughts):
        best = thought.look.decision.candidates[: NOTES.shown]
        labels = tuple((move.point, letter) for move, letter in zip(best, _LETTERS, strict=False))
        # No move follows a count.
        likely = [] if thought.look.counted else _likely(thought)
        lines = [describe_state(review, number)]
        if number in remark_after:
            remark = remark_after[number]
            lines.append(f"{_name(remark.judgement, thought.number)}: {remark.text}")
        elif number in judged:
            lines.append(describe_move(judged[number], thought.number))
        lines += _best_moves(thought, review.win_rates[number])
        if number + 1 in remark_after:
            lines += _closer(thought, remark_after[number + 1].better)
        if likely:
            moves = ", ".join(
                f"{format_vertex(point)} {100 * chance:.1f} %" for point, chance in likely
            )
            lines.append(f"The model expects of a strong player: {moves}")
        notes[thought.node] = Note(
            win_rate=review.win_rates[number],
            margin=review.leads[number][0],
            labels=labels,
            triangle=likely[0][0] if likely else None,
            comment="\n".join(lines),
            judgement=_mark(review, judged.get(number), remark_after.get(number)),
            instead=_instead(review, first.get(number + 1)),
        )
    return notes


def describe_state(review: Review, number: int) -> str:
    """Return Black's chance to win and the lead in a position, or the result that was counted."""
    look = review.thoughts[number].look
    if look.counted:
        return f"Counted: {describe_result(look.observations[LEAD].mean)}"
    rate = 100 * review.win_rates[number]
    return f"Black wins with {rate:.1f} %; {describe_lead(*review.leads[number])}"


def describe_result(margin: float) -> str:
    """Return who leads by how much, as "White leads by 3.5 points"; the margin is Black's."""
    return f"{who_leads(margin)} points" if margin != 0.0 else "a draw"


def _likely(thought: Thought) -> list[tuple[int, float]]:
    return pooled_chances(thought.game, thought.chances)[: NOTES.shown]


def _best_moves(thought: Thought, win_rate: float) -> list[str]:
    """Return the moves that a search prefers. The best one has the review's win rate.

    win_rate  Black's, from all searches of the game. The single search may be far off; the
              other moves are lower by as many probits as in that search
    """
    decision = thought.look.decision
    own = win_rate if thought.look.color == BLACK else 1.0 - win_rate
    if not decision.candidates:
        return [f"{decision.reason.capitalize()}."]
    color = COLOR_NAMES[thought.look.color].capitalize()
    lines = [f"Best for {color}, with {color}'s chance to win:"]
    for letter, move in zip(_LETTERS, decision.candidates[: NOTES.shown], strict=False):
        line = " ".join(format_vertex(point) for point in move.line[:6])
        worse = _probit(move.win_rate, LOOKS.sure) - _probit(
            decision.candidates[0].win_rate, LOOKS.sure
        )
        chance = _NORMAL.cdf(_probit(own, NOTES.surest) + worse)
        lines.append(f"{letter} {format_vertex(move.point)} {100 * chance:.1f} %: {line}")
    return lines


def _closer(thought: Thought, better: int) -> list[str]:
    """Return that closer searches prefer another move than the first search of a position."""
    if thought.prefers_another(better):
        return [f"Closer searches prefer {format_vertex(better)}."]
    return []


def _probit(rate: float, sure: float) -> float:
    return _NORMAL.inv_cdf(min(max(rate, sure), 1.0 - sure))


def describe_move(judgement: Judgement, number: int) -> str:
    """Return one line about a move without a remark on a mistake."""
    words = f"{_name(judgement, number)}:"
    if judgement.verdict != "fine":
        words += f" {describe_loss(judgement)}"
    else:
        words += f" P(mistake) {likelihood(judgement)}"
    if judgement.chance is not None:
        share = f"{100 * judgement.chance:.1f}" if judgement.chance >= 0.001 else "under 0.1"
        words += f"; the model expects it in {share} % (rank {judgement.rank})"
    return words


def _name(judgement: Judgement, number: int) -> str:
    return f"Move {number}, {format_vertex(judgement.play.point)}"


def _mark(review: Review, judgement: Judgement | None, remark: Remark | None) -> str | None:
    """Return BM or DO for a mistake, TE or IT for an unusual good one."""
    if remark is not None:
        return {"clear": "BM", "likely": "DO"}.get(remark.certainty)
    if judgement is None or judgement.chance is None or judgement.mistake >= NOTES.calm:
        return None
    thought = review.thoughts[judgement.before]
    decision = thought.look.decision
    if decision.point != judgement.play.point or judgement.chance >= NOTES.unusual:
        return None
    if not decision.candidates:
        return None
    usual = _likely(thought)[0][0]
    played = decision.candidates[0]
    # A move is a tesuji when the usual move is clearly worse.
    for move in decision.candidates:
        if move.point == usual:
            gap = played.margin - move.margin
            return "TE" if gap >= 2.0 * MISTAKES.least_loss else "IT"
    return "IT"


def _instead(review: Review, remark: Remark | None) -> tuple[Variation, ...]:
    """Return the better line of a mistake, for the node before it."""
    if remark is None:
        return ()
    before = review.thoughts[remark.judgement.before]
    comment = f"{_name(remark.judgement, remark.number)}: {remark.text}"
    return (Variation(before.look.color, remark.line[: NOTES.shown_line], comment),)
