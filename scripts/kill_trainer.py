"""Kill ``yomi train`` at random moments, resume it, and compare with an uninterrupted run.

python -m scripts.kill_trainer --games GAMES --folder FOLDER [--kills 20] [--seed 1]
"""

import argparse
import random
import signal
import subprocess
import sys
import time
from pathlib import Path


def main() -> int:
    """Run, kill, resume, compare; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", required=True)
    parser.add_argument("--folder", type=Path, required=True, help="an empty folder to work in")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--max-games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    command = [
        *(sys.executable, "-m", "gtp", "train", "--games", options.games),
        *("--max-games", str(options.max_games), "--checkpoint", "0.2", "--threads", "1"),
    ]
    whole, killed = options.folder / "whole.table", options.folder / "killed.table"
    start = time.monotonic()
    subprocess.run([*command, "--out", whole], check=True, stderr=subprocess.DEVNULL)
    seconds = time.monotonic() - start
    print(f"uninterrupted: {seconds:.1f} s")
    rng = random.Random(options.seed)
    kills = 0
    while kills < options.kills:
        words = [*command, "--out", killed, "--resume"]
        process = subprocess.Popen(words, stderr=subprocess.DEVNULL)
        try:
            process.wait(rng.uniform(0.0, seconds))
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
            kills += 1
            continue
        compare(whole, killed)
        print(f"finished after {kills} kills: equal; starting anew")
        for path in [killed, *killed.with_name("killed.table.work").iterdir()]:
            path.unlink()
    subprocess.run([*command, "--out", killed, "--resume"], check=True, stderr=subprocess.DEVNULL)
    compare(whole, killed)
    print(f"{kills} kills: the tables are equal")
    return 0


def compare(whole: Path, killed: Path) -> None:
    """Compare the tables of all models, byte by byte. Raises AssertionError."""
    for suffix in ("", "-paper", "-bernoulli"):
        files = [path.with_name(f"{path.stem}{suffix}.table") for path in (whole, killed)]
        if files[0].read_bytes() != files[1].read_bytes():
            raise AssertionError(f"{files[1]} differs")


if __name__ == "__main__":
    sys.exit(main())
