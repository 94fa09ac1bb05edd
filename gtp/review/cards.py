"""A card for each mistake: two boards next to each other, with numbered lines of play."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine import BLACK, COLOR_NAMES, PASS, WHITE, Game, YomiError, board_svg, format_vertex
from engine.review import Remark, Review, likelihood
from gtp.review.notes import NOTES
from gtp.review.steps import percent


class Diagram(NamedTuple):
    """A board after some moves, which are numbered.

    svg   the drawing; alt: its description in words
    line  the moves as text: "1 D4, 2 C3"
    """

    svg: str
    alt: str
    line: str


class Card(NamedTuple):
    """The content of a mistake's card. Moves and colors are words.

    before   index of the position before it; after: of the one after it
    loss     points lost; interval: 90 % of it; chance: P(mistake)
    reasons  sentences, the largest first; habit: how usual the move is
    again    later moves that leave the same point open: index of the position before, number
    """

    number: int
    color: str
    move: str
    better_move: str
    serious: bool
    before: int
    after: int
    loss: str
    interval: str
    chance: str
    reasons: tuple[str, ...]
    habit: str
    again: tuple[tuple[int, int], ...]
    played: Diagram
    better: Diagram


def cards_of(review: Review, remarks: Sequence[Remark]) -> list[Card]:
    """Return a card for each remark, in their order."""
    return [_card(review, remark) for remark in remarks]


def _card(review: Review, remark: Remark) -> Card:
    judged = remark.judgement
    game = review.thoughts[judged.before].game
    color = COLOR_NAMES[judged.play.color]
    played, better = format_vertex(judged.play.point), format_vertex(remark.better)
    owners = remark.owners or (None, None, None)
    return Card(
        number=remark.number,
        color=color,
        move=played,
        better_move=better,
        serious=remark.certainty == "clear",
        before=judged.before,
        after=judged.after,
        loss=f"{judged.loss.points:.1f}",
        interval=f"{judged.loss.low:.0f} to {judged.loss.high:.0f}",
        chance=likelihood(judged),
        reasons=remark.sentences or (f"{format_vertex(remark.better)} was better.",),
        habit=_habit(review, remark),
        again=tuple((one.judgement.before, one.number) for one in remark.again),
        played=diagram_of(game, f"played: {color} {played}", remark.played_line, owners[1]),
        better=diagram_of(game, f"better: {color} {better}", remark.line, owners[2]),
    )


def _habit(review: Review, remark: Remark) -> str:
    chances = review.thoughts[remark.judgement.before].chances
    moves = [p for p in (remark.judgement.play.point, remark.better) if p in chances]
    if not moves:
        return ""
    parts = (f"{format_vertex(point)} in {percent(chances[point])}" for point in moves)
    return f"The model expects a strong player to play {' and '.join(parts)}."


def diagram_of(
    game: Game, what: str, line: Sequence[int], owners: npt.NDArray[np.float64] | None = None
) -> Diagram:
    """Return the board after a line of alternate, numbered moves.

    what    description of the line, in words
    owners  (AREA,), shaded where no number stands, and on stones where the opponent owns the point
    A number without a stone marks a captured stone. Of moves at the same point the last one
    has its number on the board; the text lists all.
    """
    end = game.copy()
    labels: dict[int, str] = {}
    words = []
    for number, point in enumerate(line[: NOTES.shown_line], start=1):
        try:
            end.play(end.to_play, point, forced=number == 1)  # a record may force a move (KO)
        except YomiError:  # a repetition that the search did not know
            break
        words.append(f"{number} {format_vertex(point)}")
        if point != PASS:
            labels[point] = str(number)
    shaded = None
    if owners is not None:
        shaded = owners.copy()
        shaded[list(labels)] = 0.0  # a shade would hide the number
        for color, sign in ((BLACK, 1.0), (WHITE, -1.0)):
            stones = end.stones(color)
            shaded[stones] = sign * np.minimum(sign * shaded[stones], 0.0)
    text = ", ".join(words)
    return Diagram(board_svg(end.board, PASS, labels, shaded), f"{what}; {text}", text)
