import json

import numpy as np
import pytest

from engine.pcg.game import random_sum
from scripts.reproduce import spcg, zhao_mueller
from tests.pcg.sums import EXAMPLE, plain
from tests.reference.pcg import game_value


def write_games(path, *games):
    data = [
        {"subgames": [{"left": plain(g.left), "right": plain(g.right)} for g in subgames]}
        for subgames in games
    ]
    path.write_text(json.dumps(data), encoding="utf-8")
    return str(path)


def test_json_answers(tmp_path, capsys):
    file = write_games(tmp_path / "games.json", EXAMPLE[:2], EXAMPLE, EXAMPLE[:1] * 3)
    assert spcg.main(["solve", file, "--json"]) == 0
    answers = json.loads(capsys.readouterr().out)
    assert [set(answer) for answer in answers] == [{"value", "best", "seconds"}] * 3
    tripled = game_value([(plain(EXAMPLE[0].left), plain(EXAMPLE[0].right))] * 3)
    assert [answer["value"] for answer in answers] == pytest.approx([0.65, 0.436875, tripled])
    assert [answer["best"] for answer in answers] == [1, 1, 0]
    assert all(0 < answer["seconds"] < 1 for answer in answers)


def test_plain_answers(tmp_path, capsys):
    assert spcg.main(["solve", write_games(tmp_path / "games.json", EXAMPLE)]) == 0
    assert "probability 0.436875, best first subgame 1" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"[", "not JSON"),
        (b"\xff", "not JSON"),
        (b"[" * 100000, "not JSON"),
        (b"{}", "not a list of games"),
        (b'[{"subgames": []}]', "game 0: a sum has 1 to 31 subgames"),
        (
            b'[{"subgames": [{"left": [[0.5, 1]], "right": [[1, 2]]}]}]',
            'game 0: subgame 0: "left": the probabilities sum to 0.5, not to 1',
        ),
    ],
)
def test_bad_files_give_one_line_and_status_1(tmp_path, capsys, text, message):
    file = tmp_path / "bad.json"
    file.write_bytes(text)
    assert spcg.main(["solve", str(file), "--json"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert err.count("\n") == 1


def test_missing_file_and_too_little_memory(tmp_path, capsys):
    assert spcg.main(["solve", str(tmp_path / "none.json")]) == 1
    assert capsys.readouterr().err.startswith("spcg: ")
    large = random_sum(25, np.random.default_rng(0)).subgames
    assert spcg.main(["solve", write_games(tmp_path / "large.json", EXAMPLE, large)]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert "game 1: 25 subgames need" in err


def test_usage_errors_have_status_2(capsys):
    for arguments in ([], ["solve"], ["solve", "x", "--memory", "many"]):
        with pytest.raises(SystemExit) as stop:
            spcg.main(arguments)
        assert stop.value.code == 2
    for arguments in (["table9"], ["--games", "0"]):
        with pytest.raises(SystemExit) as stop:
            zhao_mueller.main(arguments)
        assert stop.value.code == 2
    capsys.readouterr()


def test_every_table_and_figure_is_printed(capsys):
    sizes = ["--games", "1", "--subgames", "4", "--nodes", "2", "--max-samples", "10"]
    parts = [part for part in zhao_mueller.PARTS if part != "table2"]
    assert zhao_mueller.main([*parts, *sizes]) == 0
    out = capsys.readouterr().out
    for title in ("Table 1", "Table 3", "Figure 2", "Figure 3", "Figure 4", "Figure 5"):
        assert title in out
    assert "1201917" in out
    assert "nan" not in out


def test_figures_are_drawn(tmp_path, capsys):
    pytest.importorskip("matplotlib")
    arguments = ["figure2", "figure5", "--games", "1", "--subgames", "4", "--plot", str(tmp_path)]
    assert zhao_mueller.main(arguments) == 0
    capsys.readouterr()
    assert sorted(file.name for file in tmp_path.iterdir()) == ["figure2.png", "figure5.png"]
