import argparse
import json

import pytest

from gtp import solve_command
from scripts.check_proofs import check

ATARI = "...../...../.XO../..X../....."
NET = "......./......./......./..XX.../..OX.../.XX..../......."


def record(**changes):
    base = {"id": "a", "size": 5, "board": ATARI, "goal": "C3", "attacker": "black",
            "to_move": "black", "task": "attack"}  # fmt: skip
    return base | changes


def solve(tmp_path, lines, *options):
    path = tmp_path / "problems.jsonl"
    path.write_text("\n".join(json.dumps(x) if isinstance(x, dict) else x for x in lines))
    parser = argparse.ArgumentParser()
    solve_command.add_arguments(parser)
    chosen = parser.parse_args(["--problems", str(path), "--json", "--max-nodes", "3000", *options])
    return solve_command.run(chosen)


def test_a_line_for_each_problem_and_a_summary(tmp_path, capsys):
    assert solve(tmp_path, [record(), record(id="b", size=7, board=NET, goal="C3")]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert set(lines[0]) == {"id", "value", "move", "nodes", "seconds", "liberty_limit", "line"}
    assert [line["id"] for line in lines[:2]] == ["a", "b"]
    assert lines[2]["summary"]["problems"] == 2


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"goal": "A1"}, "no stone"),
        ({"goal": "Z9"}, "A to"),
        ({"goal": "B3"}, "belongs to the attacker"),
        ({"board": "...../...../.XO../..X.."}, "not 5x5"),
        ({"board": "..X../.XOX./..X../...../....."}, "without liberties"),
        ({"to_move": "green"}, "black or white"),
        ({"size": 99}, "size"),
        ({"task": "defend"}, "does not fit"),
    ],
)
def test_a_malformed_problem_is_named_and_the_others_are_solved(tmp_path, capsys, changes, reason):
    if reason == "A to":
        reason = "vertex"
    assert solve(tmp_path, [record(**changes) | {"id": "bad"}, "{", record()]) == 1
    out, err = capsys.readouterr()
    assert "bad" in err
    assert reason in err
    assert "line 2" in err
    assert json.loads(out.splitlines()[0])["id"] == "a"


def test_usage_errors():
    parser = argparse.ArgumentParser()
    solve_command.add_arguments(parser)
    assert solve_command.run(parser.parse_args([])) == 2
    assert solve_command.run(parser.parse_args(["x.sgf"])) == 2
    assert solve_command.run(parser.parse_args(["--problems", "no-such-file"])) == 1


def test_written_proofs_hold_against_every_reply(tmp_path, capsys):
    proofs = tmp_path / "proofs.jsonl"
    lines = [record(), record(id="b", to_move="white", task="defend")]
    assert solve(tmp_path, lines, "--proof", str(proofs)) == 0
    values = [json.loads(line).get("value") for line in capsys.readouterr().out.splitlines()]
    options = argparse.Namespace(positions=20_000, foreign=2, random=20, seed=1)
    written = [json.loads(line) for line in proofs.read_text().splitlines()]
    assert len(written) == values.count("captured") > 0
    for proof in written:
        assert check(proof, options)[0] == "holds"


def test_the_checker_refutes_a_proof_with_a_missing_rescue():
    proof = {
        "id": "x", "size": 5, "board": "...../...../.XO../..X../.....", "attacker": "black",
        "to_move": "black", "goal": "C3", "liberty_limit": 3,
        "nodes": [{"attack": "D3", "then": 1}, {"replies": {"pass": 2}}, {"take": "C4"}],
    }  # fmt: skip
    options = argparse.Namespace(positions=2000, foreign=1, random=5, seed=1)
    assert check(proof, options)[0] == "refuted"
