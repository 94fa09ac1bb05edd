"""Count the passes of a match that came too early: a search gains points by playing on.

    python -m scripts.check.early_passes --match MATCH.json --rules japanese

It judges all passes of one side in games of scripts.play.match. Two searches play on to the end by
area rules, once instead of the pass and once as the opponent after it. The answering side searches
longer: a gain that needs wrong answers is none. A pass is early if playing on gains more than one
point, both as area and by the game's rules. A defense is left out if the opponent gains as much.
"""

import argparse
import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from tqdm import tqdm

from engine import BLACK, PASS, RULESETS, WHITE, Game, Knowledge, Player, PlayerOptions
from engine.player.decision import Deliberation
from engine.player.limits import Limits
from engine.player.passing import game_for_points
from engine.player.thinker import MoveRequest
from engine.rollout.uniform import is_playable
from patterns_db.shipped import load_knowledge
from scripts.failures import reported
from scripts.kept_rows import Row, read_kept
from scripts.play.arena import moves_in
from scripts.tables import TableRow, print_table

EARLY = 1.0  # points gained by playing on above which a pass was early
ANSWERS = 10  # playouts of the answering side, for each one of the side that plays on
HEADER = ("game", "after move", "pass", "points")


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

    The gains are counted as area and by the game's own rules. The game is played on by area rules,
    where that costs nothing, with a komi by which one point more than the count wins: in a game
    long won or lost the other side would not answer carefully.
    game       a position under any rules; it does not change
    answering  plays for the other side
    """
    sign = 1 if game.to_play == BLACK else -1
    before = margins(game, player)
    played = game_for_points(game, game.to_play, player.status(game))
    first = best_move(played, player)
    played.play(played.to_play, first)
    while played.passes < 2 and len(played.moves) < len(game.moves) + game.size**2:
        mover = player if played.to_play == game.to_play else answering
        played.play(played.to_play, mover.choose(played, played.to_play).point)
    played.rules, played.komi = game.rules, game.komi
    after = margins(played, player)
    return first, sign * (after[0] - before[0]), sign * (after[1] - before[1])


def margins(game: Game, player: Player) -> tuple[float, float]:
    """Return Black's margin as area and by the game's rules, with the dead stones of its rules."""
    status = player.status(game)
    as_area = game.copy()
    as_area.rules = RULESETS["chinese"]
    return as_area.score(*status.counted), game.score(*status.counted)


def gain_of(game: Game, playouts: int, knowledge: Knowledge) -> float:
    """Return the points that the side to move gains by playing on."""
    options = PlayerOptions(playouts=playouts, threads=1, seed=1)
    # New players, so that a finding does not depend on earlier ones.
    longer = replace(options, playouts=ANSWERS * playouts)
    return min(gain_by_playing_on(game, Player(options, knowledge), Player(longer, knowledge))[1:])


def passes_of(row: Row, start: Game, first: bool) -> Iterator[Game]:
    """Yield the positions of a match's game in which a side passes.

    start  the empty board under the game's rules
    first  whether the side in question is the match's first
    """
    color = BLACK if (row["first_color"] == "B") == first else WHITE
    game = start.copy()
    for mover, point in moves_in(row["record"], game.size):
        if (mover, point) == (color, PASS):
            yield game.copy()
        game.play(mover, point, forced=True)


def findings_of(row: Row, game: Game, playouts: int, knowledge: Knowledge) -> Iterator[TableRow]:
    """Yield what is wrong about a pass, as rows of HEADER."""
    after = game.copy()
    after.play(game.to_play, PASS)
    for name, position in (("early", game), ("a defense left out", after)):
        gain = gain_of(position, playouts, knowledge)
        if gain > EARLY:
            yield [row["game"], len(game.moves), name, gain]


@reported
def main(arguments: Sequence[str] | None = None) -> int:
    """Judge the passes and print the findings; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--match", type=Path, required=True, metavar="FILE")
    parser.add_argument("--side", choices=("first", "second"), default="first")
    parser.add_argument("--rules", choices=tuple(RULESETS), required=True)
    parser.add_argument("--playouts", type=int, default=3000, help="of playing on")
    options = parser.parse_args(arguments)
    table: list[TableRow] = []
    passes, knowledge = 0, load_knowledge()
    size, komi, games = read_kept(options.match, "size", "komi", "games")
    start = Game(size, RULESETS[options.rules], komi)
    for row in tqdm(games, unit="game", file=sys.stderr):
        for game in passes_of(row, start, options.side == "first"):
            passes += 1
            table += findings_of(row, game, options.playouts, knowledge)
    print_table(HEADER, table)
    print(f"{passes} passes in {len(games)} games: {len(table)} findings")
    return 0


if __name__ == "__main__":
    sys.exit(main())
