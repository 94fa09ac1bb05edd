"""The review as a single HTML page with its own style, script and data, and an index of pages."""

import html
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from engine import COLOR_NAMES, BadSetup, Game, board_svg, format_vertex
from engine.review import Judgement, Remark, Review, likelihood, with_again
from gtp.review.cards import cards_of
from gtp.review.graph import LAYOUT, graph_of
from gtp.review.steps import lead_words, percent, steps_of
from gtp.review.summary import (
    PHASE_HEADS,
    ReviewedGame,
    doubt_words,
    end_of,
    facts_of,
    names_of,
    phase_rows,
    size_rows,
    tally,
    title_of,
    totals_of,
)
from patterns_db.printing import how_to_install, printable

FOLDER = "web"  # in this package: the templates, the style and the script
_TITLE = re.compile("<title>(.*?)</title>", re.DOTALL)
_TALLY = re.compile('<meta name="description" content="(.*?)">')
_KINDS = {"clear": "bad", "likely": "doubtful", "perhaps": "perhaps"}
_HEAD = 2000  # characters of a page that hold both


class Row(NamedTuple):
    """One move in the list of all moves.

    step   index of the position after it
    kind   "bad", "doubtful", "perhaps" or ""
    share  length of the bar that shows the loss, 0 to 100
    """

    step: int
    number: int
    color: str
    move: str
    kind: str
    loss: str
    interval: str
    share: float
    chance: str
    experts: str
    rate: str
    lead: str


def require_jinja() -> None:
    """Check that pages can be made, before long work. Raises BadSetup without jinja2."""
    try:
        import jinja2  # noqa: F401
    except ImportError:
        raise BadSetup(f"pages need jinja2: {how_to_install('jinja2')}") from None


def _filled(template: str, **values: Any) -> str:
    """Return a template with values. All are escaped unless the template marks them as safe."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("gtp.review", FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.get_template(template).render(values)


def index_of(folder: Path, index: Path) -> str:
    """Return a page that lists the pages of all reviews in a folder. Raises OSError."""
    rows = []
    for path in sorted(folder.rglob("*.html")):
        if path == index or not path.is_file():
            continue
        # Other pages may be in the folder, in any encoding.
        with path.open(encoding="utf-8", errors="replace") as file:
            head = file.read(_HEAD)
        name = path.relative_to(folder).as_posix()
        title, tally = (
            html.unescape(match[1]) if (match := pattern.search(head)) else ""
            for pattern in (_TITLE, _TALLY)
        )
        # A name need not be UTF-8.
        rows.append((quote(os.fsencode(name)), printable(name.removesuffix(".html")), title, tally))
    return _filled("index.html", rows=rows)


def html_of(game: ReviewedGame) -> str:
    """Return the page. It needs no other file and no network."""
    line, review, remarks, doubts = game.line, game.review, game.remarks, game.doubts
    size = line.record.size
    graph = graph_of(review, remarks)
    last = review.thoughts[-1].game
    shown = {
        "size": size,
        "steps": steps_of(review, remarks),
        "graph": {"left": graph.left, "pace": graph.pace, "width": LAYOUT.width},
    }
    black, white = map(printable, names_of(line))
    return _filled(
        "page.html",
        title=printable(title_of(line)),
        black=black,
        white=white,
        result=printable(line.record.result or ""),
        facts=printable(facts_of(game)),
        notes=[printable(note) for note in line.record.notes],
        tally=tally(remarks),
        totals=totals_of(review),
        end=end_of(review).replace("+- ", "\u00b1\u00a0"),
        graph=graph,
        width=LAYOUT.width,
        height=LAYOUT.height,
        empty=board_svg(Game(size).board),
        final=board_svg(last.board, last.last_point),
        cards=cards_of(review, remarks),
        doubts=[(doubt.after, doubt_words(review, doubt)) for doubt in doubts],
        phase_heads=PHASE_HEADS,
        phases=phase_rows(review),
        sizes=_bars(review),
        rows=_rows(review, remarks, doubts),
        game=shown,
    )


def _bars(review: Review) -> list[tuple[str, list[tuple[str, float]]]]:
    """Return for each class of losses its name, and by color the moves and a bar of 0 to 100."""
    rows = size_rows(review)
    most = max([int(count) for _, *counts in rows for count in counts] + [1])
    return [
        (name, [(count, round(100.0 * int(count) / most, 1)) for count in counts])
        for name, *counts in rows
    ]


def _rows(review: Review, remarks: Sequence[Remark], doubts: Sequence[Judgement]) -> list[Row]:
    """Return a row for every judged move, in the order of the game."""
    kinds = {
        judged.after: "perhaps" for judged in review.judgements if judged.verdict == "uncertain"
    }
    kinds |= {doubt.after: "perhaps" for doubt in doubts}
    for one in with_again(remarks):
        kinds[one.judgement.after] = _KINDS[one.certainty]
    most = max((judged.loss.points for judged in review.judgements), default=0.0)
    return [
        Row(
            step=judged.after,
            number=review.thoughts[judged.after].number,
            color=COLOR_NAMES[judged.play.color],
            move=format_vertex(judged.play.point),
            kind=kinds.get(judged.after, ""),
            loss=f"{judged.loss.points:.1f}",
            interval=f"{judged.loss.low:.0f} to {judged.loss.high:.0f}",
            share=round(100.0 * judged.loss.points / max(most, 1.0), 1),
            chance=likelihood(judged),
            experts=""
            if judged.chance is None
            else f"{percent(judged.chance)} (no. {judged.rank})",
            rate=f"{100 * review.win_rates[judged.after]:.0f} %",
            lead=lead_words(*review.leads[judged.after]),
        )
        for judged in review.judgements
    ]
