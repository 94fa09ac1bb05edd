"""Processes that are killed at random moments: tables and files are whole, and runs go on."""

import multiprocessing
import os
import random
import signal
import socket
import subprocess
import sys
import time
from functools import partial

import pytest

from engine import Game
from engine.go.geometry import PASS
from patterns_db.records.replay import record_of
from patterns_db.records.sgf import write_record
from patterns_db.store.whole_files import write_whole

QUIET = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
FEW_AND_MANY = [pytest.param(1, marks=pytest.mark.slow), pytest.param(20, marks=pytest.mark.long)]
pytestmark = [
    pytest.mark.timeout(7200),
    pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL"),
]


@pytest.fixture
def games(tmp_path):
    """Return a folder with random games."""
    folder, chance = tmp_path / "games", random.Random(1)
    folder.mkdir()
    for number in range(60):
        game = Game(9)
        while len(game.moves) < 50:
            points = game.legal_points(game.to_play)
            game.play(game.to_play, chance.choice(points) if points else PASS)
        (folder / f"{number}.sgf").write_bytes(write_record(record_of(game)))
    return folder


def train(games, out, *more):
    """Begin to train, or go on; checkpoints are frequent, so that kills hit the writing of one."""
    words = ["--games", games, "--out", out, "--threads", "1", "--checkpoint", "0.2", "--resume"]
    return subprocess.Popen([sys.executable, "-m", "gtp", "train", *words, *more], **QUIET)


def tables(out):
    """Return the contents of all models' tables."""
    return [out.with_name(f"{out.stem}{model}.table").read_bytes() for model in ("", "-paper")]


@pytest.mark.parametrize("kills", FEW_AND_MANY)
def test_a_killed_trainer_goes_on(games, kills, tmp_path):
    whole, killed, chance = tmp_path / "whole.table", tmp_path / "killed.table", random.Random(1)
    assert train(games, whole).wait() == 0  # compiles, too
    start = time.monotonic()
    assert train(games, tmp_path / "timed.table").wait() == 0
    seconds = time.monotonic() - start
    for _ in range(kills):
        process = train(games, killed)
        try:
            process.wait(chance.uniform(0.0, seconds))
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
    assert train(games, killed).wait() == 0
    assert tables(killed) == tables(whole)


class HandMadeCluster:
    """A scheduler and workers, each in its own process, as on several machines."""

    def __init__(self, workers):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{port}"
        # Many deaths in a short run may hit a task several times without it being the cause.
        environment = {**os.environ, "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "20"}
        start = partial(subprocess.Popen, env=environment, **QUIET)
        dask = [sys.executable, "-m"]
        where = ["--host", "127.0.0.1", "--port", str(port), "--no-dashboard"]
        self._scheduler = start([*dask, "distributed.cli.dask_scheduler", *where])
        how = ["--nthreads", "1", "--nworkers", str(workers), "--no-dashboard"]
        self._nannies = start([*dask, "distributed.cli.dask_worker", self.address, *how])

    def kill_worker(self, chance):
        """Kill one worker; its nanny starts another."""
        psutil = pytest.importorskip("psutil")
        children = psutil.Process(self._nannies.pid).children(recursive=True)
        # The other child of multiprocessing looks after shared memory.
        workers = [p for p in children if "spawn_main" in " ".join(p.cmdline())]
        if workers:
            chance.choice(workers).send_signal(signal.SIGKILL)
        return bool(workers)

    def close(self):
        for process in (self._nannies, self._scheduler):
            process.terminate()
            process.wait()


@pytest.mark.long
def test_a_cluster_loses_workers(games, tmp_path):
    pytest.importorskip("distributed")
    whole, killed, chance = tmp_path / "whole.table", tmp_path / "killed.table", random.Random(1)
    cluster = HandMadeCluster(2)
    try:
        more = ["--cluster", cluster.address, "--shards", "2"]
        assert train(games, whole, *more).wait() == 0
        process, kills = train(games, killed, *more), 0
        while process.poll() is None:
            time.sleep(chance.uniform(0.5, 3.0))
            kills += kills < 10 and cluster.kill_worker(chance)
        assert process.returncode == 0
        assert kills > 0
    finally:
        cluster.close()
    assert tables(killed) == tables(whole)


def write(path, letter, times):
    lengths = random.Random(letter)
    for _ in range(times):
        length = lengths.randrange(200_000)
        write_whole(path, f"{length}\n".encode() + letter.encode() * length)


@pytest.mark.parametrize("kills", FEW_AND_MANY)
def test_files_are_whole_whoever_writes_and_dies(kills, tmp_path):
    path = tmp_path / "notes"
    write(path, "x", 1)
    start = multiprocessing.get_context("spawn").Process
    writers = [start(target=write, args=(path, letter, 100 * kills)) for letter in "ab"]
    for process in writers:
        process.start()
    for _ in range(kills):
        victim = start(target=write, args=(path, "k", 10**6))
        victim.start()
        ends = time.monotonic() + 1.0
        while time.monotonic() < ends:
            length, _, letters = path.read_bytes().partition(b"\n")
            assert len(letters) == int(length)
            assert len(set(letters)) <= 1
        os.kill(victim.pid, signal.SIGKILL)
        victim.join()
    for process in writers:
        process.join()
        assert process.exitcode == 0
    write(path, "x", 1)
    assert list(tmp_path.iterdir()) == [path]  # leftovers of the killed ones are gone
