"""All numbers of a review, for programs. Points are vertices ("D4", "pass")."""

import json
from typing import Any

from engine import COLOR_NAMES, board_points, format_vertex
from engine.explain.words import shown_chance
from engine.review import Judgement, Remark, Review, by_phase, choices_of, points_words
from gtp.review.summary import ReviewedGame, names_of

Row = dict[str, Any]


def json_of(game: ReviewedGame) -> str:
    """Return a review as JSON text. ``docs/reviews.md`` lists its fields."""
    line, review, turning = game.line, game.review, game.lessons.turning
    black, white = names_of(line)
    rows: Row = {
        "black": black,
        "white": white,
        "result": line.record.result,
        "date": line.record.date,
        "size": line.record.size,
        "handicap": line.record.handicap,
        "rules": game.rules.name,
        "komi": game.komi,
        "notes": list(line.record.notes),
        "verdict": game.lessons.verdict,
        "remarks": list(game.lessons.notes),
        "turning": None if turning is None else review.thoughts[turning.after].number,
        "good": [one.number for color in game.lessons.good.values() for one in color],
        "positions": [_position(review, step) for step in range(len(review.thoughts))],
        "moves": [_move(review, judged) for judged in review.judgements],
        "mistakes": [_mistake(remark) for remark in game.remarks],
        "phases": [
            {"phase": phase, **_by_color({color: side._asdict() for color, side in sides.items()})}
            for phase, sides in by_phase(review)
        ],
    }
    return json.dumps(_rounded(rows), ensure_ascii=False, allow_nan=False) + "\n"


def _position(review: Review, step: int) -> Row:
    thought = review.thoughts[step]
    lead, reach = review.leads[step]
    return {
        "number": thought.number,
        "move": None if thought.play is None else format_vertex(thought.play.point),
        "to_play": COLOR_NAMES[thought.game.to_play],
        "win_rate": shown_chance(review.win_rates[step]),
        "win_rate_90": list(map(shown_chance, review.win_intervals[step])),
        "lead": _points(lead),
        "lead_90": [_points(lead - reach), _points(lead + reach)],
        "counted": thought.look.counted,
        "candidates": [
            {
                "move": format_vertex(choice.point),
                "loss": _points(choice.loss),
                "expected": choice.expected,
                "line": [format_vertex(point) for point in choice.line],
            }
            for choice in choices_of(review, step)
        ],
        "ownership": {
            format_vertex(point): float(thought.look.ownership[point])
            for point in board_points(thought.game.size)
        },
    }


def _move(review: Review, judged: Judgement) -> Row:
    better = judged.comparison.better if judged.comparison else None
    loss = judged.loss
    return {
        "number": review.thoughts[judged.after].number,
        "color": COLOR_NAMES[judged.play.color],
        "move": format_vertex(judged.play.point),
        "loss": _points(loss.points),
        "loss_90": [_points(loss.low), _points(loss.high)],
        "size": loss.word,
        "mistake": shown_chance(judged.mistake),
        "verdict": judged.verdict,
        "better": None if better is None else format_vertex(better),
        "expected": judged.chance,
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


def _points(points: float) -> float:
    return float(points_words(points))


def _by_color(values: dict[int, Any]) -> Row:
    return {COLOR_NAMES[color]: value for color, value in values.items()}


def _rounded(value: Any) -> Any:
    """Return a value with four decimals in every float, so that files stay small."""
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, dict):
        return {key: _rounded(one) for key, one in value.items()}
    return [_rounded(one) for one in value] if isinstance(value, list) else value
