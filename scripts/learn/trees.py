"""The trees of the ranking model, for ``make_tables``."""

import argparse
import sys
from itertools import islice
from pathlib import Path

import numpy as np
from tqdm import tqdm

from engine import BadSetup
from patterns_db.patterns.added_tables import read_context, read_trees, write_trees
from patterns_db.patterns.added_training import train_trees
from patterns_db.patterns.tree_growing import FactSample, grow_trees
from patterns_db.patterns.tree_sampling import sample_facts
from patterns_db.records.archive import cut_games, join_archives, read_archive
from patterns_db.records.digests import describe
from patterns_db.shipped import CONTEXT_TABLE, PATTERN_TABLE
from patterns_db.store.table_files import read_patterns

PARTS = 20  # of the games of each path; the leaves learn from the paths in turn


def add_tree_options(trees: argparse.ArgumentParser) -> None:
    """Add the options of ``make_trees``; the defaults, with these three paths, made the table."""
    trees.add_argument(
        "--games", nargs="+", required=True, metavar="PATH",
        help="train-handicap, train-ai and train-9x9 made the shipped table",
    )  # fmt: skip
    trees.add_argument("--max-games", type=int, help="most games of each path")
    trees.add_argument(
        "--every", nargs="+", type=int, default=[12, 10, 4], metavar="N",
        help="moves from one position to the next, a number for each path",
    )  # fmt: skip
    trees.add_argument("--parts", type=int, default=3, help="twentieths for the leaves")
    trees.add_argument("--trees", type=int, default=300)
    trees.add_argument("--seed", type=int, default=1)
    trees.add_argument("--patterns", type=Path, default=PATTERN_TABLE)
    trees.add_argument("--context", type=Path, default=CONTEXT_TABLE)


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
        tqdm.write(f"{len(trees.questions) - 1} trees: {nats:.4f} nats", sys.stderr)
    learning = join_archives(
        [
            cut_games(archive, *(archive.games * end // PARTS for end in (part, part + 1)))
            for part in range(options.parts)
            for archive in archives
        ]
    )
    with tqdm(total=learning.games, desc="leaves", unit=" games", file=sys.stderr) as bar:
        trees = train_trees(learning, knowledge, trees, bar.update)
    manifest = {
        "trees": options.trees,
        "positions": len(sample.played),
        "games_of_leaves": learning.games,
        "patterns": describe(options.patterns),
        "context": describe(options.context),
        "collections": [describe(Path(path)) for path in options.games],
    }
    write_trees(options.out, trees, manifest)
    read_trees(options.out)
    tqdm.write(f"{options.trees} trees from {count} games", sys.stderr)
