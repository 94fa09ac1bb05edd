"""Training the solver's priors on a cluster: rounds of problems, the same on any workers."""

import json

import numpy as np
import pytest

from gtp.__main__ import main
from patterns_db.cluster.replicas import Rounds
from patterns_db.cluster.solving import ClusterSolver
from patterns_db.cluster.tasks import Cluster, ClusterFailed
from patterns_db.solvers.solver_learner import SolverTrainingSettings
from patterns_db.solvers.solver_trainer import SolverTrainer
from patterns_db.solvers.solver_training import read_all, train_solver
from tests.patterns_db.solvers.test_solver_training import RECORDS, by_hand

pytestmark = pytest.mark.filterwarnings("default")  # Dask's own warnings are not ours to fix


@pytest.fixture
def settings(tmp_path):
    path = tmp_path / "problems.jsonl"
    path.write_text("\n".join(map(json.dumps, RECORDS)))
    return SolverTrainingSettings(
        path, max_nodes=150, patterns=3000, observations=200, max_liberties=4, together=3
    )


def quiet(*_):
    pass


def test_rounds_follow_their_definition(cluster, settings):
    trainer = SolverTrainer(settings, read_all(settings.problems))
    steps = [step() for step in ClusterSolver(cluster).solving_steps(trainer)]
    solved, knowledge = by_hand(settings, settings.passes)
    assert [found["solved"] for found in trainer.progress.passes] == solved
    assert sum(steps) == sum(found["tried"] for found in trainer.progress.passes)
    assert solved[0] > 0
    assert len(steps) > len(solved)
    for name in ("used", "keys", "cells", "settings"):
        mine, twins = getattr(trainer.learner.knowledge, name), getattr(knowledge, name)
        np.testing.assert_array_equal(mine, twins)


def test_a_training_that_lost_its_cluster_goes_on(cluster, settings, tmp_path, monkeypatch):
    settings = SolverTrainingSettings(**{**vars(settings), "together": None})
    monkeypatch.setattr("patterns_db.cluster.solving.PROBLEMS_A_THREAD", 1)
    whole = train_solver(settings, tmp_path / "a.table", say=quiet, backend=ClusterSolver(cluster))
    real = Rounds.run

    def lose(self, problems):
        if self._now.rounds == 1:
            raise ClusterFailed("the scheduler is gone")
        return real(self, problems)

    monkeypatch.setattr(Rounds, "run", lose)
    with pytest.raises(ClusterFailed):
        train_solver(settings, tmp_path / "b.table", say=quiet, backend=ClusterSolver(cluster))
    monkeypatch.setattr(Rounds, "run", real)
    # On other workers, with the rounds of the first run.
    other = ClusterSolver(Cluster(cluster.client))
    monkeypatch.setattr(Cluster, "threads", 5)
    again = train_solver(settings, tmp_path / "b.table", resume=True, say=quiet, backend=other)
    assert again == whole
    assert (tmp_path / "a.table").read_bytes() == (tmp_path / "b.table").read_bytes()
    assert json.loads((tmp_path / "a.table.MANIFEST").read_text())["settings"]["together"] == 2


def test_the_command(settings, tmp_path, capsys, cluster, monkeypatch):
    from contextlib import nullcontext

    monkeypatch.setattr("gtp.cli.train.cluster_of", lambda options: nullcontext(cluster))
    out = tmp_path / "solver.table"
    words = ["train", "--solver", "--problems", str(settings.problems), "--out", str(out),
             "--max-nodes", "150", "--passes", "1", "--shards", "4"]  # fmt: skip
    assert main(words) == 0
    assert "pass 1:" in capsys.readouterr().err
    assert json.loads((tmp_path / "solver.table.MANIFEST").read_text())["settings"]["together"] == 4
