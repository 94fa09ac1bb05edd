"""Sessions as tables of lines: what is sent and what comes back; see ``sessions/*.gtp``.

``# title`` begins a session of its own. A command without an answer below it must succeed.
``= text`` is its whole answer, ``=~`` a regular expression for it, ``? text`` its failure without
the usage. A failed command must leave all state unchanged. ``{tmp}`` is an empty folder, and
``> NAME TEXT`` writes a file there.
"""

import re
from pathlib import Path

import pytest

FILES = sorted((Path(__file__).parent / "sessions").glob("*.gtp"))
SESSIONS = {
    f"{path.stem}: {title}": lines
    for path in FILES
    for section in re.split(r"^# ", path.read_text("utf-8"), flags=re.M)[1:]
    for title, *lines in [section.rstrip().split("\n")]
}


@pytest.mark.parametrize("lines", SESSIONS.values(), ids=SESSIONS)
def test_session(talk, tmp_path, lines):
    answer = ""
    for number, line in enumerate(lines):
        text = line.replace("{tmp}", str(tmp_path))
        if text.startswith("> "):
            _, name, content = text.split(" ", 2)
            (tmp_path / name).write_text(content, "utf-8")
        elif text.startswith("=~ "):
            assert re.fullmatch(text[3:], answer, re.DOTALL), (line, answer)
        elif text[0] == "=":
            assert answer == text[1:].strip(), line
        elif text[0] == "?":
            assert answer.partition("; usage")[0] == text, line
        else:
            before = talk.state
            answer = talk(text)
            if answer.startswith("?"):
                assert lines[number + 1][:1] == "?", (line, answer)
                assert talk.state == before, line
