"""Kill workers and the scheduler of ``yomi train --cluster``; compare with an undisturbed run.

python -m scripts.check.kill_workers --games GAMES --folder FOLDER --kills 10 --out FILE

Workers are killed at random moments, and their nannies start them again. The scheduler is killed
once: the training ends with one line, and goes on with --resume under a new scheduler. All written
files must be equal byte by byte, and the harvest must equal that of one process.
"""

import argparse
import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from patterns_db.patterns.harvest import harvest
from patterns_db.records.archive import join_archives, load_archive
from patterns_db.store.checkpointing import load_arrays
from patterns_db.store.whole_files import write_whole
from scripts.check.kill_trainer import compare

QUIET = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


class HandMadeCluster:
    """A scheduler and workers, each in its own process, as on several machines."""

    def __init__(self, workers: int) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{port}"
        # Ten deaths in a short run may hit a task several times without it being the cause.
        environment = {**os.environ, "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "20"}
        self.scheduler = subprocess.Popen(
            [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1",
             "--port", str(port), "--no-dashboard"], env=environment, **QUIET,
        )  # fmt: skip
        self._nannies = subprocess.Popen(
            [sys.executable, "-m", "distributed.cli.dask_worker", self.address, "--nthreads", "1",
             "--nworkers", str(workers), "--no-dashboard"], env=environment, **QUIET,
        )  # fmt: skip

    def wait(self, workers: int) -> None:
        """Wait until all workers are there."""
        from distributed import Client  # noqa: TID251 - this script plays the administrator

        with Client(self.address, timeout=60, set_as_default=False) as client:
            client.wait_for_workers(workers, timeout=120)

    def kill_worker(self, rng: random.Random) -> bool:
        """Kill one worker; its nanny stays. Return whether there was one."""
        import psutil

        children = psutil.Process(self._nannies.pid).children(recursive=True)
        # The other child of multiprocessing looks after shared memory.
        workers = [p for p in children if "spawn_main" in " ".join(p.cmdline())]
        if workers:
            rng.choice(workers).send_signal(signal.SIGKILL)
        return bool(workers)

    def close(self) -> None:
        """End everything."""
        for process in (self._nannies, self.scheduler):
            process.terminate()
            process.wait()


def train(options: argparse.Namespace, address: str, out: Path) -> subprocess.Popen[bytes]:
    """Begin to train, or go on."""
    return subprocess.Popen(
        [sys.executable, "-m", "gtp", "train", "--games", options.games, "--max-games",
         str(options.max_games), "--out", str(out), "--threads", "1", "--checkpoint", "5",
         "--shards", str(options.workers), "--cluster", address, "--resume"],
        stderr=subprocess.PIPE,
    )  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> int:
    """Run, kill, compare; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", required=True)
    parser.add_argument("--folder", type=Path, required=True, help="an empty folder to work in")
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--max-games", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, metavar="FILE.json", help="the kills and the result")
    options = parser.parse_args(arguments)
    options.folder.mkdir(parents=True, exist_ok=True)
    whole, killed = options.folder / "whole.table", options.folder / "killed.table"
    cluster = HandMadeCluster(options.workers)
    try:
        cluster.wait(options.workers)
        start = time.monotonic()
        if train(options, cluster.address, whole).wait() != 0:
            raise AssertionError("the training failed")
        seconds = time.monotonic() - start
        print(f"left alone: {seconds:.1f} s", flush=True)
        facts = kill_often(options, cluster, killed, seconds)
    finally:
        cluster.close()
    facts["resumed"] = lose_scheduler(options, options.folder / "lost.table")
    for table in (killed, options.folder / "lost.table"):
        compare(whole, table)
    games = join_archives(
        [load_archive(next((options.folder / "whole.table.work").glob("games-*.npz")))],
        options.max_games,
    )
    found = load_arrays(options.folder / "killed.table.work" / "harvest.npz")
    for name, field in harvest(games)._asdict().items():
        if not np.array_equal(field, found[name]):
            raise AssertionError(f"the harvest's {name} differ")
    print("all tables are equal, and the harvest is that of one process")
    if options.out is not None:
        write_whole(options.out, json.dumps(facts, indent=2).encode() + b"\n")
    return 0


def kill_often(
    options: argparse.Namespace, cluster: HandMadeCluster, out: Path, seconds: float
) -> dict[str, object]:
    """Train while workers die at random moments."""
    rng = random.Random(options.seed)
    process, kills = train(options, cluster.address, out), 0
    start = time.monotonic()
    # The kills are spread over the length of an undisturbed run; a run with kills takes longer.
    moments = sorted(rng.uniform(0.0, seconds) for _ in range(options.kills))
    while process.poll() is None:
        if kills < options.kills and time.monotonic() - start >= moments[kills]:
            kills += cluster.kill_worker(rng)
        time.sleep(0.05)
    if process.returncode != 0:
        raise AssertionError(f"the training failed: {process.communicate()[1].decode()[-500:]}")
    print(f"finished after {kills} kills in {time.monotonic() - start:.1f} s", flush=True)
    return {"games": options.max_games, "workers": options.workers, "kills": kills}


def lose_scheduler(options: argparse.Namespace, out: Path) -> str:
    """Kill the scheduler in the middle, go on with another, and return the training's output."""
    cluster = HandMadeCluster(options.workers)
    try:
        cluster.wait(options.workers)
        process = train(options, cluster.address, out)
        # In the middle of learning, so that there is something to resume.
        harvest_file = out.with_name(out.name + ".work") / "harvest.npz"
        while process.poll() is None and not harvest_file.exists():
            time.sleep(0.05)
        cluster.scheduler.kill()
        start = time.monotonic()
        said = process.communicate()[1].decode().replace("\r", "\n").strip().splitlines()[-1]
        waited = time.monotonic() - start
        if process.returncode != 1:
            raise AssertionError(f"exit status {process.returncode}: {said}")
        print(f"{waited:.1f} s after the scheduler's death: {said}", flush=True)
    finally:
        cluster.close()
    cluster = HandMadeCluster(options.workers)
    try:
        cluster.wait(options.workers)
        if train(options, cluster.address, out).wait() != 0:
            raise AssertionError("the resumed training failed")
    finally:
        cluster.close()
    return said


if __name__ == "__main__":
    sys.exit(main())
