"""The page ``docs/reference.md``: the public names of ``engine``, from its sources and docstrings.

``python -m scripts.command_page`` writes it, too. Signatures are those of the source, because
Python's own text of a signature differs between versions.
"""

import ast
import inspect
from collections.abc import Iterator
from pathlib import Path
from textwrap import indent

import engine

PAGE = Path(__file__).parent.parent / "docs" / "reference.md"
HEAD = """\
# Reference of the Python interface

`python -m scripts.command_page` writes this page from the docstrings of the names in
`engine.__all__`. Points are integers on a padded board (`parse_vertex` and `format_vertex` convert
them), and stored values are Black's unless a text says otherwise. The README has an example.
"""
Function = ast.FunctionDef | ast.AsyncFunctionDef


def page() -> str:
    """Return the page."""
    classes, functions, constants = [], [], []
    for name in sorted(engine.__all__, key=str.lower):
        thing = getattr(engine, name)
        if inspect.isclass(thing):
            node = _definition(thing)
            assert isinstance(node, ast.ClassDef)
            lines = inspect.getsource(inspect.getmodule(thing) or engine).splitlines()
            classes.append(f"### {name}\n\n{_block(_class(node, lines))}")
        elif inspect.isfunction(thing):
            node = _definition(thing)
            assert isinstance(node, Function)
            functions.append(_function(node))
        else:
            value = f" = {thing!r}" if isinstance(thing, int | float) else ""
            constants.append(f"`{name}{value}`")
    return "\n".join(
        [
            HEAD,
            f"Constants: {', '.join(constants[:5])},\n{', '.join(constants[5:])}.\n",
            "## Functions\n",
            _block("\n\n".join(functions)),
            "## Classes\n",
            *classes,
        ]
    )


def _block(text: str) -> str:
    lines = [line.rstrip() for line in text.split("\n")]
    return "\n".join(["```text", *lines, "```", ""])


def _definition(thing: object) -> ast.stmt:
    """Return the definition of a class or function."""
    module = inspect.getmodule(thing)
    assert module is not None
    tree = ast.parse(inspect.getsource(module))
    name = getattr(thing, "__name__", "")
    return next(node for node in tree.body if getattr(node, "name", "") == name)


def _class(node: ast.ClassDef, lines: list[str]) -> str:
    """Return the docstring, the fields with their comments and the public methods of a class."""
    bases = f"({', '.join(map(ast.unparse, node.bases))})" if node.bases else ""
    parts = [f"class {node.name}{bases}\n{indent(ast.get_docstring(node) or '', '    ')}"]
    fields = [one.end_lineno for one in node.body if isinstance(one, ast.AnnAssign)]
    if fields:
        parts.append("\n".join(lines[node.body[0].end_lineno : fields[-1]]).strip("\n"))
    parts += [indent(_function(one), "    ") for one in _methods(node)]
    return "\n\n".join(parts)


def _methods(node: ast.ClassDef) -> Iterator[Function]:
    for one in node.body:
        if isinstance(one, Function) and (one.name == "__init__" or one.name[0] != "_"):
            yield one


def _function(node: Function) -> str:
    """Return a signature and the docstring."""
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    marks = [f"@{ast.unparse(one)}\n" for one in node.decorator_list]
    text = f"{''.join(marks)}def {node.name}({ast.unparse(node.args)}){returns}"
    about = ast.get_docstring(node)
    return f"{text}\n{indent(about, '    ')}" if about else text
