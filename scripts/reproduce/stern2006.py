"""Reproduce Figures 3 (right), 4 and 5 of Stern, Herbrich & Graepel (2006) as tables.

    python -m scripts.reproduce.stern2006 --games TRAIN --test TEST

Three models of patterns alone are trained and tested on the same games: the ranking model with
independent classes (as printed), the same with nested classes, and the independent Bernoulli model.
``yomi evaluate --plot`` draws these figures of one trained model. Tests of both models cover the
three worlds of Figure 3 (left).
"""

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

from engine.patterns.templates import TEMPLATES
from patterns_db.patterns.evaluation import (
    ABOVE,
    EQUAL,
    LEGAL,
    TEMPLATE,
    Evaluation,
    evaluate,
    open_model,
)
from patterns_db.patterns.pipeline import train_patterns
from patterns_db.patterns.report import (
    CLASSES,
    Summary,
    among_first,
    phase_names,
    phases_of,
    rank_errors,
    summarize,
)
from patterns_db.patterns.training import TrainingSettings
from patterns_db.records.archive import read_archive
from scripts.failures import reported
from scripts.tables import TableRow, print_table

INDEPENDENT, NESTED, BERNOULLI = "independent", "nested", "bernoulli"
# Moves before which a full-board match is counted, in the list of such matches.
OPENING = (1, 3, 5, 9, 17, 1000)


def trained_and_tested(options: argparse.Namespace) -> dict[str, tuple[Evaluation, Summary]]:
    """Return results and summaries by INDEPENDENT, NESTED, BERNOULLI."""
    tests = read_archive(options.test, options.max_test_games)
    found: dict[str, tuple[Evaluation, Summary]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for classes in (INDEPENDENT, NESTED):
            table = Path(folder) / f"{classes}.table"
            independent = classes == INDEPENDENT
            settings = TrainingSettings(
                tuple(options.games), max_games=options.max_games, independent=independent
            )
            train_patterns(settings, table, say=lambda line: print(line, file=sys.stderr))
            # Both trainings have the same Bernoulli counts.
            for name in ("paper", BERNOULLI) if independent else ("paper",):
                model = open_model(table, name)
                with tqdm(total=tests.games, desc=name, disable=None) as bar:
                    result = evaluate(tests, model, bar.update)
                summary = summarize(result, tests.games, tests.names, name, classes)
                found[BERNOULLI if name == BERNOULLI else classes] = result, summary
    return found


def print_models(found: dict[str, tuple[Evaluation, Summary]]) -> None:
    """Print the models' accuracy as a whole, by phase, by template and on full boards.

    found  results and summaries by INDEPENDENT, NESTED, BERNOULLI
    """
    summaries = {name: summary for name, (_, summary) in found.items()}
    positions = summaries[INDEPENDENT]["positions"]
    print(f"{summaries[INDEPENDENT]['games']} test games, {positions} positions")
    print_table(
        ["model", *(f"top {k} %" for k in CLASSES.tops), "log evidence"],
        [
            [name, *(100 * part[f"top{k}"] for k in CLASSES.tops), part["mean_log_evidence"]]
            for name, part in summaries.items()
        ],
    )
    result = found[INDEPENDENT][0]
    phases = phases_of(result.plies)
    print("\nby phase; rank errors and ranks of independent classes")
    _print_parts("moves", phase_names(), [phases == i for i in range(len(phase_names()))], found)
    templates = result.outcomes[:, TEMPLATE]
    names = [str(template) for template in range(TEMPLATES + 1)]
    print("\nby template")
    _print_parts("template", names, [templates == t for t in range(TEMPLATES + 1)], found)
    print("\nfull-board matches")
    print_table(*full_boards(result))


def _print_parts(
    kind: str,
    names: Sequence[str],
    parts: Sequence[Any],
    found: dict[str, tuple[Evaluation, Summary]],
) -> None:
    """Print the accuracy of each model, and ranks, of the positions where a mask is true."""
    outcomes = {name: result.outcomes for name, (result, _) in found.items()}
    rows: list[TableRow] = []
    for name, part in zip(names, parts, strict=True):
        if not part.any():
            continue
        right = [100 * float(among_first(rows_[part], 1).mean()) for rows_ in outcomes.values()]
        errors = rank_errors(outcomes[INDEPENDENT][part])
        quartiles = [float(q) for q in np.quantile(errors, [0.25, 0.5, 0.75])]
        ranks = errors * outcomes[INDEPENDENT][part, LEGAL]
        evidence = [float(found[name_][0].outcomes[part, 4].mean()) for name_ in outcomes]
        share = 100 * float(part.mean())
        rows.append([name, share, *right, *quartiles, float(np.median(ranks)), *evidence])
    header = [kind, "% of moves", *(f"right %, {name}" for name in outcomes)]
    header += ["rank error: 1/4", "1/2", "3/4", "median rank"]
    print_table([*header, *(f"evidence, {name}" for name in outcomes)], rows)


def full_boards(result: Evaluation) -> tuple[list[str], list[TableRow]]:
    """Return a table of the moves whose largest pattern is the whole board, by move number.

    "Ties" are moves whose class also matches elsewhere: symmetric moves of one position. "Right at
    best" counts a tie for the first place as right; "right" counts a share.
    """
    outcomes = result.outcomes
    rows: list[TableRow] = []
    starts = [0, *OPENING[:-1]]
    for first, last in [*zip(starts, OPENING, strict=True), (0, OPENING[-1])]:
        part = (
            (outcomes[:, TEMPLATE] == TEMPLATES) & (result.plies >= first) & (result.plies < last)
        )
        if not part.any():
            continue
        those = outcomes[part]
        rows.append(
            [
                f"{first + 1}-{last}" if last < OPENING[-1] else f"{first + 1}-",
                int(part.sum()),
                100 * float(among_first(those, 1).mean()),
                100 * float((those[:, ABOVE] == 0).mean()),
                100 * float((those[:, EQUAL] > 1).mean()),
                100 * float(among_first(those, 5).mean()),
                float(np.quantile(those[:, ABOVE] + 1, 0.9)),
            ]
        )
    return ["moves", "matches", "right %", "at best %", "ties %", "top 5 %", "90 % rank"], rows


@reported
def main(arguments: Sequence[str] | None = None) -> int:
    """Train, test and print; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", nargs="+", required=True, metavar="PATH", help="to learn from")
    parser.add_argument("--max-games", type=int, default=8000, help="of these (8000)")
    parser.add_argument("--test", required=True, metavar="PATH", help="games to test on")
    parser.add_argument("--max-test-games", type=int, default=400, help="of these (400)")
    options = parser.parse_args(arguments)
    print_models(trained_and_tested(options))
    return 0


if __name__ == "__main__":
    sys.exit(main())
