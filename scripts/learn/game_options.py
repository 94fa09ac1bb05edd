"""Options of scripts that learn from some games and test on others."""

import argparse


def learning_parser(doc: str | None) -> argparse.ArgumentParser:
    """Return a parser of the options that name both sets of games.

    doc  docstring of the script; its first line is the description
    """
    parser = argparse.ArgumentParser(description=(doc or "").splitlines()[0])
    parser.add_argument("--games", nargs="+", required=True, metavar="PATH")
    parser.add_argument("--max-games", type=int)
    parser.add_argument("--test", nargs="+", required=True, metavar="PATH")
    parser.add_argument("--max-test-games", type=int)
    return parser
