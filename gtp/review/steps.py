"""The positions of a review as data for the script of the HTML page."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from engine import BLACK, COLOR_NAMES, PASS, WHITE, Game, board_points, format_vertex, to_column_row
from engine.review import Remark, Review, Thought, describe_lead, with_again
from gtp.review.notes import NOTES, describe_move, describe_state

OWNER_STEPS = 4  # ownership in quarters, from 0 (White) to 8 (Black)


def steps_of(review: Review, remarks: Sequence[Remark]) -> list[dict[str, Any]]:
    """Return a dictionary for each position, with JSON values only.

    Points are numbers from 0 in the upper left corner, row by row; -1 is a pass.
    changes  [point, color, point, color, ...] since the position before
    owners   a digit for each point, from 0 (White's) to 8 (Black's)
    """
    remark_after = {one.judgement.after: one for one in with_again(remarks)}
    judged = {judgement.after: judgement for judgement in review.judgements}
    steps: list[dict[str, Any]] = []
    shown = np.zeros(review.thoughts[0].game.size ** 2, dtype=np.int64)
    for number, thought in enumerate(review.thoughts):
        colors = _colors(thought.game)
        changed = np.flatnonzero(colors != shown)
        step = {
            "number": thought.number,
            "name": move_name(thought),
            "changes": [int(one) for point in changed for one in (point, colors[point])],
            "last": -1
            if thought.play is None
            else index_of_point(thought.game, thought.play.point),
            "toPlay": thought.game.to_play,
            "captures": [thought.game.captures(color) for color in (BLACK, WHITE)],
            "rate": _with_sign(describe_state(review, number)),
            "black": round(review.win_rates[number], 4),
            "owners": _owners(thought.game, thought.look.ownership),
            "moves": _candidates(thought),
        }
        if number in remark_after:
            step["said"], step["named"] = remark_after[number].text, True
            step["better"] = index_of_point(thought.game, remark_after[number].better)
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


def lead_words(mean: float, reach: float) -> str:
    """Return the leader and the lead as ``describe_lead`` does, formatted for a page."""
    return _with_sign(describe_lead(mean, reach))


def _with_sign(words: str) -> str:
    return words.replace("+- ", "\u00b1\u00a0")


def index_of_point(game: Game, point: int) -> int:
    """Return the number of a point, row by row from the upper left corner; -1 for a pass."""
    if point == PASS:
        return -1
    column, row = to_column_row(point)
    return (game.size - row) * game.size + column - 1


def _in_order(game: Game) -> list[int]:
    return sorted(board_points(game.size), key=lambda point: index_of_point(game, point))


def _colors(game: Game) -> npt.NDArray[np.int64]:
    return np.array([game.color_at(point) for point in _in_order(game)])


def _owners(game: Game, ownership: npt.NDArray[np.float64]) -> str:
    quarters = np.rint(OWNER_STEPS * ownership[_in_order(game)]).astype(int) + OWNER_STEPS
    return "".join(map(str, quarters.clip(0, 2 * OWNER_STEPS)))


def _candidates(thought: Thought) -> list[dict[str, Any]]:
    """Return the moves that the search prefers: P(best), loss to the first, experts' choice."""
    moves = thought.look.decision.candidates[: NOTES.shown]
    return [
        {
            "point": index_of_point(thought.game, move.point),
            "name": format_vertex(move.point),
            "best": percent(move.best),
            "loss": f"{max(moves[0].margin - move.margin, 0.0):.1f}",
            "experts": _expert(thought.chances, move.point),
            "line": [
                index_of_point(thought.game, point) for point in move.line[: NOTES.shown_line]
            ],
        }
        for move in moves
    ]


def _expert(chances: Mapping[int, float], point: int) -> str:
    return percent(chances[point]) if point in chances else ""


def percent(share: float) -> str:
    """Return a probability as "54 %", small ones as "< 1 %"."""
    return f"{100 * share:.0f} %" if share >= 0.01 else "< 1 %"
