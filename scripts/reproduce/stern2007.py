"""Reproduce the experiments of Stern, Herbrich & Graepel (2007) on capture problems.

    python -m scripts.reproduce.stern2007 --train train.jsonl --test test.jsonl --out FILE.json

Figure 4: nodes of PP without knowledge against proof-number search (PN). Also the solved problems
per training pass. Figure 8: four models, learned on ``--train``, against PN on ``--test``. It shows
newly solved and newly failed problems, and speed-up in time, in positions put into the graph
(nodes) and in positions developed (the paper's count).

As printed (``stern2007_printed``): all children enter the tree, with plain log-odds as beliefs.
Also the Beta models, and the Gaussian one with the paper's keys, which hold no liberties.

Beyond the paper: PN with learned first numbers. In all panels but those as printed, moves enter the
graph only when they are searched, as in play. Values that two methods prove must be the same.

Results are written after every part, so that a run can be stopped.
"""

import argparse
import json
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from tqdm import tqdm

from engine.captures.priors import SolverPriors
from engine.captures.reader import CaptureReader, compile_solver
from engine.proof.reader import Method
from patterns_db.records.problems import Problem
from patterns_db.solvers.solver_learner import SolverTrainingSettings
from patterns_db.solvers.solver_priors import read_priors
from patterns_db.solvers.solver_training import read_all, train_solver
from patterns_db.store.whole_files import write_whole
from scripts.reproduce.stern2007_printed import PrintedGoal, train_beta
from scripts.tables import print_table, save_plot

HARD = 1_000  # nodes of PN; easier problems say little
CAPTURED = "captured"
PANELS: dict[str, dict[str, Any]] = {
    "Beta(1, 1)": {"half": 1.0},  # alpha_0 = beta_0
    "Beta(1000, 1000)": {"half": 1000.0},
    "Gaussian": {"prior_observations": 0.0},
    "Gaussian, peaked": {"prior_observations": 10.0},
    "Gaussian, paper's keys": {"features": False},
}
PLAIN = "Gaussian"  # the panel that is also solved as printed


class MethodResult(NamedTuple):
    """The result of one method on one problem."""

    value: str
    nodes: int
    expansions: int
    seconds: float


Run = list[MethodResult]


def solve_all(
    problems: list[Problem],
    method: Method,
    knowledge: SolverPriors | None,
    options: argparse.Namespace,
    printed: bool = False,
) -> Run:
    """Solve all problems within the budget. ``printed``: all children enter the tree."""
    # Processor time, because the machine may have other work.
    reader = CaptureReader(method, options.max_nodes, knowledge, time.process_time)
    if printed:
        reader.goal = PrintedGoal(knowledge)
    found = []
    for problem in tqdm(problems, desc=method, file=sys.stderr):
        reading = reader.read_chain(
            problem.board,
            problem.goal,
            problem.attacker_to_move,
            options.max_liberties,
            options.max_nodes,
            options.seconds,
        )
        found.append(
            MethodResult(reading.value, reading.nodes, reading.expansions, reading.seconds)
        )
    return found


def quantiles(ratios: list[float]) -> list[float]:
    """Return minimum, quartiles and maximum, rounded; nothing for no ratios."""
    if not ratios:
        return []
    return [round(float(q), 3) for q in np.quantile(ratios, [0.0, 0.25, 0.5, 0.75, 1.0])]


def compare(base: Run, other: Run) -> dict[str, Any]:
    """Return one panel: problems that only one method solved, and the other's speed-up.

    Speed-ups are medians over problems that the base needed more than HARD nodes for. A problem
    that the other method failed counts with a speed-up of 0; the paper's mean leaves it out. "both"
    compares nodes where both methods have an answer, as the paper's Figure 4 does.
    """
    pairs = list(zip(base, other, strict=True))
    known = [(a, b) for a, b in pairs if a.value != "unknown" and b.value != "unknown"]
    hard = [(a, b) for a, b in pairs if a.value != "unknown" and a.nodes > HARD]

    def ratio(number: Callable[[MethodResult], float]) -> dict[str, Any]:
        # The clock's step, because a time of 0 would give an infinite speed-up.
        least = 1e-4
        all_hard = [
            number(a) / max(number(b), least) if b.value != "unknown" else 0.0 for a, b in hard
        ]
        both = [max(number(a), least) / max(number(b), least) for a, b in known]
        return {
            "median_hard": quantiles(all_hard)[2] if all_hard else None,
            "quartiles_hard": quantiles(all_hard),
            "mean_both_solved": round(float(np.mean(both)), 2) if both else None,
        }

    nodes = [a.nodes / max(b.nodes, 1) for a, b in known]
    return {
        "solved": sum(b.value != "unknown" for _, b in pairs),
        "captured": sum(b.value == CAPTURED for _, b in pairs),
        "both": {
            "problems": len(known),
            "median": round(float(np.median(nodes)), 3) if nodes else None,
            "within_factor_2": sum(0.5 <= ratio <= 2.0 for ratio in nodes),
        },
        "newly_solved": sum(a.value == "unknown" != b.value for a, b in pairs),
        "newly_failed": sum(b.value == "unknown" != a.value for a, b in pairs),
        # Must be 0: two proofs of one position cannot differ.
        "disagreements": sum(a.value != b.value for a, b in known),
        "hard": len(hard),
        "nodes": ratio(lambda s: s.nodes),
        "expansions": ratio(lambda s: s.expansions),
        "seconds": ratio(lambda s: s.seconds),
        "nodes_per_second": round(
            sum(s.nodes for s in other) / max(sum(s.seconds for s in other), 1e-9)
        ),
    }


def plot_panel(options: argparse.Namespace, name: str, base: Run, other: Run) -> None:
    """Draw one panel of Figure 4 or 8, if a folder was named: nodes of both methods."""
    pairs = list(zip(base, other, strict=True))
    groups = {
        ".": [(a, b) for a, b in pairs if a.value != "unknown" != b.value],
        "x": [(a, b) for a, b in pairs if a.value == "unknown" != b.value],
        "o": [(a, b) for a, b in pairs if b.value == "unknown" != a.value],
    }
    names = {".": "both solve it", "x": "newly solved", "o": "newly failed"}

    def draw(axes: Any) -> None:
        for mark, found in groups.items():
            first, second = [max(a.nodes, 1) for a, _ in found], [max(b.nodes, 1) for _, b in found]
            axes.loglog(first, second, f"C0{mark}", label=f"{names[mark]} ({len(found)})")
        axes.plot([1, options.max_nodes], [1, options.max_nodes], "k:")
        axes.set(xlabel="nodes, proof numbers", ylabel=f"nodes, {name}")
        axes.legend()

    stem = "".join(letter if letter.isalnum() else "_" for letter in name.lower())
    save_plot(options.plot, f"stern2007_{stem}", draw)


def train_panel(name: str, options: argparse.Namespace, folder: Path) -> tuple[Any, SolverPriors]:
    """Train one of PANELS; return its passes and its priors."""
    if name.startswith("Beta"):
        return train_beta(read_all(options.train), PANELS[name]["half"], options.train_nodes)
    table = folder / "priors.table"
    # The only limit is in nodes, so that another machine learns the same priors.
    settings = SolverTrainingSettings(
        problems=options.train, max_nodes=options.train_nodes, **PANELS[name]
    )
    passes = train_solver(settings, table, say=lambda line: print(line, file=sys.stderr), anew=True)
    return passes, read_priors(table)


def measure(options: argparse.Namespace, save: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    """Run all parts; ``save`` is called with the results so far after each."""
    problems = read_all(options.test)[:: options.every]
    compile_solver()
    # First, because all others are compared with it, and are saved one by one.
    base = solve_all(problems, "pns", None, options, printed=True)
    found: dict[str, Any] = {
        "budget": {
            "max_nodes": options.max_nodes,
            "seconds": options.seconds,
            "every": options.every,
        },
        "problems": len(problems),
        "pn_solved": sum(s.value != "unknown" for s in base),
        "pn_captured": sum(s.value == CAPTURED for s in base),
        "pn_hard": sum(s.value != "unknown" and s.nodes > HARD for s in base),
        "pn_nodes_per_second": round(sum(s.nodes for s in base) / sum(s.seconds for s in base)),
        "panels": {},
        "passes": {},
    }

    def add(
        name: str,
        method: Method,
        knowledge: SolverPriors | None,
        printed: bool = False,
    ) -> None:
        other = solve_all(problems, method, knowledge, options, printed)
        found["panels"][name] = compare(base, other)
        plot_panel(options, name, base, other)
        # Linux counts in KiB.
        found["peak_memory_mib"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        save(found)

    if options.priors:
        add("PP, finished priors", "pp", read_priors(options.priors))
        add("PN, finished priors", "pns", read_priors(options.priors))
    add("PP without knowledge (Figure 4)", "pp", None, printed=True)
    add("PP, moves played when searched", "pp", None)
    add("PN, moves played when searched", "pns", None)
    # Tables of the panels are only for comparisons.
    with tempfile.TemporaryDirectory() as folder:
        for name in options.panels:
            found["passes"][name], knowledge = train_panel(name, options, Path(folder))
            add(f"PP, {name}", "pp", knowledge)
            add(f"PN, {name}", "pns", knowledge)
            if name == PLAIN:
                add(f"PP, {name}, plain", "pp", knowledge, printed=True)
    found["disagreements"] = sum(panel["disagreements"] for panel in found["panels"].values())
    save(found)
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print a table and write the JSON; the exit status is 1 after a disagreement."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--train", type=Path, required=True, help="problems to learn from")
    parser.add_argument("--test", type=Path, required=True, help="problems to measure on")
    parser.add_argument("--out", type=Path, help="a JSON file to write")
    parser.add_argument("--max-nodes", type=int, default=30_000, help="positions a problem")
    parser.add_argument("--train-nodes", type=int, default=20_000, help="the same, in training")
    parser.add_argument("--seconds", type=float, default=20.0, help="processor time a problem")
    parser.add_argument("--max-liberties", type=int, default=6)
    parser.add_argument("--priors", type=Path, help="measure this table as well")
    parser.add_argument("--every", type=int, default=1, help="only every n-th test problem")
    parser.add_argument("--plot", type=Path, metavar="DIR", help="also draw Figures 4 and 8 there")
    parser.add_argument("--panels", nargs="*", default=list(PANELS), choices=list(PANELS))
    options = parser.parse_args(arguments)

    def save(found: dict[str, Any]) -> None:
        if options.out:
            write_whole(options.out, json.dumps(found, indent=1).encode() + b"\n")

    found = measure(options, save)
    rows = [
        [
            name,
            panel["solved"],
            panel["captured"],
            panel["both"]["median"],
            panel["newly_solved"],
            panel["newly_failed"],
            panel["nodes"]["median_hard"],
            panel["expansions"]["median_hard"],
            panel["seconds"]["median_hard"],
            panel["seconds"]["mean_both_solved"],
            panel["disagreements"],
        ]
        for name, panel in found["panels"].items()
    ]
    header = ["against PN", "solved", "captures", "both: nodes", "new", "failed"]
    print_table([*header, "nodes", "developed", "time", "mean", "differ"], rows)
    return 1 if found["disagreements"] else 0


if __name__ == "__main__":
    sys.exit(main())
