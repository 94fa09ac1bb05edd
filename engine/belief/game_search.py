"""A searcher that follows a game and keeps the useful part of its tree from move to move."""

from collections.abc import Callable
from functools import cached_property

from engine.belief.memory import Place
from engine.belief.searcher import Searcher
from engine.go.board import BLACK
from engine.go.history import Game
from engine.patterns.position import position_of
from engine.rollout.guided import KnownReply
from engine.search.grower import Root
from engine.search.root_priors import PriorStep


class GameSearch:
    """The search of one game's positions, in any order.

    new_searcher  makes the searcher when it is first needed, because its tree takes memory
    """

    def __init__(self, new_searcher: Callable[[], Searcher]) -> None:
        self._new_searcher = new_searcher
        self._searched: Game | None = None
        self._color = BLACK
        self._komi, self._stands = 0.0, False
        self._moves: frozenset[int] = frozenset()

    @cached_property
    def searcher(self) -> Searcher:
        """The searcher of all positions."""
        return self._new_searcher()

    def forget(self) -> None:
        """Start the next position from nothing."""
        self._searched = None

    def enter(
        self,
        game: Game,
        color: int,
        moves: frozenset[int],
        steps: tuple[PriorStep, ...] = (),
        replies: tuple[KnownReply, ...] = (),
        place: Place | None = None,
    ) -> Searcher:
        """Return the searcher, set to a game's position with a color to move.

        moves    the allowed ones
        steps    prior beliefs about single moves
        replies  answers that its roll-outs give
        place    of the position among those that are remembered
        """
        position = position_of(game, color)
        # Asked to continue after two passes: then the game is not over.
        position = position._replace(passes=min(position.passes, 1))
        since = self._moves_since(game, color)
        if since and game.is_over:
            since = None  # in the tree the game has ended
        if since == () and not moves <= self._moves:
            since = None  # the tree lacks the moves that were not allowed
        if position.stands != self._stands:
            since = None  # two passes have another value
        if position.komi != self._komi:
            since = None  # after a pass under territory rules other margins win
        root = Root(position, moves, steps, replies, game.handicap)
        self.searcher.set_root(root, since)
        self.searcher.place = place
        # A copy: the caller plays on in its own.
        self._searched, self._color, self._moves = game.copy(), color, moves
        self._komi, self._stands = position.komi, position.stands
        return self.searcher

    def _moves_since(self, game: Game, color: int) -> tuple[int, ...] | None:
        """Return the moves from the position searched last to this one; None when unrelated."""
        before = self._searched
        if before is None or not game.continues(before):
            return None
        since = game.moves[len(before.moves) :]
        mover = self._color
        for move in since:
            if move.color != mover:
                return None  # a color moved twice; the tree knows alternating moves only
            mover = 3 - mover
        return tuple(move.point for move in since) if mover == color else None
