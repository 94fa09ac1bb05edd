"""Figures on disk. Matplotlib is an extra, so it is loaded only here and only when asked for."""

from pathlib import Path
from typing import Any

from engine.errors import BadSetup
from patterns_db.whole_files import whole_file

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


def save_figure(figure: Any, file: Path) -> None:
    """Write a figure, all or nothing: the same figure is the same file."""
    from matplotlib import rc_context

    kind = file.suffix[1:].lower()
    # Without the date, and with names of parts that are not drawn at random.
    date = {"svg": "Date", "pdf": "CreationDate"}.get(kind)
    with rc_context({"svg.hashsalt": "yomi"}), whole_file(file) as out:
        figure.savefig(out, format=kind, dpi=120, metadata={date: None} if date else None)
