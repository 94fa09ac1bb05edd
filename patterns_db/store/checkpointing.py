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

Step = Callable[[], int]
"""One step of a training: it changes the state and returns the amount of work that it did."""

Steps = Generator[Step, None, None]
"""The steps of a training; each is taken before the next one is asked for.

Asking for a step may take long, for example while workers compute, but it leaves the state whole.
"""


def take_steps(
    steps: Steps, save: Callable[[], None], seconds: float, progress: Callable[[int], object]
) -> None:
    """Take all steps of a training, and save its state at intervals.

    save      writes the state, all or nothing
    seconds   between two savings
    progress  told the work of each step
    If anything ends the loop between two steps, Ctrl-C or a lost cluster, the state is saved. If a
    step itself is interrupted, the state may be half changed, and the last saving counts.
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
    """Write arrays as .npz, all or nothing."""
    with whole_file(file) as out:
        np.savez(out, **cast(Any, arrays))


def load_arrays(file: Path) -> Arrays:
    """Read what ``save_arrays`` wrote. Raises ModelFormatError when it cannot be used."""
    try:
        with np.load(file) as data:
            return dict(data)  # read now: the file is closed on return
    except (OSError, ValueError, EOFError, zipfile.BadZipFile) as error:
        raise ModelFormatError(f"{file}: not a checkpoint: {error}") from None
