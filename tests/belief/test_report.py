"""Reports about moves that a symmetry of the position swaps."""

import numpy as np

from engine import BLACK, Game, format_vertex, parse_vertex
from engine.belief.posterior import Posterior
from engine.belief.report import SearchReport, with_equal_moves
from engine.go.geometry import AREA
from tests.beliefs import believed


def test_equal_moves_are_one():
    found = (("C3", 50, 0.4), ("A1", 30, 0.1), ("E5", 10, 0.3), ("B3", 5, 0.2))
    moves = [
        believed(parse_vertex(name, 5), n, 0.5, 0.0, prior)._replace(best=0.6)
        for name, n, prior in found
    ]
    report = SearchReport(tuple(moves), 95, Posterior(0.0, 10.0), 0.0, 5.0, np.zeros(AREA))
    shown = with_equal_moves(report, Game(5), BLACK).moves
    assert [format_vertex(move.point) for move in shown] == ["C3", "A1", "B3"]
    assert [move.playouts for move in shown] == [50, 40, 5]
    assert np.allclose([move.prior for move in shown], [0.4, 0.4, 0.2])
    assert [move.best for move in shown] == [0.6, 1.0, 0.6]
    # A move stands for all its images, whether the search tried them or not.
    assert [len(move.equals) for move in shown] == [0, 3, 3]
    game = Game(5)
    for vertex in ("B1", "E4"):
        game.play(game.to_play, parse_vertex(vertex, 5))
    assert with_equal_moves(report, game, BLACK) == report
