"""Measure how much faster the search is with more threads.

    python -m scripts.check.compare_threads --size 9 --threads 2 --pairs 7

One thread and several take turns, so that other work on the machine affects both. The result is
valid only on an idle machine, because the threads need the cores.
"""

import argparse
import sys
from collections.abc import Sequence
from statistics import median

from engine.bench import descents_per_second
from engine.jit import compile_all
from engine.warm_ups import PLAYING
from patterns_db.shipped import load_knowledge


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print each pair and the medians."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--pairs", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=2.0, help="of each measurement")
    options = parser.parse_args(arguments)
    knowledge = load_knowledge()
    # so that compiling is not timed
    for _ in compile_all(PLAYING):
        pass
    pairs = []
    for _ in range(options.pairs):
        one, several = (
            descents_per_second(options.size, knowledge, options.seconds, threads)
            for threads in (1, options.threads)
        )
        pairs.append((one, several))
        print(f"{one:.0f} and {several:.0f} descents a second: {several / one:.2f}", flush=True)
    ones, many = zip(*pairs, strict=True)
    # The median of the ratios, not the ratio of medians: a disturbance affects both of a pair.
    ratio = median(several / one for one, several in pairs)
    print(
        f"median {median(ones):.0f} and {median(many):.0f}, "
        f"{options.threads} threads {ratio:.2f} times one"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
