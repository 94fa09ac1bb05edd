"""Names of array types for hints, and where the root lies in trees that are kept in arrays."""

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
ShortInts = npt.NDArray[np.int32]

ROOT = 0  # of every tree: its first node
