"""Shown values against results, a judge and longer searches: figures by hand, runs that go on."""

import json

import numpy as np
import pytest

from engine import BLACK, WHITE, Game, parse_vertex
from engine.belief.calibration import no_calibration
from engine.belief.open_points import KINDS
from engine.belief.posterior import posterior_of
from engine.jit import JIT_ENABLED
from patterns_db.search_tables.calibration_table import read_calibration
from scripts.check import leads, mistakes, shown_values
from scripts.learn import make_tables
from tests.scripts.check.games import filled_game, sgf_of

needs_jit = pytest.mark.skipif(not JIT_ENABLED, reason="searches take long without JIT")


@pytest.fixture
def games(tmp_path):
    """Return a folder with two small games."""
    folder = tmp_path / "games"
    folder.mkdir()
    for seed, result in enumerate(("B+3.5", "W+R")):
        (folder / f"{seed}.sgf").write_bytes(sgf_of(filled_game(seed), result))
    return str(folder)


def test_the_loss_of_a_move(judge):
    game = Game(9, komi=5.5)
    for color, vertex in ((BLACK, "C3"), (WHITE, "E5")):
        game.play(color, parse_vertex(vertex, 9))
    points = [parse_vertex(vertex, 9) for vertex in ("A1", "J9", "D3")]
    before, after = judge.leads(game, points)
    assert before == 3 - 5 == judge.lead(game)
    assert after == [3 + 1 - 5, 3 + 9 - 5, 3 + 4 - 5]


# -- leads and chances ----------------------------------------------------------------------------


def row(moves: int, lead: float, value: float, counted: float | None = None) -> dict:
    evidence = {
        "size": 19, "occupied": 0.3, "komi": 7.0, "rollouts": 10**8, "value": value,
        "variance": 1.0, "length": 399.0, "margin": 0.0, "seen": 10**8, "stones": 0.0,
        "ground": 0.0, "open": 1.0, "kinds": [0.0] * KINDS,
    }  # fmt: skip
    about = {"game": "a", "moves": moves, "result": 1.0, "stronger": 0.0, "counted": counted}
    return about | {"lead": lead, "evidence": evidence}


def numbers_of(text: str, *first: str) -> list[float]:
    """Return the numbers of the row that begins with some words."""
    lines = map(str.split, text.splitlines())
    words = next(words for words in lines if words[: len(first)] == list(first))
    return [float(word) for word in words[len(first) :]]


def test_figures_are_those_by_hand(capsys):
    # Without a learned table a value of 20 is one deviation, 18 points.
    rows = [row(40, 18.0, 20.0, counted=10.0), row(100, 10.0, -20.0, counted=40.0)]
    others = [row(40, 18.0, 20.0), row(100, 10.0, 20.0)]
    looks = [
        [posterior_of(leads.evidence_of(each), no_calibration()) for each in some]
        for some in (rows, others)
    ]
    leads.print_leads(rows, looks)
    leads.print_winners(rows, looks[0])
    text = capsys.readouterr().out
    # The half width is 1.645 deviations.
    width = 18.0 * 1.645
    assert numbers_of(text, "to", "0.15") == pytest.approx(
        [1, 0.0, 18.0, 0.0, 1.0, width], abs=0.01
    )
    assert numbers_of(text, "to", "0.36") == pytest.approx(
        [1, 28.0, 10.0, 2.8, 1.0, width], abs=0.01
    )
    assert numbers_of(text, "0.5000", "0.5000")[0] == pytest.approx(36.0 / 2**0.5, abs=1e-3)
    assert numbers_of(text, "even,", "White")[-1] == 0.0


# A position with three moves; the long search chose the second.
LOOKS = {
    "game": "a", "size": 9, "moves": 10, "occupied": 0.12,
    "looks": {
        "100": [
            [30, 60, 0.6, 3.0, 0.55, 1.0, 0.5, 2.0, 2.0, 0.5],
            [31, 30, 0.5, 1.0, 0.52, 0.8, 0.6, 1.0, 2.5, 0.3],
            [32, 10, 0.4, 0.0, 0.48, 0.1, 0.9, 0.5, 3.0, 0.2],
        ],
        "1600": [
            [31, 900, 0.55, 6.0, 0.56, 0.9, 0.2, 4.0, 0.5, 0.3],
            [30, 600, 0.5, 1.0, 0.5, 0.5, 0.2, 1.0, 0.6, 0.5],
            [32, 90, 0.4, 0.0, 0.45, 0.1, 0.6, 0.4, 1.4, 0.2],
        ],
    },
}  # fmt: skip


@needs_jit
def test_a_run_goes_on_and_teaches(games, tmp_path, capsys, judge_command):
    out, looks, table = (tmp_path / name for name in ("out.json", "looks.json", "made.table"))
    words = ["--games", games, "--moves", "4", "8", "--playouts", "5", "10", "--seeds", "1", "2"]
    words += ["--judge", judge_command, "--out", str(out)]
    assert leads.main([*words, "--positions", "2"]) == 0
    first = json.loads(out.read_text())["positions"]
    assert leads.main(words) == 0
    rows = json.loads(out.read_text())["positions"]
    assert rows[: len(first)] == first
    assert [(row["evidence"]["rollouts"], row["weight"], row["seed"]) for row in first[:4]] == [
        (5, 0.5, 1), (10, 0.5, 1), (5, 0.5, 2), (10, 0.5, 2)
    ]  # fmt: skip
    assert {(row["game"], row["moves"], row["result"], row["counted"]) for row in rows} == {
        (f"{seed}.sgf", moves, 1.0 - seed, margin)
        for seed, margin in ((0, 3.5), (1, None))
        for moves in (4, 8)
    }
    text = capsys.readouterr().out
    assert text.count("10 playouts") == 2
    assert numbers_of(text, "all")[0] == 2
    looks.write_text(json.dumps({"positions": [LOOKS]}))
    command = ["calibration", "--positions", str(out), "--searches", str(looks)]
    assert make_tables.main([*command, "--out", str(table)]) == 0
    assert read_calibration(table).gap.tolist() != no_calibration().gap.tolist()
    assert leads.main([*words, "--calibration", str(table)]) == 0
    command = ["reach", "--judged", str(out), "--table", str(table)]
    assert make_tables.main([*command, "--out", str(looks)]) == 0
    made, learned = read_calibration(table), read_calibration(looks)
    assert learned.reach.tolist() != made.reach.tolist()
    assert learned.weights.tolist() == made.weights.tolist()


# -- moves ----------------------------------------------------------------------------------------


def test_the_choice_and_the_differences_that_a_longer_search_judges():
    [looks] = shown_values.read_looks([LOOKS])
    [choice] = shown_values.choices_of([looks])
    assert choice.chosen == 1
    [gap] = shown_values.gaps_of([looks])  # the third move has almost no visits
    assert (gap.difference, gap.judged) == (1.0, -5.0)
    assert gap.deviation == pytest.approx(np.hypot(2.0, 2.5))
    assert shown_values.choices_of([looks._replace(chosen=99)]) == []


def test_mistakes_are_compared_with_the_judge(capsys):
    def review(verdicts, said, seed):
        moves = [
            {"after": n, "color": 1 + (n + 1) % 2, "times": 1, "said": p, "verdict": verdict,
             "clear": p > 0.85, "costliest": n == 1, "lost": [6.0, 0.0, 9.0],
             "reasons": ["C3 saves C4."] * (n == 1)}
            for n, (verdict, p) in enumerate(zip(verdicts, said, strict=True), start=1)
        ]  # fmt: skip
        leads_found = [[0.0, 3.0], [-6.0, 3.0], [-6.0, 3.0], [-6.0, 3.0]]
        return {"seed": seed, "seconds": 3.0, "leads": leads_found, "moves": moves}

    # Black loses 8 points, White 1, Black 3.
    reviews = [
        review(["mistake", "mistake", "fine"], [0.9, 0.8, 0.5], 1),
        review(["mistake", "fine", "fine"], [0.95, 0.2, 0.1], 2),
    ]
    leads_of_game = [0.0, -8.0, -7.0, -10.0]
    row = {"path": "dan", "source": "a", "leads": leads_of_game, "reviews": reviews}
    mistakes.print_result([row], [1, 2])
    lines = capsys.readouterr().out.splitlines()
    # White's loss of 1 is no mistake; Black's leads are off by 0, 2, 1 and 4.
    assert lines[1].split() == (
        "dan 1 1 of 2 2 of 3 21% to 94% 2 of 2 34% to 100% 2 of 2 2 of 2 75% 100%".split()
    )
    assert "P(mistake), dan" in lines[4]
    assert lines[7].split()[-1] == "0.6667"
    assert lines[-2].endswith("6.0 points, lost 8.0; the 90 % interval holds 100% of 2")
    assert lines[-1] == "named mistakes with a reason: 2 of 3"
