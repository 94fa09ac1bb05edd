"""engine.rollout.message against worked numbers, quadrature and the paper's longer way."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.gaussian import cdf, pdf
from engine.rollout.message import rollout_message
from scripts.reproduce.papers.hennig.messages import pass_step
from tests.reference import hennig

FINITE = st.floats(-6.0, 6.0)
VARIANCE = st.floats(0.02, 9.0)
SIGN = st.sampled_from([-1.0, 1.0])


@pytest.mark.parametrize(
    ("result", "evidence", "mean", "variance", "message_mean", "message_variance"),
    [
        (1.0, 0.5503284057, 0.4274122107, 0.4391871980, 2.0697725084, 3.6109765008),
        (-1.0, 0.4496715943, -0.0783173341, 0.4336721549, -1.8980429384, 3.2691560694),
    ],
)
def test_rollout_message_worked_numbers(
    result, evidence, mean, variance, message_mean, message_variance
):
    pi, tau, log_evidence = rollout_message(0.2, 0.5, result, 2.0)
    assert math.exp(log_evidence) == pytest.approx(evidence, rel=1e-9)
    assert 1.0 / pi == pytest.approx(message_variance, rel=1e-9)
    assert tau / pi == pytest.approx(message_mean, rel=1e-9)
    assert 1.0 / (2.0 + pi) == pytest.approx(variance, rel=1e-9)
    assert (0.4 + tau) / (2.0 + pi) == pytest.approx(mean, rel=1e-9)


@pytest.mark.parametrize("length", [0.0, 1.0, 7.0, 110.0])
@pytest.mark.parametrize(
    ("mean", "variance"), [(0.0, 0.05), (-0.6, 0.05), (-3.0, 1.0), (1.5, 1.0), (-3.0, 6.0)]
)
def test_rollout_message_against_quadrature(length, mean, variance):
    for result in (-1.0, 1.0):
        pi, tau, log_evidence = rollout_message(mean, variance, result, length)
        evidence, new_mean, new_variance = hennig.rollout_posterior(mean, variance, result, length)
        precision = 1.0 / variance + pi
        assert math.exp(log_evidence) == pytest.approx(evidence, rel=1e-4)
        assert (mean / variance + tau) / precision == pytest.approx(new_mean, abs=2e-4)
        assert 1.0 / precision == pytest.approx(new_variance, rel=2e-4)


@given(FINITE, VARIANCE, SIGN, st.floats(0.0, 400.0))
def test_rollout_message_is_the_papers_longer_way(mean, variance, result, length):
    """Moment-match the terminal score, divide the cavity out, convolve with the length."""
    total = variance + length
    t = result * mean / math.sqrt(total)
    if t < -8.0 or t > 5.0:
        return  # dividing nearly equal Gaussians loses the digits that the test compares
    v = pdf(t) / cdf(t)
    end_variance = total * (1.0 - v * (v + t))
    end_mean = mean + result * math.sqrt(total) * v
    end_pi = 1.0 / end_variance - 1.0 / total
    end_tau = end_mean / end_variance - mean / total
    pi, tau = pass_step(end_pi, end_tau, length)
    got_pi, got_tau, _ = rollout_message(mean, variance, result, length)
    assert got_pi == pytest.approx(pi, rel=1e-5, abs=1e-9)
    assert got_tau == pytest.approx(tau, rel=1e-5, abs=1e-9)


@given(st.floats(-40.0, 40.0), VARIANCE, SIGN, st.floats(0.0, 400.0))
def test_rollout_message_is_proper_and_finite(mean, variance, result, length):
    pi, tau, log_evidence = rollout_message(mean, variance, result, length)
    assert math.isfinite(pi)
    assert math.isfinite(tau)
    assert pi >= 0.0
    assert log_evidence <= 0.0
