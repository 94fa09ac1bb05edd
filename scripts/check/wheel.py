"""Build the wheel, install it into a new environment, and play a move from another folder.

    python -m scripts.check.wheel --folder DIR

DIR must not exist yet. The wheel, the environment and the compiled kernels stay there (some 500
MB). Needs a package index. Does the same as `pipx install`, without access to this checkout.
"""

import argparse
import os
import subprocess
import sys
import venv
from collections.abc import Sequence
from pathlib import Path

from engine import YomiError, parse_vertex
from scripts.controller import Controller

ROOT = Path(__file__).resolve().parents[2]


def build(folder: Path) -> Path:
    """Return the wheel, built from a copy of the tracked files, without build leftovers."""
    source = folder / "source"
    source.mkdir(parents=True)
    files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True)
    for name in filter(None, files.stdout.decode().split("\0")):
        if (ROOT / name).is_file():  # deleted files that are not committed are still tracked
            copy = source / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes((ROOT / name).read_bytes())
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", "."]
    subprocess.run([*pip, str(source)], cwd=folder, check=True, stdout=sys.stderr)
    return next(folder.glob("*.whl"))


def install(wheel: Path, folder: Path) -> Path:
    """Install a wheel into a new environment and return its yomi."""
    environment = folder / "environment"
    venv.create(environment, with_pip=True)
    programs = environment / ("Scripts" if os.name == "nt" else "bin")
    pip = [str(programs / "python"), "-m", "pip", "install", "--quiet", str(wheel)]
    subprocess.run(pip, cwd=folder, check=True, stdout=sys.stderr)
    return programs / "yomi"


def main(arguments: Sequence[str] | None = None) -> int:
    """Build, install, play; return 1 when any step fails."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--folder", type=Path, required=True, metavar="DIR")
    folder = parser.parse_args(arguments).folder.resolve()
    # No kernels are compiled yet, and no checkout is on the path.
    os.environ["XDG_CACHE_HOME"] = str(folder / "cache")
    os.environ.pop("PYTHONPATH", None)
    try:
        wheel = build(folder)
        yomi = install(wheel, folder)
        elsewhere = folder / "elsewhere"
        elsewhere.mkdir()
        command = f'"{yomi}" --playouts 50 --threads 1 --seed 1'
        with Controller(command, folder=elsewhere) as program:
            version = program.send("version")
            program.send("boardsize 9")
            move = program.send("genmove b")
            parse_vertex(move, 9)
    except (YomiError, OSError, subprocess.CalledProcessError) as error:
        print(f"wheel: {error}", file=sys.stderr)
        return 1
    print(f"{wheel.name}, {wheel.stat().st_size / 1e6:.1f} MB: version {version}, plays {move}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
