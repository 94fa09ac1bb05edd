"""Give damaged game records to yomi and check that no data is lost without a message.

    python -m scripts.check.fuzz_records --inputs 10000 --seed 1

Records come from random games and are then mutated: bytes, brackets, properties, values, encodings,
ends. Each goes through ``loadsgf``. Some also go through ``yomi analyze``, ``evaluate`` and
``train``, in this process. A stub replaces most searches, because they are not under test.

Every input must end in a result or in one clear line. An accepted record must have all the moves
that sgfmill finds in it. A review must have the same moves and be readable again.
"""

import argparse
import contextlib
import io
import logging
import random
import re
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from unittest import mock

import numpy as np
from sgfmill import sgf

from engine import (
    PASS,
    Decision,
    MoveBelief,
    Player,
    PlayerOptions,
    SgfError,
    to_column_row,
)
from engine.belief.losses import observed
from engine.go.geometry import AREA
from engine.review.looks import Lookout, LookRequest, PositionLook
from gtp.__main__ import main as yomi
from gtp.handlers.table import handlers
from gtp.protocol import Protocol
from gtp.session import Session, SessionOptions
from patterns_db.records.sgf import Play, read_record
from scripts.check.record_mutations import Mutations

# The share of inputs for the commands other than loadsgf, which are slower.
ANALYZED, EVALUATED, TRAINED, SEARCHED = 10, 40, 400, 400
REFUSALS = re.compile(rb"\? (cannot load file: \S|syntax error)")

RecordMove = tuple[str, tuple[int, int] | None]


def sgfmill_moves(data: bytes) -> list[RecordMove] | None:
    """Return the moves of the main line as sgfmill reads them; None where it refuses the record."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return None  # UTF-16, from which sgfmill would read an ASCII game that may follow
    if not re.match(rb"[^(]*\(\s*;", data):
        return None  # sgfmill skips a game without the first semicolon
    try:
        game = sgf.Sgf_game.from_bytes(data)
        found = []
        for node in game.get_main_sequence():
            if node.has_property("SZ") and not game.get_root().has_property("SZ"):
                return None  # sgfmill takes 19 lines where the root does not tell
            if node.has_property("B") and node.has_property("W"):
                return None  # sgfmill keeps only one of the two moves
            if any(node.has_property(n) and len(node.get_raw_list(n)) > 1 for n in "BW"):
                return None
            color, move = node.get_move()
            if color is not None:
                found.append((color, move))
        return found
    except Exception:  # if sgfmill raises anything, it is no witness
        return None


def our_moves(data: bytes) -> list[RecordMove]:
    """Return the moves that yomi reads. Raises SgfError."""
    found: list[RecordMove] = []
    for play in read_record(data).moves:
        assert isinstance(play, Play)
        place = None
        if play.point != PASS:
            column, row = to_column_row(play.point)
            place = (row - 1, column - 1)
        found.append(("b" if play.color == 1 else "w", place))
    return found


def _is_part(some: Sequence[RecordMove], every: Sequence[RecordMove]) -> bool:
    """Return whether some moves occur among others in the same order."""
    rest = iter(every)
    return all(move in rest for move in some)


class Finding(Exception):  # noqa: N818 - the aim of the search
    """A violation of the checks."""


class Fuzzer:
    """Sends inputs through the commands, and keeps the findings.

    folder  for the files
    counts  number of inputs by result
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.counts: Counter[str] = Counter()
        self.session = Session(SessionOptions(PlayerOptions(playouts=4, threads=1, seed=1)))
        self.protocol = Protocol(handlers(self.session))

    def load(self, data: bytes) -> bool:
        """Load a record over GTP; return whether it was accepted. Raises Finding."""
        path = self.folder / "input.sgf"
        path.write_bytes(data)
        out = io.BytesIO()
        lines = f"boardsize 9\nplay b a1\nloadsgf {path}\nprintsgf\n".encode()
        self.protocol.run(io.BytesIO(lines), out)
        _, _, loaded, printed = out.getvalue().split(b"\n\n")[:4]
        if loaded.startswith(b"?"):
            self.counts["loadsgf refused"] += 1
            if not REFUSALS.match(loaded) or b"\n" in loaded or b"internal" in loaded:
                raise Finding(f"loadsgf: {loaded!r}")
            if our_moves(printed[2:]) != [("b", (0, 0))]:
                raise Finding("a record that was refused changed the game")
            return False
        self.counts["loadsgf accepted"] += 1
        if not loaded.startswith(b"="):
            raise Finding(f"loadsgf: {loaded!r}")
        self.check_moves(data)
        return True

    def check_moves(self, data: bytes) -> None:
        """Compare the moves that yomi read with sgfmill's. Raises Finding."""
        theirs = sgfmill_moves(data)
        if theirs is None:
            return
        ours, notes = our_moves(data), read_record(data).notes
        passed_over = any("passed over" in note for note in notes)
        if passed_over or (not data.isascii() and any("several games" in note for note in notes)):
            return  # sgfmill may take the second game for a part of the first
        self.counts["compared with sgfmill"] += 1
        # sgfmill may take the second byte of a character for an escape, and then misses moves. It
        # also misses those in a value that is not closed.
        more = not data.isascii() or any("not closed;" in note for note in notes)
        same = ours == theirs or (more and _is_part(theirs, ours))
        if not same:
            raise Finding(f"moves read {ours}, by sgfmill {theirs}")

    def command(self, name: str, words: Sequence[str]) -> tuple[int, str]:
        """Run a command in this process; return its status and stderr. Raises Finding."""
        out, err = io.StringIO(), io.StringIO()
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                status = yomi([name, *words])
        except SystemExit as end:
            status = int(end.code or 0)
        self.counts[f"{name} {'done' if status == 0 else 'failed'}"] += 1
        text = err.getvalue()
        if status not in (0, 1) or "Traceback" in text or "internal error" in text:
            raise Finding(f"{name}: status {status}: {text[-500:]}")
        complaints = [line for line in text.split("\n") if line.startswith("yomi: ")]
        if status == 1 and not complaints:
            raise Finding(f"{name}: it failed without a message")
        return status, text

    def analyze(self, data: bytes, searched: bool) -> None:
        """Review a record, then review the review. Raises Finding."""
        path, out = self.folder / "input.sgf", self.folder / "out.sgf"
        page, again = self.folder / "out.json", self.folder / "again.sgf"
        html = self.folder / "out.html"
        path.write_bytes(data)
        for file in (out, page, html, again):
            file.unlink(missing_ok=True)
        words = ["--playouts", "2", "--threads", "1", "--json", str(page)]
        words += ["--html", str(html)]
        stub = (
            contextlib.nullcontext()
            if searched
            else mock.patch.object(Lookout, "_look", look_at_once)
        )
        with stub:
            status, _ = self.command("analyze", [str(path), "--out", str(out), *words])
            if status != 0:
                if out.exists():
                    raise Finding("analyze failed, and left a record")
                return
            self.check_review(data, out.read_bytes())
            status, text = self.command("analyze", [str(out), "--out", str(again), *words])
        if status != 0:
            raise Finding(f"a reviewed record cannot be reviewed: {text[-300:]}")
        if again.read_bytes() != out.read_bytes():
            raise Finding("the review of a reviewed record differs")

    def check_review(self, data: bytes, reviewed: bytes) -> None:
        """Check that a review has all moves. Raises Finding."""
        try:
            if our_moves(reviewed) != our_moves(data):
                raise Finding("the moves of the review differ")
        except SgfError as error:
            raise Finding(f"the review cannot be read: {error}") from None

    def evaluate(self, data: bytes) -> None:
        """Predict a record's moves. Raises Finding."""
        path = self.folder / "input.sgf"
        path.write_bytes(data)
        self.command("evaluate", ["--games", str(path), "--json"])

    def train(self, batch: Sequence[bytes]) -> None:
        """Train on some records. Raises Finding."""
        games = self.folder / "games"
        games.mkdir(exist_ok=True)
        for number, data in enumerate(batch):
            (games / f"{number}.sgf").write_bytes(data)
        out = self.folder / "fuzz.table"
        self.command("train", ["--games", str(games), "--out", str(out), "--threads", "1"])


def look_at_once(self: Lookout, player: Player, request: LookRequest) -> PositionLook:
    """Return a possible result of a search: reading and writing are under test."""
    game = request.game
    points = game.legal_points(game.to_play)[:3] or [PASS]
    moves = tuple(
        MoveBelief(point, 8, 0.5, 0.0, 0.5 - 0.01 * place, 0.1, 0.0, 0.0, 0.0, 0.1, (point,))
        for place, point in enumerate(points)
    )
    decision = Decision(points[0], False, "a stub", 0.5, 8, moves)
    seen = observed(0.0, 0.1), observed(0.0, 4.0)
    return PositionLook(game.to_play, decision, seen, np.zeros(AREA), 10.0)


def run_inputs(fuzzer: Fuzzer, inputs: int, seed: int) -> list[tuple[bytes, str]]:
    """Send mutated records through all commands; yield (input, finding)."""
    mutations = Mutations(random.Random(seed))
    wrong: list[tuple[bytes, str]] = []
    batch: list[bytes] = []
    for number in range(1, inputs + 1):
        data = mutations.record()
        batch.append(data)
        try:
            fuzzer.load(data)
            if number % ANALYZED == 0:
                fuzzer.analyze(data, searched=number % SEARCHED == 0)
            if number % EVALUATED == 0:
                fuzzer.evaluate(data)
            if number % TRAINED == 0:
                fuzzer.train(batch)
                batch = []
        except Finding as error:
            wrong.append((data, str(error)))
        except Exception:
            wrong.append((data, traceback.format_exc()[-1500:]))
    return wrong


def main(arguments: Sequence[str] | None = None) -> int:
    """Fuzz; return 1 if anything was wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--inputs", type=int, default=10_000, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="S")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="folder for the findings")
    options = parser.parse_args(arguments)
    logging.disable(logging.WARNING)  # Refusals are logged as warnings; our own faults are errors.
    with tempfile.TemporaryDirectory() as folder:
        fuzzer = Fuzzer(Path(folder))
        wrong = run_inputs(fuzzer, options.inputs, options.seed)
    for number, (data, what) in enumerate(wrong):
        print(f"{what}\n  {data[:200]!r}")
        if options.keep is not None:
            options.keep.mkdir(parents=True, exist_ok=True)
            (options.keep / f"{number}.sgf").write_bytes(data)
    print(", ".join(f"{count} {what}" for what, count in sorted(fuzzer.counts.items())))
    print(f"{options.inputs} inputs, {len(wrong)} wrong")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
