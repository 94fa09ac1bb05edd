"""``yomi warmup``: compile what games, problems and reviews need, so that they start at once."""

import argparse
import sys

from tqdm import tqdm

from engine import jit
from engine.warm_ups import PLAYING


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options and the help text."""
    parser.description = (
        "Compile what games, problems and reviews need, into a cache for all later starts."
    )
    parser.add_argument("--prune", action="store_true", help="delete the caches of older versions")


def run(options: argparse.Namespace) -> int:
    """Compile with a progress display, and return the exit status."""
    with tqdm(
        total=len(PLAYING), desc="compiling", unit="part", file=sys.stderr, disable=None
    ) as bar:
        for name, seconds in jit.compile_all(PLAYING):
            bar.write(f"{name}: {seconds:.1f} s", file=sys.stderr)
            bar.update()
    if options.prune:
        count = jit.prune_cache()
        print(f"deleted the caches of {count} older versions", file=sys.stderr)
    return 0
