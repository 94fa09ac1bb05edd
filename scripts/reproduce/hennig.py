"""Reproduce the experiments of Hennig, Stern & Graepel (2010) as tables.

    python -m scripts.reproduce.hennig figure2 --trees 500 --descents 10000
    python -m scripts.reproduce.hennig figure3 --rollouts 1000
    python -m scripts.reproduce.hennig figure4 --trees 1000
    python -m scripts.reproduce.hennig mismatch --trees 500       (Sec. 3.4, p-game trees)

Figure 2 also shows how often the truth lies in the 50 % and 90 % intervals of the posterior.
"""

import argparse
import math
from collections.abc import Callable, Sequence
from statistics import NormalDist

import numpy as np
from tqdm import trange

from engine.arrays import Floats
from patterns_db.shipped import load_knowledge
from scripts.reproduce.go_sibling_scores import sibling_scores
from scripts.reproduce.papers.hennig.beliefs import gain, gain_table
from scripts.reproduce.papers.hennig.search import ArtificialSearch
from scripts.reproduce.papers.hennig.trees import grow_tree, level_starts
from scripts.tables import TableRow, print_table

# The depths of the paper's Figure 2.
LEVELS = (1, 2, 3)
# Deviations from the mean: half of the rest lies on either side of a central interval.
INSIDE_50, INSIDE_90 = NormalDist().inv_cdf(0.75), NormalDist().inv_cdf(0.95)
METRICS = ("ll_g", "ll_v", "g50", "g90", "v50", "v90", "wrong")


def checkpoints(descents: int) -> list[int]:
    """Return 1, 2, 5, 10, ... up to and including ``descents``."""
    # Even steps on the logarithmic axis of the figure.
    steps = [m * 10**e for e in range(9) for m in (1, 2, 5)]
    return [*(step for step in steps if step < descents), descents]


def judge(truth: Floats, mean: Floats, variance: Floats) -> tuple[float, float, float]:
    """Return mean log likelihood [nats] and coverage of the 50 % and 90 % intervals."""
    distance = np.abs(truth - mean) / np.sqrt(variance)
    log_likelihood = -0.5 * (distance**2 + np.log(2.0 * math.pi * variance))
    return (
        float(log_likelihood.mean()),
        float((distance < INSIDE_50).mean()),
        float((distance < INSIDE_90).mean()),
    )


def learning_curves(arguments: argparse.Namespace, steps: str) -> tuple[list[int], Floats]:
    """Return checkpoints and float64[trees, checkpoints, levels, METRICS] of many searches."""
    moments = checkpoints(arguments.descents)
    starts = level_starts(arguments.branching, arguments.depth)
    result = np.zeros((arguments.trees, len(moments), len(LEVELS), len(METRICS)))
    for number in trange(arguments.trees, desc=steps, disable=None):
        # A stream for each tree, which does not depend on the number of earlier trees.
        rng = np.random.default_rng((arguments.seed, number))
        tree = grow_tree(arguments.branching, arguments.depth, rng, steps)
        search = ArtificialSearch(tree, arguments.branching, arguments.depth, rng)
        for column, moment in enumerate(moments):
            search.run(moment - search.descents)
            for row, level in enumerate(LEVELS):
                # All nodes of a level, seen or not: the paper averages over them.
                nodes = range(starts[level], starts[level + 1])
                belief = np.array([search.belief(node) for node in nodes])
                score = judge(tree.scores[nodes.start : nodes.stop], belief[:, 0], belief[:, 1])
                truth = tree.values[nodes.start : nodes.stop]
                value = judge(truth, belief[:, 2], belief[:, 3])
                # The sign of the value decides win or loss (Section 3.4).
                wrong = float(((belief[:, 2] > 0.0) != (truth > 0.0)).mean())
                result[number, column, row] = (
                    score[0], value[0], *score[1:], *value[1:], wrong,
                )  # fmt: skip
    return moments, result


def curve_rows(moments: list[int], result: Floats, names: Sequence[str]) -> list[TableRow]:
    """Return one row a checkpoint: each named metric at each level, averaged over the trees."""
    mean = result.mean(axis=0)
    columns = [METRICS.index(name) for name in names]
    return [
        [moment, *(float(mean[i, j, c]) for c in columns for j in range(len(LEVELS)))]
        for i, moment in enumerate(moments)
    ]


def figure_2(arguments: argparse.Namespace) -> None:
    """Print the log likelihood of the true g and v at depths 1, 2, 3 against descents (Fig. 2)."""
    moments, result = learning_curves(arguments, "gaussian")
    error = result.std(axis=0, ddof=1) / math.sqrt(max(arguments.trees, 1))
    print(f"log likelihood of the truth [nats], {arguments.trees} trees")
    names = ["ll_g", "ll_v"]
    header = ["descents", *(f"{name}@{level}" for name in names for level in LEVELS)]
    print_table(header, curve_rows(moments, result, names))
    print(f"largest standard error in this table: {error[:, :, :2].max():.4f}")
    print("\nshare of true scores and values inside the central intervals of the posterior")
    names = ["g50", "g90", "v50", "v90"]
    header = ["descents", *(f"{name}@{level}" for name in names for level in LEVELS)]
    print_table(header, curve_rows(moments, result, names))


def figure_3(arguments: argparse.Namespace) -> None:
    """Print quantiles of centered sibling scores of Go against a standard normal.

    Source: Fig. 3. The deviation includes the sampling noise of the roll-outs, which is printed
    beside it.
    """
    path = sibling_scores(
        arguments.size,
        arguments.komi,
        arguments.rollouts,
        arguments.seed,
        # An existing table would be used, so uniform roll-outs get none.
        load_knowledge(patterns=None).policy if arguments.policy == "guided" else None,
    )
    rows: list[TableRow] = []
    levels = (0.05, 0.25, 0.5, 0.75, 0.95)
    for siblings in path[:: arguments.every]:
        # Figure 3 centers them, because the parent's own score is not known here.
        centered = siblings.scores - siblings.scores.mean()
        deviation = float(centered.std())
        rows.append(
            [
                siblings.plies_played,
                len(centered),
                siblings.length,
                deviation,
                siblings.noise,
                float((centered**4).mean() / deviation**4 - 3.0),
                *(float(q) for q in np.quantile(centered, levels)),
            ]
        )
    print(f"sibling scores g - mean, {arguments.policy} roll-outs, {arguments.rollouts} a move")
    quantiles = [f"q{100 * level:.0f} ({NormalDist().inv_cdf(level):+.2f})" for level in levels]
    print_table(["ply", "moves", "length", "deviation", "noise", "kurtosis", *quantiles], rows)


def figure_4(arguments: argparse.Namespace) -> None:
    """Print histograms of the gain 6 and 5 plies before the end, and the predictions (Fig. 4)."""
    # Figure 4 looks 6 and 5 plies ahead: the root of a tree of depth 6, and its children.
    branching, depth = arguments.branching, 6
    gains: dict[int, list[Floats]] = {6: [], 5: []}
    rng = np.random.default_rng(arguments.seed)
    for _ in trange(arguments.trees, desc="trees", disable=None):
        tree = grow_tree(branching, depth, rng)
        gains[6].append(tree.values[:1] - tree.scores[:1])
        gains[5].append((tree.values - tree.scores)[1 : branching + 1])
    table = gain_table(branching, depth)
    rows, curves = [], []
    edges = np.arange(-5.0, 5.0, 0.25)
    # MAX moves at the root and MIN below: MIN moves last in both.
    for plies, sign in ((6, 1.0), (5, -1.0)):
        truth = np.concatenate(gains[plies])
        mean, variance = gain(table, plies, sign)
        predicted = NormalDist(mean, math.sqrt(variance))
        expected = np.diff([predicted.cdf(edge) for edge in edges])
        found = np.histogram(truth, edges)[0] / len(truth)
        # Total variation: the share that lies in the wrong place.
        distance = 0.5 * float(np.abs(expected - found).sum())
        rows.append(
            [plies, len(truth), float(truth.mean()), mean, float(truth.var()), variance, distance]
        )
        curves.append((plies, found / 0.25, predicted))
    print(f"gain v - g, b = {branching}, MIN moves last, {arguments.trees} trees")
    print_table(
        ["plies", "nodes", "mean", "predicted", "variance", "predicted", "total variation"], rows
    )


def mismatch(arguments: argparse.Namespace) -> None:
    """Print the share of misclassified nodes, model trees against p-game trees (Sec. 3.4)."""
    curves = {}
    for steps in ("gaussian", "p-game"):
        moments, curves[steps] = learning_curves(arguments, steps)
        print(f"\n{steps} trees: misclassified nodes, log likelihood of v [nats]")
        names = ["wrong", "ll_v"]
        header = ["descents", *(f"{name}@{level}" for name in names for level in LEVELS)]
        print_table(header, curve_rows(moments, curves[steps], names))


EXPERIMENTS: dict[str, tuple[Callable[[argparse.Namespace], None], dict[str, int]]] = {
    "figure2": (figure_2, {"trees": 500, "branching": 2}),
    "figure3": (figure_3, {"trees": 0, "branching": 0}),
    "figure4": (figure_4, {"trees": 1000, "branching": 5}),
    "mismatch": (mismatch, {"trees": 500, "branching": 2}),
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one experiment from the command line."""
    parser = argparse.ArgumentParser(
        prog="hennig", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    commands = parser.add_subparsers(dest="experiment", required=True)
    for name, (function, defaults) in EXPERIMENTS.items():
        command = commands.add_parser(name, help=(function.__doc__ or "").splitlines()[0])
        command.add_argument("--seed", type=int, default=1)
        if name == "figure3":
            command.add_argument("--policy", choices=("uniform", "guided"), default="uniform")
            command.add_argument("--rollouts", type=int, default=1000, help="a move")
            command.add_argument("--size", type=int, default=9)
            command.add_argument("--komi", type=float, default=7.5)
            command.add_argument("--every", type=int, default=5, help="print every n-th position")
            continue
        command.add_argument("--trees", type=int, default=defaults["trees"])
        command.add_argument("--branching", type=int, default=defaults["branching"])
        if name == "figure4":
            continue
        command.add_argument("--depth", type=int, default=18)
        command.add_argument("--descents", type=int, default=10_000)
    options = parser.parse_args(arguments)
    EXPERIMENTS[options.experiment][0](options)


if __name__ == "__main__":
    main()
