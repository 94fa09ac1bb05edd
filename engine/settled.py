"""What a player does where the fates of the chains tell enough: report a pass, clean up, or look
whether there are points to gain all the same.
"""

from collections.abc import Set
from dataclasses import replace

import numpy as np

from engine.facts.final_status import ROLLOUTS, FinalStatus
from engine.go.board import BLACK, WHITE
from engine.go.geometry import PASS
from engine.go.history import Game
from engine.go.scoring import point_owners
from engine.search.posterior import Posterior
from engine.search.report import SearchReport
from engine.search.root_moves import MoveBelief


def report_of_fates(game: Game, color: int, status: FinalStatus, point: int = PASS) -> SearchReport:
    """Return what the fates of the chains say about a pass, where no search was needed.

    point  what is played instead of the pass
    """
    dead = status.dead_stones()
    margin = game.score(dead, status.seki_stones())
    own = margin if color == BLACK else -margin
    win_rate = Posterior(own, 0.0).chance()
    owner = point_owners(game.board, dead)
    ownership = (owner == BLACK).astype(np.float64) - (owner == WHITE)
    move = MoveBelief(
        point, ROLLOUTS, win_rate, own, win_rate, 0.0, value=0.0, deviation=0.0, margin=own,
        prior=1.0, line=(point,), line_visits=(ROLLOUTS,), best=1.0,
    )  # fmt: skip
    counted = Posterior(margin, 0.0)
    return SearchReport((move,), ROLLOUTS, counted, margin, 0.0, ownership, {point: ownership})


def game_for_points(game: Game, color: int, status: FinalStatus) -> Game:
    """Return the same position as a game that a color wins where it gains two points or more.

    In a game long won or lost a search plays anything; so a komi makes the points decide. By area
    rules, where playing on costs nothing; one point may be a neutral one.
    status  of the position, which says what it counts as now
    """
    played = game.copy()
    played.rules = replace(game.rules, scoring="area")
    margin = played.score(status.dead_stones(), status.seki_stones())
    played.komi += margin + (1.5 if color == BLACK else -1.5)
    return played


def moves_to_capture(
    game: Game, moves: frozenset[int], dead: Set[int], status: FinalStatus
) -> frozenset[int]:
    """Return what to choose from while dead stones have to be captured.

    Never a pass; and where all is settled, only moves that take a liberty of theirs.
    """
    near = {liberty for stone in dead for liberty in game.liberties(stone)}
    # Elsewhere, too, if no liberty may be taken at once: it may need an approach move.
    return (moves & near if status.settled else frozenset()) or moves - {PASS}
