"""``yomi level``: estimate the strength of the players of game records."""

import argparse
import json
from functools import partial
from typing import Any

from engine import rank_name
from engine.warm_ups import RANKS
from gtp.cli.command_line import EXIT, say
from gtp.warming import compile_visibly
from patterns_db.people.levels import JudgedGame, PlayerLevel, judge_levels
from patterns_db.printing import printable
from patterns_db.records.games import GameReader
from patterns_db.shipped import load_knowledge

MOST_GAMES = 20  # further games that an answer speaks of


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options and the help text."""
    parser.description = "Estimate the ranks of the players of some games from their moves."
    parser.epilog = (
        "The interval holds the true rank with a probability of 80 %. Ranks are those of OGS,"
        " learned from 9x9 games; other boards are extrapolated, with wide intervals that were"
        " fitted to games of KGS on 19x19. Players are told apart by name; games without names have"
        " players of their own."
    )
    parser.add_argument(
        "games", nargs="+", metavar="GAME.sgf", help="records, directories or archives"
    )
    parser.add_argument("--json", action="store_true", help="print a JSON line for each player")


def run(options: argparse.Namespace) -> int:
    """Judge the players and print their ranks; return the exit status."""
    reader = GameReader(options.games)
    # In words each game has a line; a bar would break it.
    records, judged = reader.records(), _print_game
    if options.json:
        records, judged = reader.with_progress(records, "judging"), lambda game: None
    compiling = partial(compile_visibly, say, RANKS)
    players, complaints = judge_levels(records, load_knowledge(), compiling, judged)
    for complaint in complaints:
        say(complaint)
    for player in players:
        print(json.dumps(_record(player)) if options.json else printable(_words(player)))
    if not players and not complaints:
        say(f"{printable(', '.join(options.games))}: no moves in these records")
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


def _print_game(game: JudgedGame) -> None:
    """Print the game, its players and their ranks in the record."""
    black, white = (
        f"{name.removesuffix(f' of {game.source}')} ({rank or 'no rank'})"
        for name, rank in zip(game.players, game.ranks, strict=True)
    )
    size = f"{game.size}x{game.size}"
    line = f"{game.source}: {black} against {white}, {size}, {_count(game.moves, 'move')}"
    print(printable(line), flush=True)


def _words(player: PlayerLevel) -> str:
    """Return a player's rank in words, the interval first."""
    strong, weak = player.posterior.interval
    recorded = f", {' and '.join(player.ranks)} in the records" if player.ranks else ""
    learned = "; extrapolated, since ranks were learned on 9x9" if player.extrapolated else ""
    return (
        f"{player.name}: between {rank_name(weak)} and {rank_name(strong)}, most likely"
        f" {rank_name(player.posterior.median)}{_more(player)}"
        f" ({_count(player.games, 'game')}, {_count(player.moves, 'move')}{recorded}{learned})"
    )


def _more(player: PlayerLevel) -> str:
    """Return how far further games would narrow the interval."""
    for more in range(1, MOST_GAMES + 1):
        if player.width_after(more) <= 0.5 * player.width:
            return f"; {_count(more, 'more game')} would halve that"
    ranks = _count(max(round(player.width_after(MOST_GAMES)), 1), "rank")
    return f"; {MOST_GAMES} more games would narrow that to about {ranks}"


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
