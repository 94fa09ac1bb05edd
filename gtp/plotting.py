"""Figures on disk. Matplotlib is an extra, so it is loaded only here and only when asked for."""

import io
from pathlib import Path
from typing import Any

from engine import BadSetup
from gtp.fonts import fit_fonts
from patterns_db import write_whole

FORMATS = (".png", ".svg", ".pdf")


def new_figure(file: Path, width: float, height: float) -> Any:
    """Return an empty matplotlib Figure [inches] that is to become a file: ask before long work.

    Raises BadSetup without matplotlib, for a file of another kind than FORMATS, and for a folder
    that is not there.
    """
    if file.suffix.lower() not in FORMATS:
        raise BadSetup(f"{file}: a plot is one of {', '.join(FORMATS)}")
    if not file.parent.is_dir():
        raise BadSetup(f"{file}: no such folder")
    try:
        # Not pyplot: it would choose a window system, and keep every figure alive.
        from matplotlib.figure import Figure
    except ImportError:
        raise BadSetup("plots need matplotlib (pip install '.[plots]')") from None
    return Figure(figsize=(width, height), layout="constrained")


def figure_bytes(figure: Any, kind: str) -> bytes:
    """Return a figure as the content of a file: the same figure is the same file.

    kind  one of FORMATS
    """
    from matplotlib import rc_context

    fit_fonts(figure)
    name = kind[1:].lower()
    # Without the date, and with names of parts that are not drawn at random.
    date = {"svg": "Date", "pdf": "CreationDate"}.get(name)
    out = io.BytesIO()
    with rc_context({"svg.hashsalt": "yomi"}):
        figure.savefig(out, format=name, dpi=120, metadata={date: None} if date else None)
    return out.getvalue()


def save_figure(figure: Any, file: Path) -> None:
    """Write a figure, all or nothing. Raises OSError."""
    write_whole(file, figure_bytes(figure, file.suffix))
