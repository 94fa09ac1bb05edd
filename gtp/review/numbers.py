"""All numbers of a review, for programs. Points are vertices ("D4", "pass")."""

import json
from typing import Any

from engine import COLOR_NAMES, WHITE, board_points, format_vertex
from engine.review import Judgement, Remark, Review, by_phase, by_size
from gtp.review.summary import ReviewedGame, names_of

Row = dict[str, Any]


def json_of(game: ReviewedGame) -> str:
    """Return a review as JSON text. ``docs/reviews.md`` lists its fields."""
    line, review = game.line, game.review
    black, white = names_of(line)
    rows: Row = {
        "black": black,
        "white": white,
        "result": line.record.result,
        "date": line.record.date,
        "size": line.record.size,
        "handicap": line.record.handicap,
        "rules": game.rules,
        "komi": game.komi,
        "notes": list(line.record.notes),
        "positions": [_position(review, step) for step in range(len(review.thoughts))],
        "moves": [_move(review, judged) for judged in review.judgements],
        "mistakes": [_mistake(remark) for remark in game.remarks],
        "doubts": [review.thoughts[doubt.after].number for doubt in game.doubts],
        "phases": _phases(review),
        "losses": [
            {"from": low, "below": high if high < float("inf") else None, **_by_color(counts)}
            for low, high, counts in by_size(review)
        ],
    }
    return json.dumps(_rounded(rows), ensure_ascii=False, allow_nan=False) + "\n"


def _position(review: Review, step: int) -> Row:
    thought = review.thoughts[step]
    look, (lead, reach) = thought.look, review.leads[step]
    return {
        "number": thought.number,
        "move": None if thought.play is None else format_vertex(thought.play.point),
        "to_play": COLOR_NAMES[thought.game.to_play],
        "win_rate": review.win_rates[step],
        "win_rate_90": list(review.win_intervals[step]) if review.win_intervals else None,
        "lead": lead,
        "lead_90": [lead - reach, lead + reach],
        "counted": look.counted,
        "candidates": [
            {
                "move": format_vertex(move.point),
                "playouts": move.playouts,
                "win_rate": _of_black(look.color, move.win_rate),
                "lead": -move.margin if look.color == WHITE else move.margin,
                "best": move.best,
                "expert": thought.chances.get(move.point),
                "line": [format_vertex(point) for point in move.line],
            }
            for move in look.decision.candidates
        ],
        "ownership": {
            format_vertex(point): float(look.ownership[point])
            for point in board_points(thought.game.size)
        },
    }


def _of_black(color: int, win_rate: float) -> float:
    return 1.0 - win_rate if color == WHITE else win_rate


def _move(review: Review, judged: Judgement) -> Row:
    better = judged.comparison.better if judged.comparison else None
    return {
        "number": review.thoughts[judged.after].number,
        "color": COLOR_NAMES[judged.play.color],
        "move": format_vertex(judged.play.point),
        "loss": judged.loss.points,
        "loss_90": [judged.loss.low, judged.loss.high],
        "size": judged.loss.word,
        "mistake": judged.mistake,
        "verdict": judged.verdict,
        "better": None if better is None else format_vertex(better),
        "expert": judged.chance,
        "expert_rank": judged.rank,
    }


def _mistake(remark: Remark) -> Row:
    return {
        "number": remark.number,
        "certainty": remark.certainty,
        "better": format_vertex(remark.better),
        "line": [format_vertex(point) for point in remark.line],
        "played_line": [format_vertex(point) for point in remark.played_line],
        "reasons": list(remark.sentences),
        "again": [later.number for later in remark.again],
    }


def _phases(review: Review) -> list[Row]:
    return [
        {"phase": phase, **_by_color({color: side._asdict() for color, side in sides.items()})}
        for phase, sides in by_phase(review)
    ]


def _by_color(values: dict[int, Any]) -> Row:
    return {COLOR_NAMES[color]: value for color, value in values.items()}


def _rounded(value: Any) -> Any:
    """Return a value with four decimals in every float, so that files stay small."""
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, dict):
        return {key: _rounded(one) for key, one in value.items()}
    return [_rounded(one) for one in value] if isinstance(value, list) else value
