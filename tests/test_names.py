"""The names in the three packages: records are made with named arguments, variables are nouns."""

import ast
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
UNNAMED = 5  # arguments of a record that a reader can still count
# Participles: a reader learns nothing of what such a variable holds.
PARTICIPLES = frozenset(
    "found known kept seen said told tried asked drawn given left".split()
)  # fmt: skip
PARTICIPLES_LEFT = 25
NUMBERS_LEFT = 350  # module constants, most of them of kernels


@cache
def trees() -> dict[Path, ast.Module]:
    files = (
        path for name in ("engine", "patterns_db", "gtp") for path in (ROOT / name).rglob("*.py")
    )
    return {path.relative_to(ROOT): ast.parse(path.read_text("utf-8")) for path in sorted(files)}


def nodes() -> Iterator[tuple[Path, ast.AST]]:
    return ((path, node) for path, tree in trees().items() for node in ast.walk(tree))


def is_record(node: ast.ClassDef) -> bool:
    described = [ast.unparse(part) for part in (*node.bases, *node.decorator_list)]
    return any(text == "NamedTuple" or text.startswith("dataclass") for text in described)


def test_records_with_many_fields_are_made_with_named_arguments():
    records = {n.name for _, n in nodes() if isinstance(n, ast.ClassDef) and is_record(n)}
    assert len(records) > 100
    unclear = [
        f"{path}:{node.lineno} {node.func.id}"
        for path, node in nodes()
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        if node.func.id in records
        # A splat hides which fields are set.
        if len(node.args) > UNNAMED or any(isinstance(arg, ast.Starred) for arg in node.args)
    ]  # fmt: skip
    assert not unclear


def test_one_class_has_one_name():
    names = Counter(n.name.lstrip("_") for _, n in nodes() if isinstance(n, ast.ClassDef))
    assert not [name for name, count in names.items() if count > 1]


def test_variables_are_named_by_nouns():
    places = [
        f"{path}:{node.lineno} {node.id}"
        for path, node in nodes()
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id in PARTICIPLES
    ]
    assert len(places) <= PARTICIPLES_LEFT, "\n".join(places)


def has_number(node: ast.stmt) -> bool:
    constants = (part for part in ast.walk(node) if isinstance(part, ast.Constant))
    return any(type(part.value) in (int, float) for part in constants)


def test_numbers_of_a_model_stand_in_its_record():
    statements = [
        f"{path}:{node.lineno}"
        for path, tree in trees().items()
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign) and has_number(node)
    ]
    assert len(statements) <= NUMBERS_LEFT
