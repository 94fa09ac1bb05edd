"""The ``yomi`` command line: usage, help, and the modules that it loads."""

import os
import subprocess
import sys

import pytest

from gtp.__main__ import COMMANDS, main


def status_of(words):
    """Return the status with which a command ends the program."""
    with pytest.raises(SystemExit) as caught:
        main(words)
    return caught.value.code


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["--nonsense"], "--nonsense"),
        (["nonsense"], "nonsense"),
        (["gtp", "extra"], "extra"),
        (["--play", "5"], "--play"),
        (["My Game.SGF"], "yomi: this is no command; to review a game: yomi"),
        (["level", "game.sgf", "--nonsense"], "--nonsense (see: yomi level --help)\n"),
    ],
)
def test_bad_usage_is_one_line(words, hint, capsys):
    assert status_of(words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("yomi: ")
    assert err.count("\n") == 1
    assert hint in err


def test_the_version(capsys):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("yomi ")


@pytest.mark.parametrize(
    ("words", "usage"),
    [
        (["--help"], "yomi "),
        (["help"], "yomi [-h]"),
        (["help", "level"], "yomi level [-h]"),
        *(([name, "--help"], f"yomi {name} ") for name in COMMANDS),
    ],
)
def test_every_command_has_help(words, usage, capsys):
    assert status_of(words) == 0
    out, err = capsys.readouterr()
    assert out.startswith(f"usage: {usage}")
    assert err == ""


def test_a_full_disk_is_one_line():
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "gtp", "--version"], stdout=full, stderr=subprocess.PIPE
        )
    assert (done.returncode, done.stderr) == (1, b"yomi: output: No space left on device\n")


def test_a_reader_that_goes_away_gets_no_traceback():
    reading, writing = os.pipe()
    os.close(reading)
    code = (
        "import sys, gtp.cli.warmup as w, gtp.__main__ as m\n"
        "w.run = lambda options: print('x' * 9) or 0\n"
        "sys.exit(m.main(['warmup']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], stdout=writing, stderr=subprocess.PIPE, check=False
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (1, b"")


@pytest.mark.parametrize("word", ["--version", "--help"])
def test_a_question_to_yomi_itself_loads_no_engine(word):
    watch = (
        "import sys\n"
        "from gtp.__main__ import main\n"
        "try:\n"
        f"    main([{word!r}])\n"
        "finally:\n"
        "    assert not {'engine', 'numba', 'numpy'} & set(sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", watch], capture_output=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")


def test_any_name_can_be_printed_in_any_locale():
    code = (
        "import sys, gtp.cli.warmup as w, gtp.__main__ as m\n"
        "w.run = lambda options: print('\\u5c71 \\udcfc') or 0\n"
        "sys.exit(m.main(['warmup']))"
    )
    environment = {**os.environ, "PYTHONIOENCODING": "latin-1"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, env=environment)
    assert (done.returncode, done.stdout) == (0, b"\\u5c71 \\udcfc\n")
    assert done.stderr == b""


@pytest.mark.skipif(os.name != "posix", reason="streams are closed by a shell")
@pytest.mark.parametrize("closed", ["1", "2"])
def test_a_closed_output_stops_no_command(closed):
    code = (
        "import sys, gtp.cli.warmup as w, gtp.__main__ as m\n"
        "w.run = lambda options: m.say('ready \\udcfc') or sys.stdout.write('done \\udcfc') and 0\n"
        "sys.exit(m.main(['warmup']))"
    )
    done = subprocess.run(
        ["sh", "-c", f'exec "$0" -c "$1" {closed}>&-', sys.executable, code], capture_output=True
    )
    assert done.returncode == 0
    expected = b"yomi: ready \\udcfc\n" if closed == "1" else b"done \\udcfc"
    assert done.stdout + done.stderr == expected
