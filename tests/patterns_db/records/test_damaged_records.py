"""Damaged game records: no data is lost without a message.

Records come from a random generator and are then mutated: bytes, brackets, properties, values,
encodings, ends. Every input must end in a result or in one clear line. An accepted record must have
all the moves that sgfmill finds in it. A review must have the same moves and be readable again.
"""

import contextlib
import io
import random
import re

import pytest
from sgfmill import sgf

from engine import PASS, PlayerOptions, to_column_row
from engine.review.looks import Lookout
from gtp.__main__ import main as yomi
from gtp.handlers.table import handlers
from gtp.protocol import Protocol
from gtp.session import Session, SessionOptions
from patterns_db.records.sgf import Play, read_record
from tests.gtp.quick_looks import look_at_once

NAMES = (
    "Lee",
    "\u674e\u660c\u9396",
    "\u30a4\u30fb\u30bb",
    "\uc774\uc138\ub3cc",
    "a]b\\c",
    "\u8868",
)
ENCODINGS = ("utf-8", "utf-8", "shift_jis", "gb18030", "big5", "euc_kr", "latin-1", "utf-16")
VALUES = (
    "", "zz", "tt", "aa", "dd", "dd:A", "aa:cc", "cc:aa", "aa:zz", ":", "7.5", "-1", "1e400", "nan",
    "375", "19:19", "9:7", "99999999999999999999", "Black", "1", "\\", "a\\]b", "a:b:c", "\r\n",
    "\u674e", "\x00", "x" * 300, "A1", " dd ",
)  # fmt: skip
PROPERTIES = (
    "B W AB AW AE PL C N LB TR SQ CR MA SL TW TB DD VW KO MN BM DO TE IT SBKV GB GW UC V HO LN AR"
    " FG PM ST KM HA RU RE SZ GM FF CA AP DT PB PW BR WR TM OT CP EV RO YOMI foo addBlack X"
).split()  # fmt: skip
RULES = ("Japanese", "Chinese", "AGA", "koSIMPLEscoreTERRITORY", "{}", "chess", "", '{"komi":1e9}')
KOMI = ("6.5", "0", "3.75", "375", "6,5", "", "3\u53c83/4\u5b50", "6.5.1")
REFUSALS = re.compile(rb"\? (cannot load file: \S|syntax error)")


def escaped(text):
    return text.replace("\\", "\\\\").replace("]", "\\]")


def whole_record(r):
    """Return a record as a program might write it, in some encoding."""
    size, encoding = r.choice((5, 7, 9, 13, 19)), r.choice(ENCODINGS)
    root = [f"SZ[{size}]"]
    if r.random() < 0.5:
        # Every fourth name is that of another set, or of the right one by chance.
        root.append(f"CA[{r.choice(ENCODINGS) if r.random() < 0.25 else encoding}]")
    for name, values in (("KM", KOMI), ("RU", RULES), ("HA", "0234"), ("AP", ("foxwq", "x"))):
        root += [f"{name}[{r.choice(values)}]"] * (r.random() < 0.4)
    for name in ("PB", "PW", "C"):
        root += [f"{name}[{escaped(r.choice(NAMES))}]"] * (r.random() < 0.5)
    letters = "abcdefghijklmnopqrs"[:size]
    points = [x + y for x in letters for y in letters]
    for number, point in enumerate(r.sample(points, min(len(points) // 3, r.randint(0, 12)))):
        color, other = "BWB"[number % 2 :][:2]
        node = f";{color}[{'' if r.random() < 0.05 else point}]"
        node += f"C[{escaped(r.choice(NAMES))}]" * (r.random() < 0.2)
        node += f"LB[{point}:A]TR[{r.choice(points)}]" * (r.random() < 0.1)
        node += f"(;{other}[{r.choice(points)}])" * (r.random() < 0.01)
        root.append(node)
    return f"(;GM[1]FF[4]{''.join(root)})".encode(encoding, "replace")


def mutated(r, data):
    """Return a record that is damaged in one place."""
    at, end = sorted(r.randint(0, len(data)) for _ in range(2))
    near = at + r.randint(1, 20)
    values = "".join(f"[{r.choice(VALUES)}]" for _ in range(r.choice((0, 1, 1, 1, 2))))
    text = (r.choice(PROPERTIES) + values).encode("utf-8", "replace")
    opened = r.choice([m.end() for m in re.finditer(rb"\[", data)] or [0])
    closed = max(data.find(b"]", opened), opened)
    after = r.choice([m.end() for m in re.finditer(rb"[\];]", data)] or [0])
    return r.choice([
        lambda: data[:at] + bytes([r.randrange(256)]) + data[at + 1 :],
        lambda: data[:at], lambda: data[at:], lambda: data[:at] + data[near:],
        lambda: data[:at] + data[at:near] + data[at:],
        lambda: data[:after] + text + data[after:], lambda: data[:after] + text + data[after:],
        lambda: data[:at] + r.choice((b"(", b")", b"[", b"]", b";", b"\\")) + data[at:],
        lambda: data[:at] + r.randbytes(r.randint(1, 20)) + data[at:],
        lambda: data + r.choice((b"", b"\n", b"junk ")) + whole_record(r),
        lambda: data[:opened] + r.choice(VALUES).encode("utf-8", "replace") + data[closed:],
        lambda: data[:at] + data[end : end + 9] + data[near:end] + data[at:near] + data[end + 9 :],
    ])()  # fmt: skip


def record_from(r):
    data = whole_record(r)
    for _ in range(r.choice((0, 1, 1, 1, 2, 3, 4))):
        data = mutated(r, data)
    return data


def sgfmill_moves(data):
    """Return the moves of the main line as sgfmill reads them; None where it is no witness."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")) or not re.match(rb"[^(]*\(\s*;", data):
        return None  # UTF-16, or a game without the first semicolon, which sgfmill skips
    try:
        game = sgf.Sgf_game.from_bytes(data)
        found = []
        for node in game.get_main_sequence():
            both = node.has_property("B") and node.has_property("W")
            sizes = node.has_property("SZ") and not game.get_root().has_property("SZ")
            many = any(node.has_property(n) and len(node.get_raw_list(n)) > 1 for n in "BW")
            if both or sizes or many:
                return None  # sgfmill keeps one of two moves, and takes 19 lines without a size
            color, move = node.get_move()
            found += [(color, move)] if color is not None else []
        return found
    except Exception:
        return None


def our_moves(data):
    """Return the moves that yomi reads. Raises SgfError."""
    found = []
    for play in read_record(data).moves:
        assert isinstance(play, Play)
        column, row = (0, 0) if play.point == PASS else to_column_row(play.point)
        found.append(("b" if play.color == 1 else "w", (row - 1, column - 1) if row else None))
    return found


def compare_moves(data):
    """Compare the moves that yomi reads with sgfmill's."""
    theirs, ours, notes = sgfmill_moves(data), our_moves(data), read_record(data).notes
    if theirs is None or any("passed over" in note for note in notes):
        return
    if not data.isascii() and any("several games" in note for note in notes):
        return  # sgfmill may take the second game for a part of the first
    if not data.isascii() or any("not closed;" in note for note in notes):
        # sgfmill may take the second byte of a character for an escape, and then misses moves. It
        # also misses those in a value that is not closed.
        rest = iter(ours)
        assert all(move in rest for move in theirs), data
    else:
        assert ours == theirs, data


def load(data, path):
    """Load a record over GTP; return whether it was accepted."""
    path.write_bytes(data)
    out = io.BytesIO()
    session = Session(SessionOptions(PlayerOptions(playouts=4, threads=1, seed=1)))
    lines = f"boardsize 9\nplay b a1\nloadsgf {path}\nprintsgf\n".encode()
    Protocol(handlers(session)).run(io.BytesIO(lines), out)
    _, _, loaded, printed = out.getvalue().split(b"\n\n")[:4]
    if loaded.startswith(b"="):
        compare_moves(data)
        return True
    assert REFUSALS.match(loaded), data
    assert b"\n" not in loaded
    assert our_moves(printed[2:]) == [("b", (0, 0))], data  # the game is the one before
    return False


def run(*words):
    """Run a command in this process; return its status."""
    err = io.StringIO()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(err):
        try:
            status = yomi([str(word) for word in words])
        except SystemExit as end:
            status = int(end.code or 0)
    text = err.getvalue()
    assert status in (0, 1), words
    assert "Traceback" not in text
    assert "internal error" not in text
    assert status == 0 or any(line.startswith("yomi: ") for line in text.splitlines())
    return status


def review(data, folder):
    """Review a record, then review the review."""
    game, out, again = (folder / name for name in ("input.sgf", "out.sgf", "again.sgf"))
    game.write_bytes(data)
    out.unlink(missing_ok=True)
    words = ["--playouts", "2", "--threads", "1"]
    if run("analyze", game, "--out", out, *words):
        assert not out.exists()
        return
    assert our_moves(out.read_bytes()) == our_moves(data), data
    assert run("analyze", out, "--out", again, *words) == 0
    assert again.read_bytes() == out.read_bytes(), data


@pytest.mark.timeout(7200)
@pytest.mark.parametrize(
    ("inputs", "seed"), [(40, 3), pytest.param(20_000, 1, marks=pytest.mark.long)]
)
def test_damaged_records(inputs, seed, tmp_path, monkeypatch):
    monkeypatch.setattr(Lookout, "look", look_at_once)
    chance, accepted = random.Random(seed), 0
    for number in range(1, inputs + 1):
        data = record_from(chance)
        accepted += load(data, tmp_path / "input.sgf")
        if number % 10 == 0:
            review(data, tmp_path)
        if number % 40 == 0:
            run("evaluate", "--games", tmp_path / "input.sgf", "--json")
    assert inputs / 4 < accepted < inputs


def test_a_lost_move_is_noticed(monkeypatch):
    def lossy(data):
        record = whole(data)
        return record.__class__(record.size, events=record.events[:-1])

    whole = read_record
    monkeypatch.setattr(f"{__name__}.read_record", lossy)
    with pytest.raises(AssertionError):
        compare_moves(b"(;SZ[9];B[aa];W[bb])")
