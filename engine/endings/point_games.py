"""Local games with points as outcomes: kept as small as possible, compared, and summed exactly.

A game is a number of points, or options for Black and for White, each of them a game. A player may
pass at any time, and two passes end a sum. If moving gains nothing for either side, a position *is*
a number. No position of a sum is then worth less to the side to move than to its opponent, and a
game may be replaced by an equal one in any sum (Milnor, "Sums of positional games", 1953). Numbers
are added up, dominated options dropped, and opposite games cancel. A game is stored as (shape,
points), normalized so that White moving first gets 0. Shape 0 is the number.
"""

from typing import NamedTuple

from engine.errors import BadSum
from engine.go.board import BLACK, WHITE


class PointGame(NamedTuple):
    """A game: a shape, by its number in ``Shapes``, and points added to every outcome."""

    shape: int
    points: int


class _Shape(NamedTuple):
    """The options of a shape that is not a number; ``gain`` is the worth of Black's first move."""

    black: tuple[PointGame, ...]
    white: tuple[PointGame, ...]
    gain: int


class Shapes:
    """All games so far, each shape once; ``budget`` counts games, comparisons and positions."""

    def __init__(self, budget: int) -> None:
        self.budget = budget
        # Shape 0 exists from the start: the number, which has no options.
        self._shapes: list[_Shape] = [_Shape((), (), 0)]
        self._numbers: dict[tuple[tuple[PointGame, ...], tuple[PointGame, ...]], int] = {}
        self._negatives: dict[int, int] = {0: 0}
        self._at_least: dict[tuple[int, int, int, bool], bool] = {}
        self._margins: dict[tuple[tuple[int, ...], bool], int] = {}

    def spend(self) -> None:
        """Count one step. Raises BadSum when no step was left."""
        self.budget -= 1
        if self.budget < 0:
            raise BadSum("the fights are too many or too large")

    # -- single games -------------------------------------------------------------------------

    def black_first(self, game: PointGame) -> int:
        """Return the points when Black moves first and both play on in this game alone."""
        return game.points + self._shapes[game.shape].gain

    def white_first(self, game: PointGame) -> int:
        """Return the points when White moves first."""
        return game.points

    def options(self, game: PointGame, color: int) -> list[PointGame]:
        """Return a color's options; none for a number."""
        shape = self._shapes[game.shape]
        chosen = shape.black if color == BLACK else shape.white
        return [PointGame(option.shape, option.points + game.points) for option in chosen]

    def game(self, black: set[PointGame], white: set[PointGame], margin: int) -> PointGame:
        """Return the game with these options and the margin when both stop. Raises BadSum."""
        self.spend()
        best = max((self.white_first(option) for option in black), default=None)
        least = min((self.black_first(option) for option in white), default=None)
        # Moving gains nothing for either side, so by the passing rule the position is a number.
        if best is None or least is None or best <= least:
            margin = margin if best is None else max(margin, best)
            return PointGame(0, margin if least is None else min(margin, least))
        keep_black = self._undominated(black, BLACK)
        keep_white = self._undominated(white, WHITE)
        # Normalized by White's first move: games that differ by points share shape and answers.
        options = (_shifted(keep_black, -least), _shifted(keep_white, -least))
        if options not in self._numbers:
            self._numbers[options] = len(self._shapes)
            self._shapes.append(_Shape(options[0], options[1], best - least))
        return PointGame(self._numbers[options], least)

    def _undominated(self, options: set[PointGame], color: int) -> list[PointGame]:
        """Return a color's options without those that another one dominates."""
        best: list[PointGame] = []
        # In order, so that shapes get the same numbers in every run.
        for option in sorted(options):
            if any(self._is_better(other, option, color) for other in best):
                continue
            best = [other for other in best if not self._is_better(option, other, color)]
            best.append(option)
        return best

    def _is_better(self, one: PointGame, other: PointGame, color: int) -> bool:
        """Return whether a game is at least as good for a color as another one, in any sum."""
        return self.is_at_least(one, other) if color == BLACK else self.is_at_least(other, one)

    def is_at_least(self, one: PointGame, other: PointGame) -> bool:
        """Return whether Black gets as much from ``one`` as from ``other`` in every sum."""
        return self._wins(one, other, False)

    def _wins(self, one: PointGame, other: PointGame, black_moves: bool) -> bool:
        """Return whether Black gets 0 or more in ``one`` minus ``other``."""
        if one.shape == 0 and other.shape == 0:
            return one.points >= other.points
        if one.shape == 0 or other.shape == 0:
            first = self.black_first if black_moves else self.white_first
            second = self.white_first if black_moves else self.black_first
            return first(one) >= second(other)
        # Only the difference matters: points are added to every outcome.
        key = (one.shape, other.shape, one.points - other.points, black_moves)
        wins = self._at_least.get(key)
        if wins is None:
            self.spend()
            mover = BLACK if black_moves else WHITE
            ours = (
                self._wins(option, other, not black_moves) == black_moves
                for option in self.options(one, mover)
            )
            others = (
                self._wins(one, option, not black_moves) == black_moves
                for option in self.options(other, 3 - mover)
            )
            wins = self._at_least[key] = (any(ours) or any(others)) == black_moves
        return wins

    def negative(self, game: PointGame) -> PointGame:
        """Return the game with the colors exchanged."""
        if game.shape not in self._negatives:
            shape = self._shapes[game.shape]
            negated = self.game(
                {self.negative(option) for option in shape.white},
                {self.negative(option) for option in shape.black},
                0,
            )
            self._negatives[game.shape] = negated.shape
        gain = self._shapes[game.shape].gain
        return PointGame(self._negatives[game.shape], -game.points - gain)

    # -- sums ---------------------------------------------------------------------------------

    def margin(self, games: list[PointGame], to_play: int) -> int:
        """Return Black's points from a sum under perfect play. Raises BadSum over the budget."""
        points = sum(game.points for game in games)
        uncanceled: list[int] = []
        for shape in (game.shape for game in games if game.shape):
            opposite = self.negative(PointGame(shape, 0))
            if opposite.shape in uncanceled:
                uncanceled.remove(opposite.shape)
                # A game and its opposite cancel: the second mover answers in the other one.
                points -= opposite.points
            else:
                uncanceled.append(shape)
        return points + self._margin_of_shapes(tuple(sorted(uncanceled)), to_play == BLACK)

    def _margin_of_shapes(self, shapes: tuple[int, ...], black_moves: bool) -> int:
        if not shapes:
            return 0
        if len(shapes) == 1:
            return self._shapes[shapes[0]].gain if black_moves else 0
        key = (shapes, black_moves)
        if key not in self._margins:
            self.spend()
            color = BLACK if black_moves else WHITE
            values = [
                self.margin(
                    [option, *(PointGame(s, 0) for s in shapes[:i] + shapes[i + 1 :])], 3 - color
                )
                for i, shape in enumerate(shapes)
                # Sorted: equal shapes are adjacent, and one of them represents all.
                if i == 0 or shape != shapes[i - 1]
                for option in self.options(PointGame(shape, 0), color)
            ]
            self._margins[key] = max(values) if black_moves else min(values)
        return self._margins[key]


def _shifted(options: list[PointGame], points: int) -> tuple[PointGame, ...]:
    return tuple(sorted(PointGame(option.shape, option.points + points) for option in options))
