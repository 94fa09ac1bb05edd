"""The experiments run and print the expected tables, on a few small trees."""

import pytest

from engine.jit import JIT_ENABLED
from scripts.reproduce.hennig import checkpoints, main

SMALL = ["--trees", "3", "--depth", "5", "--descents", "20"]


def test_checkpoints():
    assert checkpoints(20) == [1, 2, 5, 10, 20]
    assert checkpoints(7) == [1, 2, 5, 7]


@pytest.mark.parametrize(
    ("experiment", "options", "columns"),
    [
        ("figure2", SMALL, ["ll_g@1", "v90@3"]),
        ("mismatch", SMALL, ["p-game", "wrong@2"]),
        ("figure4", ["--trees", "40"], ["total variation"]),
    ],
)
def test_experiments(experiment, options, columns, capsys):
    main([experiment, *options])
    printed = capsys.readouterr().out
    for column in columns:
        assert column in printed


@pytest.mark.skipif(not JIT_ENABLED, reason="plays thousands of roll-outs")
@pytest.mark.parametrize("policy", ["uniform", "guided"])
def test_figure_3(capsys, policy):
    main(["figure3", "--size", "5", "--rollouts", "20", "--every", "2", "--policy", policy])
    lines = capsys.readouterr().out.splitlines()
    assert policy in lines[0]
    assert lines[1].split()[:5] == ["ply", "moves", "length", "deviation", "noise"]
    assert lines[2].split()[:2] == ["0", "25"]
