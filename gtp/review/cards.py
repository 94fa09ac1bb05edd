"""The cards of a review: each costly move as a lesson, for the page and its script."""

from collections.abc import Sequence
from typing import Any

from engine import COLOR_NAMES, format_vertex
from engine.explain.words import chance_words
from engine.review import Remark, Review, also_words, better_words, lost_words, points_words
from gtp.review.notes import NOTES
from gtp.review.steps import index_of_point, line_of, owners_of


def cards_of(review: Review, remarks: Sequence[Remark]) -> list[dict[str, Any]]:
    """Return a dictionary for each remark, in their order, with JSON values only.

    Points are numbers from 0 in the upper left corner, row by row; -1 is a pass.
    step      index of the position before the move
    loss      points lost, in words; lost: with the verb; size, certainty: words
    reasons   sentences, the largest first; betterPoints: all moves that the first one names
    again     other moves that leave the same point open: index of the position before, number;
              also: the words before them
    line, played  how the better move and the played one would go on, themselves first
    owners    owners of all points after the better move, as in ``steps``; "": unknown
    """
    return [_card(review, remark) for remark in remarks]


def _card(review: Review, remark: Remark) -> dict[str, Any]:
    judged = remark.judgement
    game, loss = review.thoughts[judged.before].game, judged.loss
    return {
        "number": remark.number,
        "step": judged.before,
        "color": COLOR_NAMES[judged.play.color],
        "move": format_vertex(judged.play.point),
        "better": format_vertex(remark.better),
        "point": index_of_point(game, judged.play.point),
        "betterPoints": [index_of_point(game, point) for point in judged.better_moves],
        "lost": lost_words(judged),
        "loss": points_words(loss.points),
        "size": loss.word,
        "certainty": remark.certainty,
        "chance": chance_words(judged.mistake),
        "reasons": [better_words(judged), *remark.sentences],
        "also": also_words(remark),
        "again": [[one.judgement.before, one.number] for one in remark.again],
        "line": line_of(game, remark.line),
        "played": line_of(game, remark.played_line),
        "lineWords": _words(remark.line),
        "playedWords": _words(remark.played_line),
        "owners": "" if remark.owners is None else owners_of(game, remark.owners[2]),
    }


def _words(line: Sequence[int]) -> str:
    return " ".join(
        f"{k} {format_vertex(p)}" for k, p in enumerate(line[: NOTES.shown_line], start=1)
    )
