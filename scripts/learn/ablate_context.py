"""Measure the worth of each group of the context: train without one, and predict.

python -m scripts.learn.ablate_context --games train-01.tar.gz --max-games 200 \
    --test test-4400.tar.gz --max-test-games 60 --out FILE

The first row is the ranking model without any context. A left-out group is believed from the start
to be worth exactly nothing. Results that OUT already has are not repeated.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from engine.errors import YomiError
from engine.patterns.context import CONTEXT_NAMES, CONTEXT_SIZES, FIRST_CONTEXT
from engine.patterns.valuing import PatternKnowledge, beliefs_of
from patterns_db.patterns.context_training import new_context, train_context
from patterns_db.patterns.evaluation import EvaluatedModel
from patterns_db.records.archive import GameArchive, read_archive
from patterns_db.shipped import PATTERN_TABLE
from patterns_db.store.table_files import read_patterns
from scripts.kept_rows import KeptRows, Row
from scripts.learn.ablate_evidence import CERTAIN, MODEL, NOTHING, print_found, row_of

EVERYTHING = "any context"


def learn_without(part: str, games: GameArchive, knowledge: PatternKnowledge) -> PatternKnowledge:
    """Return the model with a context that lacks one group, or with none at all."""
    if part == EVERYTHING:
        return knowledge
    start = new_context()
    if part != NOTHING:
        group = CONTEXT_NAMES.index(part)
        first = FIRST_CONTEXT[group]
        # A certain belief takes no share of a game's information.
        start[first : first + CONTEXT_SIZES[group]] = (0.0, CERTAIN)
    return knowledge._replace(context=train_context(games, knowledge, start))


def run(options: argparse.Namespace) -> list[Row]:
    """Return the results, in order of measuring, after measuring those that OUT lacks."""
    games = read_archive(options.games, options.max_games)
    test = read_archive(options.test, options.max_test_games)
    knowledge = read_patterns(options.patterns).knowledge
    setting = {"games": games.games, "test_games": test.games}
    found = KeptRows(options.out, setting, "found", "other games")
    done = {row["without"] for row in found.rows}
    for part in options.without:
        if part not in done:
            known = learn_without(part, games, knowledge)
            model = EvaluatedModel(MODEL, known, beliefs_of(known))
            found.add(row_of(part, model, test))
    return found.rows


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what is missing, print all; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", required=True, metavar="PATH")
    parser.add_argument("--max-games", type=int)
    parser.add_argument("--test", required=True, metavar="PATH")
    parser.add_argument("--max-test-games", type=int)
    parser.add_argument("--patterns", type=Path, default=PATTERN_TABLE)
    parts = (EVERYTHING, NOTHING, *CONTEXT_NAMES)
    parser.add_argument("--without", nargs="+", default=parts, choices=parts)
    parser.add_argument("--out", type=Path, required=True, metavar="FILE.json")
    options = parser.parse_args(arguments)
    try:
        found = run(options)
    except (YomiError, OSError) as error:
        print(f"ablate_context: {error}", file=sys.stderr)
        return 1
    print_found(found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
