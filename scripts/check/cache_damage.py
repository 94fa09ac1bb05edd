"""Damage each file of the compiled cache in turn: yomi must go on, with a one-line message.

    python -m scripts.check.cache_damage --files 10

The script warms a cache of its own. It empties each file, then flips one of its bits; after each
damage, a new session plays a move. The smallest files come first, because a large one takes a
minute to compile again. A session does not read every file, so some damages go unnoticed. Finally,
pickles that would run code replace the first file that is read: one with a wrong digest, and one
that other users may write.
"""

import argparse
import os
import pickle
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from tqdm import tqdm

from engine.jit.kernel_files import write_file

SESSION = b"boardsize 9\ngenmove b\nquit\n"
YOMI = [sys.executable, "-m", "gtp", "--playouts", "10", "--threads", "1", "--seed", "1"]


def empty(data: bytes) -> bytes:
    """Return no contents."""
    return b""


def flip(data: bytes) -> bytes:
    """Flip one bit in the middle of a file's contents."""
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]


def play(cache: Path) -> tuple[bytes, list[str]]:
    """Return a session's answer and its lines about the cache."""
    done = subprocess.run(
        YOMI, input=SESSION, capture_output=True, check=True,
        env={**os.environ, "NUMBA_CACHE_DIR": str(cache)},
    )  # fmt: skip
    lines = done.stderr.decode().splitlines()
    return done.stdout, [line for line in lines if "cache" in line]


class Planted:
    """Creates a folder when it is unpickled."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __reduce__(self) -> tuple[Callable[[str], None], tuple[str]]:
        return os.mkdir, (str(self.folder),)


def plant_damaged(file: Path, contents: bytes) -> None:
    """Write a kernel's file with a wrong digest."""
    file.write_bytes(bytes(32) + contents)


def plant_open(file: Path, contents: bytes) -> None:
    """Write a kernel's file with its digest, which other users may write."""
    write_file(file, contents)
    file.chmod(0o666)


def main(arguments: Sequence[str] | None = None) -> int:
    """Damage, play, compare; return 1 if anything went wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--files", type=int, default=1000, help="most files, the smallest first")
    parser.add_argument("--warm", metavar="FOLDER", help="begin with a copy of this cache")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        cache, marker = Path(folder) / "cache", Path(folder) / "planted"
        if options.warm is not None:
            shutil.copytree(options.warm, cache)
        expected, _ = play(cache)
        # The file of the linking probe does not count: it is not read again.
        files = sorted(cache.glob("engine-*/*.kernel"), key=lambda file: file.stat().st_size)
        wrong, noticed = 0, 0
        chosen = files[: options.files]
        read: list[Path] = []
        for file in tqdm(chosen, unit="file"):
            whole = file.read_bytes()
            counts = []
            for damage in (empty, flip):
                file.write_bytes(damage(whole))
                answer, lines = play(cache)
                counts.append(len(lines))
                if answer != expected:
                    wrong += 1
                    print(f"{file.name} ({damage.__name__}): {answer!r}, {lines}", file=sys.stderr)
            file.write_bytes(whole)
            noticed += sum(counts)
            read += [file] if any(counts) else []
            # A session that reads the file notices either damage, and says so once.
            if counts not in ([0, 0], [1, 1]):
                wrong += 1
                print(f"{file.name}: noticed {counts}", file=sys.stderr)
        if not read:
            print("cache_damage: no session reads the chosen files", file=sys.stderr)
            return 2
        for plant in (plant_damaged, plant_open):
            plant(read[0], pickle.dumps(Planted(marker)))
            answer, lines = play(cache)
            wrong += answer != expected or len(lines) != 1
        ran = marker.exists()
    print(f"{2 * len(chosen)} damages of {len(chosen)} of {len(files)} files: {noticed} noticed,"
          f" {wrong} sessions wrong; planted code {'ran' if ran else 'did not run'}")  # fmt: skip
    return int(wrong > 0 or ran)


if __name__ == "__main__":
    sys.exit(main())
