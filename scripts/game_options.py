"""Options of scripts that read game records."""

import argparse


def games_parser(doc: str | None) -> argparse.ArgumentParser:
    """Return a parser with the option that names the records.

    doc  docstring of the script; its first line is the description
    """
    parser = argparse.ArgumentParser(description=(doc or "").splitlines()[0])
    parser.add_argument("--games", nargs="+", required=True, metavar="PATH")
    return parser


def sampling_parser(doc: str | None) -> argparse.ArgumentParser:
    """Return a parser for a script that looks at a random sample of the records' positions."""
    parser = games_parser(doc)
    parser.add_argument("--seed", type=int, default=1)
    return parser
