"""Judging named mistakes: the printed figures, and a run on a small game."""

import json
from types import SimpleNamespace

import pytest

from engine.jit import JIT_ENABLED
from scripts.check import mistakes


def review(verdicts, said, seed=1, evenly=False):
    moves = [
        {
            "after": n,
            "color": 1 + (n + 1) % 2,
            "times": 1,
            "said": p,
            "verdict": verdict,
            "size": [6.0, 3.0, 9.0],
            "reasons": [["C3 saves C4.", n == 1]],
        }
        for n, (verdict, p) in enumerate(zip(verdicts, said, strict=True), start=1)
    ]
    return {"seed": seed, "evenly": evenly, "seconds": 3.0, "moves": moves}


def game(path, *reviews):
    # Black loses 8 points, White 1, Black 3.
    return {"path": path, "source": "a", "leads": [0.0, -8.0, -7.0, -10.0], "reviews": reviews}


def test_the_result(capsys):
    one = review(["mistake", "mistake", "fine"], [0.9, 0.8, 0.5])
    other = review(["mistake", "fine", "fine"], [0.95, 0.2, 0.1], seed=2)
    mistakes.print_result([game("dan", one, other), game("kyu", one, other)], [1, 2])
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split() == "dan utility 1 1 of 2 2 of 3 21% to 94% 2 of 2".split()
    assert lines[3].split()[:9] == "all utility 2 2 of 4 4 of 6".split()
    assert lines[4] == "utility: at most 3 s of one core a review"
    assert "P(mistake), looked at closer" in lines[5]
    assert [line.split()[:4] for line in lines[6:9]] == [
        ["0%", "to", "25%", "4"], ["25%", "to", "75%", "2"], ["75%", "to", "100%", "6"]
    ]  # fmt: skip
    assert lines[8].split()[-1] == "0.6667"
    sizes = "said to lose 6.0 points, lost 8.0; the 90 % interval holds 100% of 4"
    assert lines[-2] == f"confirmed mistakes: {sizes}"
    assert lines[-1] == "named mistakes with a concrete reason: 4 of 6"


def test_a_second_judge_is_asked_around_moves_that_matter_and_counts():
    class Judge:
        def leads(self, game, points):
            asked.append(game)
            return 1.0, []

    asked = []
    positions = [SimpleNamespace(game=SimpleNamespace(to_play=1 + n % 2)) for n in range(4)]
    rows = [review(["fine", "fine", "mistake"], [0.1, 0.1, 0.9])]
    leads = [0.0, -8.0, -7.0, -10.0]  # the first move lost much, and the third one is named
    again = mistakes.judged_again(Judge(), positions, leads, rows)
    assert again == {"0": 1.0, "1": -1.0, "2": 1.0, "3": -1.0}
    assert asked == [position.game for position in positions]
    lost = [mistakes.Move(row, leads, {"0": 1.0, "1": -1.0}).lost for row in rows[0]["moves"]]
    assert lost == [2.0, 1.0, 3.0]


@pytest.mark.skipif(not JIT_ENABLED, reason="long searches")
def test_a_run_goes_on(tmp_path, capsys, judge_command):
    record, out = tmp_path / "game.sgf", tmp_path / "out.json"
    record.write_bytes(b"(;SZ[5]KM[0.5];B[aa];W[cc];B[ea];W[bc])")
    arguments = ["--games", str(record), "--playouts", "4", "--out", str(out), "--evenly"]
    arguments += ["--judge", judge_command, "--again", judge_command]
    assert mistakes.main(arguments) == 0
    first = capsys.readouterr().out
    assert "evenly" in first
    stored = json.loads(out.read_text())
    (row,) = stored["games_judged"]
    assert row["leads"] == [0.0, 1.0, -2.0, 3.0, 1.0]
    assert len(row["reviews"]) == 4
    assert mistakes.main(arguments) == 0
    assert capsys.readouterr().out == first
    assert mistakes.main([*arguments[:4], "--judge", "no-such-program"]) == 2
