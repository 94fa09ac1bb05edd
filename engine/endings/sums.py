"""The right moves when a game is reduced to a sum of small fights.

Source of the idea: Zhao & Mueller, Section 5 (a solver of sums inside a Go program). Only roll-outs
in which every chain meets its judged fate count: others kill living groups with all their
territory. Area rules only: by territory dame are worth nothing and a move inside one's own area
costs a point. All margins are Black's. The slow twin is tests/reference/fights.py.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from engine.endings.local_play import MAX_POINTS, LocalPositions, local_positions
from engine.endings.point_games import PointGame, Shapes
from engine.endings.regions import EndgameRegion, divide
from engine.errors import BadSum
from engine.facts.chain_facts import ChainFacts
from engine.facts.group_prover import ReadingBudget
from engine.facts.position_facts import Facts
from engine.go.board import (
    BLACK,
    BOARD_CELLS,
    COLOR,
    EMPTY,
    KO,
    SIZE,
    WHITE,
    Board,
    Mask,
    Ownership,
    Points,
)
from engine.go.geometry import AREA, board_points
from engine.go.history import Game
from engine.rollout.careful import survey_fates

ROOM = 4000  # maximal number of local positions of one region
DECIDED = 0.6  # net share of the roll-outs from which on a chain's fate counts as known


class SumLimits(NamedTuple):
    """When a position is read as a sum of fights, and how much work that may take."""

    # Most comparisons and positions for one position of the board: at most some 50 ms. 20,000 gave
    # the same answers on 260 endings.
    budget: int = 6_000
    survey_rollouts: int = 300
    # If fewer end as expected, the expectation itself is doubtful. The search then decides.
    least_survey_rollouts: int = 50
    # A position is late when at most this share of its points is not DECIDED.
    open_share: float = 0.3
    # Node limit for reading all chains in trouble.
    survey_nodes: int = 500


SUMS = SumLimits()


class Bound(NamedTuple):
    """A region's game when one color never takes a ko: now, and by color after each move."""

    game: PointGame
    moves: dict[int, dict[int, PointGame]]


class LocalFight(NamedTuple):
    """A region's game: Black gets ``lower`` to ``upper``, which are equal if no ko can arise."""

    lower: Bound
    upper: Bound


class SumAdvice(NamedTuple):
    """The advice for a move from a sum of fights."""

    moves: frozenset[int]  # the points that keep the best result; never a pass
    margin: int  # Black's final points without komi that the mover can be sure of
    worth: int  # points that the move gains over letting the opponent move first
    fights: int  # number of remaining fights


def advise(
    game: Game, color: int, ownership: Ownership, facts: Facts, budget: ReadingBudget
) -> SumAdvice | None:
    """Return the best moves if the position is a sum of fights that is not over, else None.

    ownership  from roll-outs begun by each side in turn
    """
    # The cheapest questions come first: most positions of a game end here.
    if game.rules.scoring != "area" or not _is_late(game.board, ownership):
        return None
    chains = facts.chains(game.board, budget)
    # The generator's state is never 0.
    seed = game.position_hash | 1
    expected = expected_owners(game.board, ownership, chains)
    owners = ownership_given(
        game.board, expected, seed, SUMS.survey_rollouts, SUMS.least_survey_rollouts
    )
    if owners is None:
        return None
    # Ownership given the fates, not the caller's: a group that occasionally dies by chance would
    # leave all its territory open.
    division = divide(game.board, owners, MAX_POINTS)
    if division is None:
        return None
    shapes = Shapes(SUMS.budget)
    # The largest regions come first, because they are the likeliest to fail.
    regions = sorted(division.regions, key=lambda region: -len(region.points))
    fights: list[LocalFight] = []
    try:
        for region in regions:
            fight = play_out(game.board, region, division.owners, shapes)
            if fight is None:
                return None
            fights.append(fight)
        # Points are certain, so the best result holds for any komi.
        return best_moves(fights, division.settled_margin(), color, shapes)
    # A sum too large to solve is not an error: the search takes over.
    except BadSum:
        return None


def _is_late(board: Board, ownership: Ownership) -> bool:
    """Return whether most of the board is decided: the cheap test before all others."""
    points = board_points(int(board[SIZE]))
    return int(np.sum(np.abs(ownership[points]) < DECIDED)) <= SUMS.open_share * len(points)


def expected_owners(board: Board, ownership: Ownership, facts: Iterable[ChainFacts] = ()) -> Points:
    """Return int64[AREA], 1 Black, -1 White, 0 open; facts outrank the ownership in roll-outs."""
    expected = np.zeros(AREA, np.int64)
    for point in board_points(int(board[SIZE])):
        if board[COLOR + point] != EMPTY and abs(ownership[point]) >= DECIDED:
            expected[point] = 1 if ownership[point] > 0 else -1
    for chain in facts:
        # It depends on the side to move: any fate would be a guess.
        if chain.status in ("critical", "attackable"):
            expected[list(chain.stones)] = 0
        elif chain.status == "dead":
            expected[list(chain.stones)] = -1 if chain.color == BLACK else 1
    return expected


def ownership_given(
    board: Board, expected: Points, seed: int, rollouts: int, least: int
) -> Ownership | None:
    """Return ownership from roll-outs that end as expected; None if fewer than ``least`` do."""
    bare = board.copy()
    # The sides begin in turn, and a ko ban would restrict only one of them.
    bare[KO] = 0
    owned, neutral = np.zeros((2, AREA), np.int64)
    rng = np.array([seed], np.uint64)
    work = np.zeros(BOARD_CELLS, np.uint16)
    counted = int(survey_fates(bare, rollouts, rng, expected, owned, neutral, work))
    return owned / counted if counted >= least else None


def best_moves(
    fights: list[LocalFight], settled: int, color: int, shapes: Shapes
) -> SumAdvice | None:
    """Return the best moves of a sum; None if no fight is left or the best depends on a ko."""
    sign = 1 if color == BLACK else -1
    # ``lower`` bars Black from kos, ``upper`` White: the barred mover's result is certain.
    sure = _margins([f.lower if color == BLACK else f.upper for f in fights], color, shapes)
    hoped = _margins([f.upper if color == BLACK else f.lower for f in fights], color, shapes)
    if not sure or all(fight.lower.game.shape == 0 for fight in fights):
        return None
    best = max(sure.values())
    moves = {point for point, margin in sure.items() if margin == best}
    unsure = {point for point, margin in hoped.items() if margin > best}
    # Another move could gain more if kos go well: the best one then depends on the ko.
    if unsure and unsure != moves:
        return None
    games = [fight.lower.game for fight in fights]
    worth = best - sign * shapes.margin(games, 3 - color)
    open_fights = sum(game.shape != 0 for game in games)
    return SumAdvice(frozenset(moves), sign * best + settled, worth, open_fights)


def _margins(bounds: list[Bound], color: int, shapes: Shapes) -> dict[int, int]:
    """Return for each move of a color its margin in the sum, from that color's view."""
    sign = 1 if color == BLACK else -1
    games = [bound.game for bound in bounds]
    return {
        # After the move the opponent moves in the whole sum, not necessarily in this fight.
        point: sign * shapes.margin([game, *games[:i], *games[i + 1 :]], 3 - color)
        for i, bound in enumerate(bounds)
        for point, game in bound.moves[color].items()
    }


def play_out(
    board: Board, region: EndgameRegion, owners: Mask, shapes: Shapes
) -> LocalFight | None:
    """Return a region as a game; None if it is too large or play can repeat a position."""
    if len(region.points) > MAX_POINTS:
        return None
    upper = _bound(board, region, owners, WHITE, shapes)
    if upper is None:
        return None
    # Without a ko both bounds are equal, and half the work is saved.
    lower = _bound(board, region, owners, BLACK, shapes) if upper[1] else upper
    return None if lower is None else LocalFight(lower[0], upper[0])


def _bound(
    board: Board, region: EndgameRegion, owners: Mask, barred: int, shapes: Shapes
) -> tuple[Bound, bool] | None:
    """Return a region's game when a color takes no kos, and whether a ko could be taken."""
    points, movers = list(region.points), list(region.movers)
    positions = local_positions(board, points, movers, owners, barred, ROOM)
    if positions is None:
        return None
    games = _games_of(positions, shapes)
    if games is None:
        return None
    moves = {
        color: {
            points[i]: games[int(child)]
            for i, child in enumerate(positions.options[0, color - 1])
            if child >= 0
        }
        for color in (BLACK, WHITE)
    }
    return Bound(games[0], moves), bool(positions.kos[0])


def _games_of(positions: LocalPositions, shapes: Shapes) -> dict[int, PointGame] | None:
    """Return the game of each local position; None if play can return to a position."""
    games: dict[int, PointGame] = {}
    options = [[set(map(int, side)) - {-1} for side in both] for both in positions.options]
    open_positions: set[int] = set()
    # An explicit stack: lines of local play can be longer than Python's recursion allows.
    stack = [0]
    while stack:
        position = stack[-1]
        black, white = options[position]
        waiting = [child for child in black | white if child not in games]
        if position in games:
            stack.pop()
        elif not waiting:
            stack.pop()
            open_positions.discard(position)
            games[position] = shapes.game(
                {games[child] for child in black},
                {games[child] for child in white},
                int(positions.margins[position]),
            )
        # A position that waits for itself: play repeats, so it has no value as a finite game.
        elif open_positions.intersection(waiting):
            return None
        else:
            open_positions.add(position)
            stack.extend(waiting)
    return games
