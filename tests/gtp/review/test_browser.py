"""The page for a browser: complete, escaped, without a network, and true to the review."""

import json
import re
from html.parser import HTMLParser

import pytest

pytest.importorskip("jinja2", reason="pages need jinja2")

from engine import BLACK, RULESETS
from engine.review import Level
from gtp.review.browser import html_of, index_of
from gtp.review.steps import index_of_point
from gtp.review.summary import with_lessons
from tests.gtp.review.reviewed_game import nine, reviewed_game
from tests.review.examples import judged_review, left_open, rank

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


def page_of(line, review):
    game = with_lessons(line, review, Level(), RULESETS["chinese"], 7.5)
    return html_of(game), review, game.remarks


def page_for(data=None, **changes):
    return page_of(*reviewed_game(data or nine(), **changes))


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


def test_a_point_that_stays_open_has_one_card_and_one_mark():
    page, _, remarks = page_of(*left_open(("E5", "B2", 8.0), ("E4", "B2", 6.0), ("E3", "B2", 6.0)))
    parsed = Checked(page)
    assert [other.number for other in remarks[0].again] == [3, 5]
    assert "B2 was also better at moves 3, 5." in parsed.text
    links = [attrs for tag, attrs in parsed.tags if tag == "a"]
    assert {"href": "#viewer", "data-step": "4"} in links
    assert {attrs["data-mistake"] for attrs in links if "data-mistake" in attrs} == {"1"}
    assert [card["number"] for card in data_of(page)["cards"]] == [1]


def test_a_card_does_not_contradict_its_sentence():
    line, review = judged_review(mistake=0.4, verdict="uncertain")
    page, _, remarks = page_of(line, review._replace(ranks={BLACK: rank(-5)}))
    assert remarks[0].text.startswith("may have lost about 12.0 points")
    assert "large, perhaps a mistake" in Checked(page).text


def test_nothing_is_loaded(example):
    page, _, _ = example
    page = page.replace('"http://www.w3.org/2000/svg"', "").replace("url(#", "")
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


def test_every_mistake_has_a_card_with_its_lines(example):
    page, review, remarks = example
    cards = data_of(page)["cards"]
    assert [card["number"] for card in cards] == [remark.number for remark in remarks]
    assert len(cards) == 4
    for card, remark in zip(cards, remarks, strict=True):
        game = review.thoughts[card["step"]].game
        assert card["step"] == remark.judgement.before
        assert card["line"][0] == card["betterPoints"][0] == index_of_point(game, remark.better)
        assert card["played"][0] == card["point"]
        item = page[page.index(f'id="mistake-{remark.number}"') :]
        item = item[: item.index("</li>")]
        assert f"Instead: 1 {card['better']} 2 " in item
        assert f"Expected: 1 {card['move']}" in item
        assert f"{remark.judgement.loss.points:.1f} points" in item
        assert f"Chance of a mistake {card['chance']}" in item


def test_the_first_line_is_the_verdict_and_a_wrong_result_is_named(example):
    parsed = Checked(example[0])
    text = " ".join(parsed.text.split())
    assert text.index("Black won by 2.5 points") < text.index("9x9, Chinese rules")
    assert "The record says Black won by 2.5, but yomi estimates:" in text


def test_an_index_lists_pages_with_their_verdicts(tmp_path, example):
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "a.html").write_text(example[0], "utf-8")
    (tmp_path / "other.html").write_bytes(b"\xff<title>Notes</title>")
    text = index_of(tmp_path, tmp_path / "index.html")
    assert 'href="deep/a.html"' in text
    assert "Black won by 2.5 points" in text
    assert "Black 2 clear" in text
    assert "Notes" in text


def test_boards_have_words(example):
    page, _, _ = example
    parsed = Checked(page)
    for _tag, attrs in parsed.tags:
        if attrs.get("role") == "img":
            assert attrs.get("aria-label") or attrs.get("aria-labelledby")
        if "data-go" in attrs or attrs.get("class") == "thumb needs-script":
            assert attrs["aria-label"]


def test_the_script_gets_the_game_as_it_was(example):
    page, review, _ = example
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


def test_all_moves_are_listed_with_their_losses(example):
    page, review, _ = example
    rows = re.findall(r'<tr class="(\w*)" data-step="(\d+)">', page)
    assert [int(step) for _, step in rows] == [judged.after for judged in review.judgements]
    assert {kind for kind, _ in rows} <= {"mistake", "uncertain", "fine"}
    assert sum(kind == "mistake" for kind, _ in rows) == 4


def test_every_move_is_in_one_phase(example):
    phases = re.search(r'id="phases".*?</table>', example[0], re.DOTALL)[0]
    rows = [re.findall(r"<td>([^<]*)</td>", row) for row in phases.split("<tr>")[2:]]
    for cell in (0, 3):  # the last row is the sum
        *parts, whole = (int(row[cell]) for row in rows)
        assert sum(parts) == whole
