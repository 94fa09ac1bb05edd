"""Kill ``yomi train`` at random moments, resume it, and compare with an uninterrupted run.

python -m scripts.check.kill_trainer --games GAMES --folder FOLDER --kills 20 --out FILE
"""

import argparse
import json
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from patterns_db.patterns.pipeline import saved_games
from patterns_db.store.whole_files import write_whole


def stage(work: Path) -> str:
    """Return the progress of the training that left this folder."""
    if (work / "learned.npz").exists():
        return f"learned from {saved_games(work / 'learned.npz')} games"
    return "harvested" if (work / "harvest.npz").exists() else "not harvested"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run, kill, resume, compare; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", required=True)
    parser.add_argument("--folder", type=Path, required=True, help="an empty folder to work in")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--max-games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, metavar="FILE.json", help="the kills and the result")
    options = parser.parse_args(arguments)
    options.folder.mkdir(parents=True, exist_ok=True)
    command = [
        *(sys.executable, "-m", "gtp", "train", "--games", options.games),
        # Checkpoints are frequent, so that some kills hit the writing of one.
        *("--max-games", str(options.max_games), "--checkpoint", "0.2", "--threads", "1"),
    ]
    whole, killed = options.folder / "whole.table", options.folder / "killed.table"
    start = time.monotonic()
    subprocess.run([*command, "--out", whole], check=True, stderr=subprocess.DEVNULL)
    seconds = time.monotonic() - start
    print(f"uninterrupted: {seconds:.1f} s", flush=True)
    rng = random.Random(options.seed)
    # The trainer keeps its checkpoints beside the table that it writes.
    work = killed.with_name("killed.table.work")
    resume = [*command, "--out", killed, "--resume"]
    kills: list[str] = []
    finished = 0
    last = False
    while not last:
        last = len(kills) == options.kills
        process = subprocess.Popen(resume, stderr=subprocess.DEVNULL)
        try:
            # The moment is drawn from the whole run, so every stage is hit sooner or later.
            if process.wait(None if last else rng.uniform(0.0, seconds)) != 0:
                raise AssertionError("the resumed training failed")
        except subprocess.TimeoutExpired:
            # SIGKILL, because SIGTERM can be handled and this test allows no cleanup.
            process.send_signal(signal.SIGKILL)
            process.wait()
            kills.append(stage(work))
            print(f"kill {len(kills)}: {kills[-1]}", flush=True)
            continue
        compare(whole, killed)
        finished += 1
        print(f"finished after {len(kills)} kills in all: the tables are equal", flush=True)
        for path in tables(killed):
            path.unlink()
        # Begin anew, so that the remaining kills meet all stages again.
        shutil.rmtree(work)
    if options.out is not None:
        found = {"games": options.max_games, "finished_equal": finished, "kills": kills}
        write_whole(options.out, json.dumps(found, indent=2).encode() + b"\n")
    return 0


def tables(table: Path) -> list[Path]:
    """Return the files of all models."""
    names = [f"{table.stem}{suffix}.table" for suffix in ("", "-paper", "-bernoulli")]
    return [table.with_name(name) for name in names]


def compare(whole: Path, killed: Path) -> None:
    """Compare the tables of all models, byte by byte. Raises AssertionError."""
    for one, other in zip(tables(whole), tables(killed), strict=True):
        if one.read_bytes() != other.read_bytes():
            raise AssertionError(f"{other} differs")


if __name__ == "__main__":
    sys.exit(main())
