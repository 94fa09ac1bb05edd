"""``yomi bench``: measure this machine's speed and print the signature."""

import argparse
import json

from engine.bench import measure
from patterns_db.shipped import load_knowledge


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options and the help text."""
    parser.description = (
        "Measure the speed of one thread, and print a signature that changes"
        " only when the engine's behavior does."
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(options: argparse.Namespace) -> int:
    """Measure and print; return the exit status."""
    speeds = measure(load_knowledge())
    if options.json:
        print(json.dumps(speeds))
        return 0
    for name, value in speeds.items():
        values = value if isinstance(value, dict) else {"": value}
        numbers = ", ".join(f"{size} {v:,.0f}" if size else f"{v}" for size, v in values.items())
        print(f"{name.replace('_', ' '):32} {numbers}")
    return 0
