import argparse
import json

import pytest

from gtp.__main__ import main
from scripts.check.proofs import check

ATARI = "...../...../.XO../..X../....."
LADDER = "......./......./......./..XX.../..OX.../.XX..../......."


def record(**changes):
    base = {"id": "a", "size": 5, "board": ATARI, "goal": "C3", "attacker": "black",
            "to_move": "black", "task": "attack"}  # fmt: skip
    return base | changes


def solve(tmp_path, lines, *options):
    path = tmp_path / "problems.jsonl"
    path.write_text("\n".join(json.dumps(x) if isinstance(x, dict) else x for x in lines))
    return main(["solve", "--problems", str(path), "--json", "--max-nodes", "2000", *options])


def test_a_line_for_each_problem_and_a_summary(tmp_path, capsys):
    assert solve(tmp_path, [record(), record(id="b", size=7, board=LADDER, goal="C3")]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert set(lines[0]) == {"id", "value", "move", "nodes", "seconds", "liberty_limit", "line"}
    assert [line["id"] for line in lines[:2]] == ["a", "b"]
    summary = lines[2]["summary"]
    assert summary["problems"] == 2
    assert summary["nodes"] == lines[0]["nodes"] + lines[1]["nodes"]


def test_a_file_without_a_usable_problem_has_a_summary(tmp_path, capsys):
    path = tmp_path / "problems.jsonl"
    path.write_bytes(b"\xff\xfe\n[]\n")
    assert main(["solve", "--problems", str(path), "--json"]) == 1
    out, err = capsys.readouterr()
    assert [line.split(": ")[1] for line in err.splitlines()] == ["line 1", "line 2"]
    summary = json.loads(out)["summary"]
    assert (summary["malformed"], summary["nodes_per_second"]) == (2, 0)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"goal": "A1"}, "no stone"),
        ({"goal": "pass"}, "no stone"),
        ({"goal": "Z9"}, "Z9 is outside the 5x5 board"),
        ({"goal": "B3"}, "belongs to the attacker"),
        ({"board": "...../...../.XO../..X.."}, "not 5 rows of 5 points, joined by /"),
        ({"board": "..X../.XOX./..X../...../....."}, "without liberties"),
        ({"to_move": "green"}, "black or white"),
        ({"attacker": []}, "black or white"),
        ({"size": 99}, "size"),
        ({"size": 5.0}, "bad: size must be a whole number"),
        ({"size": True}, "bad: size must be a whole number"),
        ({"goal": ["C3"]}, "bad: goal must be a point such as C3"),
        ({"goal": "it's"}, "bad: no such point: it's; points look like E5"),
        ({"task": "defend"}, "bad: task must be attack if the attacker is to move, else defend"),
    ],
)
def test_a_malformed_problem_is_named_and_the_others_are_solved(tmp_path, capsys, changes, reason):
    lines = [record(**changes) | {"id": "bad"}, "{", record(size=7, board=LADDER)]
    assert solve(tmp_path, lines) == 1
    out, err = capsys.readouterr()
    assert "bad" in err
    assert reason in err
    assert "line 2" in err
    assert json.loads(out.splitlines()[0])["id"] == "a"


@pytest.mark.parametrize(("name", "shown"), [(7, "7"), (True, "true"), ("", "line 1")])
def test_a_name_is_written_as_in_the_file(tmp_path, capsys, name, shown):
    assert solve(tmp_path, [record(id=name, size=99), record(id=name)]) == 1
    out, err = capsys.readouterr()
    assert err.startswith(f"yomi: {shown}: ")
    assert json.loads(out.splitlines()[0])["id"] == (shown if name else "")


def test_an_sgf_position(tmp_path, capsys):
    path = tmp_path / "ladder.sgf"
    # LADDER with White to move
    path.write_text("(;SZ[7]PL[W]AB[cd][dd][de][bf][cf]AW[ce])")
    assert main(["solve", str(path), "--goal", "C3", "--json", "--max-nodes", "2000"]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[0])["value"] == "captured"
    assert main(["solve", str(path), "--goal", "A1"]) == 1
    assert "no stone on the goal A1" in capsys.readouterr().err
    path.write_text("(;SZ[7]")
    assert main(["solve", str(path), "--goal", "C3"]) == 1
    assert capsys.readouterr().err.count("\n") == 1


# LADDER in moves, White's stones marked when they are in atari; then the ladder's first moves.
GAME = (
    "(;SZ[7]RU[Chinese]AB[cd][dd]PL[W];W[ce];B[de]{mark};W[ga];B[bf];W[gb];B[cf]TR[ce][aa];W[be]"
    "(;B[ae])(;B[gg]))"
)


@pytest.mark.parametrize(
    ("mark", "options", "chain", "side"),
    [
        ("", [], "C3", "saved"),
        ("", ["--move", "6"], "C3", "saved"),
        ("TR[zz][ce]MA[tt]SQ[]", [], "C3", "saved"),  # marks off the board say nothing
        ("MA[aa]", [], "C3", "saved"),  # only an empty point is marked earlier
        ("SQ[ce]", [], "C3", "saved"),
        ("CR[dd][de]", [], "D3", "captured"),
        ("CR[dd][de]", ["--goal", "D4", "--move", "3"], "D4", "saved"),
        ("", ["--goal", "C4", "--move", "0"], "C4", "captured"),
        ("", ["--goal", "C4"], "C4", "captured"),
        ("", ["--goal", "B3", "--move", "7"], "B3", "captured"),
    ],
)
def test_the_marked_stone_of_a_game_is_the_goal(tmp_path, capsys, mark, options, chain, side):
    path = tmp_path / "game.sgf"
    path.write_text(GAME.format(mark=mark))
    assert main(["solve", str(path), "--max-nodes", "300", "--json", *options]) == 0
    out, err = capsys.readouterr()
    assert err == f"yomi: game: the chain of {chain}, to be {side} by the side to move\n"
    assert len(out.splitlines()) == 2


@pytest.mark.parametrize(
    ("game", "options", "complaint"),
    [
        ("(;SZ[7];B[cc];W[dd])", [], "no stone is marked"),
        ("(;SZ[7];B[cc]TR[cc];W[dd])", ["--move", "2"], "no stone is marked"),
        ("(;SZ[7];B[cc];W[dd]TR[cc][dd])", [], "2 chains are marked (D4, C5)"),
        ("(;SZ[7];B[cc];W[dd])", ["--goal", "C5", "--move", "3"], "there are 2 moves, not 3"),
        ("(;SZ[7];B[cc];W[dd]TR[zz])", [], "no stone is marked"),
        ("(;SZ[7];B[cc];W[cc]TR[cc])", [], "at move 2: illegal move"),
    ],
)
def test_a_record_without_a_chain_to_read(tmp_path, capsys, game, options, complaint):
    path = tmp_path / "game.sgf"
    path.write_text(game)
    assert main(["solve", str(path), *options]) == 1
    err = capsys.readouterr().err
    assert complaint in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("options", [["--solver", "pns"], ["--solver", "pp"], ["--solver", "pns",
    "--priors", "none"], ["--solver", "pp", "--priors", "none"]])  # fmt: skip
def test_written_proofs_hold_against_every_reply(options, tmp_path, capsys):
    proofs = tmp_path / "proofs.jsonl"
    ladder = record(size=7, board=LADDER)
    lines = [ladder, ladder | {"id": "b", "to_move": "white", "task": "defend"}]
    assert solve(tmp_path, lines, "--proof", str(proofs), *options) == 0
    values = [json.loads(line).get("value") for line in capsys.readouterr().out.splitlines()]
    assert values[:2] == ["captured", "captured"]
    options = argparse.Namespace(positions=20_000, foreign=2, random=20, seed=1)
    for line in proofs.read_text().splitlines():
        assert check(json.loads(line), options)[0] != "refuted"


def test_the_checker_refutes_a_proof_with_a_missing_rescue():
    proof = {
        "id": "x", "size": 5, "board": "...../...../.XO../..X../.....", "attacker": "black",
        "to_move": "black", "goal": "C3", "liberty_limit": 3,
        "nodes": [{"attack": "D3", "then": 1}, {"replies": {"pass": 2}}, {"take": "C4"}],
    }  # fmt: skip
    options = argparse.Namespace(positions=2000, foreign=1, random=5, seed=1)
    assert check(proof, options)[0] == "refuted"
