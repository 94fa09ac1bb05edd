"""Reproduce the experiments of Baum (1993) on artificial game trees, as tables.

    python -m scripts.reproduce.baum valuation --trees 300     BPIP against minimax, same trees
    python -m scripts.reproduce.baum growth --trees 300        ESS growth against full width

Leaf distributions are learned from other trees first. Every tree is played twice, with changed
colors; the sign of the final score decides a game.
"""

import argparse
import math
from collections.abc import Callable, Sequence

import numpy as np
from tqdm import trange

from engine.arrays import Floats
from engine.papers.hennig.trees import ArtificialTree, grow_tree
from scripts.reproduce.artificial_players import SearchRoom, evaluations, learn_changes
from scripts.significance import wilson_interval
from scripts.tables import TableRow, print_table

ChildChooser = Callable[[Floats, int, int], int]  # evaluations, node, level -> child


def minimal_leaves(branching: int, plies: int) -> int:
    """Return the leaves that alpha-beta must visit with perfect move ordering.

    Source: Knuth & Moore (1975), "An analysis of alpha-beta pruning".
    """
    return int(branching ** ((plies + 1) // 2) + branching ** (plies // 2) - 1)


def alpha_beta(
    evaluation: Floats, branching: int, node: int, level: int, plies: int, low: float, high: float
) -> tuple[float, int]:
    """Return Black's minimax value and the number of children evaluated on the way.

    The moves' evaluations, which cost one each, order the moves; leaves are among them.
    """
    if plies == 0:
        return float(evaluation[node]), 0
    sign = 1.0 if level % 2 == 0 else -1.0
    first = node * branching + 1
    # The children's evaluations order the moves, so they are paid for even where a cut follows.
    visits = branching
    best = -math.inf
    # Best first by the same evaluations that growth has; stable, so that runs agree.
    order = np.argsort(-sign * evaluation[first : first + branching], kind="stable")
    for child in first + order:
        bounds = (max(low, best), high) if sign > 0 else (low, min(high, -best))
        value, more = alpha_beta(evaluation, branching, int(child), level + 1, plies - 1, *bounds)
        visits += more
        best = max(best, sign * value)
        if (sign > 0 and best >= high) or (sign < 0 and -best <= low):
            break
    return sign * best, visits


def play_game(
    tree: ArtificialTree, evaluation: Floats, depth: int, players: list[ChildChooser]
) -> bool:
    """Return whether Black, players[0], wins from the root."""
    node = 0
    for level in range(depth):
        node = players[level % 2](evaluation, node, level)
    return bool(tree.scores[node] > 0.0)


def play_pair(
    tree: ArtificialTree, evaluation: Floats, depth: int, one: ChildChooser, other: ChildChooser
) -> int:
    """Return the games of two, with changed colors, that the first player wins."""
    return play_game(tree, evaluation, depth, [one, other]) + (
        not play_game(tree, evaluation, depth, [other, one])
    )


def score(wins: int, trees: int) -> TableRow:
    """Return the games won, out of two a tree, and the 95 % interval of the share."""
    return [wins, 2 * trees, *wilson_interval(wins, 2 * trees)]


def mean_and_error(samples: Sequence[float]) -> tuple[float, float]:
    """Return the mean of samples and its standard error."""
    array = np.asarray(samples)
    return float(array.mean()), float(array.std(ddof=1) / math.sqrt(len(array)))


def prepare(arguments: argparse.Namespace, most: int) -> SearchRoom:
    """Learn the leaf distributions and return scratch memory for the searches."""
    # A stream of its own: the training trees never depend on the test trees.
    rng = np.random.default_rng((arguments.seed, 1))
    shape = arguments.branching, arguments.depth
    masses = learn_changes(*shape, arguments.noise, arguments.training, rng)
    return SearchRoom(*shape, masses, most)


def artificial(arguments: argparse.Namespace, number: int) -> tuple[ArtificialTree, Floats]:
    """Return the test tree of this number and its evaluations."""
    # A stream for each tree: tree 7 is the same in every experiment, however many come before.
    rng = np.random.default_rng((arguments.seed, 0, number))
    shape = arguments.branching, arguments.depth
    tree = grow_tree(*shape, rng)
    return tree, evaluations(tree, *shape, arguments.noise, rng)


def valuation(arguments: argparse.Namespace) -> None:
    """Compare BPIP with minimax at every depth on the same full-width tree."""
    branching, depth = arguments.branching, arguments.depth
    room = prepare(arguments, sum(branching**k for k in range(arguments.plies + 1)))
    lost, saved = np.zeros((2, arguments.plies, arguments.trees))
    wins = np.zeros(arguments.plies, np.int64)
    for number in trange(arguments.trees, desc="trees", disable=None):
        tree, evaluation = artificial(arguments, number)
        for i in range(arguments.plies):

            def search(e: Floats, node: int, level: int, plies: int = i + 1) -> tuple[int, int]:
                # Bound as a default: a closure would see the loop's last number of plies.
                return room.full_width(e, node, level, plies)

            ours, theirs = tree.values[list(search(evaluation, 0, 0))]
            lost[i, number], saved[i, number] = tree.values[0] - theirs, ours - theirs
            wins[i] += play_pair(
                tree, evaluation, depth, lambda *at: search(*at)[0], lambda *at: search(*at)[1]
            )
    print(f"BPIP against minimax, b = {branching}, d = {depth}, noise {arguments.noise:g}")
    rows: list[TableRow] = [
        [
            i + 1,
            int((saved[i] != 0.0).sum()),
            float(lost[i].mean()),
            *mean_and_error(saved[i]),
            *score(int(wins[i]), arguments.trees),
        ]
        for i in range(arguments.plies)
    ]
    header = ["plies", "differ", "regret minimax", "saved by BPIP", "+-"]
    print_table([*header, "games won", "of", "95 % low", "high"], rows)


def growth(arguments: argparse.Namespace) -> None:
    """Compare BPIP trees grown by relevance with full-width minimax, at equal evaluations.

    Each depth has three budgets: the leaves of a perfectly ordered alpha-beta, the need of an
    alpha-beta that orders moves by their evaluations, and all nodes of the full tree.
    """
    branching, depth, share = arguments.branching, arguments.depth, arguments.share
    room = prepare(arguments, branching ** (arguments.plies + 1))
    rows: list[TableRow] = []
    for plies in range(2, arguments.plies + 1):
        # 50 trees are enough for a mean that only sets a budget; alpha-beta in Python is slow.
        trees = [artificial(arguments, number) for number in range(min(arguments.trees, 50))]
        visits = [alpha_beta(e, branching, 0, 0, plies, -math.inf, math.inf)[1] for _, e in trees]
        # Growth evaluates inner nodes too, so the budget counts them for full width as well.
        full = sum(branching**k for k in range(1, plies + 1))
        measured = round(float(np.mean(visits)))
        for budget in sorted({minimal_leaves(branching, plies), measured, full}):
            lost, ess, metagreedy, used = np.zeros((4, arguments.trees))
            wins = 0

            # Bound as a default, as above.
            def grow(e: Floats, node: int, level: int, budget: int = budget) -> int:
                return room.grown(e, node, level, budget, "ess", share)[0]

            def minimax(e: Floats, node: int, level: int, plies: int = plies) -> int:
                return room.full_width(e, node, level, plies)[1]

            for number in trange(arguments.trees, desc=f"{plies} plies, {budget}", disable=None):
                tree, evaluation = artificial(arguments, number)
                theirs = tree.values[minimax(evaluation, 0, 0)]
                lost[number] = tree.values[0] - theirs
                move, used[number] = room.grown(evaluation, 0, 0, budget, "ess", share)
                ess[number] = tree.values[move] - theirs
                move, _ = room.grown(evaluation, 0, 0, budget, "metagreedy", share)
                metagreedy[number] = tree.values[move] - theirs
                # Both colors: the tree may favor one side.
                wins += play_pair(tree, evaluation, depth, grow, minimax)
            gains = [*mean_and_error(ess), *mean_and_error(metagreedy)]
            row: TableRow = [plies, budget, float(used.mean()), float(lost.mean()), *gains]
            rows.append([*row, *score(wins, arguments.trees)])
    print(f"growth against full width, b = {branching}, d = {depth}, noise {arguments.noise:g}")
    print("value saved over minimax at the root by growth; games of ESS growth against minimax")
    header = ["plies", "evaluations", "used", "regret minimax", "ess", "+-", "metagreedy", "+-"]
    print_table([*header, "games won", "of", "95 % low", "high"], rows)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one experiment from the command line."""
    parser = argparse.ArgumentParser(
        prog="baum", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    commands = parser.add_subparsers(dest="experiment", required=True)
    for function in (valuation, growth):
        command = commands.add_parser(
            function.__name__, help=(function.__doc__ or "").splitlines()[0]
        )
        command.add_argument("--trees", type=int, default=300)
        command.add_argument("--branching", type=int, default=3)
        command.add_argument("--depth", type=int, default=11)
        command.add_argument("--plies", type=int, default=5, help="deepest full-width search")
        command.add_argument("--noise", type=float, default=0.5, help="sd of evaluation errors")
        command.add_argument("--training", type=int, default=200, help="trees to learn from")
        command.add_argument("--share", type=float, default=0.5, help="relevance a gulp expands")
        command.add_argument("--seed", type=int, default=1)
        command.set_defaults(function=function)
    options = parser.parse_args(arguments)
    options.function(options)


if __name__ == "__main__":
    main()
