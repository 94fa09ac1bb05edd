"""``yomi level``: estimate the strength of the players of game records."""

import argparse
import json
from functools import partial
from typing import Any

from engine import rank_name
from gtp.cli.command_line import EXIT, say
from gtp.warming import compile_visibly
from patterns_db.people.levels import PlayerLevel, judge_levels
from patterns_db.records.games import GameReader
from patterns_db.shipped import load_knowledge
from patterns_db.warm_ups import RANKS

FEW_MOVES = 40  # with fewer moves the estimate is uncertain


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options and the help text."""
    parser.description = "Estimate the ranks of the players of some games from their moves."
    parser.epilog = (
        "Ranks are those of OGS, learned from 9x9 games; other boards are extrapolated, with wide"
        " intervals that were fitted to games of KGS on 19x19. Players are"
        " told apart by name, those without a name by color."
    )
    parser.add_argument(
        "games", nargs="+", metavar="GAME.sgf", help="records, directories or archives"
    )
    parser.add_argument("--json", action="store_true", help="print a JSON line for each player")


def run(options: argparse.Namespace) -> int:
    """Judge the players and print their ranks; return the exit status."""
    reader = GameReader(options.games)
    records = reader.with_progress(reader.records(), "judging")
    compiling = partial(compile_visibly, say, RANKS)
    players, complaints = judge_levels(records, load_knowledge(), compiling)
    for complaint in complaints:
        say(complaint)
    for player in players:
        print(json.dumps(_record(player)) if options.json else _words(player))
    if not players and not complaints:
        say("no moves found in these records")
    return 0 if players and not complaints else EXIT.failed


def _record(player: PlayerLevel) -> dict[str, Any]:
    """Return the JSON object for a player."""
    posterior = player.posterior
    strong, weak = posterior.interval
    return {
        "player": player.name,
        "rank": rank_name(posterior.median),
        "interval": [rank_name(weak), rank_name(strong)],
        "games": player.games,
        "moves": player.moves,
        "extrapolated": player.extrapolated,
        "chances": {rank_name(rank): round(p, 4) for rank, p in posterior.by_rank().items()},
    }


def _words(player: PlayerLevel) -> str:
    """Return the same as a readable line."""
    strong, weak = player.posterior.interval
    counts = (player.games, "game"), (player.moves, "move")
    games = ", ".join(f"{count} {what}{'' if count == 1 else 's'}" for count, what in counts)
    sentence = (
        f"{player.name}: about {rank_name(player.posterior.median)},"
        f" {rank_name(weak)} to {rank_name(strong)} with 80 % probability ({games})"
    )
    if player.moves < FEW_MOVES:
        sentence += "; uncertain, since there are few moves"
    if player.extrapolated:
        sentence += "; extrapolated, since ranks were learned on 9x9"
    return sentence
