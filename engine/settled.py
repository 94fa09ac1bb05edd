"""What a player does where the fates of the chains tell enough: report a pass, or clean up."""

from collections.abc import Set

import numpy as np

from engine.fates import ROLLOUTS, FinalStatus
from engine.go.board import BLACK, WHITE
from engine.go.geometry import PASS
from engine.go.history import Game
from engine.go.scoring import point_owners
from engine.search.report import SearchReport
from engine.search.root_moves import MoveBelief


def report_of_fates(game: Game, color: int, status: FinalStatus) -> SearchReport:
    """Return what the fates of the chains say about a pass, where no search was needed."""
    dead = status.dead_stones()
    margin = game.score(dead, status.seki_stones())
    own = margin if color == BLACK else -margin
    win_rate = 1.0 if own > 0 else 0.5 if own == 0 else 0.0
    owner = point_owners(game.board, dead)
    ownership = (owner == BLACK).astype(np.float64) - (owner == WHITE)
    move = MoveBelief(
        PASS, ROLLOUTS, win_rate, own, win_rate, 0.0, value=0.0, deviation=0.0, margin=own,
        prior=1.0, line=(PASS,), line_visits=(ROLLOUTS,), best=1.0,
    )  # fmt: skip
    return SearchReport((move,), ROLLOUTS, margin, 0.0, ownership, {PASS: ownership})


def moves_to_capture(
    game: Game, moves: frozenset[int], dead: Set[int], status: FinalStatus
) -> frozenset[int]:
    """Return what to choose from while dead stones have to be captured.

    Never a pass; and where all is settled, only moves that take a liberty of theirs.
    """
    near = {liberty for stone in dead for liberty in game.liberties(stone)}
    # Elsewhere, too, if no liberty may be taken at once: it may need an approach move.
    return (moves & near if status.settled else frozenset()) or moves - {PASS}
