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
from scripts.tables import TableRow, print_table

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


def compare(base: Run, other: Run) -> dict[str, Any]:
    """Return one panel: problems that only one method solved, and the other's speed-up.

    Speed-ups ("hard") are medians over problems that the base needed more than HARD nodes for. A
    problem that the other method failed counts with a speed-up of 0; the paper's mean leaves it
    out. "both" compares nodes where both methods have an answer, as the paper's Figure 4 does.
    """
    pairs = list(zip(base, other, strict=True))
    known = [(a, b) for a, b in pairs if a.value != "unknown" and b.value != "unknown"]
    hard = [(a, b) for a, b in pairs if a.value != "unknown" and a.nodes > HARD]

    def speed_up(number: Callable[[MethodResult], float]) -> float | None:
        # The clock's step, because a time of 0 would give an infinite speed-up.
        ratios = [number(a) / max(number(b), 1e-4) * (b.value != "unknown") for a, b in hard]
        return round(float(np.median(ratios)), 3) if ratios else None

    nodes = [a.nodes / max(b.nodes, 1) for a, b in known]
    seconds = [max(a.seconds, 1e-4) / max(b.seconds, 1e-4) for a, b in known]
    return {
        "solved": sum(b.value != "unknown" for _, b in pairs),
        "captured": sum(b.value == CAPTURED for _, b in pairs),
        "both": len(known),
        "both: nodes": round(float(np.median(nodes)), 3) if nodes else None,
        "within factor 2": sum(0.5 <= ratio <= 2.0 for ratio in nodes),
        "new": sum(a.value == "unknown" != b.value for a, b in pairs),
        "failed": sum(b.value == "unknown" != a.value for a, b in pairs),
        "hard": len(hard),
        "nodes": speed_up(lambda s: s.nodes),
        "developed": speed_up(lambda s: s.expansions),
        "time": speed_up(lambda s: s.seconds),
        "mean": round(float(np.mean(seconds)), 2) if seconds else None,
        # Must be 0: two proofs of one position cannot differ.
        "differ": sum(a.value != b.value for a, b in known),
    }


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
    problems = read_all(options.test)
    compile_solver()
    # First, because all others are compared with it, and are saved one by one.
    base = solve_all(problems, "pns", None, options, printed=True)
    found: dict[str, Any] = {"problems": len(problems), "panels": {}, "passes": {}}
    found["pn"] = compare(base, base)

    def add(
        name: str, method: Method, knowledge: SolverPriors | None, printed: bool = False
    ) -> None:
        other = solve_all(problems, method, knowledge, options, printed)
        found["panels"][name] = compare(base, other)
        save(found)

    add("PP without knowledge (Figure 4)", "pp", None, printed=True)
    # Tables of the panels are only for comparisons.
    with tempfile.TemporaryDirectory() as folder:
        for name in options.panels:
            found["passes"][name], knowledge = train_panel(name, options, Path(folder))
            add(f"PP, {name}", "pp", knowledge)
            add(f"PN, {name}", "pns", knowledge)
            if name == PLAIN:
                add(f"PP, {name}, plain", "pp", knowledge, printed=True)
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
    parser.add_argument("--panels", nargs="*", default=list(PANELS), choices=list(PANELS))
    options = parser.parse_args(arguments)

    def save(found: dict[str, Any]) -> None:
        if options.out:
            write_whole(options.out, json.dumps(found, indent=1).encode() + b"\n")

    found = measure(options, save)
    print(f"passes: {found['passes']}")
    panels = {"PN": found["pn"]} | found["panels"]
    rows: list[TableRow] = [[name, *panel.values()] for name, panel in panels.items()]
    print_table(["against PN", *found["pn"]], rows)
    return 1 if any(panel["differ"] for panel in panels.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
