"""patterns_db.patterns.pipeline and its commands: resuming, settings, error messages, JSON."""

import json
from pathlib import Path

import numpy as np
import pytest

from engine.errors import SgfError, YomiError
from gtp.__main__ import main
from patterns_db.patterns import pipeline, training
from patterns_db.patterns.evaluation import open_model
from patterns_db.patterns.pipeline import train_patterns
from patterns_db.patterns.training import TrainingSettings
from patterns_db.store.checkpointing import load_arrays
from patterns_db.store.model_names import BERNOULLI, path_of
from tests.patterns.keys import all_beliefs
from tests.patterns_db.collections import random_collection, write_collection


@pytest.fixture
def folder(tmp_path):
    return write_collection(tmp_path / "games", random_collection(6, size=7, length=20))


def quiet(_line):
    pass


def tables(out):
    return {path.name: path.read_bytes() for path in out.parent.glob("*.table")}


def test_an_interrupted_run_goes_on_to_the_same_tables(folder, tmp_path, monkeypatch):
    monkeypatch.setattr(training, "BLOCK_GAMES", 1)
    settings = TrainingSettings((str(folder),))
    whole, cut = tmp_path / "whole" / "p.table", tmp_path / "cut" / "p.table"
    whole.parent.mkdir()
    cut.parent.mkdir()
    train_patterns(settings, whole, say=quiet)
    real, calls = pipeline.save_arrays, []

    def save_then_die(file, arrays):
        real(file, arrays)
        calls.append(file.name)
        if len(calls) in (1, 3, 4):  # after the harvest, and after two checkpoints
            raise KeyboardInterrupt

    monkeypatch.setattr(pipeline, "save_arrays", save_then_die)
    for _ in range(3):
        with pytest.raises(KeyboardInterrupt):
            train_patterns(settings, cut, resume=True, checkpoint_seconds=0.0, say=quiet)
        assert not cut.exists()
    saved = load_arrays(cut.with_name("p.table.work") / "learned.npz")
    assert 0 < saved["tally"][training.GAMES_DONE] < 6
    train_patterns(settings, cut, resume=True, checkpoint_seconds=0.0, say=quiet)
    assert tables(cut) == tables(whole)
    assert len(tables(cut)) == 3


def test_games_that_changed_are_not_resumed(folder, tmp_path):
    out = tmp_path / "p.table"
    settings = TrainingSettings((str(folder),))
    train_patterns(settings, out, say=quiet)
    with pytest.raises(YomiError, match="--resume continues it"):
        train_patterns(settings, out, say=quiet)
    game = next(folder.rglob("*.sgf"))
    game.write_bytes(game.read_bytes().replace(b";B[", b";W[", 1))  # of the same length
    with pytest.raises(YomiError, match="the games of games have changed"):
        train_patterns(settings, out, resume=True, say=quiet)
    work = out.with_name("p.table.work")
    missing = TrainingSettings((str(folder), str(tmp_path / "none")))
    with pytest.raises(SgfError, match="no such file"):
        train_patterns(missing, out, say=quiet, anew=True)
    assert (work / "learned.npz").exists()
    train_patterns(settings, out, say=quiet, anew=True)


def test_games_without_moves_leave_nothing_that_refuses_the_right_ones(folder, tmp_path):
    (tmp_path / "notes.txt").write_text("no game")
    out = tmp_path / "p.table"
    with pytest.raises(YomiError, match="no moves"):
        train_patterns(TrainingSettings((str(tmp_path / "notes.txt"),)), out, say=quiet)
    assert not (tmp_path / "p.table.work").exists()
    train_patterns(TrainingSettings((str(folder),)), out, say=quiet)
    assert out.exists()


def test_the_commands(folder, tmp_path, capsys):
    out = tmp_path / "p.table"
    (folder / "damaged.sgf").write_text("(;GM[1]SZ[7];B;")
    words = ["train", "--games", str(folder), "--out", str(out), "--threads", "1"]
    assert main(words) == 0
    err = capsys.readouterr().err
    said = ("1 of 4", "1 damaged games skipped", "2 of 4", "3 of 4", "4 of 4",
            f"yomi evaluate --patterns {out} --games", f"yomi --patterns {out}")  # fmt: skip
    places = [err.index(text) for text in said]
    assert places == sorted(places)
    manifest = json.loads((tmp_path / "p.table.MANIFEST").read_text())
    assert (manifest["games"], manifest["model"], manifest["min_count"]) == (6, "evidence", 2)
    for model in ("evidence", "paper", "bernoulli"):
        words = ["evaluate", "--games", str(folder), "--patterns", str(out), "--json"]
        assert main([*words, "--model", model, "--max-games", "4"]) == 0
        summary = json.loads(capsys.readouterr().out)
        assert summary["games"] == 4
        assert summary["model"] == model
        assert 0.0 < summary["top1"] <= summary["top5"] <= summary["top20"] <= 1.0
        assert summary["mean_log_evidence"] < 0.0
        assert set(summary["by_source"]) == {"a", "b"}
        assert summary["microseconds_per_position"] > 0.0


def test_independent_classes(folder, tmp_path, capsys):
    out = tmp_path / "p.table"
    words = ["train", "--games", str(folder), "--out", str(out)]
    assert main([*words, "--classes", "independent"]) == 0
    assert main([*words, "--resume"]) == 1  # with nested ones
    assert "other settings" in capsys.readouterr().err
    words = ["evaluate", "--games", str(folder), "--patterns", str(out), "--model", "paper"]
    assert main(words) == 0
    assert "model paper, independent classes" in capsys.readouterr().out
    learned = load_arrays(out.with_name("p.table.work") / "learned.npz")["paper"][:-1, 0]
    beliefs = all_beliefs(open_model(out, "paper").knowledge)
    # The table holds the learned values themselves, rounded, and nothing is added up.
    assert np.sort(beliefs[:-1, 0][beliefs[:-1, 1] > 0])[[0, -1]] == pytest.approx(
        np.sort(learned)[[0, -1]], abs=3e-4
    )


def test_the_help_names_the_files_that_are_written(capsys):
    with pytest.raises(SystemExit):
        main(["train", "--help"])
    said = capsys.readouterr().out.replace("-\n", "-")  # argparse may break a name at its hyphen
    for model in ("paper", BERNOULLI):
        assert path_of(Path("NAME.table"), model).name in said


def test_an_interrupted_training_says_how_it_goes_on(folder, tmp_path, capsys, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("gtp.cli.train.train_patterns", interrupted)
    words = ["train", "--games", str(folder), "--out", str(tmp_path / "p.table")]
    assert main(words) == 130
    assert capsys.readouterr().err == "stopped; --resume continues from the last checkpoint\n"
