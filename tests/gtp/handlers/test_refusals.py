"""Every command of ``list_commands`` refuses wrong words or takes any.

``sessions/forms.gtp`` has commands with wrong arguments, and ``refusals.gtp`` those whose form is
right. Add a new command to one of them or to ``WHATEVER``.
"""

from itertools import pairwise
from pathlib import Path

import pytest

from gtp.handlers.help import FORMS
from gtp.handlers.table import UNLISTED

SESSIONS = Path(__file__).parents[1] / "sessions"


def refused_in(file):
    """Return the refused lines of a table of sessions."""
    lines = (SESSIONS / file).read_text("utf-8").splitlines()
    return [line for line, answer in pairwise(lines) if answer.startswith("? ")]


WHATEVER = {
    "protocol_version", "name", "version", "list_commands", "clear_board", "final_score",
    "showboard", "get_komi", "cputime", "gogui-interrupt", "gogui-title", "gogui-version",
    "gogui-analyze_commands", "kgs-game_over", "cgos-opponent_name", "cgos-opponent_rating",
    "cgos-gameover", "quit", "kata-list_time_settings", "stop", "clear_cache",
}  # fmt: skip
"""Commands that take no argument, and ignore what comes with them, or any text at all."""

WRONG_FORMS = [*refused_in("forms.gtp"), "kgs-chat"]  # a command where chat is answered


def test_the_tables_name_every_command_once(talk_with):
    refusing = {line.split()[0] for line in [*WRONG_FORMS, *refused_in("refusals.gtp")]}
    assert refusing | WHATEVER == set(talk_with(chat=True)("list_commands").split("\n"))
    assert not refusing & WHATEVER


def test_forms_are_those_of_commands(talk_with):
    assert FORMS.keys() <= {*talk_with(chat=True)("list_commands").split("\n"), *UNLISTED}
    # Commands that need an argument have a form.
    assert {line for line in WRONG_FORMS if " " not in line} <= FORMS.keys()


@pytest.mark.parametrize("name", sorted(WHATEVER))
def test_superfluous_words_are_no_failure(talk, name):
    talk("boardsize 2", "play b a1", "play w pass", "play b pass")
    assert not talk(f"{name} and more words").startswith("?")
