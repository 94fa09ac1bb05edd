"""Send malformed and shuffled GTP to yomi and check every answer against an independent record.

    python -m scripts.check.fuzz_gtp --lines 10000 --seed 1

The input has random bytes, very long lines, NUL, invalid UTF-8, absurd numbers and commands in odd
orders. Every command line must get exactly one well-formed answer with its id. A move must be
accepted if and only if the rules allow it. Answers about the stones, the komi or the legality of a
point must agree with the record. The record takes its rules from sgfmill's board, not from ours.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path

from scripts.check.gtp_record import LETTERS, check

HELLO = b"(;SZ[5]KM[0.5]AB[aa][bb];W[cc];B[dd])"  # the one record that loadsgf finds


class Nonsense:
    """Makes lines that are almost valid GTP, or not at all."""

    NAMES = (
        "boardsize clear_board komi get_komi play undo gg-undo fixed_handicap set_free_handicap"
        " place_free_handicap gogui-setup gogui-play_sequence loadsgf printsgf is_legal all_legal"
        " list_stones countlib captures showboard time_settings time_left kgs-time_settings name"
        " version protocol_version known_command list_commands set_random_seed cputime"
        " gogui-interrupt gogui-analyze_commands gogui-setup_player genmove reg_genmove"
        " kata-get-rules kata-set-rules kata-set-rule kata-time_settings kata-list_time_settings"
        " kata-list-params kata-get-param kata-set-param lz-setoption yomi-settings set_position"
        " stop clear_cache kata-search"
    ).split()  # fmt: skip
    NUMBERS = (
        "0 1 2 3 5 7 9 13 19 25 26 -1 -0 007 1e3 1e400 nan inf -inf 0x10 1_9 6.5 .5 5. 7.5.1"
        " 2147483648 99999999999999999999 1e-320 \u0663 \uff19 999999999999999999"
    ).split()  # fmt: skip

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.size = 5

    def vertex(self) -> str:
        """Return a vertex that is mostly on a small board."""
        r = self.random
        if r.random() < 0.1:
            return r.choice(
                ["pass", "PASS", "i5", "a0", "z26", "resign", "", "a999999", "5a", "\u00c1"]
            )
        return r.choice(LETTERS[: self.size].lower() + LETTERS[: self.size]) + str(
            r.randint(1, self.size)
        )

    def color(self) -> str:
        """Return a color, or a similar word."""
        return self.random.choice(["b", "w", "B", "W", "black", "white", "White"] * 3 + ["x", "bw"])

    def word(self) -> str:
        """Return a random word of any kind."""
        r = self.random
        return r.choice([self.vertex, self.color, lambda: r.choice(self.NUMBERS), self.junk])()

    def junk(self) -> str:
        """Return a word of odd characters."""
        alphabet = "ab\"'\\/#%.\x00\x07\x7f\x1b\u4e2d\u00a0\u2028\ud800-"
        return "".join(self.random.choices(alphabet, k=self.random.randint(1, 12)))

    def command(self) -> str:
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
            self.size = r.choice([2, 3, 5, 7, 9])
            return f"boardsize {self.size}"
        if kind < 0.55:
            # On small boards only: a run of 10,000 lines asks for about two hundred moves.
            return f"genmove {self.color()}" if self.size <= 7 else f"komi {r.choice(self.NUMBERS)}"
        if kind < 0.60:
            return f"is_legal {self.color()} {self.vertex()}"
        if kind < 0.64:
            pairs = (f"{self.color()} {self.vertex()}" for _ in range(r.randint(0, 6)))
            return f"{r.choice(['gogui-setup', 'gogui-play_sequence'])} {' '.join(pairs)}"
        if kind < 0.66:
            return f"set_free_handicap {' '.join(self.vertex() for _ in range(r.randint(0, 5)))}"
        if kind < 0.68:
            return f"loadsgf hello.sgf {r.choice(['', '1', '2', '3', '9', '0', 'x'])}"
        if kind < 0.70 and self.size <= 7:
            return f"{r.choice(['attack', 'defend'])} {self.vertex()}"
        if kind < 0.74:
            return self.setting()
        if kind < 0.75:
            pairs = (f"{self.color()} {self.vertex()}" for _ in range(r.randint(0, 4)))
            return f"set_position {' '.join(pairs)}"
        if kind < 0.76 and self.size <= 7:
            return f"kata-search {self.color()}"
        words = [self.word() for _ in range(r.randint(0, 4))]
        name = r.choice(self.NAMES)
        if name == "printsgf":
            words = []  # printsgf could write a file that loadsgf then loads, unknown to the record
        return " ".join([name, *words])

    def setting(self) -> str:
        """Return a command that sets a setting to a valid or an invalid value.

        Rules with suicide are left out, because the record forbids suicide. Large numbers of
        roll-outs are left out, because they take long.
        """
        r = self.random
        value = r.choice(["0", "1", "true", "false", "never", "none", "-1", "x", "1.5", ""])
        rules = r.choice(["chinese", "Japanese", "aga", "chess", '{"suicide":false}', "{", "{}}"])
        # yomi's own names: every setting except rules and playouts may get any value.
        name = r.choice(["time", "resign", "superko", "capture_dead", "lag", "ponder", "level"])
        return r.choice(
            [
                f"kata-set-param {name} {value}",
                f"yomi-settings {name} {value}",
                f"kata-set-rules {rules}",
                f"yomi-settings rules {r.choice(['chinese', 'japanese', 'aga', 'chess'])}",
                f"kata-set-rule {r.choice(['ko SIMPLE', 'tax AREA', 'scoring AREA', 'ko', value])}",
                f"lz-setoption name Visits value {r.choice(['1', '4', '-1', 'x', ''])}",
                f"lz-setoption {value} name {value} value {value}",
                f"kata-time_settings {r.choice(['fischer', 'absolute', value])} 1 {value}",
            ]
        )

    def line(self) -> bytes:
        """Return one line without its end."""
        r = self.random
        kind = r.random()
        if kind < 0.04:
            return r.randbytes(r.randint(0, 80)).replace(b"\n", b"")
        if kind < 0.06:
            return r.choice(
                [b"", b"   ", b"\t", b"# comment", b"# interrupt", b"\x00", b"#", b"\xff"]
            )
        # The surrogates become invalid UTF-8, on purpose.
        text = self.command().encode("utf-8", "surrogatepass")
        if kind < 0.10:
            at = r.randint(0, len(text))
            text = text[:at] + r.randbytes(r.randint(1, 3)).replace(b"\n", b"") + text[at:]
        elif kind < 0.105:
            text += b" " + r.choice([b"x", b"\xff", b"b a1 ", b"9", b" "]) * r.randint(
                1000, 300_000
            )
        if r.random() < 0.3:
            text = (
                str(r.choice([0, 1, 42, 2147483647, 2147483648, "007", -3])).encode() + b" " + text
            )
        ending = r.choice([b"", b"", b"", b"\r", b" ", b"\t\r", b" # play b a1"])
        return text.replace(b"\n", b"") + ending


def converse(lines: list[bytes], command: list[str], folder: str) -> tuple[bytes, int]:
    """Send all lines to a process and return its output and its exit status."""
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=folder,
        # The process runs in a folder where only hello.sgf can be loaded, so it needs a path to
        # gtp.
        env={**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])},
    ) as process:
        stdin, stdout = process.stdin, process.stdout
        assert stdin is not None
        assert stdout is not None

        def send() -> None:
            with stdin:
                for line in lines:
                    stdin.write(line + b"\n")

        # A thread writes while we read: pipes are small, and else both processes would wait.
        threading.Thread(target=send, daemon=True).start()
        output = stdout.read()
        # The process has closed its output; if it still hangs, that is a fault of its own.
        return output, process.wait(60)


def main(arguments: Sequence[str] | None = None) -> int:
    """Fuzz a new process; return 1 if anything was wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--lines", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    # Seeded, so that a failing input can be sent again.
    nonsense = Nonsense(options.seed)
    lines = [nonsense.line() for _ in range(options.lines)]
    # These commands check the board once more at the end.
    lines += [b"list_stones b", b"list_stones w", b"get_komi", b"name"]
    command = [sys.executable, "-m", "gtp", "--playouts", "4", "--threads", "1", "--seed", "1"]
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/hello.sgf", "wb") as file:
            file.write(HELLO)
        output, status = converse(lines, command, folder)
    record = check(lines, output)
    for text in record.wrong[:20]:
        print(text)
    print("accepted:", ", ".join(f"{n} {name}" for name, n in record.accepted.most_common() if n))
    print(
        f"{options.lines} lines, {record.checked} comparisons, {len(record.wrong)} wrong,"
        f" longest line {max(map(len, lines))} bytes, exit status {status}"
    )
    return int(bool(record.wrong) or status != 0)


if __name__ == "__main__":
    sys.exit(main())
