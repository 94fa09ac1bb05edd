"""The gain of playing on instead of a pass: two searches play to the end by area rules."""

import math
from typing import NamedTuple

from engine import BLACK, PASS, RULESETS, Game, Player
from engine.player.decision import Deliberation
from engine.player.limits import Limits
from engine.player.passing import game_for_points
from engine.player.thinker import MoveRequest
from engine.rollout.uniform import is_playable

AREA = RULESETS["chinese"]


class Margins(NamedTuple):
    """Black's margin as area and by the game's own rules [points]."""

    area: float
    score: float


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
    before = count(game, player)
    played = game_for_points(game, game.to_play, player.status(game))
    first = best_move(played, player)
    played.play(played.to_play, first)
    while played.passes < 2 and len(played.moves) < len(game.moves) + game.size**2:
        mover = player if played.to_play == game.to_play else answering
        played.play(played.to_play, mover.choose(played, played.to_play).point)
    played.rules, played.komi = game.rules, game.komi
    after = count(played, player)
    return first, sign * (after.area - before.area), sign * (after.score - before.score)


def count(game: Game, player: Player) -> Margins:
    """Count a position twice with the dead stones of its own rules."""
    status = player.status(game)
    as_area = game.copy()
    as_area.rules = AREA
    return Margins(as_area.score(*status.counted), game.score(*status.counted))
