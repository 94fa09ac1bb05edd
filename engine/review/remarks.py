"""The remarks on the moves that are worth one (``worth``), in words."""

from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from engine.explain.kinds import Effect
from engine.explain.words import chance_words, listed, sentences_of
from engine.go.board import BLACK, WHITE, Ownership
from engine.go.geometry import PASS, format_vertex
from engine.go.played import COLOR_NAMES
from engine.review.choices import choices_of
from engine.review.judging import Judgement, Review, better_of
from engine.review.mistakes import MISTAKES, Certainty
from engine.review.move_loss import points_words
from engine.review.worth import Levels, worth_remarks


class RemarkLimits(NamedTuple):
    """The reasons in a remark: the least share of the loss that one explains, and their number."""

    share: float = 0.2
    most: int = 3


REMARKS = RemarkLimits()

LOST_WORDS: Mapping[Certainty, str] = MappingProxyType(
    {"clear": "lost", "likely": "probably lost", "perhaps": "may have lost"}
)
BETTER_WORDS: Mapping[Certainty, str] = MappingProxyType(
    {"clear": "{} was better.", "likely": "{} was probably better.", "perhaps": "yomi prefers {}."}
)


def describe_lead(mean: float, reach: float, brief: bool = False) -> str:
    """Return who leads by how much, and half of the 90 % interval: "White leads by 3.5 (+- 9)"."""
    return f"{who_leads(mean, brief)} (+- {reach:.0f})"


def who_leads(lead: float, brief: bool = False) -> str:
    """Return who leads by how much, "White leads by 3.5", briefly "White 3.5"; it is Black's."""
    if abs(lead) < 0.05:
        return "the lead is 0.0"
    leader = COLOR_NAMES[BLACK if lead >= 0.0 else WHITE].capitalize()
    return f"{leader} {'' if brief else 'leads by '}{points_words(abs(lead))}"


class Remark(NamedTuple):
    """A costly move and what is to be said of it."""

    judgement: Judgement
    number: int
    better: int  # the better move
    line: tuple[int, ...]  # how it would go on, itself first; alone if doubtful
    text: str  # what is said
    # Smaller mistakes of the same player that leave the same point open, in order
    again: tuple["Remark", ...] = ()
    played_line: tuple[int, ...] = ()  # how the played move would go on, itself first
    sentences: tuple[str, ...] = ()  # the reasons against the move, for a player, the largest first
    # Of all points: before the move, after it, after the better one; float64[AREA] each, -1 White
    # .. 1 Black; None: unknown
    owners: tuple[Ownership, Ownership, Ownership] | None = None

    @property
    def certainty(self) -> Certainty:
        """How surely the move was a mistake."""
        return self.judgement.certainty


def remarks_of(review: Review, level: Levels) -> list[Remark]:
    """Return the remarks on a game for a level, in the order of the moves."""
    remarks: list[Remark] = []
    for costliest, *others in worth_remarks(review, level):
        remark = _remark(review, costliest)
        again = tuple(
            _short(review, one, f"{better_words(one, 1)[:-1]}, as at move {remark.number}.")
            for one in sorted(others, key=lambda one: one.after)
            if one.verdict == "mistake"
        )
        if again:
            remark = remark._replace(again=again)
            moves = f"move{'s' * (len(again) > 1)} {listed([str(one.number) for one in again])}"
            remark = remark._replace(text=f"{remark.text} {also_words(remark)} {moves}.")
        remarks.append(remark)
    return remarks


def also_words(remark: Remark) -> str:
    """Return that a better move was also better at its other moves, "B7 was also better at"."""
    sure = "probably " * any(one.certainty != "clear" for one in remark.again)
    return f"{format_vertex(remark.better)} was {sure}also better at"


def with_again(remarks: Iterable[Remark]) -> list[Remark]:
    """Return remarks, each followed by those on other mistakes that leave its point open."""
    return [one for remark in remarks for one in (remark, *remark.again)]


def _short(review: Review, judgement: Judgement, why: str) -> Remark:
    """Return a remark that says of the better move only one sentence."""
    better = better_of(judgement)
    return Remark(
        judgement=judgement, number=review.thoughts[judgement.after].number, better=better,
        line=(better,), text=f"{describe_loss(judgement)}. {why}",
    )  # fmt: skip


def _remark(review: Review, judgement: Judgement) -> Remark:
    """Return what is to be said of a mistake."""
    comparison = judgement.comparison
    assert comparison is not None
    short = _short(review, judgement, better_words(judgement))
    least = REMARKS.share * judgement.loss.points
    # What a doubtful better move brings is more doubtful still.
    doubtful = judgement.certainty == "perhaps"
    reasons = [] if doubtful else _standing(judgement, _good_replies(review, judgement))
    sentences = tuple(sentences_of(reasons, least, REMARKS.most))
    remark = short._replace(text=" ".join([short.text, *sentences]), sentences=sentences)
    after, other = comparison.after, comparison.alternative
    assert after is not None
    assert other is not None
    before = review.thoughts[judgement.before].look
    line = () if doubtful else other.decision.line  # often faulty
    return remark._replace(
        line=(*short.line, *line),
        played_line=(judgement.play.point, *after.decision.line),
        owners=(before.ownership, after.ownership, other.ownership),
    )


def _standing(judgement: Judgement, good: Collection[int]) -> list[Effect]:
    """Return the reasons that need none of the opponent's moves but good ones.

    good  the opponent's moves that the review calls good
    """
    return [e for e in judgement.reasons if e.reply == PASS or e.reply in good]


def _good_replies(review: Review, judgement: Judgement) -> Collection[int]:
    """Return the opponent's best moves after a move, as the review shows them."""
    reply = next((one for one in review.judgements if one.before == judgement.after), None)
    if reply is not None and reply.verdict == "mistake":
        return reply.better_moves
    choices = choices_of(review, judgement.after)
    return {choice.point for choice in choices if choice.loss < MISTAKES.least_loss}


def better_words(judgement: Judgement, most: int | None = None) -> str:
    """Return how surely at most so many moves are better, "B7 or A6 was probably better."."""
    names = " or ".join(map(format_vertex, judgement.better_moves[:most]))
    return BETTER_WORDS[judgement.certainty].format(names)


def lost_words(judgement: Judgement) -> str:
    """Return what a move lost, "probably lost about 6.5 points"."""
    return f"{LOST_WORDS[judgement.certainty]} about {points_words(judgement.loss.points)} points"


def describe_loss(judgement: Judgement) -> str:
    """Return what a move lost, "may have lost about 2.5 points (chance of a mistake 54 %)"."""
    return f"{lost_words(judgement)} (chance of a mistake {chance_words(judgement.mistake)})"


def describe_remark(remark: Remark) -> str:
    """Return a line about a costly move for a list of them, with the largest reason."""
    judged = remark.judgement
    color = "B" if judged.play.color == BLACK else "W"
    words = f"{describe_loss(judged)}. {better_words(judged)}"
    name = f"{remark.number} {color} {format_vertex(judged.play.point)}"
    return " ".join([f"{name}: {words}", *remark.sentences[:1]])
