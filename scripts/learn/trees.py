"""The trees of the ranking model, for ``make_tables``."""

import argparse
import sys
from itertools import islice
from pathlib import Path

from tqdm import tqdm

from engine import BadSetup
from patterns_db.patterns.context_table import read_context
from patterns_db.patterns.tree_growing import grow_trees
from patterns_db.patterns.tree_table import read_trees, write_trees
from patterns_db.patterns.tree_training import sample_facts, train_trees
from patterns_db.records.archive import cut_games, join_archives, read_archive
from patterns_db.records.digests import describe
from patterns_db.shipped import CONTEXT_TABLE, PATTERN_TABLE
from patterns_db.store.table_files import read_patterns

TURNS = 20  # parts of each path for the leaves of trees


def add_tree_options(trees: argparse.ArgumentParser) -> None:
    """Add the options of ``make_trees``."""
    trees.add_argument("--games", nargs="+", required=True, metavar="PATH")
    trees.add_argument("--max-games", type=int, help="most games of each path")
    trees.add_argument(
        "--learning-games", type=int, default=1500, help="games of each path for the leaves"
    )
    trees.add_argument("--every", type=int, default=12, help="moves from one position to the next")
    trees.add_argument("--trees", type=int, default=125)
    trees.add_argument("--seed", type=int, default=1)
    trees.add_argument("--patterns", type=Path, default=PATTERN_TABLE)
    trees.add_argument("--context", type=Path, default=CONTEXT_TABLE)


def make_trees(options: argparse.Namespace) -> None:
    """Learn the trees of the ranking model from games that it has not learned from."""
    knowledge = read_patterns(options.patterns).knowledge
    knowledge = knowledge._replace(context=read_context(options.context))
    archives = [read_archive(path, options.max_games) for path in options.games]
    games = join_archives(archives)
    if not len(games.moves):
        raise BadSetup("no moves to learn from")
    with tqdm(total=games.games, desc="facts", unit=" games", file=sys.stderr) as bar:
        sample = sample_facts(games, knowledge, options.every, options.seed, bar.update)
    growth = islice(grow_trees(sample, options.seed), options.trees)
    for trees, nats in tqdm(growth, total=options.trees, unit=" trees", file=sys.stderr):
        tqdm.write(f"{len(trees.questions) - 1} trees: {nats:.4f} nats", sys.stderr)
    # The paths in turn, so that none of them comes last.
    shorter = [join_archives([archive], options.learning_games) for archive in archives]
    learning = join_archives(
        [
            cut_games(part, part.games * turn // TURNS, part.games * (turn + 1) // TURNS)
            for turn in range(TURNS)
            for part in shorter
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
    tqdm.write(f"{options.trees} trees from {games.games} games", sys.stderr)
