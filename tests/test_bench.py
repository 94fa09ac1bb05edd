"""The measurements of ``yomi bench``: their subjects, not their results."""

import numpy as np
import pytest

from engine import bench
from engine.captures.reader import CaptureReader
from engine.jit import JIT_ENABLED
from engine.patterns.valuing import no_patterns


@pytest.mark.skipif(not JIT_ENABLED, reason="timings of compiled code")
def test_rates_are_found_at_all():
    for rate in (
        bench.rankings_per_second(no_patterns(), 0.01),
        bench.ep_moves_per_second(no_patterns()._replace(evidence=_prior()), 0.01),
        bench.solver_nodes_per_second(0.01),
        bench.spcg_seconds(6),
    ):
        assert rate > 0


def _prior():
    return np.tile([0.0, 1.0], (len(no_patterns().evidence), 1))


@pytest.mark.skipif(not JIT_ENABLED, reason="reads thousands of positions")
def test_the_solvers_problem_is_not_solved_at_once():
    board = bench.solver_problem()
    reading = CaptureReader("pns", bench.SOLVER_NODES).read_chain(board, bench.SOLVER_GOAL, True)
    assert reading.value == "unknown"
    assert reading.nodes >= bench.SOLVER_NODES
