"""Every subcommand with wrong options and bad files: one line on stderr, the right exit status.

The status is 2 for errors that argparse sees, 1 for later ones. Nothing goes to stdout, nothing is
written, and no traceback appears. The tables name every option of every command that takes a value.
"""

import argparse
import logging
import math
import os
from importlib import import_module

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.jit.machine import usable_memory
from gtp.__main__ import COMMANDS, main
from gtp.cli.command_line import EXIT, Parser, count, duration, number_reader, whole_number
from gtp.cli.streams import start_log
from gtp.settings import BOUNDS
from tests.gtp.conftest import needs_jit

COUNT = ("0", "-1", "1.5", "many", "", "1e3", "inf")
SEED = ("-1", "x", "1.5", str(2**63))
SECONDS = ("-1", "x", "nan", "inf", "-inf", "")
CHOICE = ("", "something", "--")
NODES = ("0", "10000001", "x", "-5")

# Options that take a value, and values that they refuse; () where any text is valid.
OPTIONS = {
    "gtp": {
        "--level": ("21k", "6d", "0k", "5", "k", "", "full"),
        "--playouts": COUNT,
        "--time": SECONDS,
        "--threads": COUNT,
        "--lag": SECONDS,
        "--rules": ("chess", "", "chinese "),
        "--superko": ("maybe", "positional "),
        "--resign": ("-1", "101", "always", "nan"),
        "--seed": SEED,
        "--memory": ("x", str(BOUNDS.most_memory + 1)),
        "--patterns": (),
        "--log": (),
        "--player": CHOICE,
        "--without": ("", "life", "sums;amaf"),
    },
    "train": {
        "--games": (),
        "--out": (),
        "--checkpoint": SECONDS,
        "--min-count": ("1", "0", "x", "2.5"),
        "--max-patterns": COUNT,
        "--cluster": (),
        "--shards": COUNT,
        "--beta": ("0", "-1", "1e4", "nan", "x"),
        "--classes": CHOICE,
        "--max-games": COUNT,
        "--threads": COUNT,
        "--problems": (),
        "--max-nodes": NODES,
        "--passes": COUNT,
    },
    "evaluate": {
        "--games": (),
        "--max-games": COUNT,
        "--model": CHOICE,
        "--patterns": (),
        "--plot": (),
    },
    "solve": {
        "--goal": (),
        "--move": ("-1", "x", "2.5"),
        "--problems": (),
        "--solver": ("dfpn", "", "PNS"),
        "--priors": (),
        "--max-liberties": ("1", "13", "x", "6.0"),
        "--max-nodes": NODES,
        "--seconds": SECONDS,
        "--proof": (),
    },
    "analyze": {
        "--out": (),
        "--playouts": COUNT,
        "--threads": COUNT,
        "--seed": SEED,
        "--json": (),
        "--html": (),
        "--level": (),
        "--jobs": COUNT,
        "--cluster": (),
        "--patterns": (),
    },
    "analysis": {
        "--visits": COUNT,
        "-analysis-threads": ("0", "x", "1025"),
        "--threads": COUNT,
        "--perspective": CHOICE,
        "--seed": SEED,
        "--memory": ("x", "15", str(BOUNDS.most_memory + 1)),
        "--patterns": (),
        "--log": (),
        "-config": (),
        "-model": (),
        "-human-model": (),
        "-override-config": (),
        "-override-version": (),
    },
    "level": {},
    "warmup": {},
    "bench": {},
}
NEEDED = {
    "train": ["--out", "t.table"],
    "evaluate": ["--games", "g.sgf"],
    "analyze": ["g.sgf"],
    "level": ["g.sgf"],
}
"""What a command cannot do without, so that another option is what it complains of."""

ROWS = [
    (command, option, value)
    for command, options in OPTIONS.items()
    for option, values in options.items()
    for value in values
]


@pytest.fixture(autouse=True)
def _empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def complaint(words, status, capsys, tmp_path):
    """Run a command that must fail; return its message."""
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    if status == EXIT.usage_error:
        with pytest.raises(SystemExit) as caught:
            main(words)
        assert caught.value.code == status
    else:
        assert main(words) == status
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("yomi: ")
    assert err.endswith("\n")
    assert err.count("\n") == 1
    assert len(err) < 300
    after = {
        path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if ".work" not in str(path)
    }
    assert after == before
    return err


def test_no_more_memory_is_accepted_than_there_is():
    assert BOUNDS.most_memory <= max(16, usable_memory() >> 20)


def test_a_log_into_a_pipe_is_refused(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("logging.root", logging.Logger("of this test"))
    os.mkfifo(tmp_path / "pipe")
    assert not start_log(str(tmp_path / "pipe"))
    assert "a pipe would wait" in capsys.readouterr().err


def test_messages_show_names_with_their_codes(tmp_path, capsys, monkeypatch):
    """The handler of last resort belongs to all commands without a log."""
    assert (
        main(["analyze", str(tmp_path / "x\x1b[31m\u202e.sgf"), "--playouts", "1"]) == EXIT.failed
    )
    assert "x\\x1b[31m\\u202e.sgf" in capsys.readouterr().err
    record = logging.LogRecord("gtp", logging.WARNING, "", 0, "%s: note", ("x\x1b[31m.sgf",), None)
    assert logging.lastResort.format(record) == "x\\x1b[31m.sgf: note"


@pytest.mark.parametrize("command", COMMANDS)
def test_the_table_names_every_option_with_a_value(command):
    parser = argparse.ArgumentParser()
    import_module(f"gtp.cli.{command}").add_options(parser)
    named = {
        action.option_strings[-1]
        for action in parser._actions
        if action.option_strings and action.nargs != 0
    }
    assert named == set(OPTIONS[command])


@pytest.mark.parametrize(("command", "option", "value"), ROWS)
def test_a_value_that_is_refused(command, option, value, capsys, tmp_path):
    words = [command, *NEEDED.get(command, []), option, value]
    assert option in complaint(words, EXIT.usage_error, capsys, tmp_path)


@pytest.mark.parametrize("command", COMMANDS)
def test_an_unknown_option(command, capsys, tmp_path):
    words = [command, *NEEDED.get(command, [])]
    assert "--nonsense" in complaint([*words, "--nonsense"], EXIT.usage_error, capsys, tmp_path)
    for option in OPTIONS[command]:
        shortened = option[:-1]  # a prefix would be taken for an option that is added later
        found = complaint([*words, shortened, "1"], EXIT.usage_error, capsys, tmp_path)
        assert shortened in found


@pytest.mark.parametrize("command", COMMANDS)
def test_an_option_without_its_value(command, capsys, tmp_path):
    for option in OPTIONS[command]:
        found = complaint([command, option], EXIT.usage_error, capsys, tmp_path)
        assert f"{option}: expected" in found


@pytest.mark.parametrize("command", ["train", "evaluate", "analyze"])
def test_missing_requirements_are_one_line(command, capsys, tmp_path):
    assert "required" in complaint([command], EXIT.usage_error, capsys, tmp_path)


RECORD = "(;SZ[5];B[cc];W[bb])"
FILES = {
    "game.sgf": RECORD,
    "broken.sgf": "SZ[5];B[cc]",
    "chess.sgf": "(;GM[3])",
    "off.sgf": "(;SZ[5];B[zz])",
    "large.sgf": "(;SZ[52])",
    "empty.sgf": "",
    "still.sgf": "(;SZ[5])",
    "set-up.sgf": "(;SZ[5]AB[bb][cc])",
    "text": "hello",
    "problems.jsonl": "",
}
# Words of a command line and a part of the message; every named file exists, except "none".
FAILURES = [
    ("analyze none.sgf", "none.sgf: No such file"),
    ("analyze .", "several games need --out"),
    ("analyze broken.sgf", "broken.sgf: not a readable SGF"),
    ("analyze chess.sgf", "not a game of Go"),
    ("analyze large.sgf", "board size"),
    ("analyze empty.sgf", "no SGF data"),
    ("analyze off.sgf --out out.sgf", "off.sgf: bad move"),
    ("analyze game.sgf --html none/x.html", "no such folder"),
    ("analyze game.sgf --level 40k", "no such level: 40k (20k to 1k, 1d to 5d)"),
    ("analyze game.sgf game.sgf --out game.sgf", "not a folder"),
    ("analyze game.sgf --patterns text", "not a table file"),
    ("analyze game.sgf --patterns none", "none: cannot read"),
    ("analyze game.sgf --out none/x.sgf", "no such folder"),
    ("analyze game.sgf --json none/x.json", "no such folder"),
    ("solve", "either FILE.sgf"),
    ("solve game.sgf", "--goal"),
    ("solve --goal C3", "either FILE.sgf"),
    ("solve --goal C3 --problems problems.jsonl", "--goal"),
    ("solve game.sgf --goal C3 --problems problems.jsonl", "either FILE.sgf"),
    ("solve none.sgf --goal C3", "none.sgf: No such file"),
    ("solve broken.sgf --goal C3", "broken"),
    ("solve game.sgf --goal C9", "outside the 5x5 board"),
    ("solve game.sgf --goal pass", "no stone on the goal"),
    ("solve game.sgf --goal E5", "no stone on the goal E5 after 0 moves"),
    ("solve --problems none.jsonl", "none.jsonl: No such file"),
    ("solve --problems .", "Is a directory"),
    ("solve --problems problems.jsonl --priors text", "not a table file"),
    ("solve --problems problems.jsonl --priors none.table", "none.table: cannot read"),
    # The shipped table is opened first, which takes minutes without the JIT.
    pytest.param("evaluate --games none", "no such file", marks=needs_jit),
    pytest.param("evaluate --games text", "no readable game records", marks=needs_jit),
    pytest.param("evaluate --games still.sgf", "no moves in these records", marks=needs_jit),
    pytest.param("evaluate --games set-up.sgf", "no moves in these records", marks=needs_jit),
    ("evaluate --games game.sgf --patterns text", "not a table file"),
    ("evaluate --games game.sgf --patterns none", "none: cannot read"),
    ("evaluate --games game.sgf --plot x.txt", "a plot is one of"),
    ("evaluate --games game.sgf --plot none/x.svg", "no such folder"),
    ("evaluate --games game.sgf --patterns text --model paper", "text-paper: no table of the"),
    ("gtp --level 5k --player patterns", "leave out --level or --player"),
    ("solve --problems problems.jsonl --move 3", "--move"),
    ("solve --problems problems.jsonl", "no problems here"),
    ("solve --life", "either FILE.sgf or --problems"),
    ("solve --life problem.sgf --goal C3", "leave out --goal"),
    ("solve --life --problems problems.jsonl --goal C3", "--goal and --move need FILE.sgf"),
    ("train --out x.table", "either --games"),
    ("train --out x.table --games none", "no such file"),
    ("train --out x.table --solver", "either --games"),
    ("train --out x.table --problems text", "--solver --problems"),
    ("train --out x.table --solver --games game.sgf", "--solver --problems"),
    ("train --out x.table --games game.sgf --problems text", "--solver --problems"),
    ("train --out x.table --solver --problems none.jsonl", "none.jsonl: No such file"),
    ("train --out x.table --solver --problems problems.jsonl", "no problems"),
    ("train --out x.table --solver --problems text", "line 1"),
]


@pytest.mark.parametrize(("words", "reason"), FAILURES)
def test_impossible_requests_are_one_line(words, reason, capsys, tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    if "--plot" in words:
        pytest.importorskip("matplotlib")
    assert reason in complaint(words.split(), EXIT.failed, capsys, tmp_path)


@pytest.mark.parametrize(("command", "option"), [("gtp", "--playouts"), ("solve", "--seconds")])
def test_a_long_value_is_not_repeated_in_full(command, option, capsys, tmp_path):
    words = [command, option, "9" * 40 + "x" * 5000]
    assert f"{option}: {'9' * 40} is not" in complaint(words, EXIT.usage_error, capsys, tmp_path)


@pytest.mark.parametrize(("command", "option"), [("gtp", "--time"), ("solve", "--seconds")])
def test_an_empty_value_is_visible(command, option, capsys, tmp_path):
    found = complaint([command, option, ""], EXIT.usage_error, capsys, tmp_path)
    assert f'{option}: "" is not a' in found


def test_all_accepted_values_are_named(capsys, tmp_path):
    found = complaint(["gtp", "--resign", "always"], EXIT.usage_error, capsys, tmp_path)
    assert "always is not a percentage from 0 to 100 or never" in found
    found = complaint(["analyze", "x.sgf", "--seed", "-1"], EXIT.usage_error, capsys, tmp_path)
    assert "-1 is not a whole number from 0 to " in found


@pytest.mark.parametrize("words", [["--time", "a\nb\033[2J"], ["--a\nb\033[2J"]])
def test_a_value_cannot_break_the_line_or_command_the_terminal(words, capsys, tmp_path):
    assert "a\\nb\\x1b[2J" in complaint(["gtp", *words], EXIT.usage_error, capsys, tmp_path)


@given(st.text(max_size=12))
def test_readers_return_a_number_in_range_or_refuse(text):
    for read, least, most in (
        (count, 1, math.inf),
        (whole_number, 0, 2**63 - 1),
        (duration, 0, math.inf),
        (number_reader(float, -2.5, "a number", 2.5), -2.5, 2.5),
    ):
        try:
            value = read(text)
        except argparse.ArgumentTypeError:
            continue
        assert least <= value <= most
        assert math.isfinite(value)


@given(st.integers(1, 10**9), st.floats(0, 1e9))
def test_readers_return_the_written_value(whole, seconds):
    assert count(str(whole)) == whole_number(str(whole)) == whole
    assert duration(repr(seconds)) == seconds


def test_the_parser_names_the_help(capsys):
    parser = Parser(prog="yomi test")
    with pytest.raises(SystemExit) as caught:
        parser.parse_args(["extra"])
    assert caught.value.code == EXIT.usage_error
    assert "(see: yomi test --help)" in capsys.readouterr().err
