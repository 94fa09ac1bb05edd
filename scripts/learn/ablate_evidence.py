"""Measure the worth of each kind of evidence about a move: train without one, and predict.

python -m scripts.learn.ablate_evidence --games train-01.tar.gz --max-games 2000 \
    --test test-4400.tar.gz --max-test-games 100 --out ablation.json

A left-out part is believed from the start to be worth exactly nothing, so the training and the
games are the same throughout. Each result is saved when it is ready. Results that OUT already has
are not repeated.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from tqdm import tqdm

from engine.errors import YomiError
from engine.patterns.evidence import GROUP_NAMES, GROUP_SIZES
from engine.patterns.valuing import FIRST_ROWS, no_patterns
from patterns_db.patterns.checkpoints import add_up
from patterns_db.patterns.evaluation import EvaluatedModel, evaluate
from patterns_db.patterns.harvest import Harvest, harvest
from patterns_db.patterns.pipeline import DEFAULT_BETA
from patterns_db.patterns.report import summarize
from patterns_db.patterns.training import TOLERANCE, Trainer, new_learned, place_classes
from patterns_db.records.archive import GameArchive, join_archives, read_archive
from scripts.game_options import learning_parser
from scripts.kept_rows import KeptRows, Row
from scripts.learn.size_accuracy import KEPT
from scripts.tables import print_table

MODEL = "evidence"
PATTERNS = "patterns"
NOTHING = "nothing"  # the part that is left out
CERTAIN = 1e-12  # variance of a belief that no game moves


def rows_of(part: str, slots: int) -> slice:
    """Return the rows of the beliefs that a part of the evidence has.

    part   a name of GROUP_NAMES, "patterns" or "nothing"
    slots  rows of pattern classes; "no class matches" is one more, then the groups follow
    """
    if part == NOTHING:
        return slice(0, 0)
    if part == PATTERNS:
        return slice(0, slots + 1)
    group = GROUP_NAMES.index(part)
    first = slots + FIRST_ROWS[group]
    return slice(first, first + GROUP_SIZES[group])


def measure(part: str, games: GameArchive, found: Harvest, test: GameArchive) -> Row:
    """Train without a part of the evidence; return how well the rest predicts."""
    classes = place_classes(found)
    slots = len(classes.keys)
    learned = new_learned(slots)
    # A certain belief takes no share of a game's information: the rest learns as if it were absent.
    learned.evidence[rows_of(part, slots)] = (0.0, CERTAIN)
    # The model with evidence alone: the paper's has none to leave out.
    trainer = Trainer(games, classes, learned, DEFAULT_BETA**2, TOLERANCE, (MODEL,))
    with tqdm(total=len(games.moves), desc=f"without {part}", unit="move") as bar:
        for step in trainer.steps():
            bar.update(step())
    add_up(learned.evidence, found, classes.rows)
    knowledge = no_patterns()._replace(keys=classes.keys, beta_squared=DEFAULT_BETA**2)
    model = EvaluatedModel(MODEL, knowledge, learned.evidence)
    return row_of(part, model, test)


def row_of(part: str, model: EvaluatedModel, test: GameArchive) -> Row:
    """Return how well a model without a part predicts, as a row of the results."""
    summary = summarize(evaluate(test, model), test.games, test.names, MODEL)
    return {"without": part, **{name: summary[name] for name in KEPT}}


def print_found(found: Sequence[Row]) -> None:
    """Print the table of the results."""
    print_table(
        ["without", "top 1 %", "top 5 %", "log evidence"],
        [
            [row["without"], 100 * row["top1"], 100 * row["top5"], row["mean_log_evidence"]]
            for row in found
        ],
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what is missing, print all; return the exit status."""
    parser = learning_parser(__doc__)
    parts = (NOTHING, PATTERNS, *GROUP_NAMES)
    parser.add_argument("--without", nargs="+", default=parts, choices=parts)
    parser.add_argument("--out", type=Path, required=True, metavar="FILE.json")
    options = parser.parse_args(arguments)
    try:
        found = run(options)
    except (YomiError, OSError) as error:
        print(f"ablate_evidence: {error}", file=sys.stderr)
        return 1
    print_found(found)
    return 0


def run(options: argparse.Namespace) -> list[Row]:
    """Return the results, in order of measuring, after measuring those that OUT lacks."""
    archives = [read_archive(path, options.max_games) for path in options.games]
    games = join_archives(archives, options.max_games)
    archives = [read_archive(path, options.max_test_games) for path in options.test]
    test = join_archives(archives, options.max_test_games)
    setting = {"games": games.games, "test_games": test.games}
    found = KeptRows(options.out, setting, "found", "other games")
    done = {row["without"] for row in found.rows}
    # Once for all parts: the set of classes does not depend on the beliefs.
    harvested = harvest(games)
    for part in dict.fromkeys(options.without):
        if part not in done:
            found.add(measure(part, games, harvested, test))
    return found.rows


if __name__ == "__main__":
    sys.exit(main())
