"""The review as a single HTML page with its own style, script and data, and an index of pages."""

import html
import os
import re
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from engine import COLOR_NAMES, BadSetup, board_svg, format_vertex
from engine.explain.words import chance_words, percent
from engine.review import Review, describe_lead, points_words
from gtp.review.cards import cards_of
from gtp.review.graph import LAYOUT, graph_of
from gtp.review.steps import steps_of, with_sign
from gtp.review.summary import (
    PHASE_HEADS,
    ReviewedGame,
    facts_of,
    names_of,
    phase_rows,
    tally,
    title_of,
)
from patterns_db.printing import how_to_install, printable

FOLDER = "web"  # in this package: the templates, the style and the scripts
_TITLE = re.compile("<title>(.*?)</title>", re.DOTALL)
_VERDICT = re.compile('<meta name="description" content="(.*?)">')
_TALLY = re.compile('<meta name="mistakes" content="(.*?)">')
_HEAD = 2000  # characters of a page that hold all of them


class Row(NamedTuple):
    """One move in the list of all moves."""

    step: int  # index of the position after it
    number: int
    color: str
    move: str
    kind: str  # its verdict
    loss: str
    interval: str
    share: float  # length of the bar that shows the loss, 0 to 100
    chance: str
    expected: str
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
        cells = [
            html.unescape(match[1]) if (match := pattern.search(head)) else ""
            for pattern in (_TITLE, _VERDICT, _TALLY)
        ]
        # A name need not be UTF-8.
        rows.append((quote(os.fsencode(name)), printable(name.removesuffix(".html")), cells))
    return _filled("index.html", rows=rows)


def html_of(game: ReviewedGame) -> str:
    """Return the page. It needs no other file and no network."""
    line, review, remarks = game.line, game.review, game.remarks
    graph, last = graph_of(review, remarks), review.thoughts[-1].game
    cards = cards_of(review, remarks)
    shown = {
        "size": line.record.size,
        "suicide": game.rules.suicide,
        "steps": steps_of(review, remarks),
        "cards": cards,
        "graph": {"left": graph.left, "pace": graph.pace, "width": LAYOUT.width},
    }
    black, white = map(printable, names_of(line))
    good = [one for moves in game.lessons.good.values() for one in moves]
    return _filled(
        "page.html",
        title=printable(title_of(line)),
        black=black,
        white=white,
        result=printable(line.record.result or ""),
        facts=printable(facts_of(game)),
        notes=[printable(note) for note in line.record.notes],
        lessons=game.lessons,
        good=sorted(good, key=lambda one: one.number),
        tally=tally(remarks),
        graph=graph,
        layout=LAYOUT,
        final=board_svg(last.board, last.last_point),
        cards=cards,
        phase_heads=PHASE_HEADS,
        phases=phase_rows(review),
        rows=_rows(review),
        game=shown,
    )


def _rows(review: Review) -> list[Row]:
    """Return a row for every judged move, in the order of the game."""
    most = max((judged.loss.points for judged in review.judgements), default=0.0)
    return [
        Row(
            step=judged.after,
            number=review.thoughts[judged.after].number,
            color=COLOR_NAMES[judged.play.color],
            move=format_vertex(judged.play.point),
            kind=judged.verdict,
            loss=points_words(judged.loss.points),
            interval=f"{judged.loss.low:.0f} to {judged.loss.high:.0f}",
            share=round(100.0 * judged.loss.points / max(most, 1.0), 1),
            chance=chance_words(judged.mistake),
            expected="" if judged.chance is None else percent(judged.chance),
            rate=chance_words(review.win_rates[judged.after]),
            lead=with_sign(describe_lead(*review.leads[judged.after], brief=True)),
        )
        for judged in review.judgements
    ]
