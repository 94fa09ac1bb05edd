"""The end of a script that fails for a reason its caller can mend: one line and status 2."""

import functools
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from engine import YomiError

Main = Callable[[Sequence[str] | None], int]


def reported(main: Main) -> Main:
    """Let a script's ``main`` print the errors of yomi and of files, and return 2."""

    @functools.wraps(main)
    def reporting(arguments: Sequence[str] | None = None) -> int:
        try:
            return main(arguments)
        except (YomiError, OSError) as error:
            print(f"{Path(main.__code__.co_filename).stem}: {error}", file=sys.stderr)
            return 2

    return reporting
