"""Change one thing in the code at a time: do the tests notice?

    python -m scripts.check.mutants --number 60 --seed 63 --other OLD --out after.json
    python -m scripts.check.mutants --root OLD --other . --number 60 --seed 63 --out before.json

Mutants are drawn by lot: a comparison, an operator, a number or a truth value is changed in the
memory of a process, and the tests of the module's room run until one fails. ``--other`` draws only
changes of lines that stand in both checkouts, so that both commands try the same ones. Kernels and
the tops of modules are left out. Tests that start programs do not meet the change.
"""

import argparse
import ast
import random
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any, NamedTuple

from scripts.kept_rows import KeptRows

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("engine", "patterns_db", "gtp")
OTHER: dict[type, type] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip
# Runs tests with one changed function; its code is replaced, so that no kernel is compiled again.
CHANGED = """
import gc, importlib, sys, types
import pytest
path, start, end, text, *tests = sys.argv[1:]
sys.path.insert(0, ".")
module = importlib.import_module(path.removesuffix(".py").replace("/", "."))

def codes(source):
    waiting, found = [compile(source, module.__file__, "exec")], {}
    for code in waiting:
        waiting += [part for part in code.co_consts if isinstance(part, types.CodeType)]
        found[code.co_qualname, code.co_firstlineno] = code
    return found

source = open(path, "rb").read()
changed = codes(source[: int(start)] + text.encode() + source[int(end) :])
changes = [name for name, code in codes(source).items() if changed[name] != code]
for part in gc.get_objects():
    if isinstance(part, types.FunctionType) and part.__module__ == module.__name__:
        name = part.__code__.co_qualname, part.__code__.co_firstlineno
        if name in changes:
            part.__code__ = changed[name]
sys.exit(pytest.main(["-x", "-p", "no:cacheprovider", "-o", "timeout=100", *tests]))
"""


class Mutant(NamedTuple):
    """A change of a file: the text from ``start`` to ``end`` (bytes) becomes ``text``."""

    path: str
    line: int
    start: int
    end: int
    text: str


def mutants_of(root: Path) -> dict[tuple[str, ...], Mutant]:
    """Return the mutants of a checkout by function, text of the line, and change.

    Changes that two places would share are left out.
    """
    places = defaultdict(list)
    for path in (file for name in PACKAGES for file in sorted((root / name).rglob("*.py"))):
        source = path.read_bytes()
        starts = [0]
        for line in source.splitlines(keepends=True):
            starts.append(starts[-1] + len(line))
        for function in ast.walk(ast.parse(source)):
            if not isinstance(function, ast.FunctionDef) or any(
                "kernel" in ast.unparse(one) for one in function.decorator_list
            ):
                continue
            for node in _own_nodes(function):
                changed = _changed(node)
                if changed is None:
                    continue
                start = starts[node.lineno - 1] + node.col_offset
                end = starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
                # As many lines as before: functions are recognized by their lines.
                ends = "\n" * (node.end_lineno - node.lineno)
                text, name = f"({ast.unparse(changed)}{ends})", path.relative_to(root).as_posix()
                line = source[starts[node.lineno - 1] : starts[node.lineno]].strip().decode()
                key = function.name, line, source[start:end].decode(), text
                places[key].append(Mutant(name, node.lineno, start, end, text))
    return {key: some[0] for key, some in places.items() if len(some) == 1}


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


def tests_of(root: Path, path: str) -> list[str]:
    """Return the test files of a module: of its name, its room, and those that import it."""
    parts = path.removesuffix(".py").removesuffix("/__init__").split("/")
    room = root / "tests"
    for name in parts[parts[0] == "engine" : -1]:
        room = room / name if (room / name).is_dir() else room
    of_room = [*room.rglob("test_*.py")] if room != root / "tests" else []
    if room.parent != root / "tests":  # tests of sessions stand beside the rooms of gtp
        of_room += room.parent.glob("test_*.py")
    package, last = ".".join(parts[:-1]), parts[-1]
    imports = re.compile(rf"{package}\.{last} import|from {package} import .*\b{last}\b")
    everything = (root / "tests").rglob("test_*.py")
    users = [file for file in everything if imports.search(file.read_text("utf-8"))]
    near = {file: (file.stem != f"test_{last}", file not in users, file not in of_room, file)
            for file in [*users, *of_room]}  # fmt: skip
    return [file.relative_to(root).as_posix() for file in sorted(near, key=near.__getitem__)]


def noticed_by(root: Path, mutant: Mutant, tests: Sequence[str]) -> str:
    """Return the test that fails with the change, "" if all pass. An endless loop is noticed."""
    own = root / ".venv/bin/python"
    python = own if own.exists() else sys.executable
    change = map(str, (mutant.path, mutant.start, mutant.end, mutant.text))
    command = [python, "-P", "-c", CHANGED, *change, *tests]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    failed = re.search(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", done.stdout, re.MULTILINE)
    return "" if done.returncode == 0 else failed[1] if failed else "no test ran"


def main(arguments: Sequence[str] | None = None) -> int:
    """Try the mutants that are still missing, then print how many survived."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--number", type=int, default=60, help="mutants to draw (60)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--root", type=Path, default=ROOT, metavar="CHECKOUT", help="(this one)")
    parser.add_argument("--other", type=Path, metavar="CHECKOUT", help="has the changed lines too")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE.json")
    options = parser.parse_args(arguments)
    mutants = mutants_of(options.root)
    keys = sorted(mutants.keys() & mutants_of(options.other or options.root).keys())
    drawn = random.Random(options.seed).sample(keys, options.number)
    kept = KeptRows(options.out, {"number": options.number, "seed": options.seed}, "mutants")
    for key in drawn[len(kept.rows) :]:
        mutant = mutants[key]
        tests = tests_of(options.root, mutant.path)
        test = noticed_by(options.root, mutant, tests) if tests else ""
        kept.add({**mutant._asdict(), "tests": len(tests), "noticed_by": test})
    survivors = [row for row in kept.rows if not row["noticed_by"]]
    for row in survivors:
        print(f"{row['path']}:{row['line']}: {row['text']} ({row['tests']} test files)")
    print(f"{len(survivors)} of {len(kept.rows)} mutants survived")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
