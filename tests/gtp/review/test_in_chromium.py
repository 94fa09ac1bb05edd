"""The page in a browser: it opens without errors, steps, and fits a phone."""

import html
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

pytest.importorskip("jinja2", reason="pages need jinja2")

from engine.review.remarks import Level, remarks_of
from gtp.review.browser import html_of
from gtp.review.summary import ReviewedGame
from tests.gtp.review.reviewed_game import nine, reviewed_game

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "chrome"))), None)
DRIVER = Path(__file__).with_name("in_browser.js").read_text()
CATCH = "<script>window.faults = []; onerror = (what) => { window.faults.push(what); };</script>"

pytestmark = [
    pytest.mark.peers,
    pytest.mark.skipif(CHROMIUM is None, reason="needs chromium"),
]


def used(page, folder, width, height):
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
        f"--user-data-dir={folder / 'profile'}", file.as_uri(),
    ]  # fmt: skip
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        command.insert(1, "--no-sandbox")  # root has no sandbox
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    title = re.search(r"<title>(.*?)</title>", done.stdout, re.DOTALL)
    assert title, done.stderr
    complaints = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
    return json.loads(html.unescape(title[1])), complaints


@pytest.mark.parametrize(("width", "height"), [(1280, 900), (390, 844)])
def test_the_page_is_used(tmp_path, width, height):
    line, review = reviewed_game(nine("\u674e\u660c\u938e", "\uc774\uc138\ub3cc"))
    remarks = remarks_of(review, Level())
    page = html_of(ReviewedGame(line, review, remarks, [], "chinese", 7.5))

    seen, complaints = used(page, tmp_path, width, height)
    assert complaints == []
    assert seen["faults"] == []
    assert seen["first"] == "Move 8: White E4"
    assert seen["home"] == ["the beginning", 0]
    assert [stones for _, stones in seen["walked"]] == [1, 2, 3, 4]
    assert seen["walked"][0][0] == "Move 1: Black E5"
    assert seen["back"] == "Move 3: Black C9"
    assert seen["end"][0] == seen["beyond"] == "Move 27: Black pass"
    last = review.thoughts[-1].game
    assert seen["end"][1] == len(last.stones(1)) + len(last.stones(2))
    assert (seen["mistake"], seen["nextMistake"]) == ("Move 8: White E4", "Move 9: Black C7")
    assert seen["ticked"] == "Move 1: Black E5"  # the keys work on a box that was just ticked
    assert seen["clicked"] == "Move 27: Black pass"
    assert seen["card"] == "Move 7: Black D8"
    assert (seen["row"], seen["mover"]) == ("Move 5: Black B8", "White")
    assert seen["line"] == 5
    assert len(seen["cards"]) == len(remarks) == 4
    assert all(len(boards) == 2 and min(boards) > 250 for boards in seen["cards"])
    assert seen["overlaps"] == 0
    assert seen["cut"] == 0 or width < 700  # on a telephone the wide table scrolls
    assert seen["width"] == width
    assert seen["sideways"] <= 0
