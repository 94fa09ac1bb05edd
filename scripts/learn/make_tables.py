"""Make the shipped tables, one command a table, with the defaults that made them.

    python -m scripts.learn.make_tables rollout --games train-01.tar.gz --out rollout.table

``patterns_db/README.md`` lists the commands that made the shipped ones. Each table says what it was
made from, and is read again before the command ends. Patterns are learned with all their classes
and then cut. The full table is OUT-all.table; --resume goes on from OUT-all.table.work. Solver
priors can be resumed, too. The calibration uses positions from scripts.check.leads and searches
from scripts.check.shown_values, in any number of files.
"""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path

import numpy as np
from tqdm import tqdm

from engine import BadSetup
from engine.belief.calibration import Calibration
from engine.belief.posterior import Evidence
from engine.patterns.trees import Trees
from patterns_db.patterns.added_tables import (
    read_context,
    read_responses,
    read_trees,
    write_context_table,
    write_responses,
    write_trees,
)
from patterns_db.patterns.added_training import train_context, train_responses, train_trees
from patterns_db.patterns.checkpoints import export
from patterns_db.patterns.harvest import Harvest
from patterns_db.patterns.pipeline import train_patterns
from patterns_db.patterns.training import TrainingSettings
from patterns_db.patterns.tree_growing import FactSample, grow_trees
from patterns_db.patterns.tree_sampling import sample_facts
from patterns_db.records.archive import GameArchive, cut_games, join_archives, read_archive
from patterns_db.records.games import GameReader, describe
from patterns_db.search_tables.calibrating import fit_calibration
from patterns_db.search_tables.calibration_table import (
    CALIBRATION,
    read_calibration,
    write_calibration,
)
from patterns_db.search_tables.posterior_training import (
    EndedPosition,
    JudgedLead,
    LongerSearch,
    fit_reach,
)
from patterns_db.search_tables.rollout_training import learn_policy
from patterns_db.shipped import (
    CALIBRATION_TABLE,
    CONTEXT_TABLE,
    PATTERN_TABLE,
    TREE_TABLE,
    read_rollout_beliefs,
    write_rollout_beliefs,
)
from patterns_db.solvers.life_training import LifeTrainingSettings, train_life
from patterns_db.solvers.solver_learner import SolverTrainingSettings
from patterns_db.solvers.solver_priors import read_priors
from patterns_db.solvers.solver_training import train_solver
from patterns_db.store.checkpointing import load_arrays
from patterns_db.store.table_files import Manifest, read_patterns
from scripts.check.leads import evidence_of
from scripts.check.shown_values import choices_of, gaps_of, read_looks
from scripts.failures import reported
from scripts.kept_rows import Row, read_kept

CLASSES = 4_600_000  # 46 MB: with the other tables, the most that a repository may hold
RESPONSES = 100_000  # 1 MB
PARTS = 20  # of the games of each path; the leaves learn from the paths in turn
PASSES = 4  # passes over the problems; the fourth solved no more


def make_patterns(options: argparse.Namespace) -> None:
    """Train on all classes, then keep the most telling ones."""
    out: Path = options.out
    whole = out.with_name(f"{out.stem}-all{out.suffix}")
    settings = TrainingSettings(tuple(options.games), max_games=options.max_games)
    earlier = {"resume": options.resume, "anew": options.anew}
    train_patterns(settings, whole, say=tell, **earlier)
    work = whole.with_name(whole.name + ".work")
    arrays, found = load_arrays(work / "learned.npz"), Harvest(**load_arrays(work / "harvest.npz"))
    # Cut after learning, not before, as --max-patterns of yomi train does. Only after learning is
    # known how far a class's value differs from the next smaller one's.
    manifest = read_patterns(whole).manifest
    # The square root and its square leave 2.0000000000000004.
    beta_squared = round(settings.beta**2, 12)
    export(out, found, arrays, manifest, beta_squared, ("evidence",), options.max_patterns)
    tell(f"{read_patterns(out).manifest['classes']} classes in {out}")


def make_rollout(options: argparse.Namespace) -> None:
    """Learn the weights of the guided roll-outs."""
    reader = GameReader(options.games)
    games = tqdm(islice(reader, options.max_games), unit=" games", file=sys.stderr)
    beliefs, learned = learn_policy(games)
    sources = [Path(path).name for path in options.games]
    manifest = {"games": reader.games, "moves": learned, "sources": sources}
    digest = write_rollout_beliefs(options.out, beliefs, manifest)
    # Read again, so that a table that play cannot read is noticed here.
    read_rollout_beliefs(options.out)
    tell(f"learned from {learned} moves of {reader.games} games; sha256 {digest}")


def make_context(options: argparse.Namespace) -> None:
    """Learn the context of moves beside the ranking model."""
    archives = [read_archive(path, options.max_games) for path in options.games]
    games = join_archives(archives)
    if not len(games.moves):
        raise BadSetup("no moves to learn from")
    knowledge = read_patterns(options.patterns).knowledge
    with tqdm(total=games.games, unit=" games", file=sys.stderr) as bar:
        beliefs = train_context(games, knowledge, progress=bar.update)
    manifest = {
        "games": games.games,
        "moves": len(games.moves),
        "patterns": describe(options.patterns),
        "collections": [describe(Path(path)) for path in options.games],
    }
    write_context_table(options.out, beliefs, manifest)
    read_context(options.out)
    tell(f"learned from {games.games} games")


def make_trees(options: argparse.Namespace) -> None:
    """Learn the trees of the ranking model from games that it has not learned from."""
    if len(options.games) != len(options.every):
        raise BadSetup("--every needs a number for each path of --games")
    knowledge = read_patterns(options.patterns).knowledge
    knowledge = knowledge._replace(context=read_context(options.context))
    archives = [read_archive(path, options.max_games) for path in options.games]
    count = sum(archive.games for archive in archives)
    if not sum(len(archive.moves) for archive in archives):
        raise BadSetup("no moves to learn from")
    with tqdm(total=count, desc="facts", unit=" games", file=sys.stderr) as bar:
        samples = [
            sample_facts(archive, knowledge, every, options.seed, bar.update)
            for archive, every in zip(archives, options.every, strict=True)
        ]
    sample = FactSample(*map(np.concatenate, zip(*samples, strict=True)))
    growth = islice(grow_trees(sample, options.seed), options.trees)
    for trees, nats in tqdm(growth, total=options.trees, unit=" trees", file=sys.stderr):
        tell(f"{len(trees.questions) - 1} trees: {nats:.4f} nats")
    learning = _in_turn(archives, range(options.parts))
    few = Trees(*(part[: options.quick] for part in trees))
    with tqdm(total=2 * learning.games, desc="leaves", unit=" games", file=sys.stderr) as bar:
        whole, quick = (train_trees(learning, knowledge, some, bar.update) for some in (trees, few))
    manifest = {
        "trees": options.trees,
        "quick_trees": options.quick,
        "positions": len(sample.played),
        "games_of_leaves": learning.games,
        "patterns": describe(options.patterns),
        "context": describe(options.context),
        "collections": [describe(Path(path)) for path in options.games],
    }
    write_trees(options.out, whole, quick, manifest)
    read_trees(options.out)
    tell(f"{options.trees} trees from {count} games")


def make_responses(options: argparse.Namespace) -> None:
    """Learn the responses from games that the ranking model has not learned from."""
    knowledge = read_patterns(options.patterns).knowledge
    trees = read_trees(options.trees)[0]
    knowledge = knowledge._replace(context=read_context(options.context), trees=trees)
    archives = [read_archive(path, options.max_games) for path in options.games]
    games = _in_turn(archives, range(PARTS - options.parts, PARTS))
    if not len(games.moves):
        raise BadSetup("no moves to learn from")
    with tqdm(total=games.games, unit=" games", file=sys.stderr) as bar:
        responses = train_responses(games, knowledge, options.most, bar.update)
    manifest = {
        "classes": int(np.count_nonzero(responses.keys)),
        "games": games.games,
        "moves": len(games.moves),
        "patterns": describe(options.patterns),
        "context": describe(options.context),
        "trees": describe(options.trees),
        "collections": [describe(Path(path)) for path in options.games],
    }
    write_responses(options.out, responses, manifest)
    read_responses(options.out)
    tell(f"{manifest['classes']} responses from {games.games} games")


def _in_turn(archives: Sequence[GameArchive], parts: range) -> GameArchive:
    """Return some of the PARTS of each archive, the first ones first."""
    return join_archives(
        [
            cut_games(archive, *(archive.games * end // PARTS for end in (part, part + 1)))
            for part in parts
            for archive in archives
        ]
    )


def make_solver(options: argparse.Namespace) -> None:
    """Learn the capture solver's priors."""
    settings = SolverTrainingSettings(
        problems=options.problems, max_nodes=options.max_nodes, passes=options.passes
    )
    earlier = {"resume": options.resume, "anew": options.anew}
    passes = train_solver(settings, options.out, say=tell, **earlier)
    read_priors(options.out)
    tell(json.dumps(passes))


def make_life(options: argparse.Namespace) -> None:
    """Learn the promise of moves in random fights over life."""
    settings = LifeTrainingSettings(options.positions, options.nodes, seed=options.seed)
    tell(str(train_life(settings, options.out)))


def make_calibration(options: argparse.Namespace) -> None:
    """Learn how certain the shown values may be."""
    ended: list[EndedPosition] = []
    for path in options.positions:
        ended += _ended_positions(*read_kept(path, "positions"))
    looks = []
    for path in options.searches:
        looks += read_looks(*read_kept(path, "positions"))
    gaps, choices = gaps_of(looks), choices_of(looks)
    reach = read_calibration(CALIBRATION_TABLE).reach
    calibration = fit_calibration(ended, gaps, choices, reach)
    manifest: Manifest = {
        "results": len(ended),
        "positions": [path.name for path in options.positions],
        "differences": len(gaps),
        "choices": len(choices),
        "searches": [path.name for path in options.searches],
    }
    _write_calibration(options.out, calibration, manifest)


def make_reach(options: argparse.Namespace) -> None:
    """Learn anew how far a strong judge's leads lie from those of a table, nothing else."""
    judged = [
        JudgedLead(evidence_of(row), row["lead"], row["weight"])
        for path in options.judged
        for row in read_kept(path, "positions")[0]
    ]
    calibration = read_calibration(options.table)
    calibration = calibration._replace(reach=fit_reach(judged, calibration))
    manifest = CALIBRATION.read(options.table).manifest | {
        "judged": round(sum(one.weight for one in judged)),
        "judged_positions": [path.name for path in options.judged],
    }
    _write_calibration(options.out, calibration, manifest)


def _write_calibration(path: Path, calibration: Calibration, manifest: Manifest) -> None:
    """Write a table and print it."""
    write_calibration(path, calibration, manifest)
    for name, weights in read_calibration(path)._asdict().items():
        tell(f"{name}: {', '.join(f'{weight:.3f}' for weight in weights.ravel())}")
    tell(json.dumps(manifest))


def _ended_positions(rows: Sequence[Row]) -> list[EndedPosition]:
    """Return positions with what the longest search of each one went on to find.

    rows  in which searches of one position are one search, looked at after some roll-outs
    """
    longest: dict[tuple[str, int], Evidence] = {}
    for row in rows:
        place, evidence = (row["game"], row["moves"]), evidence_of(row)
        if place not in longest or evidence.rollouts > longest[place].rollouts:
            longest[place] = evidence
    ended = []
    for row in rows:
        evidence, end = evidence_of(row), longest[row["game"], row["moves"]]
        more, longer = end.rollouts - evidence.rollouts, None
        # As many again tell little that is new.
        if more > 2 * evidence.rollouts:
            total = end.rollouts * end.margin - evidence.rollouts * evidence.margin
            longer = LongerSearch(more, total / more)
        ended.append(
            EndedPosition(
                evidence, row["result"], row.get("stronger", 0.0), row.get("weight", 1.0), longer
            )
        )
    return ended


def tell(line: str) -> None:
    """Print the progress of a table, without disturbing progress bars."""
    print(line, file=sys.stderr)


def build_parser() -> argparse.ArgumentParser:
    """Return the command line: a subcommand a table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    tables = parser.add_subparsers(dest="table", required=True)

    def add(name: str, make: Callable[[argparse.Namespace], None]) -> argparse.ArgumentParser:
        command = tables.add_parser(name, help=(make.__doc__ or "").splitlines()[0])
        command.add_argument("--out", type=Path, required=True)
        command.set_defaults(make=make)
        return command

    patterns, rollout = add("patterns", make_patterns), add("rollout", make_rollout)
    for command in (patterns, rollout):
        command.add_argument("--games", nargs="+", required=True, metavar="PATH")
        command.add_argument("--max-games", type=int, help="most games, from the first on")
    patterns.add_argument("--max-patterns", type=int, default=CLASSES, help="most telling ones")
    context = add("context", make_context)
    context.add_argument("--games", nargs="+", required=True, metavar="PATH")
    context.add_argument("--max-games", type=int, help="most games of each path")
    context.add_argument("--patterns", type=Path, default=PATTERN_TABLE)
    trees, responses = add("trees", make_trees), add("responses", make_responses)
    # The defaults, with these three paths, made the shipped tables.
    for command, parts, which in ((trees, 12, "the first, for leaves"), (responses, 8, "the last")):
        command.add_argument(
            "--games", nargs="+", required=True, metavar="PATH",
            help="train-handicap, train-ai and train-9x9 made the shipped table",
        )  # fmt: skip
        command.add_argument("--parts", type=int, default=parts, help=f"twentieths ({which})")
        command.add_argument("--max-games", type=int, help="most games of each path")
        command.add_argument("--patterns", type=Path, default=PATTERN_TABLE)
        command.add_argument("--context", type=Path, default=CONTEXT_TABLE)
    trees.add_argument(
        "--every", nargs="+", type=int, default=[12, 10, 4], metavar="N",
        help="moves from one position to the next, a number for each path",
    )  # fmt: skip
    trees.add_argument("--trees", type=int, default=500)
    trees.add_argument("--quick", type=int, default=100, help="of these, for most positions")
    trees.add_argument("--seed", type=int, default=1)
    responses.add_argument("--trees", type=Path, default=TREE_TABLE)
    responses.add_argument("--most", type=int, default=RESPONSES, help="most telling classes")
    solver = add("solver", make_solver)
    solver.add_argument("--problems", type=Path, required=True, metavar="FILE.jsonl")
    solver.add_argument("--passes", type=int, default=PASSES, help="over the problems")
    solver.add_argument("--max-nodes", type=int, default=20_000, help="positions a problem")
    life = add("life", make_life)
    life.add_argument("--positions", type=int, default=1000, help="random fights")
    life.add_argument("--nodes", type=int, default=6000, help="positions a search")
    life.add_argument("--seed", type=int, default=1)
    calibration = add("calibration", make_calibration)
    calibration.add_argument("--positions", nargs="+", type=Path, required=True, metavar="FILE")
    calibration.add_argument("--searches", nargs="+", type=Path, required=True, metavar="FILE")
    reach = add("reach", make_reach)
    reach.add_argument("--judged", nargs="+", type=Path, required=True, metavar="FILE")
    reach.add_argument("--table", type=Path, default=CALIBRATION_TABLE, help="of the other weights")
    for command in (patterns, solver):
        earlier = command.add_mutually_exclusive_group()
        earlier.add_argument("--resume", action="store_true", help="go on with a stopped run")
        earlier.add_argument("--anew", action="store_true", help="delete a stopped run")
    return parser


@reported
def main(arguments: Sequence[str] | None = None) -> int:
    """Make one table; return the exit status."""
    options = build_parser().parse_args(arguments)
    options.make(options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
