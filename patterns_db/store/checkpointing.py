"""Checkpoints of trainings: arrays on disk, and the one loop that saves them."""

import time
import zipfile
from collections.abc import Callable, Generator
from contextlib import closing
from pathlib import Path
from typing import Any, cast

import numpy as np

from engine.errors import ModelFormatError
from patterns_db.store.table_files import Arrays
from patterns_db.store.whole_files import whole_file

# Errors of numpy for damaged and handmade files, of which the header may name any shape.
_UNUSABLE = (ArithmeticError, EOFError, MemoryError, OSError, ValueError, zipfile.BadZipFile)

Step = Callable[[], int]
"""One step of a training: it changes the state and returns the amount of work done."""

Steps = Generator[Step, None, None]
"""The steps of a training. Each is taken before the next one is requested.

Requesting a step may take long, for example while workers compute, but the state stays valid.
"""


def take_steps(
    steps: Steps, save: Callable[[], None], seconds: float, progress: Callable[[int], object]
) -> None:
    """Take all steps of a training, and save its state at intervals.

    save      writes the state atomically
    seconds   between two saves
    progress  called with the work of each step
    If Ctrl-C or a lost cluster ends the loop between two steps, the state is saved. If a step
    itself is interrupted, the state may be half changed, and the last save counts.
    """
    saved = time.monotonic()
    whole = True
    try:
        with closing(steps):
            for step in steps:
                whole = False
                work = step()
                if time.monotonic() - saved >= seconds:
                    save()
                    saved = time.monotonic()
                whole = True
                progress(work)
    except BaseException:
        if whole:
            save()
        raise


def save_arrays(file: Path, arrays: Arrays) -> None:
    """Write arrays as .npz, atomically."""
    with whole_file(file) as out:
        np.savez(out, **cast(Any, arrays))


def load_arrays(file: Path) -> Arrays:
    """Read arrays that ``save_arrays`` wrote. Raises ModelFormatError for an unusable file."""
    try:
        with np.load(file) as data:
            return dict(data)  # read now, since the file is closed on return
    except _UNUSABLE as error:
        raise ModelFormatError(f"{file}: not a checkpoint: {error}") from None
