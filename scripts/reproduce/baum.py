"""Reproduce the experiments of Baum (1993) on artificial game trees, as tables.

    python -m scripts.reproduce.baum valuation --trees 300     BPIP against minimax, same trees
    python -m scripts.reproduce.baum growth --trees 300        ESS growth against minimax

Leaf distributions are learned from other trees first. Every tree is played twice, with changed
colors; the sign of the final score decides a game.
"""

import argparse
import math
import time
from collections.abc import Callable, Sequence

import numpy as np
from tqdm import trange

from engine.arrays import Floats
from scripts.reproduce.artificial_players import (
    SearchRoom,
    alpha_beta,
    alpha_beta_room,
    evaluations,
    learn_changes,
)
from scripts.reproduce.papers.hennig.trees import ArtificialTree, grow_tree
from scripts.significance import wilson_interval
from scripts.tables import TableRow, print_table

PAPER_RATIO = 3.5  # boards that alpha-beta searches while the paper's growth searches one
ALPHA_BETA_REPEATS = 20  # of a search, to measure its time
ChildChooser = Callable[[Floats, int, int], int]  # evaluations, node, level -> child


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


def time_of(
    trees: list[Floats], work: Callable[[Floats], tuple[int, int]], repeats: int
) -> tuple[float, float]:
    """Return the mean evaluations of a search of each tree, and seconds an evaluation."""
    work(trees[0])  # compiled before the clock starts
    start = time.process_time()
    used = [work(evaluation)[1] for evaluation in trees for _ in range(repeats)]
    return float(np.mean(used)), (time.process_time() - start) / sum(used)


def budgets_of(
    arguments: argparse.Namespace, room: SearchRoom, plies: int
) -> list[tuple[str, int]]:
    """Return names and sizes of growth's budgets against a search of some plies; print times.

    alpha-beta     the evaluations of an alpha-beta that orders moves by their evaluations
    time / 3.5     alpha-beta's divided by the paper's ratio of speeds: equal time there
    equal time     alpha-beta's divided by the ratio of speeds here, at least the root's moves
    full width     all nodes of the full tree, inner ones too, because growth evaluates them
    """
    branching = arguments.branching
    # 50 trees are enough for a mean that only sets a budget.
    trees = [artificial(arguments, number)[1] for number in range(min(arguments.trees, 50))]
    scratch = alpha_beta_room(branching, plies)
    measured, cheap = time_of(
        trees, lambda e: alpha_beta(scratch, e, 0, plies, 1.0)[:2], ALPHA_BETA_REPEATS
    )
    budget = round(measured)
    _, dear = time_of(trees, lambda e: room.grown(e, 0, 0, budget, arguments.share), 1)
    print(
        f"{plies} plies: {1e6 * cheap:.3g} microseconds an evaluation of alpha-beta, "
        f"{1e6 * dear:.3g} of growth"
    )
    return [
        ("equal time", max(branching, round(measured * cheap / dear))),
        ("time / 3.5", max(branching, round(measured / PAPER_RATIO))),
        ("alpha-beta", budget),
        ("full width", sum(branching**k for k in range(1, plies + 1))),
    ]


def growth(arguments: argparse.Namespace) -> None:
    """Compare BPIP trees grown by relevance with minimax, by budgets of evaluations or of time."""
    branching, depth, share = arguments.branching, arguments.depth, arguments.share
    room = prepare(arguments, branching ** (arguments.plies + 1))
    rows: list[TableRow] = []
    for plies in range(2, arguments.plies + 1):
        for name, budget in budgets_of(arguments, room, plies):
            lost, ess, used = np.zeros((3, arguments.trees))
            wins = 0

            # Bound as a default, as above.
            def grow(e: Floats, node: int, level: int, budget: int = budget) -> int:
                return room.grown(e, node, level, budget, share)[0]

            def minimax(e: Floats, node: int, level: int, plies: int = plies) -> int:
                return room.full_width(e, node, level, plies)[1]

            for number in trange(arguments.trees, desc=f"{plies} plies, {name}", disable=None):
                tree, evaluation = artificial(arguments, number)
                theirs = tree.values[minimax(evaluation, 0, 0)]
                lost[number] = tree.values[0] - theirs
                move, used[number] = room.grown(evaluation, 0, 0, budget, share)
                ess[number] = tree.values[move] - theirs
                # Both colors: the tree may favor one side.
                wins += play_pair(tree, evaluation, depth, grow, minimax)
            means = float(used.mean()), float(lost.mean()), *mean_and_error(ess)
            rows.append([plies, name, budget, *means, *score(wins, arguments.trees)])
    print(f"growth against minimax, b = {branching}, d = {depth}, noise {arguments.noise:g}")
    print("value saved over minimax at the root by growth; games of ESS growth against minimax")
    header = ["plies", "budget", "evaluations", "used", "regret minimax", "ess", "+-"]
    header += ["games won", "of", "95 % low", "high"]
    print_table(header, rows)


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
