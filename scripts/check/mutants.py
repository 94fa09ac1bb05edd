"""Change one thing in the code at a time: do the tests notice?

    coverage run -m pytest
    python -m scripts.check.mutants --number 60 --seed 1 --out mutants.json

The first command notes which tests execute which line (pyproject.toml has the settings). The second
draws mutants by lot: a comparison, an arithmetic or Boolean operator, a number or a truth value is
changed in a copy of the checkout, and the tests that execute the line run until one fails. Kernels
are left out, because Python executes none of their lines. ``--tests`` takes the tests of another
checkout, for a comparison with the same mutants.
"""

import argparse
import ast
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from copy import deepcopy
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from scripts.kept_rows import KeptRows

ROOT = Path(__file__).resolve().parents[2]
MOST_TESTS = 60  # of the tests that execute a line, drawn by lot
OTHER: dict[type, type] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip


class Mutant(NamedTuple):
    """A change of a file: the text from ``start`` to ``end`` (bytes) becomes ``text``."""

    path: str
    line: int
    start: int
    end: int
    text: str

    def applied(self, source: bytes) -> bytes:
        """Return the changed source."""
        return source[: self.start] + self.text.encode() + source[self.end :]


def mutants_of(path: Path) -> Iterator[Mutant]:
    """Yield all mutants of a file, in the order of the text."""
    source = path.read_bytes()
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for function in ast.walk(ast.parse(source)):
        if not isinstance(function, ast.FunctionDef) or _is_kernel(function):
            continue
        for node in _own_nodes(function):
            changed = _changed(node)
            if changed is not None:
                start = starts[node.lineno - 1] + node.col_offset
                end = starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
                text = f"({ast.unparse(changed)})"
                yield Mutant(path.relative_to(ROOT).as_posix(), node.lineno, start, end, text)


def _is_kernel(function: ast.FunctionDef) -> bool:
    return any("kernel" in ast.unparse(one) for one in function.decorator_list)


def _own_nodes(function: ast.FunctionDef) -> Iterator[Any]:
    """Yield the nodes of a function, without annotations, inner functions and f-strings."""
    waiting: list[ast.AST] = list(reversed(function.body))
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.JoinedStr | ast.AnnAssign):
            continue
        yield node
        waiting += reversed(list(ast.iter_child_nodes(node)))


def _changed(node: Any) -> ast.AST | None:
    changed = deepcopy(node)
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        changed.ops = [OTHER[type(node.ops[0])]()]
    elif isinstance(node, ast.BinOp | ast.BoolOp) and type(node.op) in OTHER:
        changed.op = OTHER[type(node.op)]()
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        changed.value = not node.value
    elif isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        changed.value = node.value + 1
    else:
        return None
    return changed


def tests_of(data: Any, mutant: Mutant) -> list[str]:
    """Return the tests that execute a line, as arguments of pytest."""
    file = next((f for f in data.measured_files() if f.endswith("/" + mutant.path)), None)
    contexts = data.contexts_by_lineno(file).get(mutant.line, []) if file else []
    found = []
    for name in sorted(name for name in contexts if name.startswith("tests.")):
        module, _, function = name.rpartition(".")
        found.append(f"{module.replace('.', '/')}.py::{function}")
    return found


def chosen_of(tests: Sequence[str]) -> Sequence[str]:
    """Return some of the tests, the same at every call."""
    return random.Random(1).sample(tests, min(len(tests), MOST_TESTS))


def survives(mutant: Mutant, folder: Path, tests: Sequence[str]) -> bool:
    """Return whether all tests pass on a copy of the checkout with the change."""
    path = folder / mutant.path
    source = path.read_bytes()
    path.write_bytes(mutant.applied(source))
    try:
        return run(folder, tests, timeout=600).returncode == 0
    except subprocess.TimeoutExpired:  # the change made a loop endless
        return False
    finally:
        path.write_bytes(source)


def run(
    folder: Path, tests: Sequence[str], timeout: float | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run tests on a copy of the checkout, up to the first that fails."""
    command = [sys.executable, "-m", "pytest", "-x", "-p", "no:cacheprovider", *tests]
    return subprocess.run(command, cwd=folder, capture_output=True, timeout=timeout, check=False)


def main(arguments: Sequence[str] | None = None) -> int:
    """Try the mutants that are still missing, then print how many survived."""
    from coverage import CoverageData

    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--number", type=int, default=60, help="mutants to draw (60)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--packages", nargs="+", default=["engine", "patterns_db", "gtp"])
    parser.add_argument("--coverage", default=".coverage", help="the data of coverage.py")
    parser.add_argument("--tests", type=Path, default=ROOT / "tests", metavar="FOLDER")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE.json")
    options = parser.parse_args(arguments)
    draw = random.Random(options.seed)
    files = [p for name in options.packages for p in sorted((ROOT / name).rglob("*.py"))]
    drawn = draw.sample([one for file in files for one in mutants_of(file)], options.number)
    data = CoverageData(options.coverage)
    data.read()
    setting = {key: getattr(options, key) for key in ("number", "seed", "packages")}
    kept = KeptRows(options.out, setting, "mutants", "other settings")
    with TemporaryDirectory() as name:
        folder = Path(name)
        for part in ("engine", "patterns_db", "gtp", "scripts", "docs"):
            shutil.copytree(ROOT / part, folder / part)
        shutil.copytree(options.tests, folder / "tests")
        shutil.copy(ROOT / "pyproject.toml", folder)
        left = drawn[len(kept.rows) :]
        chosen = [chosen_of(tests_of(data, mutant)) for mutant in left]
        # Without a change all must pass, or a fault of the copy would look like a noticed change.
        control = run(folder, sorted({test for tests in chosen for test in tests}))
        if control.returncode != 0:
            raise SystemExit((control.stdout + control.stderr)[-2000:].decode())
        for mutant, tests in zip(left, chosen, strict=True):
            survived = not tests or survives(mutant, folder, tests)
            kept.add({**mutant._asdict(), "tests": len(tests), "survived": survived})
    survivors = [row for row in kept.rows if row["survived"]]
    for row in survivors:
        print(f"{row['path']}:{row['line']}: {row['text']} ({row['tests']} tests)")
    print(f"{len(survivors)} of {len(kept.rows)} mutants survived")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
