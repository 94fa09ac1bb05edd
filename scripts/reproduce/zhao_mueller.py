"""Reproduce Zhao & Mueller's tables and figures.

    python -m scripts.reproduce.zhao_mueller --games 100

Their own 100 games are not published; these are drawn by the same recipe (Section 5.1). The
defaults run in less than a minute; ``--games 100`` is the paper's size.

The 1 % rows of Table 2 are not reproduced. They exceed the hard bound 1 / (2 sqrt k) for large k,
so they cannot be sampling errors alone.
"""

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from tqdm import tqdm

from engine.pcg.exact import solve
from engine.pcg.game import Sum, random_sum
from scripts.failures import reported
from scripts.reproduce.papers.pcg.alpha_beta import solve_by_search
from scripts.reproduce.papers.pcg.monte_carlo import (
    ALL_TERMINALS,
    Sampling,
    interior_value,
    make_sampler,
)
from scripts.reproduce.papers.pcg.trials import (
    PositionValues,
    node_counts,
    ordering_errors,
    play_match,
    random_position,
    sampling_errors,
)
from scripts.tables import TableRow, print_table

# n_c as in the paper's Figures 2, 4 and 5; 0 stands for "all".
SAMPLES = (1, 10, 100, 1000)
SHARES = (1.0, 0.1, 0.01)
Figure = tuple[str, list[str], list[TableRow]]


def table_1(options: argparse.Namespace, rng: np.random.Generator) -> Figure:
    """Return the numbers of nodes for 12 to 15 subgames (Table 1)."""
    rows = [[n, *node_counts(n)] for n in range(12, 16)]
    return "Table 1: nodes", ["subgames", "all", "terminal", "distinct", "distinct terminal"], rows


def table_2(options: argparse.Namespace, rng: np.random.Generator) -> Figure:
    """Return the deviation of sampled win probabilities from the exact ones (Table 2)."""
    counts = [3, 10, 33, 100, 333, 1000, 3333, 10000, 33333]
    counts = [k for k in counts if k <= options.max_samples]
    rows: list[TableRow] = [["bound", "", *(f"{1 / (2 * np.sqrt(k)):.4f}" for k in counts)]]
    for granularity, name in ((100, "1 %"), (100000, "0.001 %")):
        for n in (14, 17, 20):
            errors = [
                sampling_errors(random_sum(n, rng, granularity), counts, rng)
                for _ in _progress(range(options.nodes), f"table 2, n={n}")
            ]
            rows.append([name, n, *(f"{deviation:.4f}" for deviation in np.std(errors, axis=0))])
    return "Table 2: deviation by samples", ["granularity", "subgames", *map(str, counts)], rows


def table_3(options: argparse.Namespace, rng: np.random.Generator) -> Figure:
    """Return the statistics of solving random games, and the ratio of the two solvers (Table 3)."""
    columns: dict[str, list[float]] = {}
    for game in _progress(_games(options, rng), "table 3"):
        search, searched = _timed(solve_by_search, game, rng)
        backwards, solution = _timed(solve, game)
        sampler = make_sampler(game, exact=True)
        # P'_w of the start without any sampling: the paper's 0.148 off in the mean.
        mean = interior_value(sampler, 0, 0, Sampling(1.0, ALL_TERMINALS, 0), rng)
        for name, value in (
            ("search seconds", search),
            ("nodes", searched.nodes),
            ("terminals", searched.terminals),
            ("cache hits", searched.hits),
            ("win probability", solution.value),
            ("backwards seconds", backwards),
            ("search / backwards", search / backwards),
            ("|P_w - P'_w|", abs(solution.value - mean)),
            ("difference of the solvers", abs(solution.value - searched.value)),
        ):
            columns.setdefault(name, []).append(value)
    rows = [[name, f"{np.mean(x):.4g}", f"{np.std(x):.2g}"] for name, x in columns.items()]
    return f"Table 3: solving {options.games} games", ["", "mean", "deviation"], rows


def figure_2(options: argparse.Namespace, rng: np.random.Generator) -> Figure:
    """Return the solving time by depth limit, share of terminals and samples (Fig. 2)."""
    games = _games(options, rng)
    # d_m = 0: the straight lines of the figure.
    history = [_timed(solve_by_search, g, rng, 0)[0] for g in games]
    rows: list[TableRow] = [["history", "", "", f"{np.mean(history):.4f}", ""]]
    settings = [(d, s, t) for d in (2, 4, 8) for s in SAMPLES for t in SHARES]
    for depth, samples, share in _progress(settings, "figure 2"):
        timed = [_timed(solve_by_search, g, rng, depth, share, samples) for g in games]
        nodes = np.mean([result.nodes for _, result in timed])
        rows.append(
            [depth, samples, share, f"{np.mean([t for t, _ in timed]):.4f}", f"{nodes:.0f}"]
        )
    return "Figure 2: solving time", ["d_m", "n_c", "n_t", "seconds", "nodes"], rows


def figure_3(options: argparse.Namespace, rng: np.random.Generator) -> Figure:
    """Return time, nodes and terminals by the depth limit of Monte-Carlo ordering (Fig. 3)."""
    games = _games(options, rng)
    rows = []
    for depth in _progress(range(options.subgames + 1), "figure 3"):
        timed = [_timed(solve_by_search, g, rng, depth) for g in games]
        results = [result for _, result in timed]
        rows.append(
            [
                depth,
                f"{np.mean([t for t, _ in timed]):.4f}",
                f"{np.mean([r.nodes for r in results]):.0f}",
                f"{np.mean([r.terminals for r in results]):.0f}",
            ]
        )
    return "Figure 3: depth limit (n_t 1, n_c 10)", ["d_m", "seconds", "nodes", "terminals"], rows


def figure_4(options: argparse.Namespace, rng: np.random.Generator) -> Figure:
    """Return the results of the perfect player against the heuristic one, and the times of both.

    Source: Fig. 4.
    """
    settings = [(d, s) for d in range(1, options.depth + 1) for s in (*SAMPLES, 0)]
    shares: dict[tuple[int, int], list[float]] = {setting: [] for setting in settings}
    seconds: dict[tuple[int, int], list[float]] = {setting: [] for setting in settings}
    search_seconds = []
    for game in _progress(_games(options, rng), "figure 4"):
        positions = PositionValues(game)
        # The paper's perfect player is its alpha-beta solver; ``solve`` would not be comparable.
        search_seconds.append(_timed(solve_by_search, game, rng)[0])
        for setting in settings:
            result = play_match(game, positions, rng, *setting)
            shares[setting].append(result.perfect_prob)
            seconds[setting].append(result.seconds)
    rows = [
        [
            depth,
            samples or "all",
            f"{100 * np.mean(shares[depth, samples]):.2f}",
            f"{100 * np.std(shares[depth, samples]) / np.sqrt(options.games):.2f}",
            f"{np.mean(seconds[depth, samples]):.4f}",
            f"{np.mean(search_seconds) / np.mean(seconds[depth, samples]):.3g}",
        ]
        for depth, samples in settings
    ]
    columns = ["depth", "n_c", "perfect wins %", "+-", "seconds a game", "perfect's time / its"]
    return "Figure 4: perfect against Monte-Carlo player", columns, rows


def figure_5(options: argparse.Namespace, rng: np.random.Generator) -> Figure:
    """Return the average and worst probability error of Monte-Carlo move ordering (Fig. 5)."""
    settings = [(k, s) for k in range(options.subgames - 1) for s in (*SAMPLES, 0)]
    errors: dict[tuple[int, int], list[tuple[float, float]]] = {x: [] for x in settings}
    for game in _progress(_games(options, rng), "figure 5"):
        positions = PositionValues(game)
        for k in range(options.subgames - 1):
            left, right = random_position(options.subgames, k, rng)
            for samples in (*SAMPLES, 0):
                found = ordering_errors(game, positions, left, right, samples, rng)
                errors[k, samples].append(found)
    rows = [
        [k, samples or "all", *(f"{error:.2e}" for error in np.mean(errors[k, samples], axis=0))]
        for k, samples in settings
    ]
    return "Figure 5: ordering errors", ["node depth", "n_c", "average", "worst"], rows


PARTS: dict[str, Callable[[argparse.Namespace, np.random.Generator], Figure]] = {
    "table1": table_1,
    "table2": table_2,
    "table3": table_3,
    "figure2": figure_2,
    "figure3": figure_3,
    "figure4": figure_4,
    "figure5": figure_5,
}


def _games(options: argparse.Namespace, rng: np.random.Generator) -> list[Sum]:
    """Return the random games of one experiment."""
    return [random_sum(options.subgames, rng) for _ in range(options.games)]


def _progress(items: Sequence[Any], name: str) -> Any:
    """Return the items with a progress bar, which is shown on terminals only."""
    return tqdm(items, desc=name, leave=False, disable=None)


def _timed(work: Callable[..., Any], *arguments: Any) -> tuple[float, Any]:
    """Return the seconds a call took and its result."""
    begun = time.perf_counter()
    result = work(*arguments)
    return time.perf_counter() - begun, result


@reported
def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)} (all)")
    parser.add_argument("--games", type=int, default=2, help="random games (paper: 100)")
    parser.add_argument("--subgames", type=int, default=14, help="in each (paper: 14)")
    parser.add_argument("--nodes", type=int, default=50, help="of Table 2 (paper: 100)")
    parser.add_argument("--max-samples", type=int, default=3333, help="of Table 2 (paper: 33333)")
    parser.add_argument("--depth", type=int, default=2, help="largest of Figure 4")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    unknown = [part for part in options.parts if part not in PARTS]
    if unknown:
        parser.error(f"unknown part {unknown[0]!r}; choose from {', '.join(PARTS)}")
    sizes = (options.games, options.nodes, options.depth)
    if min(sizes) < 1 or options.subgames < 2 or options.max_samples < 3:
        parser.error("sizes must be positive, with at least 2 subgames and 3 samples")
    solve(random_sum(3, np.random.default_rng(0)))  # compiles
    rng = np.random.default_rng(options.seed)
    solve_by_search(random_sum(3, rng), rng)  # compiled before anything is timed
    for part in options.parts or PARTS:
        title, columns, rows = PARTS[part](options, rng)
        print(f"\n{title}")
        print_table(columns, rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
