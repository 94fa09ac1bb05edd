"""``yomi warmup``: every kernel compiled, so that the first game starts at once."""

import argparse
import sys

from tqdm import tqdm

from engine import jit
from patterns_db.warm_ups import GROUPS


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options and what the help says."""
    parser.description = "Compile everything once; it is kept in a cache for all later starts."
    parser.add_argument("--prune", action="store_true", help="delete what older versions left")


def run(options: argparse.Namespace) -> int:
    """Compile, and show how far it is; return the exit status."""
    with tqdm(
        total=len(GROUPS), desc="compiling", unit="part", file=sys.stderr, disable=None
    ) as bar:
        for name, seconds in jit.compile_all(GROUPS):
            bar.write(f"{name}: {seconds:.1f} s", file=sys.stderr)
            bar.update()
    if options.prune:
        count = jit.prune_cache()
        print(f"deleted the caches of {count} older versions", file=sys.stderr)
    return 0
