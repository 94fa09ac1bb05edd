"""The positions of a review as data for the script of the HTML page."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from engine import BLACK, COLOR_NAMES, PASS, WHITE, Game, format_vertex, to_column_row
from engine.explain.words import percent
from engine.review import MoveChoice, Remark, Review, Thought, choices_of, points_words, with_again
from gtp.answers import by_row
from gtp.review.notes import NOTES, describe_move, describe_state

OWNER_STEPS = 4  # ownership in quarters, from 0 (White) to 8 (Black)


def steps_of(review: Review, remarks: Sequence[Remark]) -> list[dict[str, Any]]:
    """Return a dictionary for each position, with JSON values only.

    Points are numbers from 0 in the upper left corner, row by row; -1 is a pass.
    changes  [point, color, point, color, ...] since the position before
    owners   a digit for each point, from 0 (White's) to 8 (Black's)
    moves    what could be played, the smallest loss first
    """
    remark_after = {one.judgement.after: one for one in with_again(remarks)}
    judged = {judgement.after: judgement for judgement in review.judgements}
    steps: list[dict[str, Any]] = []
    shown = np.zeros(review.thoughts[0].game.size ** 2, dtype=np.int64)
    for number, thought in enumerate(review.thoughts):
        game, play = thought.game, thought.play
        colors = np.array([game.color_at(point) for point in by_row(game.size)])
        changed = np.flatnonzero(colors != shown)
        step = {
            "number": thought.number,
            "name": move_name(thought),
            "changes": [int(one) for point in changed for one in (point, colors[point])],
            "last": -1 if play is None else index_of_point(game, play.point),
            "toPlay": game.to_play,
            "captures": [game.captures(color) for color in (BLACK, WHITE)],
            "rate": with_sign(describe_state(review, number)),
            "owners": owners_of(game, thought.look.ownership),
            "moves": [_choice(game, choice) for choice in choices_of(review, number)],
        }
        if number in remark_after:
            step["said"] = remark_after[number].text
        elif number in judged:
            step["said"] = describe_move(judged[number], thought.number)
        steps.append(step)
        shown = colors
    return steps


def move_name(thought: Thought) -> str:
    """Return the move before a position, as "Black D4"."""
    if thought.play is None:
        return "the beginning" if thought.number == 0 else "stones set up"
    return f"{COLOR_NAMES[thought.play.color].capitalize()} {format_vertex(thought.play.point)}"


def with_sign(words: str) -> str:
    """Return words about a lead with the sign that SGF comments have no letter for."""
    return words.replace("+- ", "\u00b1\u00a0")


def index_of_point(game: Game, point: int) -> int:
    """Return the number of a point, row by row from the upper left corner; -1 for a pass."""
    if point == PASS:
        return -1
    column, row = to_column_row(point)
    return (game.size - row) * game.size + column - 1


def line_of(game: Game, line: Sequence[int]) -> list[int]:
    """Return the numbers of the points of a line, as far as it is shown."""
    return [index_of_point(game, point) for point in line[: NOTES.shown_line]]


def owners_of(game: Game, ownership: npt.NDArray[np.float64]) -> str:
    """Return a digit for each point, from 0 (White's) to 2 * OWNER_STEPS (Black's)."""
    quarters = np.rint(OWNER_STEPS * ownership[by_row(game.size)]).astype(int) + OWNER_STEPS
    return "".join(map(str, quarters.clip(0, 2 * OWNER_STEPS)))


def _choice(game: Game, choice: MoveChoice) -> dict[str, Any]:
    return {
        "point": index_of_point(game, choice.point),
        "name": format_vertex(choice.point),
        "loss": points_words(choice.loss),
        "expected": "" if choice.expected is None else percent(choice.expected),
        "line": line_of(game, choice.line),
    }
