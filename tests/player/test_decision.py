"""A deliberation: reports on the way, and one decision."""

import pytest

from engine import PASS, Decision
from engine.player.decision import Deliberation

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
