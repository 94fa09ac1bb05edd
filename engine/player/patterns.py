"""The thinker without reading: always the ranking model's most probable move.

Stern, Herbrich & Graepel (2006), Sec. 4.2, let their model play itself in this way. Resigning needs
a chance to win, which patterns do not give; a few roll-outs from the position do.
"""

from collections.abc import Generator

from engine.belief.knowledge import Knowledge
from engine.belief.report import SearchReport, with_equal_moves
from engine.errors import BadSetup
from engine.facts.position_facts import Facts
from engine.player.decision import Decision, decide, expected_move
from engine.player.thinker import Limits, MoveRequest, ThinkerOptions

WIN_RATE_ROLLOUTS = 100  # the win rate deviates by 5 points at most, by 2 near resignation


class PatternThinker:
    """Chooses the most probable move (Sec. 4.2). Raises BadSetup without knowledge of patterns."""

    reads_ahead = False

    def __init__(
        self, options: ThinkerOptions, knowledge: Knowledge, seed: int, facts: Facts
    ) -> None:
        if knowledge.patterns is None:
            raise BadSetup("a pattern player needs a table of patterns")
        self.options = options
        self.search = options.game_search(knowledge, seed)

    def think(
        self, request: MoveRequest, limits: Limits, interval: float
    ) -> Generator[SearchReport, None, Decision]:
        """Report once; chains read out and sums of fights are not used."""
        searcher = self.search.enter(request.game, request.color, request.moves)
        playouts = min(WIN_RATE_ROLLOUTS, limits.playouts or WIN_RATE_ROLLOUTS)
        searcher.run(playouts, limits.deadline, limits.stopped)
        if searcher.model.guided and searcher.model.owners:
            searcher.count_owners()
        usual = by_probability(searcher.report())
        shared = with_equal_moves(usual, request.game, request.color)
        # All moves have the roll-outs of the position already.
        moves = (move._replace(playouts=usual.moves[0].playouts) for move in shared.moves)
        report = shared._replace(moves=tuple(moves))
        yield report
        # No sum of fights either: it would always decide, since all moves have the same win rate.
        best = report.moves[0]
        why = expected_move(request.color, best.point, best.prior)
        return decide(report, request.color, (why,))

    def forget(self) -> None:
        """Start the next position from nothing."""
        self.search.forget()


def by_probability(report: SearchReport) -> SearchReport:
    """Return a report with the most probable move first.

    All moves have the win rate of the position: the roll-outs are too few to tell them apart.
    """
    # At least 1, as a divisor: the clock may allow no roll-out at all.
    playouts = max(sum(move.playouts for move in report.moves), 1)
    rate = sum(move.won * move.playouts for move in report.moves) / playouts
    best = report.moves[0]
    moves = [
        move._replace(
            playouts=playouts,
            won=rate,
            win_rate=best.win_rate,
            win_rate_deviation=best.win_rate_deviation,
            margin=best.margin,
        )
        # The lowest point wins a tie, so that a position always gets the same move.
        for move in sorted(report.moves, key=lambda move: (-move.prior, move.point))
    ]
    return report._replace(moves=tuple(moves))
