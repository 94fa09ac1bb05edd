"""The measurements of ``yomi bench``: their subjects, not their results."""

import pytest

from engine import bench
from engine.captures.reader import CaptureReader
from engine.jit import JIT_ENABLED


@pytest.mark.skipif(not JIT_ENABLED, reason="timings of compiled code")
def test_rates_are_found_at_all():
    assert bench.solver_nodes_per_second(None, 0.01) > 0
    assert bench.spcg_seconds(6) > 0


@pytest.mark.skipif(not JIT_ENABLED, reason="reads thousands of positions")
def test_the_solvers_problem_is_not_solved_at_once():
    board = bench.solver_problem()
    reading = CaptureReader("pns", bench.BENCH.solver_nodes).read_chain(
        board, bench.SOLVER_GOAL, True
    )
    assert reading.value == "unknown"
    assert reading.nodes >= bench.BENCH.solver_nodes
