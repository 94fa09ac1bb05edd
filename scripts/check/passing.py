"""Check that the engine passes in time, in endings of real games under area and territory rules.

    python -m scripts.check.passing --games train-9x9.tar.gz --endings 200

The games' last positions are settled. Their last plies are judged one after the other: where would
the engine pass first, and how many points changed hands after it? A pass before a change of more
than one point is early. Points are counted as area, so that wasteful filling is no change.
"""

import sys
from collections import deque
from collections.abc import Iterator, Sequence
from statistics import median
from typing import NamedTuple

from tqdm import tqdm

from engine import BLACK, PASS, RULESETS, Game, Player, PlayerOptions, YomiError
from patterns_db.records.games import DecodedGame, GameReader
from patterns_db.records.replay import replay_moves
from patterns_db.shipped import load_knowledge
from scripts.game_options import games_parser
from scripts.tables import TableRow, print_table

PLIES = 18  # of every game, from the end
RULES = ("chinese", "japanese")
HEADER = (
    *("rules", "endings", "open at the end", "passes before", "plies before"),
    *("early", "early and behind"),
)


class PassedEnding(NamedTuple):
    """The effect of the engine's passing on one game.

    plies   of the first pass before the last position; None: not even there
    change  points that changed hands after it, for the side to move
    margin  counted at the pass, for the side to move
    """

    plies: int | None
    change: float = 0.0
    margin: float = 0.0


def last_positions(record: DecodedGame, rules: str, komi: float) -> list[Game]:
    """Return a game's positions from PLIES before its end to its end."""
    games = (game.copy() for game in replay_moves(record, RULESETS[rules], komi))
    return list(deque(games, PLIES + 1))


def area_margin(game: Game, player: Player) -> float:
    """Return Black's margin counted as area, without the stones that the player judges dead."""
    counted = game.copy()
    counted.rules = RULESETS["chinese"]
    return player.final_score(counted)


def passes_at_once(game: Game, player: Player) -> bool:
    """Return whether the player takes the game for over and passes without a search."""
    decision = player.choose(game, game.to_play)
    return decision.point == PASS and decision.playouts == 0


def judge_ending(positions: list[Game], player: Player) -> PassedEnding:
    """Return the place and the effect of the engine's first pass."""
    final = area_margin(positions[-1], player)
    for plies, game in zip(range(len(positions) - 1, -1, -1), positions, strict=True):
        if passes_at_once(game, player):
            sign = 1 if game.to_play == BLACK else -1
            change = sign * (final - area_margin(game, player))
            return PassedEnding(plies, change, sign * player.final_score(game))
    return PassedEnding(None)


def settled_games(paths: Sequence[str], player: Player, komi: float) -> Iterator[DecodedGame]:
    """Yield even games that were played to their end, by area rules."""
    for record in GameReader(paths):
        if len(record.black) + len(record.white) == 0:
            if player.status(last_positions(record, "chinese", komi)[-1]).settled:
                yield record


def main(arguments: Sequence[str] | None = None) -> int:
    """Judge the endings under both rule sets and print the table."""
    parser = games_parser(__doc__)
    parser.add_argument("--endings", type=int, default=200, help="most of them")
    parser.add_argument("--komi", type=float, default=6.5)
    options = parser.parse_args(arguments)
    # Passing is decided before a search for a move, except for a last look that depends on its
    # length.
    settings = PlayerOptions(playouts=300, threads=1, seed=1, tactics=False, sums=False)
    player = Player(settings, load_knowledge())
    found: dict[str, list[PassedEnding]] = {rules: [] for rules in RULES}
    try:
        with tqdm(total=options.endings, unit="ending", file=sys.stderr) as bar:
            for record in settled_games(options.games, player, options.komi):
                for rules in RULES:
                    positions = last_positions(record, rules, options.komi)
                    found[rules].append(judge_ending(positions, player))
                bar.update()
                if len(found[RULES[0]]) == options.endings:
                    break
    except YomiError as error:
        print(f"passing: {error}", file=sys.stderr)
        return 2
    rows: list[TableRow] = []
    for rules, endings in found.items():
        plies = [ending.plies for ending in endings if ending.plies is not None]
        early = [ending for ending in endings if abs(ending.change) > 1.0]
        rows.append(
            [
                *(rules, len(endings), len(endings) - len(plies)),
                *(sum(n > 0 for n in plies), float(median(plies or [0])), len(early)),
                sum(ending.margin < 0 for ending in early),
            ]
        )
    print_table(HEADER, rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
