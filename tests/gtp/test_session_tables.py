"""Sessions as tables of lines: what is sent and what comes back; see ``sessions/*.gtp``.

``# title`` begins a session of its own. A command without an answer below it must succeed.
``= text`` is its whole answer, ``=~`` a regular expression for it, ``? text`` its failure without
the usage, which must be the command's form. A failed command must leave all state unchanged.
``{tmp}`` is an empty folder, ``{digits}`` a long number, and ``> NAME TEXT`` writes a file.
"""

import re
from pathlib import Path

import pytest

from gtp.handlers.help import form_of
from gtp.protocol import SYNTAX_ERROR

FILES = sorted((Path(__file__).parent / "sessions").glob("*.gtp"))
SESSIONS = {
    f"{path.stem}: {title}": lines
    for path in FILES
    for section in re.split(r"^# ", path.read_text("utf-8"), flags=re.M)[1:]
    for title, *lines in [section.rstrip().split("\n")]
}


@pytest.mark.parametrize("lines", SESSIONS.values(), ids=SESSIONS)
def test_session(talk, tmp_path, lines):
    def everything():
        own = talk.session
        return talk.state, talk("printsgf"), own.options, own.player, own.clock, own.generated

    answer = ""
    for number, line in enumerate(lines):
        text = line.replace("{tmp}", str(tmp_path)).replace("{digits}", "9" * 5000)
        if text.startswith("> "):
            _, name, content = text.split(" ", 2)
            (tmp_path / name).write_text(content, "utf-8")
        elif text.startswith("=~ "):
            assert re.fullmatch(text[3:], answer, re.DOTALL), (line, answer)
        elif text[0] == "=":
            assert answer == text[1:].strip(), line
        elif text[0] == "?":
            refusal, _, form = answer.partition("; usage: ")
            assert refusal == text, line
            if refusal == f"? {SYNTAX_ERROR}":
                assert form == form_of(lines[number - 1].split()[0]), line
        else:
            before = everything()
            answer = talk(text)
            if answer.startswith("?"):
                assert lines[number + 1][:1] == "?", (line, answer)
                assert everything() == before, line
