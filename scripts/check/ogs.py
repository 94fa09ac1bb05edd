r"""Play short games through gtp2ogs against a stand-in for OGS on this machine.

    python -m scripts.check.ogs --gtp2ogs dist/gtp2ogs.js --out FOLDER

Needs Node and gtp2ogs 9 (online-go/gtp2ogs, built by its own instructions); FOLDER gets the logs.
Without them the script says what is missing and does nothing. gtp2ogs reads
gtp/examples/gtp2ogs.json5 with yomi's command replaced by one for this machine. Every game has
another clock or another handicap. The table counts failures: failed GTP commands, illegal moves,
moves out of time, games that do not end. Only 127.0.0.1 is used.
"""

import argparse
import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from engine import BLACK, WHITE, YomiError
from scripts.check.ogs_game import Contest, Result
from scripts.check.ogs_server import HOST, StandIn
from scripts.tables import TableRow, print_table

EXAMPLE = Path(__file__).parents[2] / "gtp" / "examples" / "gtp2ogs.json5"
OPTIONS = ("--threads", "1", "--memory", "64", "--ponder", "--ogs-chat", "--lag", "1")
GOODBYE = 10.0  # seconds until gtp2ogs is ended by force
BYO_YOMI = {"system": "byoyomi", "main_time": 30, "period_time": 5, "periods": 3}
SIMPLE = {"system": "simple", "per_move": 4}
HEADER = ("game", "moves", "slowest s", "pondered s", "analyses", "failed", "wrong", "end")

CONTESTS = (
    Contest("byo-yomi", BYO_YOMI),
    Contest("byo-yomi, no main time", {**BYO_YOMI, "main_time": 0}, BLACK),
    Contest(
        "Fischer",
        {"system": "fischer", "initial_time": 20, "time_increment": 3, "max_time": 30},
        BLACK,
        pause=1.0,
    ),
    Contest("simple", SIMPLE),
    Contest("absolute", {"system": "absolute", "total_time": 40}),
    Contest(
        "Canadian",
        {"system": "canadian", "main_time": 1, "period_time": 10, "stones_per_period": 4},
    ),
    Contest("3 stones placed by the opponent", SIMPLE, WHITE, 3, "as moves", komi=0.5),
    Contest("4 stones on the board", SIMPLE, WHITE, 4, "on the board", komi=0.5),
    Contest("3 stones placed by yomi", SIMPLE, BLACK, 3, "as moves", komi=0.5),
    Contest("12 stones placed by yomi", SIMPLE, BLACK, 12, "as moves", moves=13, komi=0.5),
    Contest("to the end", SIMPLE, moves=40, rules="japanese", komi=6.5),
)


def missing(gtp2ogs: Path) -> str:
    """Return a message about a missing requirement, "" if nothing is missing."""
    if shutil.which("node") is None:
        return "node is missing"
    if not gtp2ogs.is_file():
        return f"{gtp2ogs} is missing: build online-go/gtp2ogs"
    found = subprocess.run(["node", gtp2ogs, "--help"], capture_output=True, text=True)
    if found.returncode or "bot command" not in found.stdout:
        return f"{gtp2ogs} does not start: {(found.stderr.splitlines() or ['no message'])[0]}"
    return ""


def cpu_seconds_of_children(parent: int) -> float:
    """Return the CPU seconds of a process's children that still run (Linux; elsewhere 0)."""
    total = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, ValueError):
            # The name, in parentheses, may hold any character.
            words = stat.read_text().rpartition(")")[2].split()
            if int(words[1]) == parent:
                total += int(words[11]) + int(words[12])
    return total / os.sysconf("SC_CLK_TCK") if total else 0.0


def play(gtp2ogs: Path, contests: Sequence[Contest], folder: Path) -> Iterator[tuple[Result, int]]:
    """Play games one after the other; yield each with the number of failed GTP commands."""
    log = folder / "yomi.log"
    yomi = [sys.executable, "-m", "gtp", "gtp", *OPTIONS, "--log", str(log)]
    config = folder / EXAMPLE.name
    config.write_text(
        re.sub(r"command: \[.*\]", lambda _: f"command: {json.dumps(yomi)}", EXAMPLE.read_text())
    )
    children: list[int] = []
    with (
        StandIn(lambda: sum(map(cpu_seconds_of_children, children))) as server,
        (folder / "gtp2ogs.log").open("wb") as said,
    ):
        address = f"http://{HOST}:{server.port}"
        command = ["node", str(gtp2ogs), "-q", "-c", str(config), "--server", address]
        process = subprocess.Popen(
            command, stdout=said, stderr=subprocess.STDOUT, cwd=EXAMPLE.parents[2]
        )
        children.append(process.pid)
        try:
            for result in server.play(contests):
                lines = log.read_text("utf-8").splitlines() if log.exists() else []
                log.rename(folder / f"yomi-{result.contest.name.replace(' ', '-')}.log")
                yield result, sum(" > ?" in line for line in lines)
        finally:
            process.terminate()
            try:
                process.wait(GOODBYE)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def main(arguments: Sequence[str] | None = None) -> int:
    """Play the games and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--gtp2ogs", type=Path, required=True, metavar="FILE")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="keep the logs there")
    parser.add_argument("--only", metavar="TEXT", help="only games with this in their names")
    options = parser.parse_args(arguments)
    if lacking := missing(options.gtp2ogs):
        print(f"ogs: nothing was checked: {lacking}", file=sys.stderr)
        return 2
    contests = [c for c in CONTESTS if not options.only or options.only in c.name]
    rows: list[TableRow] = []
    bad = 0
    try:
        with contextlib.ExitStack() as stack:
            folder = options.out or Path(stack.enter_context(tempfile.TemporaryDirectory()))
            folder.mkdir(parents=True, exist_ok=True)
            for result, failed in play(options.gtp2ogs.resolve(), contests, folder.resolve()):
                bad += failed + len(result.wrong)
                rows.append(
                    [
                        result.contest.name, len(result.seconds),
                        max(result.seconds[1:], default=0.0), result.pondered,
                        sum("engine_analysis" in chat for chat in result.chats), failed,
                        "; ".join(result.wrong) or "-", result.end,
                    ]
                )  # fmt: skip
    except (YomiError, OSError) as error:
        print(f"ogs: {error}", file=sys.stderr)
        return 2
    finally:
        print_table(HEADER, rows)
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
