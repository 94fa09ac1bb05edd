"""The end of a game: the moves worth thinking about, passing, and capturing dead stones.

Everything is based on the final status of the position. ``passing`` checks a pass again.
"""

from collections.abc import Callable, Set
from typing import NamedTuple

import numpy as np

from engine.belief.memory import BeliefMemory
from engine.belief.posterior import Posterior
from engine.belief.report import SearchReport, unsearched
from engine.facts.final_status import FinalStatus
from engine.facts.survey import SURVEY
from engine.go.board import BLACK, EMPTIES, EMPTY_COUNT, KO, WHITE
from engine.go.geometry import PASS
from engine.go.history import Game
from engine.player.thinker import MoveRequest
from engine.rollout.uniform import is_playable


class Endgame(NamedTuple):
    """A position at or before the end of a game, according to its final status."""

    game: Game
    color: int
    status: FinalStatus
    moves: frozenset[int]  # the moves worth thinking about
    # Moves that lose a point without a gain; none while dead stones are captured
    wasteful: frozenset[int]
    dead: frozenset[int]  # the opponent's dead stones that are to be captured
    beliefs: BeliefMemory | None = None  # as ``MoveRequest`` has them

    @property
    def free(self) -> frozenset[int]:
        """Moves that cost no point if the position is closed."""
        return (self.moves | self.wasteful) & self.status.free_moves(self.color)

    @property
    def required(self) -> frozenset[int]:
        """The free moves that have to be played before the count."""
        return (self.moves | self.wasteful) & self.status.moves_required(self.color)

    @property
    def is_pointless(self) -> bool:
        """Whether a pass is the only move, or there is none."""
        # All legal points fill own eyes or are to be avoided.
        return self.moves <= {PASS}

    @property
    def is_over(self) -> bool:
        """Whether the count decides (``passing``), and not a search for the best of all moves."""
        return self.is_pointless or (not self.dead and may_pass(self.game, self.color, self.status))

    def request(self) -> MoveRequest:
        """Return what a thinker is asked."""
        game, color, status, moves, dead = self.game, self.color, self.status, self.moves, self.dead
        if dead:
            moves = moves_to_capture(game, moves, dead, status)
        if game.rules.all_stand:
            moves = without_losing_pass(game, color, moves)
        return MoveRequest(
            game=game, color=color, moves=moves, ownership=status.ownership, clean_up=bool(dead),
            # Other moves than those that capture are not looked at: no belief about the position.
            beliefs=None if dead else self.beliefs,
        )  # fmt: skip


def endgame_of(game: Game, color: int, status: FinalStatus, avoid: Set[int]) -> Endgame:
    """Return the endgame of a position for a color, without the moves to ``avoid``."""
    stones = status.dead_stones() if game.rules.capture_dead else set()
    dead = frozenset(point for point in stones if game.color_at(point) != color)
    moves = sensible_moves(game, color) - avoid
    # While dead stones are captured, moves inside settled ground are the right ones.
    wasteful = moves & wasteful_moves(game, color, status) if not dead else frozenset()
    return Endgame(
        game=game, color=color, status=status, moves=moves - wasteful, wasteful=wasteful, dead=dead
    )


def analysis_request(
    game: Game, color: int, avoid: Set[int], status: Callable[[Game], FinalStatus]
) -> MoveRequest | None:
    """Return the request to a thinker for an analysis; None if no move is sensible.

    avoid  moves that are excluded; if no other is left, a pass is analyzed
    """
    moves = sensible_moves(game, color)
    if game.rules.scoring == "territory":
        moves -= wasteful_moves(game, color, status(game))  # only here: it takes many roll-outs
    if moves <= {PASS}:
        return None
    # Without ownership no sum of fights is used: an analysis shows the search's own view.
    return MoveRequest(game, color, moves - avoid or frozenset({PASS}))


def sensible_moves(game: Game, color: int) -> frozenset[int]:
    """Return the legal moves that do not fill an own eye, with a pass; empty if there are none."""
    board = game.board
    empty = board[EMPTIES : EMPTIES + int(board[EMPTY_COUNT])].tolist()
    points = game.without_superko(color, [p for p in empty if is_playable(board, p, color)])
    return frozenset([*points, PASS]) if points else frozenset()


def wasteful_moves(game: Game, color: int, status: FinalStatus) -> set[int]:
    """Return the moves that lose a point without a gain: inside settled ground, for territory.

    Roll-outs count area and do not see this loss. Own settled ground is always excluded; the
    opponent's when all fates are clear, unless a ko may need a threat.
    """
    if game.rules.scoring == "area":
        return set()
    wasteful = status.secure_ground(color)
    if status.clear and game.board[KO] == 0:
        wasteful |= status.secure_ground(3 - color)
    return wasteful


def may_pass(game: Game, color: int, status: FinalStatus) -> bool:
    """Return whether a pass may lose nothing: closed borders, or the opponent passed and lost."""
    return status.closed or wins_by_passing(game, color, status)


def wins_by_passing(game: Game, color: int, status: FinalStatus) -> bool:
    """Return whether the opponent passed, and the count wins the game beyond doubt.

    The opponent may count a point won through a doubtful fate differently, and may win open ground.
    """
    if game.passes == 0 or not status.clear:
        return False
    # From the one side to the other, a point counts twice.
    return margin_of(game, color, status) > 2 * max(status.open_ground(color), 0)


def without_losing_pass(game: Game, color: int, moves: frozenset[int]) -> frozenset[int]:
    """Return moves without a pass that would end the game, all stones alive, without winning it.

    A search that tries such a pass takes its certain result for the value of the whole position,
    and examines no other move.
    """
    margin = game.score(set(), set())
    loses = game.passes > 0 and (margin if color == BLACK else -margin) <= 0
    return (moves - {PASS} or moves) if loses else moves


def margin_of(game: Game, color: int, status: FinalStatus) -> float:
    """Return a color's margin [points] with the dead stones of a status."""
    margin = game.score(*status.counted)
    return margin if color == BLACK else -margin


def report_of_fates(game: Game, color: int, status: FinalStatus, point: int = PASS) -> SearchReport:
    """Return the report of a pass, or another move, that follows from the chains' status."""
    owner = status.owner
    owners = (owner == BLACK).astype(np.float64) - (owner == WHITE)
    counted = Posterior(game.score(*status.counted), status.deviation())
    return unsearched({point: 1.0}, counted, owners, color, SURVEY.rollouts)


def moves_to_capture(
    game: Game, moves: frozenset[int], dead: Set[int], status: FinalStatus
) -> frozenset[int]:
    """Return the moves to choose from while dead stones must be captured.

    A pass is never among them. If all is settled, they only take a liberty of dead stones.
    """
    near = status.picture.liberties_of(dead)
    # Other moves, too, if no liberty can be taken at once: an approach move may be needed.
    return (moves & near if status.settled else frozenset()) or moves - {PASS}
