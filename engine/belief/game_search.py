"""A searcher that follows a game and keeps the useful part of its tree from move to move."""

from collections.abc import Callable
from functools import cached_property

from engine.belief.memory import Place
from engine.belief.searcher import Searcher
from engine.go.history import Game
from engine.patterns.position import Position, position_of
from engine.rollout.guided import KnownReply
from engine.search.grower import Root
from engine.search.root_priors import PriorStep


class GameSearch:
    """The search of one game's positions, in any order."""

    def __init__(self, new_searcher: Callable[[], Searcher]) -> None:
        self._new_searcher = new_searcher
        self._searched: tuple[Game, Position, frozenset[int]] | None = None

    @cached_property
    def searcher(self) -> Searcher:
        """The searcher of all positions, made when first needed: its tree takes memory."""
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
        """Return the searcher, set to a game's position; the rest as in ``Root``."""
        position = position_of(game, color)
        # Asked to continue after two passes: then the game is not over.
        position = position._replace(passes=min(position.passes, 1))
        root = Root(position, moves, steps, replies, game.handicap)
        self.searcher.set_root(root, self._moves_since(game, position, moves))
        self.searcher.place = place
        # A copy: the caller plays on in its own.
        self._searched = game.copy(), position, moves
        return self.searcher

    def _moves_since(
        self, game: Game, position: Position, moves: frozenset[int]
    ) -> tuple[int, ...] | None:
        """Return the moves since the position searched last; None when its tree does not serve."""
        if self._searched is None:
            return None
        before, last, allowed = self._searched
        # Two passes have another value, or, after a pass under territory rules, other margins win.
        worth = (last.komi, last.stands)
        if worth != (position.komi, position.stands) or not game.continues(before):
            return None
        since = game.moves[len(before.moves) :]
        if since and game.is_over:
            return None  # in the tree the game has ended
        if not since and not moves <= allowed:
            return None  # the tree lacks the moves that were not allowed
        mover = last.color
        for move in since:
            if move.color != mover:
                return None  # a color moved twice; the tree knows alternating moves only
            mover = 3 - mover
        return tuple(move.point for move in since) if mover == position.color else None
