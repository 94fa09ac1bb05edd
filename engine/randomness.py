"""Random numbers for kernels: one 64-bit state, changed in place by every draw.

The state is an argument of all kernels that use random numbers, so a seed fixes a whole game.
"""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from engine.jit import kernel

RandomState = npt.NDArray[np.uint64]  # (1,), never 0

UNIFORM_SCALE = math.sqrt(3.0) / 65536.0  # four 16-bit uniforms: variance 4 * 65536**2 / 12
_MIX = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_SHIFT = np.uint64(30), np.uint64(27), np.uint64(31)


def mix_bits(number: Any) -> Any:
    """Return a number with its bits mixed: one to one, and each bit changes half of the others.

    The finalizer of SplitMix64 (Steele, Lea & Flood, OOPSLA 2014). It is not compiled, so that it
    also accepts whole arrays; ``mixed`` is the compiled form. Its products wrap around.
    number  uint64, or an array of them
    """
    number = (number ^ (number >> _SHIFT[0])) * _MIX[0]
    number = (number ^ (number >> _SHIFT[1])) * _MIX[1]
    return number ^ (number >> _SHIFT[2])


mixed = kernel(mix_bits)


@kernel(inlined=True)
def step(rng: RandomState) -> np.uint64:
    """Advance the state and return it: 64 random bits, never all 0.

    Source: Marsaglia (2003), "Xorshift RNGs", shifts 13, 7, 17. The Generator of numpy takes 12 ns
    per number, a sixth of a whole move; this one takes 1 ns.
    rng  uint64[1], not 0, changes in place
    """
    x = rng[0]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    rng[0] = x
    return x


@kernel
def draw(rng: RandomState, bound: int) -> int:
    """Return a uniform random int64 below ``bound`` (multiply-shift on the upper 32 bits).

    rng    uint64[1], not 0, changes in place
    bound  int64, 1..2**31
    """
    return np.int64(((step(rng) >> np.uint64(32)) * np.uint64(bound)) >> np.uint64(32))


@kernel
def draw_normal(rng: RandomState) -> float:
    """Return a nearly normal random number: the sum of four 16-bit uniforms (Irwin-Hall).

    Its bound of 3.46 deviations suffices for choosing, and it is ten times as fast as an exact one.
    """
    x = step(rng)
    low = np.uint64(0xFFFF)
    total = np.int64(x & low) + np.int64((x >> np.uint64(16)) & low)
    total += np.int64((x >> np.uint64(32)) & low) + np.int64(x >> np.uint64(48))
    return (total - 131070) * UNIFORM_SCALE
