"""The measurement around training: size against accuracy."""

import json

import pytest

from engine.jit import JIT_ENABLED
from gtp.__main__ import main as yomi
from scripts.learn import trials
from tests.patterns_db.collections import random_collection, write_collection


@pytest.mark.skipif(not JIT_ENABLED, reason="trains, as tests of the pipeline do")
def test_sizes(tmp_path, capsys):
    folder = str(write_collection(tmp_path / "games", random_collection(6, size=7, length=20)))
    table, out = tmp_path / "p.table", tmp_path / "curve.json"
    assert yomi(["train", "--games", folder, "--out", str(table), "--threads", "1"]) == 0
    words = ["--work", f"{table}.work", "--games", folder, "--out", str(out), "--sizes"]
    assert trials.main([*words, "10"]) == 0
    assert trials.main([*words, "10", "1000000"]) == 0  # the first is there already
    ten, everything = json.loads(out.read_text())["found"]
    assert ten["size"] == 10 < everything["size"]
    assert ten["megabytes"] < everything["megabytes"]
    capsys.readouterr()
    assert yomi(["evaluate", "--games", folder, "--patterns", str(table), "--json"]) == 0
    summary = json.loads(capsys.readouterr().out.splitlines()[-1])
    for name in ("top1", "top5", "mean_log_evidence"):  # equals the table that yomi train wrote
        assert everything[name] == pytest.approx(summary[name])
