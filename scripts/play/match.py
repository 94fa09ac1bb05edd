r"""Play a match between two GTP programs, with alternating colors, and print a confidence interval.

    python -m scripts.play.match --first "yomi --playouts 1000" --second "gnugo --mode gtp" \
        --size 9 --games 20 --out match.json

Each finished game is one line of the output file; the same command continues a run that was
stopped. ``%S`` in a command becomes the number of the game (a seed). Every move is checked by our
own rules, which the programs' commands must set. After two passes both programs' scores are
compared. With ``--cluster`` the workers play, from checkouts like this one, with the same programs.
"""

import argparse
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from functools import partial
from pathlib import Path

from engine import BLACK, RULESETS, Game, YomiError
from gtp.cli.command_line import add_cluster, cluster_of
from scripts.controller import Controller, ProgramFailed
from scripts.kept_rows import KeptRows, Row
from scripts.play.arena import (
    LETTERS,
    Outcome,
    first_color,
    match_backend,
    play_game,
    play_match,
    progress,
    summary,
)
from scripts.play.gtp_side import GtpSide, agreed_margin

RULES = "tromp-taylor"  # the default


def play_programs(number: int, options: argparse.Namespace) -> Row:
    """Play one game between new processes."""
    game = Game(options.size, RULESETS[options.rules], options.komi)
    commands = [text.replace("%S", str(number + 1)) for text in (options.first, options.second)]
    clock, other = options.clock, options.second_clock
    try:
        # New processes for every game: nothing is carried over, and %S can be a seed.
        with (
            nullcontext() if options.log is None else options.log.open("ab") as log,
            Controller(commands[0], options.timeout, log) as first,
            Controller(commands[1], options.timeout, log) as second,
        ):
            pair = (
                GtpSide(first, options.size, options.komi, clock),
                GtpSide(second, options.size, options.komi, clock if other is None else other),
            )
            # The result is Black's program's score where they disagree.
            judges = pair if first_color(number) == BLACK else pair[::-1]
            outcome = play_game(
                number, game, pair, options.max_moves, lambda game: agreed_margin(game, judges)
            )
    except ProgramFailed as failure:  # one of them did not even begin
        color = LETTERS[first_color(number)]
        outcome = Outcome(number, color, None, "?", 0, True, str(failure), (0.0, 0.0), "")
    return outcome._asdict()


def main(arguments: Sequence[str] | None = None) -> int:
    """Play the games that are still missing, then print the summary."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--first", required=True, help="command line of the first program")
    parser.add_argument("--second", required=True, help="command line of the second program")
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--komi", type=float, default=7.5)
    # Positional superko and no dead stones: GNU Go's options in docs/results/matches.md ask for it.
    parser.add_argument("--rules", choices=tuple(RULESETS), default=RULES, help="of repetitions")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=1, help="games played side by side")
    parser.add_argument("--max-moves", type=int, default=1000)
    parser.add_argument("--clock", type=int, metavar="SECONDS", help="for all moves of a side")
    parser.add_argument(
        "--second-clock", type=int, metavar="SECONDS", help="the second program's, if another one"
    )
    parser.add_argument("--timeout", type=float, help="most seconds of one answer")
    parser.add_argument("--sprt", action="store_true", help="stop when 35 Elo are (un)likely")
    parser.add_argument("--log", type=Path, help="what the programs write to stderr is added to it")
    parser.add_argument("--out", type=Path, required=True, help="the games, JSON, a line each")
    add_cluster(parser)
    options = parser.parse_args(arguments)
    setting = {name: getattr(options, name) for name in ("first", "second", "size", "komi")}
    for name in ("clock", "second_clock"):
        if getattr(options, name) is not None:
            setting[name] = getattr(options, name)
    if options.rules != RULES:
        setting["rules"] = options.rules
    try:
        kept = KeptRows(options.out, setting, "games", "another match")
        play = partial(play_programs, options=options)
        with cluster_of(options) as cluster, progress(options.games, options.sprt) as watch:
            backend = match_backend(cluster, options.jobs)
            play_match(play, options.games, kept, watch, backend)
    except (YomiError, OSError) as error:
        print(f"match: {error}", file=sys.stderr)
        return 2
    print(summary(kept.rows))
    return 0


if __name__ == "__main__":
    # The workers of a cluster find the function by its name.
    from scripts.play import match

    sys.exit(match.main())
