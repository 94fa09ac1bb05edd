"""Let several processes write and read one file; count reads that saw a part of a version.

    python -m scripts.check.whole_files --writes 1000

Every writer replaces the file with a text of its own length and letter. Readers expect one letter,
repeated as often as the first line says. One writer is killed again and again while it writes.
"""

import argparse
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Sequence
from multiprocessing.synchronize import Event
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from patterns_db.store.whole_files import write_whole


def content(letter: str, length: int) -> bytes:
    """Return a writer's text: the length, then one letter, repeated as often."""
    return f"{length}\n".encode() + letter.encode() * length


def is_whole(data: bytes) -> bool:
    """Return whether bytes are one complete text of one writer."""
    length, _, letters = data.partition(b"\n")
    return len(letters) == int(length) and len(set(letters)) <= 1


def write(path: Path, letter: str, times: int, seed: int) -> None:
    """Replace a file a number of times."""
    lengths = Random(seed)
    for _ in range(times):
        write_whole(path, content(letter, lengths.randrange(200_000)))


def read(path: Path, end: Event, torn: "multiprocessing.Queue[tuple[int, int]]") -> None:
    """Read a file until ``end``; report the number of reads, and of incomplete ones."""
    reads = bad = 0
    while not end.is_set():
        reads += 1
        bad += not is_whole(path.read_bytes())
    torn.put((reads, bad))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run writers and readers; return 1 if anything was torn or left behind."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--writes", type=int, default=1000, help="of each of two writers")
    parser.add_argument("--kills", type=int, default=20)
    options = parser.parse_args(arguments)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "notes"
        path.write_bytes(content("x", 10))
        end, torn = multiprocessing.Event(), multiprocessing.Queue()
        start = multiprocessing.Process
        readers = [start(target=read, args=(path, end, torn)) for _ in range(2)]
        writers = [start(target=write, args=(path, "ab"[i], options.writes, i)) for i in range(2)]
        began = time.monotonic()
        for process in (*readers, *writers):
            process.start()
        for number in range(options.kills):
            victim = start(target=write, args=(path, "k", 10**6, number))
            victim.start()
            time.sleep(0.05 + 0.01 * number)
            os.kill(victim.pid or 0, signal.SIGKILL)
            victim.join()
        for process in writers:
            process.join()
        seconds = time.monotonic() - began
        end.set()
        found = [torn.get() for _ in readers]
        for process in readers:
            process.join()
        write_whole(path, b"0\n")
        left = sorted(file.name for file in Path(folder).iterdir() if file != path)
        failed = sum(process.exitcode != 0 for process in writers)
    reads, bad = (sum(column) for column in zip(*found, strict=True))
    print(
        f"{2 * options.writes} writes by two processes in {seconds:.1f} s, {options.kills} writers"
        f" killed, {reads} reads: {bad} torn, {failed} writers failed, {len(left)} files left"
    )
    return int(bad > 0 or failed > 0 or bool(left))


if __name__ == "__main__":
    sys.exit(main())
