"""The experiments around training: size and evidence against accuracy, cost, kills."""

import json

import numpy as np
import pytest

from engine.jit import JIT_ENABLED
from engine.patterns.choice import MEAN
from engine.patterns.context import CONTEXT_NAMES, CONTEXT_SIZES, FIRST_CONTEXT
from gtp.__main__ import main as yomi
from scripts.check import kill_trainer
from scripts.learn import ablate_context, ablate_evidence, size_accuracy, training_cost
from tests.patterns_db.collections import random_collection, write_collection

needs_jit = pytest.mark.skipif(not JIT_ENABLED, reason="trains, as tests of the pipeline do")


@pytest.fixture
def folder(tmp_path):
    return write_collection(tmp_path / "games", random_collection(6, size=7, length=20))


@pytest.fixture
def trained(folder, tmp_path, capsys):
    out = tmp_path / "p.table"
    assert yomi(["train", "--games", str(folder), "--out", str(out), "--threads", "1"]) == 0
    capsys.readouterr()
    return out


@needs_jit
def test_accuracy_by_size(folder, trained, tmp_path, capsys):
    work, out = tmp_path / "p.table.work", tmp_path / "curve.json"
    words = ["--harvest", str(work / "harvest.npz"), "--learned", str(work / "learned.npz")]
    words += ["--beta-squared", "2", "--games", str(folder), "--out", str(out), "--sizes"]
    assert size_accuracy.main([*words, "10"]) == 0
    small = json.loads(out.read_text())["curve"]
    assert size_accuracy.main([*words, "10", "1000000"]) == 0  # the first is there already
    whole = json.loads(out.read_text())
    assert (whole["model"], whole["games"]) == ("evidence", 6)
    assert whole["curve"][0] == small[0]
    ten, everything = whole["curve"]
    assert ten["classes"] == 10 < everything["classes"]
    assert ten["megabytes"] < everything["megabytes"]
    assert yomi(["evaluate", "--games", str(folder), "--patterns", str(trained), "--json"]) == 0
    summary = json.loads(capsys.readouterr().out.splitlines()[-1])
    for name in ("top1", "top5", "mean_log_evidence"):  # equals the table that yomi train wrote
        assert everything[name] == pytest.approx(summary[name])
    assert size_accuracy.main([*words, "10", "--max-games", "2"]) == 1
    assert "other games" in capsys.readouterr().err
    assert not list(tmp_path.glob("tmp*"))


@needs_jit
def test_cost_by_size(folder, tmp_path, capsys):
    out = tmp_path / "cost.json"
    assert training_cost.main(["--games", str(folder), "--sizes", "4", "2", "--out", str(out)]) == 0
    two, four = json.loads(out.read_text())
    assert (two["games"], four["games"]) == (2, 4)
    assert 0 < two["moves"] < four["moves"]
    assert min(four[name] for name in four if name.endswith("seconds")) >= 0.0
    assert "microseconds_per_move" in capsys.readouterr().out


def test_a_difference_is_noticed(tmp_path):
    tables = [tmp_path / "whole.table", tmp_path / "killed.table"]
    for table in tables:
        for suffix in ("", "-paper", "-bernoulli"):
            table.with_name(f"{table.stem}{suffix}.table").write_bytes(b"same")
    kill_trainer.compare(*tables)
    (tmp_path / "killed-paper.table").write_bytes(b"other")
    with pytest.raises(AssertionError, match="killed-paper"):
        kill_trainer.compare(*tables)


@needs_jit
def test_left_out_evidence_has_no_effect(folder, tmp_path, capsys, monkeypatch):
    out, kept = tmp_path / "ablation.json", {}
    evaluate = ablate_evidence.evaluate

    def note_and_evaluate(test, model):
        kept[len(kept)] = model
        return evaluate(test, model)

    monkeypatch.setattr(ablate_evidence, "evaluate", note_and_evaluate)
    words = ["--games", str(folder), "--test", str(folder), "--out", str(out), "--without"]
    assert ablate_evidence.main([*words, "nothing"]) == 0
    assert ablate_evidence.main([*words, "nothing", "last", "patterns"]) == 0
    assert len(kept) == 3  # the first was there already
    found = json.loads(out.read_text())["found"]
    assert [row["without"] for row in found] == ["nothing", "last", "patterns"]
    assert len({row["mean_log_evidence"] for row in found}) == 3
    whole, last, patterns = kept.values()
    slots = len(whole.knowledge.keys)
    rows = ablate_evidence.rows_of("last", slots)
    assert abs(whole.beliefs[rows, MEAN]).max() > 0.1
    assert abs(last.beliefs[rows, MEAN]).max() < 1e-6
    assert abs(last.beliefs[:slots, MEAN]).max() > 0.1
    assert abs(patterns.beliefs[: slots + 1, MEAN]).max() < 1e-6
    assert abs(patterns.beliefs[rows, MEAN]).max() > 0.1
    assert ablate_evidence.main([*words, "last", "--max-games", "2"]) == 1
    assert "other games" in capsys.readouterr().err


@needs_jit
def test_left_out_context_keeps_its_mean_of_nothing(folder, trained, tmp_path, capsys, monkeypatch):
    kept = {}
    learn = ablate_context.learn_without

    def note(part, games, knowledge):
        kept[part] = learn(part, games, knowledge)
        return kept[part]

    monkeypatch.setattr(ablate_context, "learn_without", note)
    words = ["--games", str(folder), "--test", str(folder), "--patterns", str(trained)]
    words += ["--out", str(tmp_path / "ablation.json"), "--without"]
    assert ablate_context.main([*words, "any context", "nothing"]) == 0
    assert ablate_context.main([*words, "nothing", "gap"]) == 0  # the first is there already
    rows = json.loads((tmp_path / "ablation.json").read_text())["found"]
    assert [row["without"] for row in rows] == ["any context", "nothing", "gap"]
    # Games that it was learned from are more probable with context.
    assert rows[0]["mean_log_evidence"] < rows[1]["mean_log_evidence"]
    assert len(kept["any context"].context) == 0
    group = CONTEXT_NAMES.index("gap")
    own = slice(FIRST_CONTEXT[group], FIRST_CONTEXT[group] + CONTEXT_SIZES[group])
    assert np.abs(kept["gap"].context[own, MEAN]).max() < 1e-6
    assert np.abs(kept["nothing"].context[own, MEAN]).max() > 1e-3
    assert "log evidence" in capsys.readouterr().out
