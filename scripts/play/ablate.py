"""Measure the worth of each source of evidence: the full search against itself without it.

    python -m scripts.play.ablate --playouts 400 --games 100 --out FILE

Both sides have the shipped tables and the same number of roll-outs a move. The same command
continues a run that was stopped.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from engine import YomiError
from scripts.kept_rows import Row
from scripts.play.contestants import parse_contestant
from scripts.play.duel import add_conditions, conditions_of, play_duel
from scripts.play.tune_searches import KeptScores
from scripts.tables import print_table

FULL = "yomi"
VARIANTS = {
    "no prior steps by the ranking model": "yomi:informed=0",
    "uniform roll-outs": "yomi:guided=0",
    "no all-moves-as-first evidence": "yomi:lateral=0",
    "full Thompson sampling": "yomi:exploration=1",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Play what is missing and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, required=True, help="the table, JSON")
    parser.add_argument("--only", nargs="+", default=list(VARIANTS.values()), metavar="SEARCH")
    add_conditions(parser, games=100)
    # The full search; the variant names the part that the other side lacks.
    parser.set_defaults(rollouts="guided", priors=True)
    options = parser.parse_args(arguments)
    try:
        conditions = conditions_of(options)
        shared = ("size", "komi", "playouts", "games", "seed")
        facts: dict[str, object] = {name: getattr(options, name) for name in shared}
        table = KeptScores(options.out, {"first": FULL, **facts})
        full = parse_contestant(FULL, options.rollouts, options.priors)
        rows: list[Row] = []
        for text in options.only:
            row = table.find(text, 0)  # round 0: there is only one
            if row is None:
                variant = parse_contestant(text, options.rollouts, options.priors)
                row = table.add_score(text, 0, play_duel(full, variant, options.games, conditions))
            rows.append(row)
    except YomiError as error:
        print(f"ablate: {error}", file=sys.stderr)
        return 2
    names = {text: name for name, text in VARIANTS.items()}
    keys = ("wins", "games", "low", "high")
    table_rows = [
        [names.get(str(row["candidate"]), str(row["candidate"])), *(row[key] for key in keys)]
        for row in rows
    ]
    print_table(["the full search against", "won", "games", "low", "high"], table_rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
