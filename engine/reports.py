"""What the player tells of its thoughts: reports on the way, candidates, settled positions."""

import math
import time
from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from engine.endings.chances import ChanceAdvice
from engine.endings.fights import SumAdvice
from engine.fates import ROLLOUTS, FinalStatus
from engine.go.board import BLACK, WHITE
from engine.go.geometry import PASS
from engine.go.history import Game
from engine.go.scoring import point_owners
from engine.search.root_moves import MoveBelief
from engine.search.searcher import Searcher, SearchReport

LEAST_PLAYOUTS = 8
DOUBT = 0.1  # of a win rate, against a sum of fights that was played out
JUDGED_DOUBT = 0.05  # against one with fights that were judged
SLACK = 1.0  # points by which a move may look worse than a pass: roll-outs that differ in chance
UNCLEAR_DOUBT, UNCLEAR_SLACK = 0.3, 5.0  # where a fate is in doubt: less than a chain in seki


class Candidate(NamedTuple):
    """One move that was looked at, the best first. Win rate and margin are the mover's.

    prior  the ranking model's probability that it is the best
    known  what was known of the move before the search, "" if nothing
    """

    point: int
    playouts: int
    win_rate: float
    win_rate_deviation: float
    margin: float
    prior: float
    reason: str
    line: tuple[int, ...]
    known: str = ""


@dataclass(frozen=True)
class Patience:
    """When thinking on is not worth its price: Baum's condition for termination.

    Source: Baum (1993), "Tree growth": stop when U falls below the cost. Time that is saved here
    is there for later moves, so its price is what it earns there. U is what searching much longer
    would earn, so it is earned at the rate U / elapsed.

    share   seconds that this move would get if all were treated alike
    price   of one share [winning probability]
    """

    share: float
    price: float

    @property
    def pause(self) -> float:
        """Return the seconds between two looks at U, and before the first one."""
        return self.share / 4.0

    def is_enough(self, utility: float, elapsed: float) -> bool:
        """Return whether U [winning probability] does not pay for more time.

        elapsed  seconds of this search so far
        """
        return utility * self.share < self.price * elapsed


class Limits(NamedTuple):
    """What ends a search.

    playouts  roll-outs to add; None: no such limit
    deadline  in time.monotonic() seconds
    stopped   ends the search early when it returns True
    patience  so does this, when it thinks that more time is not worth its price
    """

    playouts: int | None
    deadline: float
    stopped: Callable[[], bool]
    patience: Patience | None = None


def candidate(move: MoveBelief, found: str, known: str = "") -> Candidate:
    """Return what a player says of a move that was looked at.

    found  why it would be played
    known  what was known of the move before the search
    """
    return Candidate(
        move.point,
        move.playouts,
        move.win_rate,
        move.win_rate_deviation,
        move.margin,
        move.prior,
        f"{known}; {found}" if known else found,
        move.line,
        known,
    )


def reports(searcher: Searcher, limits: Limits, interval: float) -> Iterator[SearchReport]:
    """Search up to one of the limits and report after every interval [seconds] and at the end."""
    playouts, deadline, stopped, patience = limits
    started = time.monotonic()
    next_report = started + interval
    next_look = math.inf if patience is None else started + patience.pause
    while True:
        done = searcher.run(playouts, min(next_report, next_look, deadline), stopped)
        if playouts is not None:
            playouts -= done
        now = time.monotonic()
        over = done == 0 or playouts == 0 or stopped() or now >= deadline
        if patience is not None and now >= next_look:
            over = over or patience.is_enough(searcher.utility(), now - started)
            next_look = now + patience.pause
        if over or now >= next_report:
            yield searcher.report()
            next_report = now + interval
        if over:
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


def choose_between(
    moves: tuple[MoveBelief, ...], ending: SumAdvice | ChanceAdvice | None
) -> MoveBelief:
    """Return the search's best move, or the right move of a sum of fights, if there is one.

    The sum is exact, but what it calls settled is judged by roll-outs. So its move has to be one
    that the search, having looked at it, thinks nearly as good as its own.
    moves  the best first
    """
    best = moves[0]
    if ending is None or best.point in ending.moves:
        return best
    doubt = DOUBT if isinstance(ending, SumAdvice) else JUDGED_DOUBT
    for move in moves:
        known = move.playouts >= LEAST_PLAYOUTS and move.win_rate >= best.win_rate - doubt
        if move.point in ending.moves and known:
            return move
    return best


def rather_than_pass(moves: tuple[MoveBelief, ...], best: MoveBelief, clear: bool) -> MoveBelief:
    """Return what to play instead of a pass while points are open: dame, where nothing else is.

    In a game that is won or lost a pass looks as good as anything, and ends it with points on the
    board; where a fate is in doubt, as it is counted then, which the opponent may do otherwise.
    But no move is forced on a player that loses much by it, as in a seki.
    moves  all that were looked at, the best first
    best   the one that would be played
    clear  whether all fates are beyond doubt
    """
    if best.point != PASS:
        return best
    doubt, slack = (DOUBT, SLACK) if clear else (UNCLEAR_DOUBT, UNCLEAR_SLACK)
    for move in moves:
        as_good = move.win_rate >= best.win_rate - doubt and move.margin >= best.margin - slack
        if move.point != PASS and move.playouts >= LEAST_PLAYOUTS and as_good:
            return move
    return best
