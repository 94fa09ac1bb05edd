import json

import pytest

from engine.jit import JIT_ENABLED
from gtp.__main__ import main
from scripts.check.life_proofs import LifeReplay
from scripts.check.plain_rules import RefutedError
from scripts.check.proofs import main as check_proofs

pytestmark = pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")
EMPTY = "........./" * 6
THREE = EMPTY + "XXXXX..../OOOOX..../...OX...."
FOUR = EMPTY + "XXXXXX.../OOOOOX.../....OX..."
# White to move makes a seki by E1.
SEKI = "........./" * 5 + "XXXXXXX../OOOOOOX../XXXX.OX../X.OO.OX.."


def record(**changes):
    return {"id": "a", "size": 9, "board": THREE, "to_move": "black"} | changes


def solve(tmp_path, lines, *options):
    path = tmp_path / "problems.jsonl"
    path.write_text("\n".join(json.dumps(line) for line in lines))
    return main(["solve", "--life", "--problems", str(path), "--max-nodes", "5000", *options])


def test_a_line_for_each_problem_and_a_summary(tmp_path, capsys):
    problems = [record(), record(id="b", to_move="white"), record(id="c", board=FOUR)]
    assert solve(tmp_path, problems, "--json", "--seconds", "1") == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert set(lines[0]) == {"id", "status", "move", "nodes", "seconds", "group"}
    assert [(line["id"], line["status"]) for line in lines[:2]] == [("a", "dead"), ("b", "alive")]
    assert [line["move"] for line in lines[:2]] == ["B1", "B1"]
    assert lines[3]["summary"]["problems"] == 3


def test_answers_are_not_read(tmp_path, capsys):
    problems = [record(), record(correct_moves=["A9"], goal="J9")]
    assert solve(tmp_path, problems, "--json", "--solver", "pns") == 0
    first, second = capsys.readouterr().out.splitlines()[:2]
    assert json.loads(first)["move"] == json.loads(second)["move"]


def test_a_bad_problem_is_named_and_left_out(tmp_path, capsys):
    assert solve(tmp_path, [record(to_move="green"), record(id="b")], "--json") == 1
    out, err = capsys.readouterr()
    assert "yomi: a: to_move must be black or white" in err
    assert json.loads(out.splitlines()[-1])["summary"]["malformed"] == 1


def test_a_position_of_a_record(tmp_path, capsys):
    path = tmp_path / "three.sgf"
    path.write_text("(;SZ[9]AB[ag:eg][eh:ei]AW[ah:dh][di];B[])")
    words = ["solve", str(path), "--life", "--json", "--max-nodes", "5000", "--seconds", "1"]
    for more, status in ([], "dead"), (["--move", "1"], "alive"):
        assert main([*words, *more]) == 0
        said = json.loads(capsys.readouterr().out.splitlines()[0])
        assert (said["id"], said["status"], said["move"]) == ("three", status, "B1")
        assert "A2" in said["group"]
    assert main([*words, "--move", "2"]) == 1
    assert "there are 1 moves, not 2" in capsys.readouterr().err


@pytest.mark.parametrize("record", ["(;SZ[9])", "(;SZ[2];B[aa])"])
def test_a_position_without_a_fight_says_so(tmp_path, capsys, record):
    path = tmp_path / "empty.sgf"
    path.write_text(record)
    assert main(["solve", str(path), "--life", "--json"]) == 0
    out, err = capsys.readouterr()
    assert "yomi: empty: no group is in question\n" in err
    assert json.loads(out.splitlines()[0])["status"] == "unknown"


def test_an_independent_checker_confirms_the_proofs(tmp_path, capsys):
    path = tmp_path / "proofs.jsonl"
    problems = [record(), record(id="b", to_move="white")]
    assert solve(tmp_path, problems, "--proof", str(path)) == 0
    assert check_proofs([str(path)]) == 0
    assert "2 hold" in capsys.readouterr().out


def test_a_seki_is_two_proofs(tmp_path, capsys):
    path = tmp_path / "proofs.jsonl"
    assert (
        solve(tmp_path, [record(board=SEKI, to_move="white")], "--json", "--proof", str(path)) == 0
    )
    assert json.loads(capsys.readouterr().out.splitlines()[0])["status"] == "seki"
    proofs = [json.loads(line) for line in path.read_text().splitlines()]
    claims = [(proof["status"], proof["aim"]) for proof in proofs]
    assert claims == [("alive", "life"), ("dead", "eyes")]
    assert check_proofs([str(path)]) == 0
    for proof in proofs:
        proof["aim"] = "eyes" if proof["aim"] == "life" else "life"
        with pytest.raises((RefutedError, KeyError)):
            LifeReplay(proof).check()


@pytest.mark.skipif(not JIT_ENABLED, reason="five hundred roll-outs")
def test_undecided_problems_get_the_best_move_of_a_search(tmp_path, capsys):
    # One node proves nothing, and Black kills by the middle of three.
    assert solve(tmp_path, [record()], "--json", "--seconds", "0.2", "--max-nodes", "1") == 0
    found = json.loads(capsys.readouterr().out.splitlines()[0])
    assert (found["status"], found["move"]) == ("unknown", "B1")
    assert found["seconds"] > 0.1


@pytest.mark.parametrize("fault", ["other claim", "no reply", "other move"])
def test_the_checker_refutes_false_proofs(tmp_path, fault):
    path = tmp_path / "proofs.jsonl"
    assert solve(tmp_path, [record()], "--proof", str(path)) == 0
    proof = json.loads(path.read_text())
    if fault == "other claim":
        proof["status"] = "alive"
    elif fault == "no reply":
        proof["nodes"][1] = {}
        proof["nodes"][0] = {"play": "A1", "then": 1}
    else:
        proof["nodes"][0]["play"] = "A3"
    with pytest.raises((RefutedError, KeyError)):
        LifeReplay(proof).check()
