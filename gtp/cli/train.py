"""``yomi train``: learn a pattern table from game records, or the solver's priors from problems."""

import argparse
import shlex
import sys
from pathlib import Path

from tqdm import tqdm

from engine import BadSetup
from gtp.cli.command_line import add_cluster, cluster_of, count, duration, number_reader
from gtp.cli.evaluate import predicted_by
from patterns_db.cluster.solving import ClusterSolver
from patterns_db.cluster.tasks import Cluster
from patterns_db.cluster.training import ClusterPatterns
from patterns_db.outputs import check_training
from patterns_db.patterns.backend import PatternBackend
from patterns_db.patterns.pipeline import train_patterns
from patterns_db.patterns.training import TrainingSettings
from patterns_db.records.archive import join_archives, read_archive
from patterns_db.shipped import PATTERN_TABLE
from patterns_db.solvers.solver_learner import SolverTrainingSettings
from patterns_db.solvers.solver_training import train_solver


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options and the help text."""
    parser.description = (
        "Harvest the patterns of expert games and learn their values. With --solver,"
        " learn the prior values of moves by solving capture problems."
    )
    parser.epilog = (
        "Checkpoints are kept in FILE.work; --resume continues from there, even after a"
        " kill. Beside NAME.table, patterns alone are written to NAME-paper.table, the baseline"
        " to NAME-bernoulli.table; yomi evaluate --model finds them."
    )
    parser.add_argument("--out", required=True, metavar="FILE", help="the table to write")
    earlier = parser.add_mutually_exclusive_group()
    earlier.add_argument("--resume", action="store_true", help="continue an earlier run")
    earlier.add_argument("--anew", action="store_true", help="delete an earlier run's checkpoints")
    parser.add_argument(
        "--checkpoint",
        type=duration,
        default=180.0,
        metavar="SECONDS",
        help="time between two checkpoints (180)",
    )
    add_cluster(parser)
    _add_pattern_training(parser.add_argument_group("move prediction"))
    _add_solver_training(parser.add_argument_group("the solver's priors"))


def _add_pattern_training(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--games", nargs="+", metavar="PATH", help="directories, .sgf files, .zip or .tar archives"
    )
    group.add_argument(
        "--min-count",
        type=number_reader(int, 2, "a whole number above one"),
        default=2,
        metavar="N",
        help="keep patterns that experts played at least N times (2)",
    )
    group.add_argument(
        "--max-patterns", type=count, metavar="N", help="keep only the N commonest (all)"
    )
    group.add_argument(
        "--beta",
        type=number_reader(float, 1e-3, "a number above zero", 1e3),
        default=2.0**0.5,
        metavar="B",
        help="how much a move's value varies around its pattern's (1.41)",
    )
    group.add_argument(
        "--classes",
        default="nested",
        choices=("nested", "independent"),
        help="nested: a pattern starts as good as the smaller one inside it (default);"
        " independent: as the 2006 paper prints it",
    )
    group.add_argument("--max-games", type=count, metavar="N", help="only the first N games")
    group.add_argument(
        "--threads",
        type=count,
        default=2,
        metavar="T",
        help="threads that learn: 1, or 2 for the two models (2)",
    )
    group.add_argument(
        "--shards",
        type=count,
        metavar="N",
        help="parts learned in parallel on a cluster (one per thread, or 8 problems each);"
        " the table depends on N",
    )


def _add_solver_training(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--solver", action="store_true", help="learn the solver's priors")
    group.add_argument("--problems", metavar="FILE.jsonl", help="a set of capture problems")
    group.add_argument(
        "--max-nodes",
        type=number_reader(int, 1, "a whole number from 1 to 10000000", 10**7),
        default=20_000,
        metavar="N",
        help="positions per problem (20000)",
    )
    group.add_argument(
        "--passes", type=count, default=8, metavar="N", help="passes over the problems (8)"
    )


def run(options: argparse.Namespace) -> int:
    """Train a pattern model or the solver's priors; return the exit status."""
    # Two trainings share the command. argparse cannot express that --problems needs --solver and
    # that --games excludes both.
    if options.solver != (options.games is None) or options.solver != (
        options.problems is not None
    ):
        raise BadSetup("train needs either --games PATH... or --solver --problems FILE")
    check_training(Path(options.out), [options.problems] if options.solver else options.games)
    train = _train_solver if options.solver else _train_patterns
    try:
        with cluster_of(options) as cluster:
            return train(options, cluster)
    except KeyboardInterrupt:
        _say("stopped; --resume continues from the last checkpoint")
        raise
    # The cause is a full disk or a read-only folder. Checkpoints are complete, so --resume works.
    except OSError as error:
        raise BadSetup(f"{error.filename or options.out}: {error.strerror or error}") from error


def _train_solver(options: argparse.Namespace, cluster: Cluster | None) -> int:
    settings = SolverTrainingSettings(
        problems=Path(options.problems),
        max_nodes=options.max_nodes,
        passes=options.passes,
        together=options.shards,
    )
    train_solver(
        settings,
        Path(options.out),
        resume=options.resume,
        checkpoint=options.checkpoint,
        say=_say,
        backend=ClusterSolver(cluster) if cluster else None,
        anew=options.anew,
    )
    table = shlex.quote(options.out)
    _say(f"{options.out}.work holds checkpoints, for --resume alone, and may be deleted")
    _say(f"solve captures with it: yomi solve --priors {table} --problems FILE.jsonl")
    return 0


def _train_patterns(options: argparse.Namespace, cluster: Cluster | None) -> int:
    settings = TrainingSettings(
        paths=tuple(options.games),
        min_count=options.min_count,
        max_patterns=options.max_patterns,
        # The option is a standard deviation, as in the paper. Tables store the variance.
        beta=options.beta,
        max_games=options.max_games,
        shards=options.shards,
        independent=options.classes == "independent",
    )
    train_patterns(
        settings,
        Path(options.out),
        options.resume,
        options.checkpoint,
        say=_say,
        backend=ClusterPatterns(cluster) if cluster else PatternBackend(options.threads),
        anew=options.anew,
    )
    _compare(Path(options.out), settings)
    _say(f"{options.out}.work holds checkpoints, for --resume alone, and may be deleted")
    return 0


def _compare(out: Path, settings: TrainingSettings) -> None:
    """Say whether a new table or the shipped one predicts better, as far as it can be said."""
    table = shlex.quote(str(out))
    most = min(50, settings.max_games or 50)  # games; they take some seconds
    games = join_archives([read_archive(path, most) for path in settings.paths], most)
    ours, shipped = (100 * predicted_by(games, path) for path in (out, PATTERN_TABLE))
    # A table knows the games that it learned from, so only a defeat there is a verdict.
    verdict = "the shipped one is better"
    if ours > shipped:
        verdict = (
            "the new one knows these games; which is better, other games show:"
            f" yomi evaluate --patterns {table} --games PATH"
        )
    _say(
        f"of {games.games} games that it learned from, the new table predicts {ours:.1f} % of the"
        f" moves, the shipped one {shipped:.1f} %: {verdict}"
    )
    _say(f"play with it: yomi --patterns {table}")


def _say(line: str) -> None:
    # Messages must not break a progress bar's line.
    tqdm.write(line, file=sys.stderr)
