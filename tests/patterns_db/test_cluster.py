"""patterns_db.cluster: the results of one process, even if workers and connections fail."""

import errno
import os
import signal
import sys
import time

import numpy as np
import pytest

from engine.errors import BadSetup, SgfError, YomiError
from gtp.__main__ import main
from patterns_db.cluster import tasks
from patterns_db.cluster.connection import open_cluster
from patterns_db.cluster.replicas import Rounds, Version, work_on_replica
from patterns_db.cluster.tasks import Cluster, ClusterFailed
from patterns_db.cluster.training import ClusterPatterns
from patterns_db.patterns import pipeline, rounds, training
from patterns_db.patterns.harvest import harvest
from patterns_db.patterns.pipeline import train_patterns
from patterns_db.patterns.rounds import ShardLearner, merge, next_round
from patterns_db.patterns.training import Learned, TrainingSettings, new_learned, place_classes
from patterns_db.records.archive import cut_games, pack_games
from patterns_db.store.work_folder import begun_setting
from tests.patterns_db.collections import random_collection, write_collection

distributed = pytest.importorskip("distributed", reason="Dask distributed is not installed")
pytestmark = pytest.mark.filterwarnings("default")  # Dask's own warnings are not ours to fix


@pytest.fixture(scope="module")
def collection():
    return random_collection(8, size=4, length=10)


@pytest.fixture(scope="module")
def games(collection):
    return pack_games(collection)


def quiet(*_):
    pass


def tables(folder):
    return {path.name: path.read_bytes() for path in folder.glob("*.table")}


def equal(one, other):
    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


# -- tasks


def square(number):
    if number == 13:
        raise SgfError("an unlucky number")
    if number == 14:
        raise MemoryError
    if number == 15:
        raise ZeroDivisionError("nothing")
    return number * number


def add(first, second):
    return first * second


def test_shared_data_come_first(cluster):
    assert dict(cluster.results(add, [(2,), (3,)], ["a" * 40])) == {0: "a" * 40 * 2, 1: "a" * 120}


@pytest.mark.parametrize(
    ("number", "kind", "text"),
    [
        (13, SgfError, "an unlucky number"),
        (14, ClusterFailed, "not enough memory"),
        (15, ClusterFailed, "ZeroDivisionError: nothing"),
    ],
)
def test_a_task_that_fails_says_why(cluster, number, kind, text):
    with pytest.raises(kind, match=text):
        list(cluster.results(square, [(number,)]))


def test_another_yomi_is_refused(cluster, monkeypatch):
    monkeypatch.setattr(cluster, "identity", "0.0.1, sources 00000000")
    with pytest.raises(ClusterFailed, match="another yomi"):
        list(cluster.results(square, [(2,)]))


@pytest.mark.parametrize(
    ("close", "text"), [("scheduler", "scheduler is gone"), ("workers", "all")]
)
def test_a_cluster_that_ends_is_one_line(monkeypatch, close, text):
    monkeypatch.setattr(tasks, "NO_WORKERS_SECONDS", 0.5)
    options = {"processes": False, "n_workers": 1, "dashboard_address": None}
    with (
        distributed.LocalCluster(**options) as local,
        distributed.Client(local, set_as_default=False, timeout=1) as client,
    ):
        results = Cluster(client).results(time.sleep, [(0.0,)] + [(30.0,)] * 2)
        assert next(results)[0] == 0
        local.scale(0) if close == "workers" else local.close()
        with pytest.raises(ClusterFailed, match=text):
            list(results)


# -- harvest and learning


def test_the_harvest_is_the_serial_one(cluster, games):
    steps = []
    settings = TrainingSettings(())
    found = ClusterPatterns(cluster).harvest(games, settings, steps.append)
    assert equal(found, harvest(games))
    assert sum(steps) == 2 * games.games


def learn_here(games, classes, settings):
    """Do what the cluster does, in this process."""
    learned = new_learned(len(classes.keys), settings.independent)
    start = Learned._make(field.copy() for field in learned)
    learner = ShardLearner(classes, start, settings)
    done = 0
    while done < games.games:
        parts = next_round(games, done, settings.shards, rounds.SIZES.shard)
        done = parts[-1][1]
        messages = [learner.work(cut_games(games, *part)) for part in parts]
        learner.update(merge(learned, messages, done))
    return learned


@pytest.mark.parametrize(("shards", "independent"), [(1, True), (3, False)])
def test_learning_is_the_same_anywhere(cluster, games, monkeypatch, shards, independent):
    monkeypatch.setattr(rounds, "SIZES", rounds.SIZES._replace(first_shard=1, warm_up=2))
    settings = TrainingSettings((), shards=shards, independent=independent)
    classes = place_classes(harvest(games))
    learned = new_learned(len(classes.keys), independent)
    steps = ClusterPatterns(cluster).learning_steps(games, classes, learned, settings)
    moves = [step() for step in steps]
    assert equal(learned, learn_here(games, classes, settings))
    assert len(moves) > 2
    assert sum(moves) == learned.tally[training.MOVES_DONE]


def test_a_worker_without_a_replica_says_so():
    assert work_on_replica(None, None, Version("a run that nobody began", 3), 1) is None


class Adder:
    """A replica that adds its tasks to a number; a change is added as well."""

    def __init__(self, number):
        self.number = number

    def update(self, change):
        self.number += change

    def work(self, task):
        return self.number + task


def test_replicas_are_updated_or_made_anew(cluster):
    number = 10
    adding = Rounds(cluster, Adder, lambda: (number,))
    assert adding.run([1, 2, 3]) == [11, 12, 13]
    number += 5
    adding.finish(5)
    assert adding.run([1]) == [16]  # one worker misses this round
    number += 7
    adding.finish(7)
    assert adding.run([1, 2, 3]) == [23, 24, 25]


def test_a_run_that_lost_its_cluster_goes_on(cluster, collection, tmp_path, monkeypatch):
    monkeypatch.setattr(rounds, "SIZES", rounds.SIZES._replace(first_shard=1, warm_up=2))
    folder = write_collection(tmp_path / "games", collection)
    settings = TrainingSettings((str(folder),))
    whole, cut = tmp_path / "whole" / "p.table", tmp_path / "cut" / "p.table"
    for out in (whole, cut):
        out.parent.mkdir()
    train_patterns(settings, whole, say=quiet, backend=ClusterPatterns(cluster))
    assert begun_setting(whole.parent / "p.table.work", "shards") == 2
    real = Rounds.run

    def lose(self, parts):
        if self._now.rounds == 2:
            raise ClusterFailed("the scheduler is gone")
        return real(self, parts)

    monkeypatch.setattr(Rounds, "run", lose)
    with pytest.raises(ClusterFailed):
        train_patterns(settings, cut, say=quiet, backend=ClusterPatterns(cluster))
    monkeypatch.setattr(Rounds, "run", real)
    # On other workers, with the shards of the first run.
    other = ClusterPatterns(Cluster(cluster.client))
    monkeypatch.setattr(Cluster, "threads", 5)
    train_patterns(settings, cut, resume=True, say=quiet, backend=other)
    assert tables(cut.parent) == tables(whole.parent)
    with pytest.raises(YomiError, match="other settings"):
        train_patterns(settings, cut, resume=True, say=quiet)


# -- bad surroundings


@pytest.mark.parametrize(
    "where", ["local:0", "local:x", "local:²", "nowhere", "host:", ":1", "host:99999", "host:²"]
)
def test_bad_cluster_addresses(where):
    with pytest.raises(BadSetup, match="local"), open_cluster(where):
        pass


def test_no_scheduler_is_one_line(tmp_path, capsys):
    words = ["train", "--games", str(tmp_path), "--out", str(tmp_path / "p.table")]
    start = time.monotonic()
    assert main([*words, "--cluster", "127.0.0.1:9"]) == 1
    assert time.monotonic() - start < 10.0
    assert capsys.readouterr().err.count("\n") == 1


def test_no_workers():
    with distributed.LocalCluster(n_workers=0, dashboard_address=":0") as local:
        with pytest.raises(ClusterFailed, match="no workers"):
            with open_cluster(local.scheduler_address):
                pass


def test_without_dask(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(BadSetup, match="pip install"), open_cluster("local:1"):
        pass


def test_a_full_disk_is_one_line(collection, tmp_path, monkeypatch, capsys):
    folder = write_collection(tmp_path / "games", collection)

    def no_room(file, arrays):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(file))

    monkeypatch.setattr(pipeline, "save_arrays", no_room)
    words = ["train", "--games", str(folder), "--out", str(tmp_path / "p.table")]
    assert main([*words, "--threads", "1"]) == 1
    assert "harvest.npz: No space left on device" in capsys.readouterr().err.splitlines()[-1]


def kill_once(flag, number):
    """Die of the first call, in a process of its own."""
    if number == 2 and not os.path.exists(flag):
        open(flag, "w").close()
        os.kill(os.getpid(), signal.SIGKILL)
    return number


@pytest.mark.skipif(os.name != "posix", reason="kills a process")
def test_a_task_whose_worker_dies_is_done_elsewhere(tmp_path):
    said = []
    with open_cluster("local:1", said.append) as cluster:
        flag = str(tmp_path / "killed")
        found = dict(cluster.results(kill_once, [(flag, number) for number in range(4)]))
    assert found == {number: number for number in range(4)}
    assert (tmp_path / "killed").exists()
    assert "dashboard: http://127.0.0.1:" in said[0]


def ignores_interrupts():
    return signal.getsignal(signal.SIGINT) is signal.SIG_IGN


def test_ctrl_c_is_for_the_main_process_alone():
    with open_cluster("local:1", quiet) as cluster:
        assert [result for _, result in cluster.results(ignores_interrupts, [()])] == [True]


def test_a_local_cluster_listens_on_loopback_with_tls():
    psutil = pytest.importorskip("psutil")
    me = psutil.Process()
    before = {one.laddr for one in me.net_connections("tcp") if one.status == "LISTEN"}
    with open_cluster("local:1", quiet) as cluster:
        family = [me, *me.children(recursive=True)]
        found = {
            one.laddr
            for process in family
            for one in process.net_connections("tcp")
            if one.status == "LISTEN"
        } - before
        assert {address.ip for address in found} == {"127.0.0.1"}
        address = next(iter(cluster.client.scheduler_info()["workers"]))
        assert address.startswith("tls://127.0.0.1:")
