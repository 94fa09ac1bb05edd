"""Training the solver's priors: passes, going on after a stop, clear errors."""

import json

import numpy as np
import pytest

from engine.captures.reader import CaptureReader
from engine.errors import BadSetup, YomiError
from gtp.__main__ import main
from patterns_db.records.problems import parse_problem
from patterns_db.solvers.pattern_learning import learn_observations, observations_of
from patterns_db.solvers.solver_learner import SolverTrainingSettings, new_knowledge
from patterns_db.solvers.solver_trainer import SolverTrainer
from patterns_db.solvers.solver_training import read_all, train_solver
from patterns_db.solvers.spreads import estimate_spreads

LADDER = "......./......./......./..XX.../..OX.../.XX..../......."
NET = "......./......./...X.../.XO..../..X.X../......./......."
RECORDS = [
    {"id": str(i), "size": 7, "board": board, "goal": goal, "attacker": "black", "to_move": mover}
    for i, (board, goal, mover) in enumerate(
        [(LADDER, "C3", "black"), (NET, "C4", "black"), (LADDER, "C3", "white"),
         (NET, "C4", "white")]
    )
]  # fmt: skip


@pytest.fixture
def settings(tmp_path):
    path = tmp_path / "problems.jsonl"
    path.write_text("\n".join(map(json.dumps, RECORDS)))
    return SolverTrainingSettings(
        path, max_nodes=150, patterns=3000, observations=200, max_liberties=4
    )


def by_hand(settings, most_passes):
    """The loop of section 5.2 in plain Python: try all, learn, try the failed ones again.

    Problems of a round are searched with the same priors, then learned from in their order.
    """
    knowledge = new_knowledge(settings)
    reader = CaptureReader(settings.method, settings.max_nodes, knowledge)
    noted = []
    reader.on_search_end = lambda: noted.append(observations_of(reader, settings.observations))
    left, solved = RECORDS, []
    together = settings.together or 1
    while True:
        failed = []
        for first in range(0, len(left), together):
            noted.clear()
            for record in left[first : first + together]:
                asked = parse_problem(record)
                found = reader.read_chain(asked.board, asked.goal, asked.attacker_to_move, 4)
                if found.value == "unknown":
                    failed.append(record)
            for found in noted:
                learn_observations(knowledge, found)
        solved.append(len(left) - len(failed))
        estimate_spreads(knowledge)
        if len(failed) == len(left) or not failed or len(solved) == most_passes:
            return solved, knowledge
        left = failed


def test_training_is_the_papers_loop(settings):
    settings = SolverTrainingSettings(**{**vars(settings), "passes": 3})
    trainer = SolverTrainer(settings, read_all(settings.problems))
    while not trainer.finished:
        trainer.step()
    solved, knowledge = by_hand(settings, 3)
    assert [found["solved"] for found in trainer.progress.passes] == solved
    assert solved[0] > 0
    assert int(knowledge.used[0]) > 100
    np.testing.assert_array_equal(trainer.learner.knowledge.cells, knowledge.cells)
    np.testing.assert_array_equal(trainer.learner.knowledge.settings, knowledge.settings)


@pytest.mark.parametrize("stop", [1, 3, 5])
def test_a_resumed_run_writes_the_table_of_one_that_was_not_stopped(
    settings, stop, tmp_path, monkeypatch
):
    said = []
    whole = train_solver(settings, tmp_path / "a.table", say=said.append)
    assert "patterns learned" in said[-1]
    assert not (tmp_path / "a.table.work").exists()
    steps = 0
    one_step = SolverTrainer.step

    def step(trainer):
        nonlocal steps
        steps += 1
        if steps == stop:
            raise KeyboardInterrupt
        return one_step(trainer)

    monkeypatch.setattr(SolverTrainer, "step", step)
    try:
        train_solver(settings, tmp_path / "b.table", checkpoint=0.0, say=said.append)
    except KeyboardInterrupt:
        monkeypatch.setattr(SolverTrainer, "step", one_step)
        again = train_solver(settings, tmp_path / "b.table", resume=True, say=said.append)
        assert again == whole
    assert (tmp_path / "a.table").read_bytes() == (tmp_path / "b.table").read_bytes()


@pytest.mark.parametrize("earlier", [{}, {"resume": True}, {"anew": True}])
def test_a_file_of_somebody_else_is_left_alone(settings, tmp_path, earlier):
    work = tmp_path / "t.work"
    work.write_bytes(b"a thesis")
    with pytest.raises(YomiError, match="not the work of yomi train"):
        train_solver(settings, tmp_path / "t", say=lambda _: None, **earlier)
    assert work.read_bytes() == b"a thesis"


def test_bad_problems_are_reported(settings, tmp_path):
    bad = tmp_path / "bad.jsonl"
    bad.write_text(json.dumps(RECORDS[0] | {"id": "odd", "goal": "A1"}))
    with pytest.raises(BadSetup, match="odd: no stone"):
        train_solver(SolverTrainingSettings(bad), tmp_path / "t")
    bad.write_text("\n")
    with pytest.raises(BadSetup, match="no problems"):
        train_solver(SolverTrainingSettings(bad), tmp_path / "t")
    with pytest.raises(BadSetup, match="No such file"):
        train_solver(SolverTrainingSettings(tmp_path / "none"), tmp_path / "t")


def test_the_command_trains_and_the_solver_reads_the_table(settings, tmp_path, capsys):
    out = tmp_path / "solver.table"
    words = ["train", "--solver", "--problems", str(settings.problems), "--out", str(out),
             "--max-nodes", "150", "--passes", "1"]  # fmt: skip
    assert main(words) == 0
    assert "pass 1:" in capsys.readouterr().err
    assert json.loads((tmp_path / "solver.table.MANIFEST").read_text())["problems"] == len(RECORDS)
    words = ["solve", "--problems", str(settings.problems), "--solver", "pp", "--json",
             "--priors", str(out), "--max-nodes", "2000"]  # fmt: skip
    assert main(words) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert found[0]["value"] == found[2]["value"] == "captured"
