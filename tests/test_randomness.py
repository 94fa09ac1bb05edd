"""Random numbers for kernels: Marsaglia's sequence, uniform draws, and nearly normal ones."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.jit import JIT_ENABLED
from engine.randomness import draw, draw_normal, mix_bits, mixed
from tests.reference import rollout as twin


@given(st.integers(1, 2**64 - 1), st.lists(st.integers(1, 2**31), min_size=1, max_size=20))
def test_draws_are_those_of_the_python_port(seed, bounds):
    rng, slow = np.array([seed], np.uint64), twin.Xorshift(seed)
    for bound in bounds:
        drawn = draw(rng, bound)
        assert 0 <= drawn < bound
        assert drawn == slow.below(bound)
        assert int(rng[0]) == slow.state != 0


@pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")
@given(st.integers(0, 2**64 - 1))
def test_bits_are_mixed_alike_compiled_and_not_and_in_arrays(number):
    expected = number
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        expected = (expected ^ expected >> shift) * factor % 2**64
    expected ^= expected >> 31
    assert int(mixed(np.uint64(number))) == expected
    assert mix_bits(np.full(3, number, np.uint64)).tolist() == [expected] * 3


def test_draws_are_uniform():
    """Chi-square with 9 degrees of freedom: 27.9 is exceeded once in a thousand times."""
    rng = np.array([12345], np.uint64)
    count = 20_000 if JIT_ENABLED else 4_000
    seen = np.bincount([int(draw(rng, 10)) for _ in range(count)], minlength=10)
    expected = count / 10
    assert float(((seen - expected) ** 2 / expected).sum()) < 27.9


def test_normal_draws_have_the_moments_of_a_normal():
    rng = np.array([99], np.uint64)
    count = 40_000 if JIT_ENABLED else 4_000
    drawn = np.array([draw_normal(rng) for _ in range(count)])
    assert abs(drawn.mean()) < 4.0 / count**0.5
    assert drawn.var() == pytest.approx(1.0, abs=0.06)
    assert np.mean(drawn**4) == pytest.approx(2.7, abs=0.25)  # Irwin-Hall of four; normal: 3
    assert np.abs(drawn).max() < 3.47
