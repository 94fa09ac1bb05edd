"""Compare the roll-outs a second of yomi and Pachi, in turn in one run, on one thread each.

python -m scripts.check.compare_playouts --pachi "pachi --nodcnn -r chinese" --policy light

Pachi's figure is its whole search from the empty board (its own line on stderr). Our figures are
uniform roll-outs for ``light``, and descents of the search with default settings for ``default``.
Read the ratios: the load of other programs affects both sides.
"""

import argparse
import re
import statistics
import sys
import tempfile
from collections.abc import Sequence

from engine.bench import descents_per_second, playouts_per_second
from patterns_db.shipped import load_knowledge
from scripts.controller import Controller, ProgramFailed

SPEED = re.compile(r"genmove in [\d.]+s, mcts [\d.]+s \((\d+) games/s")
PLAYOUTS = {"light": {9: 100_000, 19: 25_000}, "default": {9: 40_000, 19: 10_000}}


def pachi_per_second(command: str, size: int, policy: str) -> int:
    """Return the playouts a second that Pachi reports for one move on an empty board.

    Raises ProgramFailed when it reports none.
    """
    settings = "threads=1,max_tree_size=1024" + (",playout=light" if policy == "light" else "")
    # -t =N is a fixed number of playouts, -d 3 makes it print its speed.
    words = f"{command} -t ={PLAYOUTS[policy][size]} -d 3 -D {settings}"
    with tempfile.TemporaryFile() as log:
        with Controller(words, stderr=log) as pachi:
            for line in (f"boardsize {size}", "komi 7.5", "clear_board", "genmove b"):
                pachi.send(line)
        log.seek(0)
        printed = log.read().decode(errors="replace")
    speed = SPEED.search(printed)
    if speed is None:
        raise ProgramFailed(f"no speed in the output of {command!r}: {printed[-300:]}")
    return int(speed.group(1))


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure both in turn and print both figures with the median ratio."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--pachi", required=True, help="command line without -t, -d and settings")
    parser.add_argument("--policy", choices=tuple(PLAYOUTS), default="light")
    parser.add_argument("--trials", type=int, default=3)
    options = parser.parse_args(arguments)
    knowledge = load_knowledge()
    for size in (9, 19):
        ours, theirs = [], []
        for _ in range(options.trials):
            theirs.append(pachi_per_second(options.pachi, size, options.policy))
            if options.policy == "light":
                ours.append(playouts_per_second(size))
            else:
                ours.append(descents_per_second(size, knowledge))
        # The median of the pairs' ratios, because the members of a pair ran one after the other.
        ratios = [one / other for one, other in zip(ours, theirs, strict=True)]
        print(
            f"{size}x{size}: yomi {statistics.median(ours):,.0f}, Pachi {options.policy}"
            f" {statistics.median(theirs):,.0f} a second; ratio {statistics.median(ratios):.2f}"
            f" ({min(ratios):.2f} to {max(ratios):.2f}, {options.trials} pairs)"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
