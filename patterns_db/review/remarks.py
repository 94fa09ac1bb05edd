"""Which mistakes are worth a remark to a player of some level, and the remark in words."""

import re
from typing import NamedTuple

from engine import BLACK, COLOR_NAMES, PASS, WHITE, BadSetup, Game, format_vertex
from patterns_db.review.judging import Judgement, Review, least_mistake
from patterns_db.review.looks import LEAD
from patterns_db.review.reasons import habit, reason_for

NAMED = 0.7  # probability from which on a move is called a mistake
# And what its own comparison has to find, in least mistakes: what is found in the positions around
# it may be an older mistake that came to light.
FOUND = 2.0
SERIOUS = 0.8  # and from which on a bad one, not a doubtful one
WEAKEST, STRONGEST = 20, 5  # kyu and dan


class Level(NamedTuple):
    """What a player can use.

    least   points that a remark is worth, in least mistakes of the board
    most    remarks for each color
    chance  that a strong player finds the better move, by the ranking model: what is too far from
            anybody's mind teaches little
    """

    least: float = 1.0
    most: int = 1000
    chance: float = 0.0


def read_level(text: str) -> Level:
    """Return the level of a grade, "20k" to "1k" and "1d" to "5d". Raises BadSetup."""
    match = re.fullmatch(r"(\d{1,2})([kd])", text.strip().lower())
    number = int(match[1]) if match else 0
    if not match or not 1 <= number <= (WEAKEST if match[2] == "k" else STRONGEST):
        raise BadSetup(f"{text[:40]!r} is not a level from {WEAKEST}k to {STRONGEST}d")
    grade = WEAKEST - number if match[2] == "k" else WEAKEST - 1 + number
    share = grade / (WEAKEST - 1 + STRONGEST)
    return Level(3.5 - 2.5 * share, round(3 + 17 * share), 0.05 * (1.0 - share))


def describe_lead(mean: float, deviation: float) -> str:
    """Return who leads by how much, with the reach of the 90 % interval, as "White leads by 3.5".

    mean, deviation  of Black's lead [points]
    """
    leader = COLOR_NAMES[BLACK if mean >= 0.0 else WHITE].capitalize()
    return f"{leader} leads by {abs(mean):.1f} (+- {1.645 * deviation:.0f})"


class Remark(NamedTuple):
    """A mistake and what is to be said of it.

    better   the better move; line: how it would go on, itself first
    serious  a bad move, not just a doubtful one
    """

    judgement: Judgement
    number: int
    better: int
    line: tuple[int, ...]
    serious: bool
    text: str


def is_named(mistake: float, found: float, least: float) -> bool:
    """Return whether a move is called a mistake.

    mistake  its probability; found: points lost by its comparison alone; least: of a mistake
    """
    return mistake >= NAMED and found >= FOUND * least


def remarks_of(review: Review, level: Level) -> list[Remark]:
    """Return the remarks on a game for a level, in the order of the moves."""
    found = []
    for judgement in review.judgements:
        comparison = judgement.comparison
        if comparison is None or comparison.better is None:
            continue
        before = review.thoughts[judgement.before]
        least = least_mistake(before.game.size)
        if not is_named(judgement.mistake, comparison.losses[LEAD].mean, least):
            continue
        seen = before.chances.get(comparison.better, 0.0) if before.chances else 1.0
        if judgement.size >= level.least * least and seen >= level.chance:
            found.append(judgement)
    chosen: list[Judgement] = []
    for color in {judgement.play.color for judgement in found}:
        own = [judgement for judgement in found if judgement.play.color == color]
        own.sort(key=lambda judgement: -judgement.mistake * judgement.size)
        chosen += own[: level.most]
    remarks: list[Remark] = []
    for judgement in sorted(chosen, key=lambda j: j.after):
        remarks.append(_remark(review, judgement, {remark.better for remark in remarks}))
    return remarks


def _remark(review: Review, judgement: Judgement, named: set[int]) -> Remark:
    """Return what is to be said of a mistake.

    named  better moves of remarks before: where both sides go on without one, it still is
    """
    before, comparison = review.thoughts[judgement.before], judgement.comparison
    assert comparison is not None
    assert comparison.better is not None
    better, line = comparison.better, (comparison.better,)
    if comparison.alternative is not None and comparison.alternative.decision.candidates:
        line += comparison.alternative.decision.candidates[0].line
    serious = judgement.mistake >= SERIOUS
    was = "was still" if better in named else "was"
    text = _sentence(
        before.game, judgement, before.chances, f"{format_vertex(better)} {was} better"
    )
    return Remark(judgement, review.thoughts[judgement.after].number, better, line, serious, text)


def _sentence(game: Game, judgement: Judgement, chances: dict[int, float], instead: str) -> str:
    comparison = judgement.comparison
    assert comparison is not None
    assert comparison.better is not None
    reason = reason_for(game, judgement.play.point, comparison)
    chance = chances.get(comparison.better) if comparison.better != PASS else None
    usual = habit(judgement.chance, chance, format_vertex(comparison.better))
    clauses = [f"{instead}, for {reason}" if reason else instead, usual]
    text = "; ".join(clause for clause in clauses if clause)
    return f"{describe_loss(judgement)}: {text}."


def describe_loss(judgement: Judgement) -> str:
    """Return what a mistake lost, "lost 6.5 points (3 to 10), P(mistake) 92 %"."""
    return (
        f"lost {judgement.size:.1f} points ({judgement.low:.0f} to {judgement.high:.0f}),"
        f" P(mistake) {likelihood(judgement)}"
    )


def likelihood(judgement: Judgement) -> str:
    """Return the probability of a mistake in words; nothing is certain."""
    return f"{100 * min(judgement.mistake, 0.99):.0f} %"


def describe_remark(remark: Remark) -> str:
    """Return a line about a mistake for a list of them."""
    color = "B" if remark.judgement.play.color == BLACK else "W"
    return f"{remark.number} {color} {format_vertex(remark.judgement.play.point)}: {remark.text}"
