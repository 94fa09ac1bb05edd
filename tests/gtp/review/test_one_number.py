"""One number per move: the record, the page, the JSON file and the terminal show the same."""

import json
import re
from collections import defaultdict
from dataclasses import replace

import pytest

pytest.importorskip("jinja2", reason="pages need jinja2")

from engine import RULESETS, Game, Player, PlayerOptions, Predictor
from engine.review import GoodMove, Level, Lookout, review_game
from gtp.review.browser import html_of
from gtp.review.notes import write_notes
from gtp.review.numbers import json_of
from gtp.review.positions import positions_of
from gtp.review.summary import report_of, with_lessons
from patterns_db.records.annotations import annotate
from patterns_db.records.replay import record_of
from patterns_db.records.sgf import read_main_line, write_record
from patterns_db.shipped import load_knowledge
from tests.gtp.review import reviewed_game as examples

LOST = re.compile(
    r"Move (\d+), \w+: (?:probably |may have )?lost about ([\d.]+) points.*?"
    r"chance of a mistake (\d+) %"
)
TOLD = re.compile(r"^(\d+),? .*?lost about ([\d.]+) points.*?mistake (\d+) %", re.MULTILINE)
CHOICE = re.compile(r"^([A-E]) ([\d.]+): (?:Black|White) (\w+)", re.MULTILINE)


def losses_in(text):
    """Return number, points lost and P(mistake) of each move that a comment judges."""
    return LOST.findall(text.replace("lost nothing", "lost about 0.0 points"))


def example(seed):
    """Return a record's main line and a review of it without a search."""
    return examples.reviewed_game(examples.nine(), seed=seed)


def real(seed):
    """Return the same of a short game between two quick players, reviewed by searches."""
    options = PlayerOptions(playouts=12, threads=1, seed=seed)
    game, player = Game(7, RULESETS["chinese"], 7.5), Player(options, load_knowledge())
    while not game.is_over and len(game.moves) < 40:
        game.play(game.to_play, player.choose(game, game.to_play).point)
    line = read_main_line(write_record(record_of(game)))
    line, positions = positions_of(line, game.rules, 7.5)
    lookout = Lookout(replace(options, playouts=100), player.knowledge)
    return line, review_game(positions, lookout, Predictor(player.knowledge.patterns))


def outputs(line, review):
    """Return the record's nodes, the page, its data, the JSON data and the terminal's lines."""
    game = with_lessons(line, review, Level(), RULESETS["chinese"], 7.5)
    numbers, report, page = json.loads(json_of(game)), report_of(game), html_of(game)
    data = json.loads(re.search(r'id="game">(.*?)</script>', page, re.DOTALL)[1])
    record = annotate(line, write_notes(review, game.remarks, len(line.nodes)))
    nodes = [read_main_line(record).file.get_main_sequence()[t.node] for t in review.thoughts]
    return nodes, page, data, numbers, report


@pytest.fixture(
    scope="module",
    params=[
        *(pytest.param((example, seed), id=f"example {seed}") for seed in range(1, 11)),
        *(
            pytest.param((real, seed), id=f"real {seed}", marks=pytest.mark.slow)
            for seed in range(1, 11)
        ),
    ],
)
def shown_by_all(request):
    make, seed = request.param
    return outputs(*make(seed))


def test_a_move_has_one_loss_and_one_probability_everywhere(shown_by_all):
    nodes, page, data, numbers, report = shown_by_all
    shown = defaultdict(dict)  # by the move's number: (loss, chance of a mistake) by output
    for move in numbers["moves"]:
        shown[move["number"]]["json"] = f"{move['loss']:.1f}", f"{100 * move['mistake']:.0f}"
    for node in nodes:
        for number, *figures in losses_in(node.get("C") if node.has_property("C") else ""):
            shown[int(number)]["record"] = tuple(figures)
    for line in report:
        for number, *figures in TOLD.findall(line):
            shown[int(number)]["terminal"] = tuple(figures)
    for step in data["steps"]:
        for number, *figures in losses_in(f"Move {step['number']}, A1: {step.get('said')}"):
            shown[int(number)]["board"] = tuple(figures)
    for card in data["cards"]:
        shown[card["number"]]["card"] = card["loss"], card["chance"].removesuffix(" %")
    table = page[page.index('id="all"') :]
    rows = re.findall(r"<td>(\d+)</td>.*?value\">([\d.]+) .*?<td>(\d+) %</td>", table, re.DOTALL)
    for number, *figures in rows:
        shown[int(number)]["table"] = tuple(figures)
    for number, *figures in TOLD.findall("\n".join(re.findall("<title>move (.*)", page))):
        shown[int(number)]["graph"] = tuple(figures)
    cards = {card["number"] for card in data["cards"]}
    assert len(shown) == len(numbers["moves"])
    for number, figures in shown.items():
        assert len(set(figures.values())) == 1, (number, figures)
        assert {"json", "record", "board", "table"} <= figures.keys()
        assert ("card" in figures) == ("graph" in figures) == (number in cards)
    assert any("terminal" in figures for figures in shown.values()) == bool(cards)


def test_candidates_have_one_number_and_one_order_everywhere(shown_by_all):
    nodes, _, data, numbers, _ = shown_by_all
    losses = {move["number"]: f"{move['loss']:.1f}" for move in numbers["moves"]}
    for node, step, position in zip(nodes, data["steps"], numbers["positions"], strict=True):
        page = [(choice["name"], choice["loss"]) for choice in step["moves"]]
        assert page == [(one["move"], f"{one['loss']:.1f}") for one in position["candidates"]]
        assert [float(loss) for _, loss in page] == sorted(float(loss) for _, loss in page)
        listed = CHOICE.findall(node.get("C"))
        assert [(name, loss) for _, loss, name in listed] == page[:5]
        assert [letter for letter, *_ in listed] == list("ABCDE")[: len(listed)]
    moves = zip(data["steps"], numbers["positions"][1:], strict=False)
    for step, after in moves:
        choices = {choice["name"]: choice["loss"] for choice in step["moves"]}
        if after["number"] in losses and choices:
            assert choices[after["move"]] == losses[after["number"]]
    for card in data["cards"]:
        choices = {one["name"]: one["loss"] for one in data["steps"][card["step"]]["moves"]}
        assert choices[card["move"]] == card["loss"]
        assert not card["better"] or choices[card["better"]] == "0.0"


def test_positions_have_one_win_rate_and_one_lead_everywhere(shown_by_all):
    nodes, _, data, numbers, _ = shown_by_all
    for node, step, position in zip(nodes, data["steps"], numbers["positions"], strict=True):
        rate, lead = position["win_rate"], position["lead"]
        leader = "Black leads by" if lead > 0.0 else "White leads by" if lead else "the lead is"
        state = (
            "By the count," if position["counted"] else f"Black's chance to win {100 * rate:.0f} %;"
        )
        words = f"{state} {leader} {abs(lead):.1f} "
        assert step["rate"].startswith(words)
        assert words in node.get("C")
        assert float(node.get_raw("SBKV")) == pytest.approx(100 * rate)
        assert float(node.get_raw("SBKS")) == lead


def test_a_terminal_shows_the_verdict_first_and_at_most_15_lines():
    bad = tuple(range(4, 26))
    line, review = examples.reviewed_game(examples.nine(), mistakes=bad)
    game = with_lessons(line, review, Level(), RULESETS["chinese"], 7.5)
    lessons, remark = game.lessons, game.remarks[0]
    good = GoodMove(remark.judgement, 1, 1.0, "Good.")
    good_moves = {1: (good,) * 2, 2: (good,) * 2}
    lessons = lessons._replace(notes=("Strong.", "Wrong."), good=good_moves)
    report = report_of(game._replace(lessons=lessons))
    assert report[:3] == (lessons.verdict, "Strong.", "Wrong.")
    assert len(report) == 12 <= 15
    assert report[-1] == f"These are 6 of {len(game.remarks)} remarks; --html shows all."
