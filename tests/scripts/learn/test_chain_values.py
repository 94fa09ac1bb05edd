"""The values of proofs about chains, learned and tested from the command line."""

import numpy as np
import pytest

from engine import Knowledge
from engine.jit import JIT_ENABLED
from engine.patterns.context import CONTEXT_ROWS
from engine.patterns.valuing import no_patterns
from scripts.learn import chain_values
from tests.patterns_db.collections import random_collection, write_collection


@pytest.mark.skipif(not JIT_ENABLED, reason="readings and predictions take minutes")
def test_the_command(tmp_path, capsys, monkeypatch):
    model = no_patterns()._replace(context=np.zeros((CONTEXT_ROWS, 2)))
    monkeypatch.setattr(chain_values, "load_knowledge", lambda: Knowledge(patterns=model))
    monkeypatch.setattr(chain_values, "FIRST", 0)
    games = str(write_collection(tmp_path / "games", random_collection(1, size=5, length=20)))
    words = ["--games", games, "--test", games, "--every", "4"]
    assert chain_values.main(words) == 0
    lines = capsys.readouterr().out.splitlines()
    rows = [line.split() for line in lines if "captures:" in line]
    assert len(rows) == 4
    assert sum(int(row[-6]) for row in rows) > 0
    learned, shipped = (line.split() for line in lines[-2:])
    # It was tested on the positions that it learned from.
    assert learned[-3] == shipped[-3]
    assert float(learned[-2]) > 0.0
    assert chain_values.main(["--games", str(tmp_path / "none"), "--test", games]) == 1
    assert "none" in capsys.readouterr().err
