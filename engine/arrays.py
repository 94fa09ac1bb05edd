"""Array types for type hints, and the index of the root in trees stored as arrays."""

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
ShortInts = npt.NDArray[np.int32]
Int16s = npt.NDArray[np.int16]

ROOT = 0  # of every tree: its first node
