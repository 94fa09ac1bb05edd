"""Reports about moves that a symmetry of the position swaps."""

import numpy as np

from engine import BLACK, Game, parse_vertex
from engine.belief.posterior import Posterior
from engine.belief.report import SearchReport, with_equal_moves
from engine.go.geometry import AREA
from tests.beliefs import believed


def test_equal_moves_share_their_prior():
    """The ranking model looks at the last moves, which may lie to one side."""
    found = (("C3", 50, 0.4), ("A1", 30, 0.1), ("E5", 10, 0.3), ("B3", 5, 0.2))
    moves = [believed(parse_vertex(name, 5), n, 0.5, 0.0, prior) for name, n, prior in found]
    report = SearchReport(tuple(moves), 95, Posterior(0.0, 10.0), 0.0, 5.0, np.zeros(AREA))
    shown = with_equal_moves(report, Game(5), BLACK).moves
    assert [move.point for move in shown] == [move.point for move in moves]
    # The mean by roll-outs of the two corners; the others have no equal.
    assert np.allclose([move.prior for move in shown], [0.4, 0.15, 0.15, 0.2])
