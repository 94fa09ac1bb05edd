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
from patterns_db.cluster.harvesting import harvest_on, sight_shard
from patterns_db.cluster.replicas import Version
from patterns_db.cluster.tasks import Cluster, ClusterFailed, Shared
from patterns_db.cluster.training import ClusterPatterns, ClusterTrainer, learn_shard
from patterns_db.patterns import pipeline, rounds, training
from patterns_db.patterns.backend import HarvestTask, LearningTask
from patterns_db.patterns.harvest import harvest
from patterns_db.patterns.pipeline import TrainingSettings, train_patterns
from patterns_db.patterns.rounds import ShardLearner, merge, next_round
from patterns_db.patterns.training import Learned, new_learned, place_classes
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
    return first + second


def test_data_that_are_lost_are_sent_again(cluster):
    shared = Shared(40)
    assert cluster.submit(add, shared, 2).result() == 42
    shared._future.cancel()
    assert cluster.submit(add, shared, 3).result() == 43


def test_a_worker_that_dies_while_data_are_sent_is_waited_for(cluster, monkeypatch):
    lost = [OSError("connection reset"), TimeoutError("no workers found"), KeyError("tcp://a")]
    answers = iter([*lost, [40]])

    def question():
        answer = next(answers)
        if isinstance(answer, Exception):
            raise answer
        return answer

    assert cluster.ask(question) == [40]
    monkeypatch.setattr(tasks, "TASKS", tasks.TASKS._replace(no_workers_seconds=0.0))
    answers = iter([OSError("connection reset")])
    with pytest.raises(ClusterFailed, match="no worker accepts data"):
        cluster.ask(question)


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
        cluster.submit(square, number).result()


def test_another_yomi_is_refused(cluster, monkeypatch):
    monkeypatch.setattr(cluster, "identity", "0.0.1, sources 00000000")
    with pytest.raises(ClusterFailed, match="another yomi"):
        cluster.submit(square, 2).result()


# -- harvest and learning


def test_the_harvest_is_the_serial_one(cluster, games, tmp_path):
    told = []
    found = harvest_on(cluster, HarvestTask(games, 2, None, tmp_path, 0.0), told.append)
    assert equal(found, harvest(games))
    assert sum(told) == 2 * games.games
    # Both passes are kept, and no work is repeated.
    again = harvest_on(Idle, HarvestTask(games, 2, None, tmp_path, 0.0), told.append)
    assert equal(again, found)


class Idle:
    """A cluster without any work."""

    threads = 5  # would cut the games into other parts
    require = staticmethod(quiet)

    @staticmethod
    def results(function, arguments):
        assert list(arguments) == []
        return iter(())


def test_a_harvest_that_ends_early_is_kept(cluster, games, tmp_path):
    class EndedError(Exception):
        pass

    calls = []

    def results(function, arguments):
        for number, result in cluster.results(function, arguments):
            calls.append(function)
            if len(calls) == 2:
                raise EndedError
            yield number, result

    class Breaking:
        threads = 2
        require = staticmethod(quiet)

    Breaking.results = staticmethod(results)
    task = HarvestTask(games, 2, None, tmp_path, 1e9)
    with pytest.raises(EndedError):
        harvest_on(Breaking, task, quiet)
    assert calls == [sight_shard, sight_shard]
    told = []
    found = harvest_on(cluster, task, told.append)
    assert equal(found, harvest(games))
    assert 0 < told[0] < games.games


def learn_here(games, classes, shards, independent):
    """Do what the cluster does, in this process."""
    learned = new_learned(len(classes.keys), independent)
    start = Learned._make(field.copy() for field in learned)
    learner = ShardLearner(classes, start, 2.0, training.MODELS, independent=independent)
    done = 0
    while done < games.games:
        parts = next_round(games, done, shards, rounds.SIZES.shard)
        done = parts[-1][1]
        messages = [learner.learn(cut_games(games, *part)) for part in parts]
        learner.update(merge(learned, messages, done)[0])
    return learned


@pytest.mark.parametrize(("shards", "independent"), [(1, True), (3, False)])
def test_learning_is_the_same_anywhere(cluster, games, monkeypatch, shards, independent):
    monkeypatch.setattr(rounds, "SIZES", rounds.SIZES._replace(first_shard=1))
    monkeypatch.setattr(rounds, "SIZES", rounds.SIZES._replace(warm_up=2))
    found = harvest(games)
    classes = place_classes(found)
    learned = new_learned(len(classes.keys), independent)
    how = 2.0, training.MODELS, shards, independent
    task = LearningTask(games, found, classes, learned, *how)
    trainer = ClusterTrainer(cluster, task)
    told = [step() for step in trainer.steps()]
    assert equal(learned, learn_here(games, classes, shards, independent))
    assert trainer.rounds > 2
    assert sum(told) == learned.tally[training.MOVES_DONE]


def test_a_worker_that_knows_nothing_says_so(games):
    now = Version("a run that nobody began", 3)
    assert learn_shard(None, None, now, now, games) is None


def test_a_run_that_lost_its_cluster_goes_on(cluster, collection, tmp_path, monkeypatch):
    monkeypatch.setattr(rounds, "SIZES", rounds.SIZES._replace(first_shard=1))
    monkeypatch.setattr(rounds, "SIZES", rounds.SIZES._replace(warm_up=2))
    folder = write_collection(tmp_path / "games", collection)
    settings = TrainingSettings((str(folder),))
    whole, cut = tmp_path / "whole" / "p.table", tmp_path / "cut" / "p.table"
    for out in (whole, cut):
        out.parent.mkdir()
    train_patterns(settings, whole, 1, say=quiet, backend=ClusterPatterns(cluster))
    assert begun_setting(whole.parent / "p.table.work", "shards") == 2
    real = ClusterTrainer._learn_round

    def lose(self, shards, *rest):
        if self.rounds == 2:
            raise ClusterFailed("the scheduler is gone")
        return real(self, shards, *rest)

    monkeypatch.setattr(ClusterTrainer, "_learn_round", lose)
    with pytest.raises(ClusterFailed):
        train_patterns(settings, cut, 1, say=quiet, backend=ClusterPatterns(cluster))
    monkeypatch.setattr(ClusterTrainer, "_learn_round", real)
    # On other workers, with the shards of the first run.
    other = ClusterPatterns(Cluster(cluster.client))
    monkeypatch.setattr(Cluster, "threads", 5)
    train_patterns(settings, cut, 1, resume=True, say=quiet, backend=other)
    assert tables(cut.parent) == tables(whole.parent)
    with pytest.raises(YomiError, match="other settings"):
        train_patterns(settings, cut, 1, resume=True, say=quiet)


# -- bad surroundings


@pytest.mark.parametrize(
    "where",
    ["local:0", "local:x", "local:²", "nowhere", "host:", ":1", "host:99999", "host:²"],
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


def test_too_little_memory_is_reported_before_any_work(cluster):
    cluster.require(1000, "a trifle")
    with pytest.raises(ClusterFailed, match=r"a giant needs 1048576\.3 GiB, but a worker has"):
        cluster.require(1 << 50, "a giant")


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
