"""Checks of output files before long work, so that no result is lost and no input overwritten."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from engine.errors import BadSetup
from patterns_db.records.games import is_archive
from patterns_db.store.model_names import BERNOULLI, MODELS, path_of
from patterns_db.store.whole_files import require_writable


def check_outputs(
    outputs: Sequence[Path], inputs: Iterable[str | Path], make_folders: bool = False
) -> None:
    """Check that files are writable, and that none of them is an input or another output.

    inputs        files, and folders of game records
    make_folders  whether missing folders will be made
    Raises BadSetup, which names the first rejected file.
    """
    sources = [Path(path) for path in inputs]
    for number, output in enumerate(outputs):
        try:
            if any(_same(output, other) for other in outputs[:number]):
                raise BadSetup(f"{output}: two outputs have this name; choose different ones")
            if any(_reads(source, output) for source in sources):
                raise BadSetup(f"{output}: this file is also an input")
            _check_place(output, make_folders)
        except OSError as error:
            raise BadSetup(f"{output}: {error.strerror}") from None
        except ValueError as error:
            if isinstance(error, BadSetup):
                raise
            raise BadSetup("a file name holds a null character") from None


def check_folder(folder: Path, inputs: Iterable[str | Path]) -> None:
    """Check that a folder is writable, or can be made, and is not an input.

    Raises BadSetup.
    """
    if folder.exists() and not folder.is_dir():
        raise BadSetup(f"{folder}: not a folder")
    if any(_same(folder, Path(path)) for path in inputs):
        raise BadSetup(f"{folder}: this folder is also an input")
    check_outputs([folder / "index.md"], (), make_folders=True)


def check_training(out: Path, inputs: Iterable[str | Path]) -> None:
    """Check that a training may write its tables and its work folder. Raises BadSetup."""
    sources = [Path(path) for path in inputs]
    check_outputs([out], sources)  # the name that the user gave comes first
    tables = [out, *(path_of(out, model) for model in (*MODELS[1:], BERNOULLI))]
    notes = [table.with_name(f"{table.name}.MANIFEST") for table in tables]
    check_outputs([*tables, *notes], sources)
    # The work folder is emptied when a training begins.
    work = Path(os.path.realpath(out.with_name(f"{out.name}.work")))
    for source in sources:
        if work in (place := Path(os.path.realpath(source)), *place.parents):
            raise BadSetup(
                f"{source}: this input lies in the work folder {work.name} of the output"
            )


def _same(one: Path, other: Path) -> bool:
    """Return whether two names mean the same file, which need not exist."""
    try:
        return os.path.samefile(one, other)
    except OSError:
        return os.path.realpath(one) == os.path.realpath(other)


def _reads(source: Path, output: Path) -> bool:
    """Return whether an output is an input, or one of the files in an input folder."""
    if _same(source, output):
        return True
    if not (source.is_dir() and output.is_file()):
        return False
    games = output.suffix.lower() == ".sgf" or is_archive(output)
    return games and Path(os.path.realpath(source)) in Path(os.path.realpath(output)).parents


def _check_place(output: Path, make_folders: bool) -> None:
    """Check that a file can be written as ``whole_files`` does it. Raises BadSetup, OSError."""
    folder = output.parent
    while make_folders and not os.path.lexists(folder) and folder != folder.parent:
        folder = folder.parent
    if not folder.is_dir():
        raise BadSetup(f"{output}: no such folder")
    require_writable(output, folder)
