"""Tune a search's constants by successive halving over duels; keep the table as JSON.

    python -m scripts.play.tune_searches --search rave --games 50 --out FILE

Every round, each candidate plays the same number of games against one opponent. The better half
goes on, with twice the games, all of them new, until one is left. Source: Karnin, Koren & Somekh
(2013), "Almost optimal exploration in multi-armed bandits", sequential halving. The winner's score
in the rounds that chose it is biased upwards. The same command continues a run that was stopped.
"""

import argparse
import itertools
import sys
from collections.abc import Sequence
from pathlib import Path

from engine import YomiError
from scripts.kept_rows import KeptRows, Row
from scripts.play.arena import Score
from scripts.play.contestants import parse_contestant
from scripts.play.duel import Conditions, add_conditions, conditions_of, play_duel
from scripts.tables import print_table

GRIDS: dict[str, dict[str, list[float]]] = {
    "uct": {"c": [0.1, 0.2, 0.3, 0.4, 0.6, 0.8, 1.2]},
    # Flat from 0 to 1e-4 at 1,000 uniform roll-outs (24 games each), worse above.
    "rave": {"b2": [0.0, 1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2, 1e-1]},
    "yomi": {
        "step_variance": [1.0, 2.0, 4.0],
        "bias_variance": [0.05, 0.1, 0.2, 0.4],
        "exploration": [0.2, 0.35, 0.5],
    },
}
OPPONENTS = {"uct": "uct", "rave": "rave:b2=0.001", "yomi": "rave"}


class KeptScores(KeptRows):
    """Results by candidate and round, saved to a file one by one."""

    def find(self, candidate: str, number: int) -> Row | None:
        """Return the saved result, None if there is none."""
        for row in self.rows:
            if (row["candidate"], row["round"]) == (candidate, number):
                return row
        return None

    def add_score(self, candidate: str, number: int, score: Score) -> Row:
        """Save a result."""
        row: Row = {
            "candidate": candidate,
            "round": number,
            "wins": score.wins,
            "games": score.games,
            "low": round(score.interval[0], 3),
            "high": round(score.interval[1], 3),
        }
        self.add(row)
        return row


def candidates_of(search: str, grid: dict[str, list[float]]) -> list[str]:
    """Return every combination of a grid's values, as texts for ``parse_contestant``."""
    combinations = itertools.product(*([(k, v) for v in values] for k, values in grid.items()))
    return [f"{search}:{','.join(f'{k}={v:g}' for k, v in some)}" for some in combinations]


def halve(
    candidates: list[str],
    opponent: str,
    games: int,
    conditions: Conditions,
    options: argparse.Namespace,
    table: KeptScores,
) -> str:
    """Return the candidate that survives all rounds."""
    number = 0
    rival = parse_contestant(opponent, options.rollouts, options.priors)
    while len(candidates) > 1:
        shares = {}
        for candidate in candidates:
            row = table.find(candidate, number)
            if row is None:
                # New games every round, with the same seeds for all candidates.
                fresh = conditions._replace(seed=conditions.seed + 100_000 * number)
                contestant = parse_contestant(candidate, options.rollouts, options.priors)
                # Twice the games for half the candidates: every round costs the same (Karnin et
                # al.).
                score = play_duel(contestant, rival, games << number, fresh)
                row = table.add_score(candidate, number, score)
                print(f"round {number}: {candidate} against {opponent}: {score}", flush=True)
            shares[candidate] = float(row["wins"]) / float(row["games"])
        candidates = sorted(candidates, key=lambda text: -shares[text])
        candidates = candidates[: max(len(candidates) // 2, 1)]
        number += 1
    return candidates[0]


def parse_grid(texts: list[str]) -> dict[str, list[float]]:
    """Return a grid from texts like "b2=0.001,0.01"."""
    grid = {}
    for text in texts:
        name, _, values = text.partition("=")
        grid[name] = [float(value) for value in values.split(",")]
    return grid


def main(arguments: Sequence[str] | None = None) -> int:
    """Tune, print the table, and name the winner."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--search", choices=sorted(GRIDS), required=True)
    parser.add_argument("--against", metavar="SEARCH", help="opponent of all candidates")
    parser.add_argument(
        "--grid", nargs="+", metavar="NAME=V,V", default=[], help="instead of the built-in values"
    )
    parser.add_argument("--out", type=Path, required=True, help="the table, JSON")
    add_conditions(parser, games=50)
    options = parser.parse_args(arguments)
    opponent = options.against or OPPONENTS[options.search]
    try:
        grid = parse_grid(options.grid) or GRIDS[options.search]
        conditions = conditions_of(options)
        shared = ("size", "komi", "playouts", "games", "rollouts", "priors", "seed")
        facts = {"opponent": opponent, **{name: getattr(options, name) for name in shared}}
        table = KeptScores(options.out, facts)
        candidates = candidates_of(options.search, grid)
        winner = halve(candidates, opponent, options.games, conditions, options, table)
    except (YomiError, ValueError) as error:
        print(f"tune_searches: {error}", file=sys.stderr)
        return 2
    print_table(list(table.rows[0]), [list(row.values()) for row in table.rows])
    print(f"winner: {winner}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
