"""Every script explains its purpose and its options."""

from importlib import import_module
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parents[2] / "scripts"
COMMANDS = sorted(
    ".".join(path.relative_to(SCRIPTS.parent).with_suffix("").parts)
    for path in SCRIPTS.rglob("*.py")
    if "def main(" in path.read_text("utf-8")
)


def test_scripts_are_found():
    assert "scripts.bootstrap" in COMMANDS
    assert "scripts.play.match" in COMMANDS


@pytest.mark.parametrize("name", COMMANDS)
def test_help(name, capsys):
    """In this process, because starting Python for each would take a minute."""
    try:
        status = import_module(name).main(["--help"])
    except SystemExit as end:
        status = end.code
    assert status == 0
    assert len(capsys.readouterr().out.splitlines()) >= 3


@pytest.mark.parametrize("name", COMMANDS)
def test_the_docstring_has_the_command(name):
    words = import_module(name).__doc__.split()
    assert name in words or f"{name.replace('.', '/')}.py" in words
