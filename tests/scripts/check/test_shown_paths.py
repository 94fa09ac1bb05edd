"""Values shown along games: what a program is asked, and the differences of two seeds by hand."""

import json
import shlex
import sys

import pytest

from scripts.check import shown_paths
from scripts.check.points_lost import WIN_RATE
from tests.scripts.check.test_outcome import sgf_of
from tests.scripts.check.test_passing import filled_game

# Says seed * turn points; its win rate is seed / 10. Answers come in reverse order.
PROGRAM = """
import json, sys
seed = int(sys.argv[sys.argv.index("--seed") + 1])
lines = [json.loads(line) for line in sys.stdin]
for line in reversed(lines):
    for turn in reversed(line["analyzeTurns"]):
        assert len(line["moves"]) >= turn and line["maxVisits"] == 5 and line["boardXSize"] == 5
        info = {"scoreLead": seed * turn, "winrate": seed / 10}
        print(json.dumps({"id": line["id"], "turnNumber": turn, "rootInfo": info}))
"""


def arguments(tmp_path, program: str) -> list[str]:
    (tmp_path / "0.sgf").write_bytes(sgf_of(filled_game(0), "B+3.5"))
    (tmp_path / "program.py").write_text(program)
    command = shlex.join([sys.executable, str(tmp_path / "program.py")])
    found = ["--games", str(tmp_path), "--first", "3", "--last", "5", "--visits", "5"]
    return [*found, "--program", command, "--out", str(tmp_path / "out.json")]


def test_each_way_asks_for_all_turns_with_both_seeds(tmp_path, capsys):
    assert shown_paths.main(arguments(tmp_path, PROGRAM)) == 0
    rows = json.loads((tmp_path / "out.json").read_text())["rows"]
    assert [row["way"] for row in rows] == ["together", "in turn", "alone"]
    assert [row["shown"] for row in rows] == [[[[3, 0.1], [4, 0.1]], [[6, 0.2], [8, 0.2]]]] * 3
    # The seeds differ by 3 and 4 points; the first one's lead changes by 1.
    *_, last = capsys.readouterr().out.splitlines()
    assert [float(word) for word in last.split()[1:]] == pytest.approx(
        [2, 12.5**0.5, 0.1, 1.0, 0.0], abs=1e-4
    )


def test_quiet_turns_are_those_of_the_judge(tmp_path, capsys, monkeypatch):
    asked = []

    def judged(self, games, value):
        asked.append([(len(game.moves), value) for game in games])
        return [0.3, 0.66, 0.33]  # of the side to move; Black's are 0.7, 0.66 and 0.67

    monkeypatch.setattr(shown_paths.KataGoJudge, "__init__", lambda self, command: None)
    monkeypatch.setattr(shown_paths.KataGoJudge, "close", lambda self: None)
    monkeypatch.setattr(shown_paths.KataGoJudge, "course", judged)
    squares = tmp_path / "squares.py"
    squares.write_text(PROGRAM.replace("seed * turn,", "seed * turn * turn,"))
    options = arguments(tmp_path, PROGRAM)
    options[options.index("--last") + 1] = "6"
    options.insert(options.index("--program") + 1, shlex.join([sys.executable, str(squares)]))
    options += ["--ways", "in turn", "--judge", "judge"]
    assert shown_paths.main(options) == 0
    (turns,) = asked
    assert turns == [(turn, WIN_RATE) for turn in (3, 4, 5)]
    table = capsys.readouterr().out.split("quiet turns")[1].splitlines()
    # Only the step from turn 4 to 5 is quiet. Leads change by 9 and 18, or by 1 and 2.
    assert [line.split()[-3:-1] for line in table[-2:]] == [["1", "13.5000"], ["1", "1.5000"]]
    assert shown_paths.main(options) == 0
    assert len(asked) == 1


def test_a_program_that_fails_is_one_line(tmp_path, capsys):
    assert shown_paths.main(arguments(tmp_path, "raise SystemExit(1)")) == 2
    assert "no usable answers" in capsys.readouterr().err
