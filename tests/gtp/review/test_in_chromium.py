"""The page in a browser: a lesson, variations, filters; without errors, on a phone, too."""

import html
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

pytest.importorskip("jinja2", reason="pages need jinja2")

from engine import RULESETS
from engine.review import Level
from gtp.review.browser import html_of
from gtp.review.summary import with_lessons
from tests.gtp.review.reviewed_game import nine, reviewed_game

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "chrome"))), None)
DRIVER = Path(__file__).with_name("in_browser.js").read_text()
CATCH = "<script>window.faults = []; onerror = (what) => { window.faults.push(what); };</script>"

pytestmark = [pytest.mark.peers, pytest.mark.skipif(CHROMIUM is None, reason="needs chromium")]


def used(page, folder, width, height, *options):
    """Return the driver's observations of a page, and the browser's errors."""
    file = folder / "page.html"
    page = page.replace("<head>", f"<head>{CATCH}", 1)
    page = page.replace("</body>", f"<script>{DRIVER}</script></body>")
    # In a frame, because the browser's windows are never as narrow as a phone.
    frame = f'<iframe width="{width}" height="{height}" srcdoc="{html.escape(page)}"></iframe>'
    file.write_text(f"<!DOCTYPE html><meta charset='utf-8'><title></title>{frame}", "utf-8")
    command = [
        CHROMIUM, "--headless", "--disable-gpu", "--enable-logging=stderr", "--dump-dom",
        "--virtual-time-budget=5000", "--window-size=1400,1000",
        f"--user-data-dir={folder / 'profile'}", *options, file.as_uri(),
    ]  # fmt: skip
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        command.insert(1, "--no-sandbox")  # root has no sandbox
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    title = re.search(r"<title>(.*?)</title>", done.stdout, re.DOTALL)
    assert title, done.stderr
    complaints = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
    return json.loads(html.unescape(title[1])), complaints


@pytest.fixture(scope="module")
def game():
    line, review = reviewed_game(nine("\u674e\u660c\u938e", "\uc774\uc138\ub3cc"))
    return with_lessons(line, review, Level(), RULESETS["chinese"], 7.5)


@pytest.fixture(scope="module", params=[(1440, 900), (390, 844)])
def use(request, game, tmp_path_factory):
    """The observations of a whole session, at the width of a desk's screen and a phone's."""
    found, complaints = used(html_of(game), tmp_path_factory.mktemp("page"), *request.param)
    assert complaints == []
    assert found["faults"] == []
    assert found["width"] == request.param[0]
    return found


def test_the_page_opens_with_a_question_and_judges_answers(use, game):
    head, said, *visible, number = use["asked"]
    largest = max(game.remarks, key=lambda remark: remark.judgement.loss.points)
    assert number == largest.number
    assert head == "Black to play: where would you play?"
    assert re.match(rf"Move {number} of the game (probably )?lost about \d", said)
    assert visible == [True, False, False]  # the answer's button; neither moves nor lines
    assert "The review did not look at" in use["unknown"]
    said, name, loss = use["worse"]
    assert said == f"{name} loses about {loss} points. Try again."
    assert use["tries"] == 2
    head, said, *visible, better = use["right"]
    assert head.startswith(f"Move {number}: Black ")
    assert said.startswith(f"{better} is the best move that the review found.")
    assert visible == [False, True, True]
    assert min(use["diagrams"]) > 130
    assert use["candidates"] == 6


def test_a_click_on_a_row_a_candidate_or_a_diagram_plays_it(use):
    assert use["hovered"] == 6
    assert use["left"] == 0
    stones, said = use["row"]
    assert stones == 6
    assert re.fullmatch(r"(\d [A-J]\d ?){6}", said)
    assert use["rowBack"] == 5
    stones, said = use["candidate"]
    assert stones == 1
    assert said.endswith("\u2192 plays the expected reply.")
    assert use["escaped"] == [0, use["right"][0]]
    assert use["played"].startswith("1 ")


def test_keys_and_the_wheel_step_through_the_game(use, game):
    assert use["home"] == ["the beginning", 0]
    assert [stones for _, stones in use["walked"]] == [1, 2, 3, 4]
    assert use["walked"][0][0] == "Move 1: Black E5"
    assert use["wheel"] == ["Move 3: Black C9", "Move 4: White E6"]
    last = game.review.thoughts[-1].game
    assert use["end"] == ["Move 27: Black pass", len(last.stones(1)) + len(last.stones(2))]
    assert use["beyond"] == "Move 27: Black pass"
    assert use["lastMistake"] == "White to play: where would you play?"
    assert use["clicked"] == "Move 27: Black pass"
    assert use["listed"] == "Move 5: Black B8"


def test_a_variation_of_ones_own_captures_by_the_rules(use):
    assert use["variation"] == [4, 5, 6, 7, 8, 8]
    assert use["captured"] == "captures: Black 1, White 0"
    assert use["variationWords"] == "1 H1 2 B8 3 H2 4 D8 5 H3 6 C7"
    assert use["uncaptured"] == 8
    assert use["typed"] == "1 H1 2 B8 3 H2 4 D8 5 H3 6 A1"
    assert (use["back"], use["next"]) == ("Move 3: Black C9", "Move 4: White E6")


def test_territory_numbers_and_coordinates_are_switched(use):
    assert use["ticked"] == ["Move 1: Black E5", True]
    assert use["numbers"] == use["end"][1]
    assert (use["coordinates"], use["coordinatesAgain"]) == (0, 36)


def test_cards_are_ordered_and_filtered_with_the_marks(use, game):
    numbers = [remark.number for remark in game.remarks]
    assert use["losses"] == sorted(use["losses"], reverse=True)
    assert sorted(use["largest"]) == use["byMove"] == numbers
    assert use["white"] == use["marks"] == [8, 20]
    assert use["large"] == []  # the example's losses have the smallest word
    assert use["mark"][1]
    assert use["answered"].startswith("Move ")
    assert use["nextLesson"] != use["answered"]
    assert use["solved"] == len(numbers)
    assert use["printed"] == 2 * len(numbers)
    assert min(use["thumbs"]) > 80


def test_the_page_fits_and_the_board_stays_in_view(use):
    assert use["overlaps"] == 0
    assert use["sideways"] <= 0
    assert use["boardTop"] >= 0
    assert 300 < use["boardBottom"] < (844 if use["width"] == 390 else 900)


def test_the_page_is_dark_where_the_reader_wants_it(game, tmp_path):
    found, _ = used(html_of(game), tmp_path, 1440, 900, "--force-dark-mode")
    assert found["dark"] == "rgb(27, 26, 24)"
