"""Find early passes of a match: a longer search looks at each pass again and plays on.

    python -m scripts.check.match_passes FILE --side first --rules japanese --playouts 3000

FILE comes from scripts.play.match. At every pass of one side, a search has to find the best move
instead. The game is then played on by area rules, where that costs nothing, until both sides pass.
The komi is set so that a gain of one point over the pass wins: in a game long won or lost, the
other side would not answer carefully. The answering side thinks longer, because a gain that needs
wrong answers is no reason not to pass.

A pass was early if playing on gains more than one point both as area and by the match's rules.
Neutral points gain nothing under territory rules; answers in one's own territory gain nothing as
area.
"""

import argparse
import json
import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
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
from engine.player.decision import Deliberation
from engine.player.limits import Limits
from engine.player.passing import game_for_points
from engine.player.thinker import MoveRequest
from engine.rollout.uniform import is_playable
from patterns_db.shipped import load_knowledge
from scripts.kept_rows import Row
from scripts.play.arena import moves_in
from scripts.tables import print_table

# A gain of more than this number of points shows that a pass was early.
EARLY = 1.0

# Playouts of the answering side, for each playout of the side that plays on.
ANSWERS = 10


AREA = RULESETS["chinese"]


class Margins(NamedTuple):
    """Black's margin as area and by the game's own rules [points]."""

    area: float
    score: float


class OtherMove(NamedTuple):
    """The search's move instead of a pass, and its gain.

    number  of moves before the pass
    move    the search's vertex
    area    points by playing on from there, for the side that passed
    gain    the same by the match's rules
    """

    game: int
    number: int
    move: str
    area: float
    gain: float


def passes_of(row: Row, start: Game, first: bool) -> Iterator[Game]:
    """Yield the positions of a match's game before each pass of one side.

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
    """Return the best move other than a pass, by a search; PASS where there is none."""
    color = game.to_play
    points = game.legal_points(color)
    moves = frozenset(point for point in points if is_playable(game.board, point, color))
    if not moves:
        return PASS
    # The player itself would pass again, so its thinker is asked.
    limits = Limits(player.options.playouts, None, math.inf, lambda: False)
    thoughts = player.thinker.think(MoveRequest(game, color, moves), limits, math.inf)
    return Deliberation(thoughts).decision.point


def gain_by_playing_on(game: Game, player: Player, answering: Player) -> tuple[int, float, float]:
    """Return the best move other than a pass, and the mover's two gains from it [points].

    The gains are counted as area and by the game's own rules.

    game       a position under any rules; it does not change
    answering  plays for the other side
    """
    sign = 1 if game.to_play == BLACK else -1
    before = _count(game, player)
    played = game_for_points(game, game.to_play, player.status(game))
    first = best_move(played, player)
    played.play(played.to_play, first)
    while played.passes < 2 and len(played.moves) < len(game.moves) + game.size**2:
        mover = player if played.to_play == game.to_play else answering
        played.play(played.to_play, mover.choose(played, played.to_play).point)
    played.rules, played.komi = game.rules, game.komi
    after = _count(played, player)
    return first, sign * (after.area - before.area), sign * (after.score - before.score)


def _count(game: Game, player: Player) -> Margins:
    """Count a position twice with the dead stones of its own rules."""
    status = player.status(game)
    dead, seki = status.dead_stones(), status.seki_stones()
    as_area = game.copy()
    as_area.rules = AREA
    return Margins(as_area.score(dead, seki), game.score(dead, seki))


def look_at(match: Row, rules: str, first: bool, playouts: int) -> list[OtherMove]:
    """Return the findings at all passes of one side."""
    knowledge = load_knowledge()
    options = PlayerOptions(playouts=playouts, threads=1, seed=1)
    longer = replace(options, playouts=ANSWERS * playouts)
    looks = []
    for row in tqdm(match["games"], unit="game", file=sys.stderr):
        start = Game(match["size"], RULESETS[rules], match["komi"])
        for game in passes_of(row, start, first):
            # New players, so that a finding does not depend on earlier ones.
            player, answering = Player(options, knowledge), Player(longer, knowledge)
            move, *gains = gain_by_playing_on(game, player, answering)
            looks.append(OtherMove(row["game"], len(game.moves), format_vertex(move), *gains))
    return looks


def main(arguments: Sequence[str] | None = None) -> int:
    """Look at all passes and print the early ones."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("match", type=Path, metavar="FILE", help="of scripts.play.match")
    parser.add_argument("--side", choices=("first", "second"), default="first")
    parser.add_argument("--rules", choices=sorted(RULESETS), default="japanese")
    parser.add_argument("--playouts", type=int, default=3000)
    options = parser.parse_args(arguments)
    try:
        match = json.loads(options.match.read_text("utf-8"))
        looks = look_at(match, options.rules, options.side == "first", options.playouts)
    except (OSError, ValueError, KeyError, TypeError, YomiError) as error:
        print(f"match_passes: {options.match}: {error}", file=sys.stderr)
        return 2
    found = [look for look in looks if max(look.area, look.gain) > EARLY]
    early = [look for look in found if min(look.area, look.gain) > EARLY]
    if found:
        print_table(OtherMove._fields, [list(look) for look in found])
    print(f"{len(match['games'])} games, {len(looks)} passes, {len(early)} early")
    return 0


if __name__ == "__main__":
    sys.exit(main())
