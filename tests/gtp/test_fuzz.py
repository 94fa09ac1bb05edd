"""Malformed and shuffled GTP: one answer for each command, and no failure changes anything."""

import io
import random
import re

import pytest

from engine import PlayerOptions
from engine.go.geometry import COLUMN_LETTERS as LETTERS
from gtp.session import SessionOptions
from tests.gtp.conftest import Talk, split_answers

# Every command but those that read or write files, or that analyze until the next line.
SKIPPED = ("loadsgf", "printsgf", "analyze", "quit", "search", "genmove", "cleanup", "ponder")
ODD = ["pass", "PASS", "i5", "a0", "z26", "resign", "", "a999999", "5a", "\u00c1"]
NUMBERS = (
    "0 1 2 3 5 7 9 13 19 25 26 -1 -0 007 1e3 1e400 nan inf 0x10 1_9 6.5 .5 5. 7.5.1 2147483648"
    " 99999999999999999999 1e-320 \u0663 \uff19"
).split()  # fmt: skip
VALUES = ["0", "1", "true", "false", "never", "none", "-1", "x", "1.5", ""]
SETTINGS = ["time", "resign", "superko", "capture_dead", "lag", "ponder", "level"]
RULES = ["chinese", "Japanese", "aga", "chess", '{"suicide":false}', "{", "{}}"]


class Nonsense:
    """Makes lines that are almost valid GTP, or not at all."""

    def __init__(self, seed, names):
        self.random, self.names, self.size = random.Random(seed), names, 5

    def vertex(self):
        r, letters = self.random, LETTERS[: self.size]
        if r.random() < 0.1:
            return r.choice(ODD)
        return r.choice(letters.lower() + letters) + str(r.randint(1, self.size))

    def color(self):
        return self.random.choice(["b", "w", "B", "W", "black", "white", "White"] * 3 + ["x", "bw"])

    def junk(self):
        alphabet = "ab\"'\\/#%.\x00\x07\x7f\x1b\u4e2d\u00a0\u2028\ud800-"
        return "".join(self.random.choices(alphabet, k=self.random.randint(1, 12)))

    def pairs(self, most):
        return " ".join(
            f"{self.color()} {self.vertex()}" for _ in range(self.random.randint(0, most))
        )

    def setting(self):
        r = self.random
        name, value = r.choice(SETTINGS), r.choice(VALUES)
        return r.choice([
            f"kata-set-param {name} {value}", f"yomi-settings {name} {value}",
            f"kata-set-rules {r.choice(RULES)}", f"kata-set-rule {r.choice(['ko SIMPLE', value])}",
            f"kata-time_settings {r.choice(['fischer', 'absolute', value])} 1 {value}",
        ])  # fmt: skip

    def command(self):
        """Return a command with plausible arguments, or others."""
        r = self.random
        kind = r.random()
        if kind < 0.35:
            return f"play {self.color()} {self.vertex()}"
        if kind < 0.45:
            return r.choice(["list_stones b", "list_stones w", "get_komi", "name"])
        if kind < 0.50:
            return r.choice(["undo", "undo", "gg-undo 3", "gg-undo", "clear_board"])
        if kind < 0.53:
            self.size = r.choice([2, 3, 5, 7])
            return f"boardsize {self.size}"
        if kind < 0.58:
            return f"is_legal {self.color()} {self.vertex()}"
        if kind < 0.62:
            name = r.choice(["gogui-setup", "gogui-play_sequence"])
            return f"{name} {self.pairs(6)}"
        if kind < 0.64:
            return f"set_free_handicap {' '.join(self.vertex() for _ in range(r.randint(0, 5)))}"
        if kind < 0.70:
            return self.setting()
        if kind < 0.705:
            return f"genmove {self.color()}"
        words = (self.vertex, self.color, lambda: r.choice(NUMBERS), self.junk)
        return " ".join(
            [r.choice(self.names), *(r.choice(words)() for _ in range(r.randint(0, 4)))]
        )

    def line(self):
        """Return one line without its end."""
        r = self.random
        kind = r.random()
        if kind < 0.04:
            return r.randbytes(r.randint(0, 80)).replace(b"\n", b"")
        if kind < 0.06:
            return r.choice([b"", b"   ", b"\t", b"# comment", b"\x00", b"#", b"\xff"])
        # The surrogates become invalid UTF-8, on purpose.
        text = self.command().encode("utf-8", "surrogatepass")
        if kind < 0.10:
            at = r.randint(0, len(text))
            text = text[:at] + r.randbytes(r.randint(1, 3)) + text[at:]
        elif kind < 0.105:
            text += b" " + r.choice([b"x", b"\xff", b"b a1 ", b" "]) * r.randint(1000, 300_000)
        if r.random() < 0.3:
            text = (
                str(r.choice([0, 1, 42, 2147483647, 2147483648, "007", -3])).encode() + b" " + text
            )
        return text.replace(b"\n", b"") + r.choice(
            [b"", b"", b"\r", b" ", b"\t\r", b" # play b a1"]
        )


def answer_to(talk, line):
    """Send a line; return its answer, which must be well formed, or "" where there is none."""
    sink = io.BytesIO()
    talk.protocol.run(io.BytesIO(line + b"\n"), sink)
    answers = split_answers(sink.getvalue())
    assert len(answers) <= 1, line
    return answers[0] if answers else ""


def id_of(line):
    """Return the id of a command by the GTP 2 draft, section 2.2; None: the line is empty."""
    shown = bytes(byte for byte in line if byte == 9 or (byte >= 32 and byte != 127))
    words = shown.split(b"#")[0].replace(b"\t", b" ").split()
    if not words:
        return None
    # An id is an int; a larger number is the name of a command that does not exist.
    if re.fullmatch(rb"[0-9]{1,10}", words[0]) and int(words[0]) < 2**31:
        return words[0].decode()
    return ""


@pytest.mark.timeout(7200)
@pytest.mark.parametrize(
    ("lines", "seed"), [(400, 1), (400, 2), pytest.param(100_000, 11, marks=pytest.mark.long)]
)
def test_malformed_lines(lines, seed, tmp_path, monkeypatch):
    """Each has one answer with its id; a failed command names a reason and changes nothing."""
    monkeypatch.chdir(tmp_path)
    talk = Talk(SessionOptions(player=PlayerOptions(playouts=1, threads=1, seed=1)))
    names = sorted(n for n in talk.protocol.handlers if not any(word in n for word in SKIPPED))
    nonsense, played = Nonsense(seed, names), 0
    for _ in range(lines):
        line, before = nonsense.line(), talk.state
        answer, command_id = answer_to(talk, line), id_of(line)
        assert (answer == "") == (command_id is None), line
        if command_id is None:
            continue
        status, found, reason = re.fullmatch(r"([=?])(\d*)(?: (.*))?", answer, re.DOTALL).groups()
        assert found == command_id, line
        assert status == "=" or reason not in (None, "internal error"), line
        assert status == "=" or talk.state == before, line
        played += len(talk.session.game.moves) > len(before[6])
    assert played > lines / 20
