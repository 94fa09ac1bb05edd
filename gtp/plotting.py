"""Figures as files. Matplotlib is an extra, so it is loaded only here and on demand."""

import io
from pathlib import Path
from typing import Any

from engine import BadSetup
from patterns_db.printing import how_to_install
from patterns_db.store.whole_files import write_whole

FORMATS = (".png", ".svg", ".pdf")


def new_figure(file: Path) -> Any:
    """Return an empty matplotlib Figure for a file. Call it before long work.

    Raises BadSetup without matplotlib, for a file type not in FORMATS, and for a missing folder.
    """
    if file.suffix.lower() not in FORMATS:
        raise BadSetup(f"{file}: a plot is one of {', '.join(FORMATS)}")
    if not file.parent.is_dir():
        raise BadSetup(f"{file}: no such folder")
    try:
        # pyplot is not used: it would choose a window system and keep every figure in memory.
        from matplotlib.figure import Figure
    except ImportError:
        raise BadSetup(f"plots need matplotlib: {how_to_install('matplotlib')}") from None
    return Figure(figsize=(12, 12), layout="constrained")


def save_figure(figure: Any, file: Path) -> None:
    """Write a figure atomically; equal figures give equal bytes. Raises OSError."""
    from matplotlib import rc_context

    name = file.suffix[1:].lower()
    # The date is left out, and internal names are not random.
    date = {"svg": "Date", "pdf": "CreationDate"}.get(name)
    out = io.BytesIO()
    with rc_context({"svg.hashsalt": "yomi"}):
        figure.savefig(out, format=name, dpi=120, metadata={date: None} if date else None)
    write_whole(file, out.getvalue())
