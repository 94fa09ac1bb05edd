"""A deliberation: reports on the way, and one decision."""

import numpy as np
import pytest

from engine import BLACK, PASS, Decision, SearchReport
from engine.belief.posterior import Posterior
from engine.go.geometry import AREA
from engine.player.decision import OWNERS, Deliberation, decide
from tests.beliefs import believed

DECISION = Decision(PASS, False, (), 0.5, 3)


@pytest.fixture
def deliberation():
    def thoughts():
        yield from (1, 2, 3)
        return DECISION

    return Deliberation(thoughts())


def test_reports_come_before_the_decision(deliberation):
    assert list(deliberation) == [1, 2, 3]
    assert deliberation.decision is deliberation.decision is DECISION


def test_remaining_thoughts_come_before_the_decision(deliberation):
    assert next(iter(deliberation)) == 1
    assert deliberation.decision is DECISION


def test_a_listener_that_goes_ends_the_thinking():
    ended = []

    def thoughts():
        try:
            yield 1
            yield 2
        finally:
            ended.append(True)
        return DECISION

    listener = iter(Deliberation(thoughts()))
    next(listener)
    listener.close()
    assert ended == [True]


def test_a_decision_keeps_the_owners_after_its_best_moves():
    """Few roll-outs through a move leave the owners near those of the whole position."""
    moves = tuple(believed(point, 90 // point, 0.5, 6.0 - point) for point in range(1, 7))
    whole, after = np.zeros(AREA), np.ones(AREA)
    report = SearchReport(
        moves=moves, playouts=200, posterior=Posterior(0.0, 10.0), margin=0.0,
        margin_deviation=5.0, ownership=whole, moves_ownership={n: after for n in range(1, 7)},
    )  # fmt: skip
    decision = decide(report, BLACK, best=moves[-1])
    assert set(decision.owners) == {6, *range(1, 1 + OWNERS.moves)}
    owners, rollouts = decision.owners[1]
    assert rollouts == 90 + OWNERS.prior_rollouts
    assert np.frombuffer(owners)[5] == pytest.approx(90 / rollouts)
    assert (decision.candidate, decision.gap) == (moves[-1], -5.0)
