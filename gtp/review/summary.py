"""The words and tables about a whole game that a review shows."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from sgfmill import sgf_grammar

from engine import BLACK, COLOR_NAMES, WHITE, format_vertex
from engine.review import (
    LEAD,
    Judgement,
    Remark,
    Review,
    by_phase,
    by_size,
    describe_lead,
    likelihood,
    side_figures,
)
from gtp.review.notes import describe_result
from patterns_db.records.sgf import MainLine

PHASE_HEADS = (
    "Black: moves", "mean loss", "agreed", "White: moves", "mean loss", "agreed",
)  # fmt: skip
_RULES = {"aga": "AGA", "goe": "GOE"}


class ReviewedGame(NamedTuple):
    """A reviewed game, as its files show it.

    doubts  moves that may be mistakes but are not reported as such
    rules   their name
    """

    line: MainLine
    review: Review
    remarks: Sequence[Remark]
    doubts: Sequence[Judgement]
    rules: str
    komi: float


def title_of(line: MainLine) -> str:
    """Return "Black's name against White's, result" of a record, as far as they are known."""
    title = " against ".join(names_of(line))
    return f"{title}, {line.record.result}" if line.record.result else title


def names_of(line: MainLine) -> tuple[str, str]:
    """Return the names and ranks of Black and White, or "Black" and "White" if unknown."""
    root = line.file.get_root()
    return _name(root, "PB", "BR") or "Black", _name(root, "PW", "WR") or "White"


def _name(root: Any, key: str, rank: str) -> str:
    # The raw values are used, since sgfmill fails to read some of them.
    values = [root.get_raw_list(name)[0] for name in (key, rank) if root.has_property(name)]
    texts = [sgf_grammar.simpletext_value(raw).decode("utf-8", "replace") for raw in values]
    return " ".join(text.strip() for text in texts if text.strip())


def facts_of(game: ReviewedGame) -> str:
    """Return "19x19, Chinese rules, komi 7.5; 241 moves." for a game."""
    record = game.line.record
    facts = [
        f"{record.size}x{record.size}",
        f"{_RULES.get(game.rules, game.rules.title())} rules",
        f"komi {game.komi:g}",
    ]
    facts += [f"{record.handicap} handicap stones"] if record.handicap else []
    facts += [record.date] if record.date else []
    return f"{', '.join(facts)}; {game.review.thoughts[-1].number} moves."


def totals_of(review: Review) -> str:
    """Return the total loss of each side over all moves, small losses included."""
    sides = side_figures(review, review.judgements)
    return ", ".join(
        f"{COLOR_NAMES[color].capitalize()} {side.total:.0f} points ({side.mean:.1f} per move)"
        for color, side in sides.items()
    )


def phase_rows(review: Review) -> list[list[str]]:
    """Return the table of moves, mean loss and agreement of both sides by phase, as words."""
    rows = []
    for phase, sides in by_phase(review):
        cells = [
            [str(side.moves), f"{side.mean:.1f}", f"{100 * side.agreed:.0f} %"]
            if side.moves
            else ["0", "", ""]
            for side in sides.values()
        ]
        rows.append([phase, *cells[0], *cells[1]])
    return rows


def size_rows(review: Review) -> list[list[str]]:
    """Return the table of how many moves of Black and White lost how much, as words."""
    return [
        [f"{low:.0f} to {high:.0f}" if high < math.inf else f"{low:.0f} and more"]
        + [str(count) for count in counts.values()]
        for low, high, counts in by_size(review)
    ]


def end_of(review: Review) -> str:
    """Return the leader in the last position as a sentence, counted or estimated."""
    last = review.thoughts[-1].look
    if last.counted:
        return f"Counted at the end: {describe_result(last.observations[LEAD].mean)}."
    chance = min(max(review.win_rates[-1], 0.01), 0.99)  # no game is certain
    lead = describe_lead(*review.leads[-1])
    return f"At the end Black wins with {100 * chance:.0f} %; {lead} points."


def doubt_words(review: Review, doubt: Judgement) -> str:
    """Return a short text: a move, the probability that it was a mistake, and a better one."""
    assert doubt.comparison is not None
    assert doubt.comparison.better is not None
    move = f"{review.thoughts[doubt.after].number} {format_vertex(doubt.play.point)}"
    return f"{move} ({likelihood(doubt)}; {format_vertex(doubt.comparison.better)} instead)"


def tally(remarks: Sequence[Remark]) -> str:
    """Return the number of mistakes of both sides, and their losses."""
    parts = []
    for color in (BLACK, WHITE):
        own = [r.judgement.loss.points for r in remarks if r.judgement.play.color == color]
        parts.append(f"{COLOR_NAMES[color].capitalize()} {len(own)} ({sum(own):.0f} points)")
    return ", ".join(parts)
