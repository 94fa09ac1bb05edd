"""Every shipped table's command runs to its end on little data, and its table can be read."""

import json

import numpy as np
import pytest

from engine.jit import JIT_ENABLED
from engine.patterns.choice import MEAN
from patterns_db.patterns.added_tables import (
    CONTEXT,
    RESPONSE_KIND,
    TREES,
    read_context,
    read_responses,
    read_trees,
    write_context_table,
)
from patterns_db.patterns.added_training import new_context
from patterns_db.shipped import (
    CONTEXT_TABLE,
    PATTERN_TABLE,
    RESPONSE_TABLE,
    ROLLOUT_TABLE,
    SOLVER_TABLE,
    TREE_TABLE,
    read_rollout_beliefs,
)
from patterns_db.solvers.solver_priors import read_priors
from patterns_db.store.table_files import open_arrays, read_patterns
from scripts.learn.make_tables import CLASSES, PASSES, build_parser, main
from tests.patterns_db.collections import random_collection, write_collection

needs_jit = pytest.mark.skipif(not JIT_ENABLED, reason="trains, as tests of the pipeline do")
PROBLEM = {
    "id": "atari",
    "size": 5,
    "to_move": "black",
    "attacker": "black",
    "goal": "C3",
    "task": "attack",
    "answer": "captured",
    "board": "...../...../.XOX./..X../.....",
}


@pytest.fixture
def folder(tmp_path):
    return write_collection(tmp_path / "games", random_collection(4, size=7, length=20))


@needs_jit
def test_patterns_are_learned_whole_and_cut(folder, tmp_path):
    out = tmp_path / "patterns.table"
    words = ["patterns", "--games", str(folder), "--out", str(out), "--max-patterns", "10"]
    assert main([*words]) == 0
    model, whole = read_patterns(out), read_patterns(tmp_path / "patterns-all.table")
    assert model.manifest["classes"] == 10 < whole.manifest["classes"]
    assert {**whole.manifest, "classes": 10, "beta_squared": 2.0} == model.manifest
    assert model.manifest["beta_squared"] == read_patterns(PATTERN_TABLE).manifest["beta_squared"]
    before = out.read_bytes()
    assert main([*words, "--resume"]) == 0
    assert out.read_bytes() == before


@needs_jit
def test_context(folder, tmp_path, capsys):
    patterns, out = tmp_path / "patterns.table", tmp_path / "context.table"
    words = ["--games", str(folder), "--out"]
    assert main(["patterns", *words, str(patterns)]) == 0
    assert main(["context", *words, str(out), "--patterns", str(patterns), "--max-games", "3"]) == 0
    made, shipped = (CONTEXT.read(path).manifest for path in (out, CONTEXT_TABLE))
    assert made["games"] == 3
    assert made.keys() == shipped.keys()
    assert (read_context(out)[:, MEAN] != 0.0).any()
    assert main(["context", *words, str(out), "--patterns", str(patterns), "--max-games", "0"]) == 2
    assert capsys.readouterr().err.splitlines()[-1] == "make_tables: no moves to learn from"


@needs_jit
def test_trees(folder, tmp_path, capsys):
    patterns, context = tmp_path / "patterns.table", tmp_path / "context.table"
    out, words = tmp_path / "trees.table", ["--games", str(folder), "--out"]
    assert main(["patterns", *words, str(patterns)]) == 0
    words += [str(out), "--patterns", str(patterns), "--context", str(context)]
    write_context_table(context, new_context(), {})
    words = ["trees", *words, "--trees", "3", "--quick", "2", "--parts", "10"]
    assert main([*words, "--every", "2"]) == 0
    made, shipped = (TREES.read(path).manifest for path in (out, TREE_TABLE))
    assert made.keys() == shipped.keys()
    assert (made["trees"], made["quick_trees"], made["games_of_leaves"]) == (3, 2, 2)
    whole, quick = read_trees(out)
    assert (len(whole.questions), len(quick.questions)) == (3, 2)
    assert (whole.questions[:2] == quick.questions).all()
    assert (whole.means[:2] != quick.means).any()  # learned without the third
    more = tmp_path / "responses.table"
    few = [*words[1:2], words[2], "--out", str(more), "--parts", "10", "--trees", str(out)]
    few += ["--patterns", str(patterns), "--context", str(context), "--most", "9"]
    assert main(["responses", *few]) == 0
    made, shipped = (RESPONSE_KIND.read(path).manifest for path in (more, RESPONSE_TABLE))
    assert made.keys() == shipped.keys()
    assert (made["classes"], made["games"]) == (9, 2)
    assert np.count_nonzero(read_responses(more).means) == 9
    assert main([*words, "--every", "2", "--max-games", "0"]) == 2
    assert capsys.readouterr().err.splitlines()[-1] == "make_tables: no moves to learn from"
    assert main([*words, "--every", "2", "3"]) == 2
    assert "needs a number for each path" in capsys.readouterr().err


def test_rollout(folder, tmp_path):
    out = tmp_path / "rollout.table"
    assert main(["rollout", "--games", str(folder), "--out", str(out), "--max-games", "3"]) == 0
    shipped = open_arrays(ROLLOUT_TABLE, "roll-out weights").manifest
    made = open_arrays(out, "roll-out weights").manifest
    assert made["games"] == 3
    assert made["sources"] == ["games"]
    assert made.keys() == shipped.keys()
    assert read_rollout_beliefs(out).shape == read_rollout_beliefs(ROLLOUT_TABLE).shape


def test_solver(tmp_path):
    problems, out = tmp_path / "problems.jsonl", tmp_path / "solver.table"
    problems.write_text(json.dumps(PROBLEM) + "\n")
    words = ["solver", "--problems", str(problems), "--out", str(out), "--max-nodes", "200"]
    assert main(words) == 0
    assert type(read_priors(out)) is type(read_priors(SOLVER_TABLE))


def test_defaults_are_those_of_the_shipped_tables():
    parser = build_parser()
    patterns = parser.parse_args(["patterns", "--games", "x", "--out", "y"])
    assert patterns.max_patterns == CLASSES == read_patterns(PATTERN_TABLE).manifest["classes"]
    solver = parser.parse_args(["solver", "--problems", "x", "--out", "y"])
    text = SOLVER_TABLE.with_name("solver.table.MANIFEST").read_text()
    settings = json.loads(text)["settings"]
    assert (solver.passes, solver.max_nodes) == (settings["passes"], settings["max_nodes"])
    assert solver.passes == PASSES


def test_a_missing_file_is_one_clear_line(tmp_path, capsys):
    out = str(tmp_path / "x.table")
    assert main(["rollout", "--games", str(tmp_path / "none"), "--out", out]) == 2
    assert main(["solver", "--problems", str(tmp_path / "none"), "--out", out]) == 2
    errors = capsys.readouterr().err.splitlines()
    assert sum(line.startswith("make_tables: ") for line in errors) == 2
