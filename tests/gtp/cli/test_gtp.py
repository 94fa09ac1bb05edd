"""``yomi gtp`` as a process of its own."""

import argparse
import os
import signal
import subprocess
import sys
import time

import pytest

from gtp.cli.gtp import _session_options, add_options
from tests.gtp.conftest import needs_jit, split_answers

YOMI = [sys.executable, "-m", "gtp"]
QUICK = ["--playouts", "8", "--threads", "1", "--seed", "1"]


def run(*options, **streams):
    return subprocess.run([*YOMI, *options], capture_output=True, timeout=120, **streams)


@needs_jit
def test_answers_then_ends_with_the_input():
    done = run(*QUICK, input=b"name\nboardsize 9\ngenmove b\n7 genmove w")
    answers = split_answers(done.stdout)
    assert answers[:2] == ["= yomi", "="]
    assert answers[2].startswith("= ")
    assert answers[3].startswith("=7 ")
    assert done.returncode == 0
    assert b"seed 1" in done.stderr


@needs_jit
def test_the_same_seed_plays_the_same_moves():
    moves = b"boardsize 9\n" + b"genmove b\ngenmove w\n" * 3
    assert run(*QUICK, input=moves).stdout == run("gtp", *QUICK, input=moves).stdout


def test_closed_input_ends_quietly():
    command = " ".join([*YOMI, *QUICK, "<&-"])
    done = subprocess.run(command, shell=True, capture_output=True, timeout=120)
    assert (done.returncode, done.stdout) == (0, b"")
    assert b"Traceback" not in done.stderr


def test_a_log_on_a_full_disk_ends_and_the_session_goes_on():
    done = run(*QUICK, "--log", "/dev/full", input=b"name\nversion\nquit\n")
    assert len(split_answers(done.stdout)) == 3
    assert b"Traceback" not in done.stderr
    assert done.stderr.count(b"/dev/full ends here: No space left on device") == 1


def test_a_broken_pipe_ends_quietly():
    process = subprocess.Popen(
        [*YOMI, *QUICK], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    process.stdin.write(b"name\n")
    process.stdin.flush()
    assert process.stdout.readline() == b"= yomi\n"
    process.stdout.close()
    process.stdin.write(b"name\n" * 10)
    process.stdin.flush()
    process.wait(60)
    process.stdin.close()
    errors = process.stderr.read()
    process.stderr.close()
    assert b"Traceback" not in errors
    assert b"Exception" not in errors


@needs_jit
def test_the_end_of_the_input_ends_a_search():
    start = time.monotonic()
    done = run("--time", "100", "--threads", "1", input=b"boardsize 9\ngenmove b\n")
    assert len(split_answers(done.stdout)) == 2
    assert time.monotonic() - start < 60


def test_a_quit_is_answered_while_kernels_are_still_compiled():
    done = run(*QUICK, input=b"quit\n", env={**os.environ, "NUMBA_DISABLE_JIT": "1"})
    assert (done.returncode, done.stdout) == (0, b"=\n\n")


def test_the_log_has_the_session_and_the_seed(tmp_path):
    log = tmp_path / "yomi.log"
    run(*QUICK, "--log", str(log), input=b"3 komi \xff\n")
    text = log.read_text()
    assert "seed 1" in text
    assert "< 3 komi" in text
    assert "> ?3 syntax error" in text


def test_a_pattern_player_needs_patterns():
    done = run("--player", "patterns", "--without", "patterns", stdin=subprocess.DEVNULL)
    assert done.returncode == 1
    assert done.stderr.startswith(b"yomi: a pattern player needs")
    assert done.stderr.count(b"\n") == 1


def test_measurements_have_two_options():
    parser = argparse.ArgumentParser()
    add_options(parser)
    (group,) = [one for one in parser._action_groups if one.title == "for measurements"]
    names = [action.dest for action in group._group_actions]
    assert names == ["player", "without"]


def test_parts_can_be_left_out():
    parser = argparse.ArgumentParser()
    add_options(parser)
    options = _session_options(parser.parse_args(["--without", "Patterns, sums"]))
    assert options.knowledge.patterns is None
    assert options.knowledge.policy is not None
    assert (options.player.sums, options.player.tactics) == (False, True)
    assert options.player.model.lateral
    others = _session_options(parser.parse_args(["--without", "tactics,amaf"]))
    assert (others.player.sums, others.player.tactics) == (True, False)
    assert not others.player.model.lateral
    assert others.knowledge.patterns is not None


@needs_jit
def test_the_pattern_player_talks():
    done = run("--player", "patterns", *QUICK, input=b"boardsize 9\ngenmove b\nyomi-explain\n")
    assert b"the model expects a strong player to play it in " in done.stdout


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("chinese", "chinese"),
        ("Japanese", "japanese"),
        ("KOREAN", "japanese"),
        ("AGA", "aga"),
        ("Tromp-Taylor", "tromp-taylor"),
        ("New-Zealand", "new-zealand"),
    ],
)
def test_rules_by_name_in_any_case(given, name):
    parser = argparse.ArgumentParser()
    add_options(parser)
    assert parser.parse_args(["--rules", given]).rules == name


def test_rules_are_named_in_the_answers():
    done = run("--rules", "Korean", input=b"boardsize 9\ngogui-title\n")
    assert split_answers(done.stdout)[1] == "= yomi: 9x9, japanese rules, komi 7.5"


TYPED = b"help\nd4\nPASS\nz99\nfrobnicate\nplay b i5\nplay b z1\nboardsize 99\nquit\n"
_FORM = "? syntax error; usage: play COLOR VERTEX, for example: play b E5, or play w pass"
REFUSED = [*["? unknown command"] * 4, _FORM, _FORM, "? unacceptable size", "="]


def test_programs_get_no_hints():
    done = run(*QUICK, input=TYPED)
    assert split_answers(done.stdout)[1:] == REFUSED
    assert b"Type a point" not in done.stderr
    assert b"outside" not in done.stderr


def test_a_log_that_cannot_be_written_is_one_line(tmp_path):
    done = run("--log", str(tmp_path / "no" / "file"), stdin=subprocess.DEVNULL)
    assert done.returncode == 2
    assert done.stderr.count(b"\n") == 1


@needs_jit
@pytest.mark.skipif(os.name == "nt", reason="no SIGINT to send")
def test_ctrl_c_ends_at_once_also_in_a_search():
    with subprocess.Popen(
        [*YOMI, "--time", "100", "--threads", "2"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        process.stdin.write(b"reg_genmove b\nname\n")
        process.stdin.flush()
        process.stderr.readline()
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 130
        assert process.stdout.read() == b""
        assert b"Traceback" not in process.stderr.read()
