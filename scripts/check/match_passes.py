"""Was any pass of a match early? Each is looked at again by a longer search, and played on.

    python -m scripts.check.match_passes FILE --side first --rules japanese --playouts 3000

FILE is of scripts.play.match. At every pass of one side a search has to find the best move instead,
and the game is played on from there until both sides pass. Points are counted as area, where
playing on costs nothing: more than one gained by it, and the pass was early.
"""

import argparse
import json
import math
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from tqdm import tqdm

from engine import (
    BLACK,
    PASS,
    RULESETS,
    WHITE,
    Game,
    Player,
    PlayerOptions,
    YomiError,
    format_vertex,
)
from engine.rollout.uniform import is_playable
from engine.thinkers.thinker import Limits, Question
from patterns_db.shipped import load_knowledge
from scripts.kept_rows import Row
from scripts.play.arena import moves_in
from scripts.tables import print_table


class Look(NamedTuple):
    """What a search found instead of a pass.

    number  of moves before the pass
    move    the vertex that it would have played
    gain    points by playing on from there, for who passed
    """

    game: int
    number: int
    move: str
    gain: float


def passes_of(row: Row, start: Game, first: bool) -> Iterator[Game]:
    """Yield the positions of a match's game in which one side passed, before it did.

    start  the empty board under the game's rules
    first  whether the side in question is the match's first
    """
    color = BLACK if (row["first_color"] == "B") == first else WHITE
    game = start.copy()
    for mover, point in moves_in(row["record"], game.size):
        if (mover, point) == (color, PASS):
            yield game.copy()
        game.play(mover, point)


def best_move(game: Game, player: Player) -> int:
    """Return the best move that is no pass, by a search; PASS where there is none."""
    color = game.to_play
    points = game.legal_points(color)
    moves = frozenset(point for point in points if is_playable(game.board, point, color))
    if not moves:
        return PASS
    # Not the player, who would pass again where he did: what thinks for him.
    limits = Limits(player.options.playouts, None, math.inf, lambda: False)
    thoughts = player.thinker.think(Question(game, color, moves), limits, math.inf)
    while True:
        try:
            next(thoughts)
        except StopIteration as end:
            point: int = end.value.point
            return point


def gain_by_playing_on(game: Game, player: Player) -> tuple[int, float]:
    """Return the best move that is no pass, and what it earns who is to move [points].

    game  a position under any rules; it stays as it is
    """
    played = game.copy()
    played.rules = RULESETS["chinese"]
    before = player.final_score(played)
    first = best_move(played, player)
    played.play(played.to_play, first)
    while played.passes < 2 and len(played.moves) < len(game.moves) + game.size**2:
        played.play(played.to_play, player.choose(played, played.to_play).point)
    change = player.final_score(played) - before
    return first, change if game.to_play == BLACK else -change


def look_at(match: Row, rules: str, first: bool, player: Player) -> list[Look]:
    """Return what was found at all passes of one side."""
    looks = []
    for row in tqdm(match["games"], unit="game", file=sys.stderr):
        start = Game(match["size"], RULESETS[rules], match["komi"])
        for game in passes_of(row, start, first):
            player.new_game()
            move, gain = gain_by_playing_on(game, player)
            looks.append(Look(row["game"], len(game.moves), format_vertex(move), gain))
    return looks


def main(arguments: Sequence[str] | None = None) -> int:
    """Look at all passes and print the early ones."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("match", type=Path, metavar="FILE", help="of scripts.play.match")
    parser.add_argument("--side", choices=("first", "second"), default="first")
    parser.add_argument("--rules", choices=sorted(RULESETS), default="japanese")
    parser.add_argument("--playouts", type=int, default=3000)
    options = parser.parse_args(arguments)
    player = Player(PlayerOptions(playouts=options.playouts, threads=1, seed=1), load_knowledge())
    try:
        match = json.loads(options.match.read_text("utf-8"))
        looks = look_at(match, options.rules, options.side == "first", player)
    except (OSError, ValueError, KeyError, TypeError, YomiError) as error:
        print(f"match_passes: {options.match}: {error}", file=sys.stderr)
        return 2
    early = [look for look in looks if look.gain > 1.0]
    if early:
        print_table(Look._fields, [list(look) for look in early])
    print(f"{len(match['games'])} games, {len(looks)} passes, {len(early)} early")
    return 0


if __name__ == "__main__":
    sys.exit(main())
