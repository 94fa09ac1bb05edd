"""The summary of a review as a page of Markdown."""

import math
import os
from collections.abc import Sequence
from typing import Any, NamedTuple
from urllib.parse import quote

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
from patterns_db import MainLine, markdown

PHASE_HEADS = (
    "Black: moves", "mean loss", "agreed", "White: moves", "mean loss", "agreed",
)  # fmt: skip
_TALLY = "Mistakes: "
_RULES = {"aga": "AGA", "goe": "GOE"}


class ReviewedGame(NamedTuple):
    """A reviewed game, as its pages show it.

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


def page_of(game: ReviewedGame) -> str:
    """Return the summary as Markdown."""
    line, review, remarks = game.line, game.review, game.remarks
    lines = [f"# {markdown(title_of(line))}", "", markdown(facts_of(game))]
    notes = [f"Note: {markdown(note)}." for note in line.record.notes]
    lines += ["", *notes] if notes else []
    lines += ["", f"{_TALLY}{tally(remarks)}.", ""]
    lines += [f"Total loss of all moves, about: {totals_of(review)}.", "", end_of(review)]
    for color in (BLACK, WHITE):
        own = [remark for remark in remarks if remark.judgement.play.color == color]
        lines += ["", f"## {COLOR_NAMES[color].capitalize()}", ""]
        lines += _table(own) if own else ["No mistake found."]
        perhaps = [doubt_words(review, doubt) for doubt in game.doubts if doubt.play.color == color]
        if perhaps:
            lines += ["", f"Perhaps a mistake: {', '.join(perhaps)}."]
    lines += _figures(review)
    lines += ["", "Losses are in points with 90 % intervals, assuming a mistake. P is the"]
    lines += ["probability that the move loses enough to be a mistake.", ""]
    return "\n".join(lines)


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


def _figures(review: Review) -> list[str]:
    lines = ["", "## All moves", "", f"| phase | {' | '.join(PHASE_HEADS)} |", f"|{'---|' * 7}"]
    lines += [f"| {' | '.join(row)} |" for row in phase_rows(review)]
    lines += ["", "| expected loss | Black's moves | White's moves |", "|---|---|---|"]
    lines += [f"| {' | '.join(row)} |" for row in size_rows(review)]
    return [*lines, "", "A move agrees if the first search would play it, too."]


def end_of(review: Review) -> str:
    """Return the leader in the last position as a sentence, counted or estimated."""
    last = review.thoughts[-1].look
    if last.counted:
        return f"Counted at the end: {describe_result(last.seen[LEAD].mean)}."
    chance = min(max(review.win_rates[-1], 0.01), 0.99)  # no game is certain
    lead = describe_lead(*review.leads[-1])
    return f"At the end Black wins with {100 * chance:.0f} %; {lead} points."


def doubt_words(review: Review, doubt: Judgement) -> str:
    """Return a short text: a move, the probability that it was a mistake, and a better one."""
    assert doubt.comparison is not None
    assert doubt.comparison.better is not None
    move = f"{review.thoughts[doubt.after].number} {format_vertex(doubt.play.point)}"
    return f"{move} ({likelihood(doubt)}; {format_vertex(doubt.comparison.better)} instead)"


def _table(remarks: Sequence[Remark]) -> list[str]:
    rows = ["| move | played | better | lost | P | why |", "|---|---|---|---|---|---|"]
    for remark in remarks:
        judged = remark.judgement
        line = " ".join(format_vertex(point) for point in remark.line[:6])
        loss = f"{judged.size:.1f} ({judged.low:.0f} to {judged.high:.0f})"
        rows.append(
            f"| {remark.number} | {format_vertex(judged.play.point)} | {line} | {loss} |"
            f" {likelihood(judged)} | {remark.why} |"
        )
    return rows


def tally(remarks: Sequence[Remark]) -> str:
    """Return the number of mistakes of both sides, and their losses."""
    parts = []
    for color in (BLACK, WHITE):
        own = [r.judgement.size for r in remarks if r.judgement.play.color == color]
        parts.append(f"{COLOR_NAMES[color].capitalize()} {len(own)} ({sum(own):.0f} points)")
    return ", ".join(parts)


def link_to(path: str) -> str:
    """Return a path as the target of a link. Its bytes need not be UTF-8."""
    return quote(os.fsencode(path))


def index_of(pages: Sequence[tuple[str, str, bool]]) -> str:
    """Return a page with a row for each game.

    pages  (path of its summary, the summary, whether an HTML page exists next to it)
    """
    lines = ["# Reviewed games", "", "| game | mistakes |", "|---|---|"]
    for path, page, browser in pages:
        text = page.splitlines()
        title = next((line[2:] for line in text if line.startswith("# ")), markdown(path))
        found = next((line[len(_TALLY) :] for line in text if line.startswith(_TALLY)), "")
        name = markdown(path.removesuffix(".md"))
        links = f"[{name}]({link_to(path)})"
        if browser:
            links += f" ([in a browser]({link_to(path.removesuffix('.md') + '.html')}))"
        lines.append(f"| {links}: {title} | {found} |")
    return "\n".join([*lines, ""])
