"""Compare speeds in turn in one run: yomi with Pachi, or several threads with one.

    python -m scripts.check.speed --pachi "pachi --nodcnn -r chinese" --policy light
    python -m scripts.check.speed --threads 2 --sizes 9 --pairs 7

Pachi's figure is its whole search from the empty board, on one thread (its own line on stderr).
Ours are uniform roll-outs for ``light``, and descents of the search for ``default``. The two of a
pair take turns, so that other work on the machine affects both: read the median of their ratios.
Threads need idle cores.
"""

import argparse
import re
import sys
import tempfile
from collections.abc import Callable, Sequence
from statistics import median

from engine.bench import descents_per_second, playouts_per_second
from patterns_db.shipped import load_knowledge
from scripts.controller import Controller, ProgramFailed
from scripts.failures import reported

SPEED = re.compile(r"genmove in [\d.]+s, mcts [\d.]+s \((\d+) games/s")
PLAYOUTS = {"light": 8_100_000, "default": 3_200_000}  # of Pachi, for each point of the board


def pachi_per_second(command: str, size: int, policy: str) -> int:
    """Return the playouts a second that Pachi reports for one move on an empty board.

    Raises ProgramFailed when it reports none.
    """
    settings = "threads=1,max_tree_size=1024" + (",playout=light" if policy == "light" else "")
    # -t =N is a fixed number of playouts, -d 3 makes it print its speed.
    words = f"{command} -t ={PLAYOUTS[policy] // size**2} -d 3 -D {settings}"
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


def compare(name: str, pairs: int, ours: Callable[[], float], theirs: Callable[[], float]) -> None:
    """Measure both in turn and print their medians and the median ratio."""
    ours()  # so that compiling is not timed
    found = [(ours(), theirs()) for _ in range(pairs)]
    ratios = [one / other for one, other in found]
    # The median of the ratios, not the ratio of medians: a disturbance affects both of a pair.
    print(
        f"{name}: {median(one for one, _ in found):,.0f} and {median(x for _, x in found):,.0f} a"
        f" second; ratio {median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})",
        flush=True,
    )


@reported
def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--pachi", help="command line without -t, -d and settings")
    what.add_argument("--threads", type=int, help="compare this number with one")
    parser.add_argument("--policy", choices=tuple(PLAYOUTS), default="light", help="of Pachi")
    parser.add_argument("--sizes", type=int, nargs="+", default=[9, 19])
    parser.add_argument("--pairs", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=2.0, help="of each measurement of ours")
    options = parser.parse_args(arguments)
    knowledge = load_knowledge()

    def descents(size: int, threads: int = 1) -> float:
        return descents_per_second(size, knowledge, options.seconds, threads)

    for size in options.sizes:
        if options.threads is not None:
            name = f"{size}x{size}, {options.threads} threads and one"
            several, one = (lambda n=n, s=size: descents(s, n) for n in (options.threads, 1))
            compare(name, options.pairs, several, one)
            continue
        ours = playouts_per_second if options.policy == "light" else descents
        compare(
            f"{size}x{size}, yomi and Pachi {options.policy}",
            options.pairs,
            lambda s=size, ours=ours: ours(s),
            lambda s=size: float(pachi_per_second(options.pachi, s, options.policy)),
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
