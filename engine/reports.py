"""What the player tells of its thoughts: reports on the way, candidates, settled positions."""

import time
from collections.abc import Callable, Iterator, Set
from typing import NamedTuple

import numpy as np

from engine.fates import ROLLOUTS, FinalStatus
from engine.go.board import BLACK, WHITE
from engine.go.geometry import PASS
from engine.go.history import Game
from engine.go.scoring import point_owners
from engine.search.searcher import MoveBelief, Searcher, SearchReport


class Candidate(NamedTuple):
    """One move that was looked at, the best first. Win rate and margin are the mover's.

    known  what was known of the move before the search, "" if nothing
    """

    point: int
    playouts: int
    win_rate: float
    win_rate_deviation: float
    margin: float
    reason: str
    line: tuple[int, ...]
    known: str = ""


def candidate(move: MoveBelief, known: str = "") -> Candidate:
    """Return what a player says of a move that was searched.

    known  what was known of the move before the search
    """
    found = f"won {move.win_rate:.1%} of {move.playouts} roll-outs"
    return Candidate(
        move.point,
        move.playouts,
        move.win_rate,
        move.win_rate_deviation,
        move.margin,
        f"{known}; {found}" if known else found,
        move.line,
        known,
    )


def reports(
    searcher: Searcher,
    playouts: int | None,
    deadline: float,
    stopped: Callable[[], bool],
    interval: float,
) -> Iterator[SearchReport]:
    """Search up to one of the limits and report after every interval and at the end.

    playouts  roll-outs to add; None: no such limit
    deadline  in time.monotonic() seconds
    interval  seconds
    """
    while True:
        until = min(time.monotonic() + interval, deadline)
        done = searcher.run(playouts, until, stopped)
        yield searcher.report()
        if playouts is not None:
            playouts -= done
        if done == 0 or playouts == 0 or stopped() or time.monotonic() >= deadline:
            return


def report_of_fates(game: Game, color: int, status: FinalStatus) -> SearchReport:
    """Return what the fates of the chains say about a pass, where no search was needed."""
    dead = status.dead_stones()
    margin = game.score(dead, status.seki_stones())
    own = margin if color == BLACK else -margin
    win_rate = 1.0 if own > 0 else 0.5 if own == 0 else 0.0
    owner = point_owners(game.board, dead)
    ownership = (owner == BLACK).astype(np.float64) - (owner == WHITE)
    move = MoveBelief(PASS, ROLLOUTS, win_rate, 0.0, 0.0, 0.0, own, 1.0, (PASS,))
    return SearchReport((move,), ROLLOUTS, margin, 0.0, ownership)


def moves_to_capture(
    game: Game, moves: frozenset[int], dead: Set[int], status: FinalStatus
) -> frozenset[int]:
    """Return what to choose from while dead stones have to be captured.

    Never a pass; and where all is settled, only moves that take a liberty of theirs.
    """
    near = {liberty for stone in dead for liberty in game.liberties(stone)}
    return (moves & near if status.settled else frozenset()) or moves - {PASS}
