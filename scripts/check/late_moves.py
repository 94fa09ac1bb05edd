"""The judge of late moves: by the count, and by two searches that play a game on to its end.

They play on by area rules, where that costs nothing. The answering side searches longer: a gain
that needs wrong answers is none. A stone is needless if it lowers the count and leaves less than a
pass, against an opponent who plays on. A pass is early if playing on gains more than one point. A
defense is left out if the opponent gains as much after the pass. The winner changes if the sign of
the margin does.
"""

import math
from dataclasses import replace

from engine import BLACK, PASS, RULESETS, Game, Player, PlayerOptions
from engine.player.decision import Deliberation
from engine.player.passing import game_for_points
from engine.player.thinker import Limits, MoveRequest
from engine.rollout.uniform import is_playable
from patterns_db.shipped import load_knowledge

PLAYOUTS = 300  # a move of the side that plays on
ANSWERS = 10  # playouts of the answering side, for each one of that side
LEAST = 1.0  # points above which a gain by playing on is no dame
FINDINGS = ("needless stones", "defenses left out", "early passes", "winner changes")

Findings = dict[str, float]
"""What is wrong about a move, of FINDINGS, and the points that it costs."""


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

    The gains are counted as area and by the game's own rules. The komi is one by which one point
    more than the count wins: in a game long won or lost the other side would not answer carefully.
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


class Judge:
    """Judges moves by the count, and by playing on."""

    def __init__(self) -> None:
        self._knowledge = load_knowledge()
        self._player = Player(PlayerOptions(threads=1, seed=1), self._knowledge)

    def margin(self, game: Game, color: int) -> float:
        """Return a color's margin [points]."""
        margin = self._player.final_score(game)
        return margin if color == BLACK else -margin

    def stone(self, game: Game, point: int) -> Findings:
        """Return what is wrong about a stone of a side ahead."""
        color, after, passed = game.to_play, game.copy(), game.copy()
        after.play(color, point, forced=True)
        passed.play(color, PASS)
        cost = self.margin(game, color) - self.margin(after, color)
        if cost <= 0:
            return {}
        # A needed stone lowers the count, too, and so does one that begins an attack.
        as_area, by_rules = self._left(passed, color, may_pass=True)
        helps = self._left(after, color, may_pass=False)[0] - as_area > LEAST
        if helps or by_rules <= 0:
            return {}
        findings: Findings = {"needless stones": cost}
        return findings if by_rules > cost else findings | {"winner changes": cost}

    def late_move(self, game: Game, point: int) -> Findings:
        """Return what is wrong about a pass, or a stone of a side ahead in a closed position."""
        if point == PASS:
            return self._passing(game)
        is_closed = self._player.facts.brief_status(game).closed
        ahead = is_closed and self.margin(game, game.to_play) > 0
        return self.stone(game, point) if ahead else {}

    def _passing(self, game: Game) -> Findings:
        after = game.copy()
        after.play(game.to_play, PASS)
        lost = min(self._gains(after))
        gains = {"early passes": min(self._gains(game)), "defenses left out": lost}
        if 0 < self.margin(game, game.to_play) <= lost:
            gains["winner changes"] = lost
        return {name: gain for name, gain in gains.items() if gain > LEAST}

    def _left(self, game: Game, color: int, *, may_pass: bool) -> tuple[float, float]:
        """Return a color's margins, as area and by the rules, after its opponent has played on.

        may_pass  whether the opponent may pass instead, which ends the game
        """
        sign = 1 if color == BLACK else -1
        area, own = margins(game, self._player)
        # In doubt for the mover: an attack that only a longer search plays well counts, too.
        gains = self._gains(game, ANSWERS * PLAYOUTS)
        if may_pass and min(gains) <= 0:
            gains = 0.0, 0.0
        return sign * area - gains[0], sign * own - gains[1]

    def _gains(self, game: Game, playouts: int = PLAYOUTS) -> tuple[float, float]:
        """Return the points that the side to move gains by playing on, as area and by the rules."""
        options = PlayerOptions(playouts=playouts, threads=1, seed=1)
        # New players, so that a finding does not depend on earlier ones.
        longer = replace(options, playouts=ANSWERS * PLAYOUTS)
        sides = (Player(each, self._knowledge) for each in (options, longer))
        return gain_by_playing_on(game, *sides)[1:]
