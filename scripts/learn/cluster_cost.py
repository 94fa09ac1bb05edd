"""Measure the costs of harvesting and learning on a cluster: time, bytes, memory, and losses.

python -m scripts.learn.cluster_cost --games GAMES --max-games 4000 --cluster local:2 --out FILE

Without ``--cluster`` the serial training is measured. Beside the time on the wall stands the
*processor* time of a run with cores of its own: the sum of each round's longest shard and the
client's own work. With ``--test GAMES`` the model predicts other games. Its outcomes, ``--outcomes
FILE``, can be compared position by position (``--against FILE``).
"""

import argparse
import hashlib
import json
import resource
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import numpy.typing as npt

from engine import YomiError
from gtp.cli.command_line import add_cluster, cluster_of
from patterns_db.cluster.tasks import Cluster
from patterns_db.cluster.training import ClusterPatterns
from patterns_db.patterns.backend import (
    SERIAL_PATTERNS,
    HarvestTask,
    LearningTask,
    PatternBackend,
)
from patterns_db.patterns.checkpoints import add_up
from patterns_db.patterns.evaluation import LOG_EVIDENCE, EvaluatedModel, evaluate
from patterns_db.patterns.harvest import Harvest
from patterns_db.patterns.pipeline import DEFAULT_BETA
from patterns_db.patterns.report import among_first
from patterns_db.patterns.rounds import SHARD
from patterns_db.patterns.training import (
    Classes,
    Learned,
    new_learned,
    place_classes,
)
from patterns_db.records.archive import GameArchive, decode_paths, join_archives, load_archive
from patterns_db.store.whole_files import write_whole

BETA_SQUARED = DEFAULT_BETA**2


def peak_memory() -> float:
    """Return the largest memory of this process so far [GiB]."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


class Meter:
    """Measures the cost of work in this process."""

    def measured(self, work: Callable[[], Any]) -> tuple[Any, dict[str, float]]:
        """Return the result of the work, and its cost."""
        self.begin()
        wall, own = time.monotonic(), time.process_time()
        result = work()
        own = time.process_time() - own
        cost = {"wall_seconds": time.monotonic() - wall, "client_seconds": own}
        cost |= self.elsewhere(own)
        return result, {name: round(value, 2) for name, value in cost.items()}

    def begin(self) -> None:
        """Forget all earlier work."""

    def elsewhere(self, own: float) -> dict[str, float]:
        """Return the cost of work in other processes; ``own`` seconds were spent in this one."""
        return {}

    def worker_peaks(self) -> dict[str, list[float]]:
        """Return the largest memory of each worker [GiB], as a fact, if there are workers."""
        return {}


class ClusterMeter(Meter):
    """Measures the cost of work on a cluster."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster

    def begin(self) -> None:
        """Forget all earlier work."""
        self._cluster.seconds = self._cluster.longest = 0.0
        self._cluster.sent = self._cluster.received = 0

    def elsewhere(self, own: float) -> dict[str, float]:
        """Return processor time of the tasks, time with cores of its own, and traffic."""
        cluster = self._cluster
        return {
            "task_seconds": cluster.seconds,
            "alone_seconds": own + max(cluster.longest, cluster.seconds / cluster.threads),
            "sent_megabytes": cluster.sent / 1e6,
            "received_megabytes": cluster.received / 1e6,
        }

    def worker_peaks(self) -> dict[str, list[float]]:
        """Return the largest memory of each worker [GiB], as a fact."""
        peaks = self._cluster.client.run(peak_memory)
        return {"worker_gibibytes": [round(peak, 2) for peak in peaks.values()]}


def digest(*arrays: npt.NDArray[Any]) -> str:
    """Return a checksum by which two harvests are compared."""
    total = hashlib.sha256()
    for array in arrays:
        total.update(np.ascontiguousarray(array).tobytes())
    return total.hexdigest()


def learn(
    backend: PatternBackend, games: GameArchive, found: Harvest, classes: Classes, options: Any
) -> tuple[Learned, int]:
    """Return the learned model and the number of rounds."""
    learned = new_learned(len(classes.keys))
    models = tuple(options.models.split(","))
    task = LearningTask(games, found, classes, learned, BETA_SQUARED, models, options.shards)
    rounds = 0
    for step in backend.learning_steps(task):
        step()
        rounds += 1
    return learned, rounds


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", nargs="+", required=True)
    parser.add_argument("--max-games", type=int, default=4000)
    parser.add_argument("--models", default="evidence,paper")
    parser.add_argument("--shards", type=int, help="a round (the cluster's threads)")
    parser.add_argument("--shard-games", type=int, default=SHARD, help="of one shard, at most")
    parser.add_argument("--test", nargs="+", help="games to predict")
    parser.add_argument("--max-test", type=int, default=150)
    parser.add_argument("--outcomes", type=Path, metavar="FILE.npy", help="keep the predictions")
    parser.add_argument("--against", type=Path, metavar="FILE.npy", help="other predictions")
    parser.add_argument("--folder", type=Path, help="folder that keeps games once they are read")
    parser.add_argument("--harvest-only", action="store_true")
    parser.add_argument("--out", type=Path, metavar="FILE.json")
    add_cluster(parser)
    options = parser.parse_args(arguments)
    try:
        with cluster_of(options) as cluster, TemporaryDirectory() as folder:
            backend: PatternBackend = SERIAL_PATTERNS
            meter = Meter()
            if cluster:
                backend = ClusterPatterns(cluster, options.shard_games)
                meter = ClusterMeter(cluster)
            facts = measure(backend, meter, options.folder or Path(folder), options)
    except (YomiError, OSError) as error:
        print(f"cluster_cost: {error}", file=sys.stderr)
        return 2
    print(json.dumps(facts, indent=2))
    if options.out is not None:
        write_whole(options.out, json.dumps(facts, indent=2).encode() + b"\n")
    return 0


def measure(
    backend: PatternBackend, meter: Meter, folder: Path, options: argparse.Namespace
) -> dict[str, Any]:
    """Harvest, learn, predict."""
    files = decode_paths(options.games, folder)
    games = join_archives([load_archive(file) for file in files], options.max_games)

    def find() -> Harvest:
        with TemporaryDirectory() as parts:
            task = HarvestTask(games, 2, None, Path(parts), 1e9)
            return backend.harvest(task, lambda games: None)

    found, cost = meter.measured(find)
    facts: dict[str, Any] = {"games": games.games, "cluster": options.cluster, "harvest": cost}
    facts["moves"], facts["classes"] = len(games.moves), len(found.keys)
    facts["harvest_sha256"] = digest(*found)
    if not options.harvest_only:
        classes = place_classes(found)
        (learned, rounds), cost = meter.measured(
            lambda: learn(backend, games, found, classes, options)
        )
        facts |= {"rounds": rounds, "learning": cost}
        facts |= predict(found, classes, learned, options)
    facts["client_gibibytes"] = round(peak_memory(), 2)
    return facts | meter.worker_peaks()


def predict(
    found: Harvest, classes: Classes, learned: Learned, options: argparse.Namespace
) -> dict[str, Any]:
    """Return how well the model with added evidence predicts other games."""
    if not options.test:
        return {}
    with TemporaryDirectory() as folder:
        files = decode_paths(options.test, options.folder or Path(folder))
        test = join_archives([load_archive(file) for file in files], options.max_test)
    beliefs = learned.evidence.copy()
    add_up(beliefs, found, classes.rows)
    model = EvaluatedModel("evidence", classes.keys, beliefs, BETA_SQUARED)
    outcomes = evaluate(test, model).outcomes
    each = np.stack([100.0 * among_first(outcomes, 1), outcomes[:, LOG_EVIDENCE]])
    if options.outcomes is not None:
        np.save(options.outcomes, each)
    facts = {"positions": len(outcomes), "top1_percent": each[0].mean(), "nats": each[1].mean()}
    if options.against is not None:
        difference = each - np.load(options.against)
        errors = difference.std(axis=1) / np.sqrt(len(outcomes))
        facts |= {"difference": difference.mean(axis=1).tolist(), "errors": errors.tolist()}
    return facts


if __name__ == "__main__":
    sys.exit(main())
