"""A judge for scripts that ask one."""

import shlex
import sys
from pathlib import Path

import pytest

from scripts.check.judge import KataGoJudge

JUDGE = Path(__file__).with_name("judge.py")


@pytest.fixture
def judge_command():
    """Return the command line of the program in ``judge.py``."""
    return shlex.join([sys.executable, str(JUDGE)])


@pytest.fixture
def judge(judge_command):
    program = KataGoJudge(judge_command)
    yield program
    program.close()
