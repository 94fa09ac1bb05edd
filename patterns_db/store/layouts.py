"""Checks of a table's arrays before the engine reads them: kernels check no bounds.

A handmade table may have a correct checksum, but arrays of any size.
"""

from collections.abc import Mapping
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from engine.errors import ModelFormatError

# The dtype and sizes of each array. A named size is free, and the same wherever the name stands.
Layout = Mapping[str, tuple[str, tuple[int | str, ...]]]


def require_layout(
    path: Path, arrays: Mapping[str, npt.NDArray[Any]], layout: Layout
) -> dict[str, int]:
    """Check dtypes, shapes, and that all numbers are finite. Return the free sizes by name.

    Raises ModelFormatError, which names ``path``.
    """
    if arrays.keys() != layout.keys():
        present, wanted = (", ".join(sorted(names)) for names in (arrays, layout))
        raise ModelFormatError(f"{path}: holds {present or 'nothing'}, this yomi reads {wanted}")
    free: dict[str, int] = {}
    for name, (dtype, shape) in layout.items():
        array = arrays[name]
        fits = array.dtype.str == dtype and array.ndim == len(shape)
        for size, wanted_size in zip(array.shape, shape, strict=False):
            if isinstance(wanted_size, str):
                wanted_size = free.setdefault(wanted_size, size)
            fits = fits and size == wanted_size
        if not fits:
            right = f"{np.dtype(dtype).name}[{', '.join(map(str, shape))}]"
            raise ModelFormatError(
                f"{path}: {name} is {array.dtype.name}{list(array.shape)}, this yomi reads {right}"
            )
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            raise ModelFormatError(f"{path}: {name} contains a number that is not finite")
    return free


def require_range(
    path: Path, name: str, array: npt.NDArray[Any], least: float, most: float = inf
) -> None:
    """Check that all numbers of an array are within a range. Raises ModelFormatError."""
    if array.size and not (array.min() >= least and array.max() <= most):
        raise ModelFormatError(f"{path}: {name} contains a number outside {least} to {most}")


def positive(path: Path, manifest: Mapping[str, Any], name: str) -> float:
    """Return a positive number from a manifest. Raises ModelFormatError for any other value."""
    value = manifest.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0.0 < value < inf:
        raise ModelFormatError(f"{path}: its {name} is not a positive number")
    return float(value)
