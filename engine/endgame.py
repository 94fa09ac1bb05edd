"""The end of a game: which moves are worth thinking about, when to pass, and cleaning up.

All rests on the final status of the position. That a pass is looked at twice is in ``passing``.
"""

from collections.abc import Callable, Set
from typing import NamedTuple

import numpy as np

from engine.facts.final_status import ROLLOUTS, FinalStatus
from engine.go.board import BLACK, KO, WHITE
from engine.go.geometry import PASS
from engine.go.history import Game
from engine.go.scoring import point_owners
from engine.rollout.uniform import is_playable
from engine.search.neighbors import BeliefMemory
from engine.search.posterior import Posterior
from engine.search.report import SearchReport
from engine.search.root_moves import MoveBelief
from engine.thinkers.thinker import MoveRequest


class Endgame(NamedTuple):
    """A position at the end of a game, or before it, as its final status has it.

    moves     that are worth thinking about
    wasteful  moves that cost a point for nothing; none while dead stones are captured
    dead      the opponent's dead stones that are to be captured
    beliefs   as ``MoveRequest`` has them
    """

    game: Game
    color: int
    status: FinalStatus
    moves: frozenset[int]
    wasteful: frozenset[int]
    dead: frozenset[int]
    beliefs: BeliefMemory | None = None

    @property
    def is_pointless(self) -> bool:
        """Whether a pass alone is left, or nothing."""
        # All legal points would fill own eyes, or were to be avoided.
        return self.moves <= {PASS}

    @property
    def is_over(self) -> bool:
        """Whether to pass, without a search for a move."""
        return self.is_pointless or (not self.dead and may_pass(self.game, self.color, self.status))

    def request(self) -> MoveRequest:
        """Return what a thinker is asked."""
        game, color, status, moves, _, dead, beliefs = self
        if dead:
            moves = moves_to_capture(game, moves, dead, status)
        moves = without_losing_pass(game, color, moves, status)
        return MoveRequest(
            game, color, moves, status.ownership, bool(dead), pass_ends(game, status),
            # Other moves than those that capture are not looked at: no belief about the position.
            None if dead else beliefs,
        )  # fmt: skip


def endgame_of(
    game: Game, color: int, status: FinalStatus, avoid: Set[int], capture_dead: bool
) -> Endgame:
    """Return what a position leaves a color to think about.

    avoid         moves that are not considered
    capture_dead  whether dead stones are captured before passing
    """
    stones = status.dead_stones() if capture_dead else set()
    dead = frozenset(point for point in stones if game.color_at(point) != color)
    moves = sensible_moves(game, color) - avoid
    # While dead stones are captured, moves inside settled ground are what is wanted.
    wasteful = moves & wasteful_moves(game, color, status) if not dead else frozenset()
    return Endgame(game, color, status, moves - wasteful, wasteful, dead)


def analysis_request(
    game: Game, color: int, avoid: Set[int], status: Callable[[Game], FinalStatus]
) -> MoveRequest:
    """Return what a thinker is asked for an analysis: no sum of fights has a say there.

    avoid   moves that are not considered
    status  tells the final status of a position; asked only where it matters
    """
    moves = sensible_moves(game, color) - avoid
    if game.rules.scoring == "area":
        return MoveRequest(game, color, moves)
    found = status(game)  # takes hundreds of roll-outs
    moves -= wasteful_moves(game, color, found)
    # Without ownership no sum of fights is asked: an analysis shows what the search thinks.
    return MoveRequest(game, color, moves, pass_ends=pass_ends(game, found))


def sensible_moves(game: Game, color: int) -> frozenset[int]:
    """Return the legal moves that do not fill an own eye; a pass goes with them."""
    legal = game.legal_points(color)
    points = [point for point in legal if is_playable(game.board, point, color)]
    return frozenset([*points, PASS]) if points else frozenset()


def wasteful_moves(game: Game, color: int, status: FinalStatus) -> set[int]:
    """Return the moves that cost a point for nothing: inside settled ground, for territory.

    Roll-outs count area and do not see that. Own settled ground is always left alone; the
    opponent's when all fates are clear, unless a ko may ask for a threat.
    """
    if game.rules.scoring == "area":
        return set()
    wasteful = status.secure_ground(game, color)
    if status.clear and game.board[KO] == 0:
        wasteful |= status.secure_ground(game, 3 - color)
    return wasteful


def may_pass(game: Game, color: int, status: FinalStatus) -> bool:
    """Return whether passing loses nothing: all is settled, or the opponent passed and lost.

    What is counted as won by a fate in doubt may be counted otherwise by the opponent; who counts
    a point of territory where a ko is open has to fill it first; and what can be taken at once is
    taken, where it is not sure to be lost again.
    """
    if not status.settled:
        if not (game.passes > 0 and status.clear and margin_of(game, color, status) > 0):
            return False
    if game.rules.scoring == "territory" and status.open_kos(game, color):
        return False
    return not status.open_captures(game, color)


def pass_ends(game: Game, status: FinalStatus) -> bool:
    """Return whether a second pass ends the game for the search, all stones alive.

    Not under territory rules while a fate is in doubt: then who is right is found out by playing
    on, and the stones that the search takes for alive may be counted as dead.
    """
    return game.rules.scoring == "area" or status.clear


def without_losing_pass(
    game: Game, color: int, moves: frozenset[int], status: FinalStatus
) -> frozenset[int]:
    """Return moves without a pass that would end the game and not win it.

    A search that tries such a pass takes its certain result for the value of the whole position,
    and looks at nothing else.
    """
    loses = game.passes > 0 and margin_of(game, color, status) <= 0
    return (moves - {PASS} or moves) if loses and pass_ends(game, status) else moves


def margin_of(game: Game, color: int, status: FinalStatus) -> float:
    """Return a color's margin [points] with the dead stones of a status."""
    margin = game.score(status.dead_stones(), status.seki_stones())
    return margin if color == BLACK else -margin


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


def moves_to_capture(
    game: Game, moves: frozenset[int], dead: Set[int], status: FinalStatus
) -> frozenset[int]:
    """Return what to choose from while dead stones have to be captured.

    Never a pass; and where all is settled, only moves that take a liberty of theirs.
    """
    near = {liberty for stone in dead for liberty in game.liberties(stone)}
    # Elsewhere, too, if no liberty may be taken at once: it may need an approach move.
    return (moves & near if status.settled else frozenset()) or moves - {PASS}
