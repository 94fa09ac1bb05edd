"""The page for a browser: complete, escaped, without a network, and true to the review."""

import json
import re
from html.parser import HTMLParser

import pytest

pytest.importorskip("jinja2", reason="pages need jinja2")

from engine.review.remarks import Level, doubts_of, remarks_of
from gtp.review.browser import html_of
from gtp.review.steps import index_of_point
from gtp.review.summary import ReviewedGame
from tests.gtp.review.reviewed_game import nine, reviewed_game
from tests.review.examples import left_open

VOID = {"meta", "link", "input", "br", "hr", "img"}


class Checked(HTMLParser):
    """Reads a page; ``faults`` are tags that do not close in order."""

    def __init__(self, page):
        super().__init__(convert_charrefs=True)
        self.open, self.faults, self.ids, self.tags, self.texts = [], [], [], [], []
        self.feed(page)
        self.close()
        self.faults += [f"<{tag}> is not closed" for tag in self.open]

    def handle_starttag(self, tag, attrs):
        self.handle_startendtag(tag, attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self.ids += [value for name, value in attrs if name == "id"]

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> closes nothing")

    def handle_data(self, data):
        self.texts.append(data)

    @property
    def text(self):
        return "".join(self.texts)


def page_for(data=None, **changes):
    line, review = reviewed_game(data or nine(), **changes)
    remarks = remarks_of(review, Level())
    doubts = doubts_of(review, remarks, Level())
    return html_of(ReviewedGame(line, review, remarks, doubts, "chinese", 7.5)), review, remarks


@pytest.fixture(scope="module")
def example():
    return page_for()


def data_of(page):
    return json.loads(re.search(r'id="game">(.*?)</script>', page, re.DOTALL)[1])


@pytest.mark.parametrize(
    "data", [nine(), b"(;SZ[5])", b"(;SZ[5];AB[aa][bb];W[cc]C[one];AE[aa];B[];W[])"]
)
def test_the_page_is_well_formed(data):
    page, _, _ = page_for(data, mistakes=(8, 9) if data == nine() else ())
    parsed = Checked(page)
    assert parsed.faults == []
    assert len(parsed.ids) == len(set(parsed.ids))
    hrefs = [attrs["href"][1:] for tag, attrs in parsed.tags if tag == "a"]
    assert set(hrefs) <= set(parsed.ids)


def test_the_marks_of_a_point_that_stays_open_link_to_its_card():
    line, review = left_open(("E5", "B2", 8.0), ("E4", "B2", 6.0), ("E3", "B2", 6.0))
    remarks = remarks_of(review, Level())
    parsed = Checked(html_of(ReviewedGame(line, review, remarks, [], "chinese", 0.5)))
    assert [later.number for later in remarks[0].again] == [3, 5]
    assert "It stayed open: still better at moves 3, 5." in parsed.text
    links = [attrs for tag, attrs in parsed.tags if tag == "a"]
    assert {"id": "mistake-5", "href": "#viewer", "data-step": "4"} in links
    assert {attrs["href"][1:] for attrs in links} <= set(parsed.ids)


def test_nothing_is_loaded(example):
    page, _, _ = example
    page = page.replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert "default-src 'none'" in page  # a browser may not load anything either
    assert not re.search(r"https?:|//\w+\.|@import|url\(|\bsrc=|<link", page)


def test_names_in_any_script_are_shown_and_not_run():
    names = ("<script>alert(1)</script>", "\u674e\u660c\u938e </script><b>", "\u0645\u0631\u062d")
    for name in names:
        page, _, _ = page_for(nine(name, "Ben&amp;\u202eOle"))
        parsed = Checked(page)
        assert parsed.faults == []
        assert name in parsed.text
        assert [tag for tag, _ in parsed.tags].count("script") == 2
        assert "b" not in {tag for tag, _ in parsed.tags}
        assert "\u202e" not in page  # a reader would see the rest of the line backwards


def test_every_mistake_has_a_card_with_two_boards_and_words_for_both(example):
    page, _, remarks = example
    assert len(remarks) == 4
    for remark in remarks:
        card = page[page.index(f'id="mistake-{remark.number}"') :]
        card = card[: card.index("</article>")]
        assert card.count("<svg") == 2
        alts = re.findall(r'role="img" aria-label="(.*?)"', card)
        assert alts[0].startswith("played: ")
        assert alts[1].startswith("better: ")
        assert f"{remark.judgement.loss.points:.1f} points" in card


def test_boards_have_words(example):
    page, _, _ = example
    parsed = Checked(page)
    for tag, attrs in parsed.tags:
        if attrs.get("role") == "img":
            assert attrs.get("aria-label") or attrs.get("aria-labelledby")
        if tag == "button":
            assert attrs["aria-label"]


def test_the_script_gets_the_game_as_it_was(example):
    page, review, remarks = example
    data = data_of(page)
    colors = [0] * data["size"] ** 2
    assert len(data["steps"]) == len(review.thoughts)
    for step, thought in zip(data["steps"], review.thoughts, strict=True):
        changes = iter(step["changes"])
        for point, color in zip(changes, changes, strict=True):
            colors[point] = color
        for color in (1, 2):
            stones = {index_of_point(thought.game, point) for point in thought.game.stones(color)}
            assert stones == {point for point, held in enumerate(colors) if held == color}
        assert step["captures"] == [thought.game.captures(1), thought.game.captures(2)]
        assert len(step["owners"]) == data["size"] ** 2
    assert data["steps"][3]["captures"] == [0, 0]
    assert data["steps"][-1]["captures"] == [1, 1]
    named = [step["number"] for step in data["steps"] if step.get("named")]
    assert named == [remark.number for remark in remarks]


def test_all_moves_are_listed_with_their_losses(example):
    page, review, _ = example
    rows = re.findall(r'<tr class="(\w*)" data-step="(\d+)">', page)
    assert [int(step) for _, step in rows] == [judged.after for judged in review.judgements]
    assert {kind for kind, _ in rows} <= {"", "bad", "doubtful", "perhaps"}
    assert sum(kind in ("bad", "doubtful") for kind, _ in rows) == 4


def test_every_move_is_in_one_phase_and_one_class_of_losses(example):
    page, review, _ = example
    phases = re.search(r'id="phases".*?</table>', page, re.DOTALL)[0]
    rows = [re.findall(r"<td>([^<]*)</td>", row) for row in phases.split("<tr>")[2:]]
    for cell in (0, 3):  # the last row is the sum
        *parts, whole = (int(row[cell]) for row in rows)
        assert sum(parts) == whole
    sizes = re.search(r'id="sizes".*?</table>', page, re.DOTALL)[0]
    counts = [int(count) for count in re.findall(r'"value">(\d+)<', sizes)]
    assert sum(counts) == len(review.judgements)
    assert '<th scope="col">expected loss</th>' in sizes
    assert "width:100.0%" in sizes
