"""Which moves are worth a remark to a player of some level, and the remark in words.

These are the mistakes that help the player, and each player's costliest moves, mistakes or not.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from engine.explain.words import listed, sentences_of
from engine.go.board import BLACK, WHITE, Ownership
from engine.go.geometry import format_vertex
from engine.go.played import COLOR_NAMES
from engine.player.levels import STRONGEST, WEAKEST, level_number
from engine.review.judging import Judgement, Review, better_of
from engine.review.mistakes import MISTAKES, Certainty
from engine.review.move_loss import chance_words, points_words


class RemarkLimits(NamedTuple):
    """Thresholds of remarks about mistakes."""

    costliest: int = 3  # moves of each player that always get a remark
    least_points: float = 0.5  # loss of the smallest of them: less is nothing to talk of
    # Share of the loss that a reason is worth to be told, and their number
    reason_share: float = 0.2
    most_reasons: int = 3
    anew: float = 1.5  # times the loss by which an open point is worth another remark


REMARKS = RemarkLimits()


class Level(NamedTuple):
    """What a player can use.

    least   points that a mistake must lose for a remark, in units of MISTAKES.least_loss
    most    remarks for each color
    chance  least probability that a strong player plays the better move, by the ranking model: a
            move that comes to nobody's mind teaches little
    """

    least: float = 1.0
    most: int = 1000
    chance: float = 0.0


Levels = Level | Mapping[int, Level]
"""What the reader of a review can use: one level, or one for each color."""


def read_level(text: str) -> Level:
    """Return what a player of a grade can use, "20k" to "1k" and "1d" to "5d". Raises BadSetup."""
    return level_of(level_number(text.strip()))


def level_of(number: float) -> Level:
    """Return what a player of some strength can use.

    number  of kyu, WEAKEST to STRONGEST; 1d is 0
    """
    share = (WEAKEST - min(max(number, STRONGEST), WEAKEST)) / (WEAKEST - STRONGEST)
    return Level(3.5 - 2.5 * share, round(3 + 17 * share), 0.05 * (1.0 - share))


def own_levels(review: Review) -> dict[int, Level]:
    """Return the remarks that each player can use, by the posterior of the players' ranks.

    A color of unknown rank can use everything.
    """
    return {
        color: level_of(review.ranks[color].median) if color in review.ranks else Level()
        for color in (BLACK, WHITE)
    }


def _for_color(level: Levels, color: int) -> Level:
    return level if isinstance(level, Level) else level[color]


def describe_lead(mean: float, reach: float) -> str:
    """Return who leads by how much, and half of the 90 % interval: "White leads by 3.5 (+- 9)".

    mean, reach  of Black's lead [points], as ``Review.leads`` has them
    """
    return f"{who_leads(mean)} (+- {reach:.0f})"


def who_leads(lead: float) -> str:
    """Return who leads by how much, as "White leads by 3.5"; the lead is Black's.

    Nobody leads by nothing; the lead is 0.0 then.
    """
    if abs(lead) < 0.05:
        return "the lead is 0.0"
    leader = COLOR_NAMES[BLACK if lead >= 0.0 else WHITE].capitalize()
    return f"{leader} leads by {points_words(abs(lead))}"


class Remark(NamedTuple):
    """A costly move and what is to be said of it.

    better   the better move; line: how it would go on, itself first
    played_line  how the played move would go on, itself first
    sentences    the reasons against the move, for a player, the largest first
    owners       of all points: before the move, after it, after the better one; float64[AREA]
                 each, -1 White .. 1 Black; None: unknown
    text     what is said
    again    later mistakes of the same player that leave the same point open
    """

    judgement: Judgement
    number: int
    better: int
    line: tuple[int, ...]
    text: str
    again: tuple["Remark", ...] = ()
    played_line: tuple[int, ...] = ()
    sentences: tuple[str, ...] = ()
    owners: tuple[Ownership, Ownership, Ownership] | None = None

    @property
    def certainty(self) -> Certainty:
        """How surely the move was a mistake."""
        return self.judgement.certainty


def remarks_of(review: Review, level: Levels) -> list[Remark]:
    """Return the remarks on a game for a level, in the order of the moves.

    Mistakes come with as many remarks as the level can use. Each player's costliest moves have one
    in any case.
    """
    chosen: list[list[Judgement]] = []
    for color in (BLACK, WHITE):
        used = _for_color(level, color)
        costly = [one for one in _useful(review, level) if one.play.color == color]
        # Mistakes come first: a doubtful move may leave the same point open as one.
        points = open_points(sorted(costly, key=lambda one: one.verdict != "mistake"))
        points.sort(key=lambda point: -point[0].loss.points)
        chosen += points[: min(REMARKS.costliest, used.most)]
        least = used.least * MISTAKES.least_loss
        chosen += [
            point
            for point in points[REMARKS.costliest : used.most]
            if point[0].verdict == "mistake" and point[0].loss.points >= least
        ]
    remarks: list[Remark] = []
    for first, *later in sorted(chosen, key=lambda point: point[0].after):
        remark = _remark(review, first, {remark.better for remark in remarks})
        again = [_remark_again(review, j, first) for j in later if j.verdict == "mistake"]
        remarks.append(_with_later(remark, again))
    return remarks


def with_again(remarks: Iterable[Remark]) -> list[Remark]:
    """Return remarks, each followed by those on later mistakes that leave its point open."""
    return [one for remark in remarks for one in (remark, *remark.again)]


def _useful(review: Review, level: Levels) -> Iterator[Judgement]:
    """Yield the costly moves whose better move a level can use."""
    for judgement in review.judgements:
        if judgement.has_better and judgement.loss.points >= REMARKS.least_points:
            chances = review.thoughts[judgement.before].chances
            chance = chances.get(better_of(judgement), 0.0) if chances else 1.0
            if chance >= _for_color(level, judgement.play.color).chance:
                yield judgement


def open_points(mistakes: Sequence[Judgement]) -> list[list[Judgement]]:
    """Put together the mistakes of a player that leave the same point open; each list in order.

    A point that stays the largest on the board is worth one remark, not one at every move; but
    another one where much more was lost than before.
    mistakes  mistakes beside which there is a better move, in the order of the moves
    """
    points: list[list[Judgement]] = []
    for judgement in mistakes:
        for point in points:
            if _leaves_open(judgement, point[0]):
                point.append(judgement)
                break
        else:
            points.append([judgement])
    return points


def _leaves_open(judgement: Judgement, first: Judgement) -> bool:
    """Return whether a mistake leaves the point open that an earlier one of the player left."""
    more = judgement.loss.points > REMARKS.anew * first.loss.points
    same = judgement.play.color == first.play.color and better_of(judgement) == better_of(first)
    return same and not more


def _remark(review: Review, judgement: Judgement, named: set[int]) -> Remark:
    """Return what is to be said of a mistake.

    named  better moves of remarks before: where both sides go on without one, it still is
    """
    before, comparison = review.thoughts[judgement.before], judgement.comparison
    assert comparison is not None
    better = better_of(judgement)
    line: tuple[int, ...] = (better,)
    if comparison.alternative is not None and comparison.alternative.decision.candidates:
        line += comparison.alternative.decision.candidates[0].line
    instead = f"{format_vertex(better)} was {'still ' if better in named else ''}better."
    sentences = sentences_of(
        judgement.reasons, REMARKS.reason_share * judgement.loss.points, REMARKS.most_reasons
    )
    text = " ".join([f"{describe_loss(judgement)}: {instead}", *sentences])
    number = review.thoughts[judgement.after].number
    played_line: tuple[int, ...] = (judgement.play.point,)
    owners = None
    if comparison.after is not None and comparison.alternative is not None:
        if comparison.after.decision.candidates:
            played_line += comparison.after.decision.candidates[0].line
        owners = before.look.ownership, comparison.after.ownership, comparison.alternative.ownership
    return Remark(
        judgement=judgement, number=number, better=better, line=line,
        text=text, played_line=played_line,
        sentences=tuple(sentences), owners=owners,
    )  # fmt: skip


def _remark_again(review: Review, judgement: Judgement, first: Judgement) -> Remark:
    """Return what is to be said of a mistake that leaves open what an earlier one left."""
    better, number = better_of(judgement), review.thoughts[judgement.after].number
    since = review.thoughts[first.after].number
    why = f"{format_vertex(better)} was still better, as at move {since}."
    return Remark(
        judgement=judgement, number=number, better=better, line=(better,),
        text=f"{describe_loss(judgement)}: {why}",
    )  # fmt: skip


def _with_later(remark: Remark, later: Sequence[Remark]) -> Remark:
    """Return a remark that names the later moves which leave its point open, too."""
    if not later:
        return remark
    numbers = listed([str(other.number) for other in later])
    moves = "moves" if len(later) > 1 else "move"
    more = f"It stayed open, and was still better at {moves} {numbers}."
    return remark._replace(text=f"{remark.text} {more}", again=tuple(later))


_LOST = {"clear": "lost", "likely": "probably lost", "perhaps": "perhaps lost"}


def describe_loss(judgement: Judgement) -> str:
    """Return what a move lost, "probably lost 6.5 points (large, 3 to 10), P(mistake) 72 %"."""
    loss = judgement.loss
    return (
        f"{_LOST[judgement.certainty]} {points_words(loss.points)} points ({loss.word},"
        f" {loss.low:.0f} to {loss.high:.0f}), P(mistake) {likelihood(judgement)}"
    )


def likelihood(judgement: Judgement) -> str:
    """Return the probability of a mistake in words; nothing is certain."""
    return chance_words(judgement.mistake)


def describe_remark(remark: Remark) -> str:
    """Return a line about a costly move for a list of them, with the largest reason."""
    judged = remark.judgement
    color = "B" if judged.play.color == BLACK else "W"
    better = f"{format_vertex(remark.better)} was better."
    name = f"{remark.number} {color} {format_vertex(judged.play.point)}"
    return " ".join([f"{name}: {describe_loss(judged)}: {better}", *remark.sentences[:1]])
