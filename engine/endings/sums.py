"""The right moves when a game is reduced to a sum of small fights.

Is most of the board decided (cheap)? Which color owns each point if every chain meets its judged
fate? Only roll-outs that end as expected count: others kill living groups with all their territory.
If the rest is a sum of small fights, ``fights`` solves it exactly. Area rules only: by territory
dame are worth nothing and a move inside one's own area costs a point, so the games differ.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from engine.endings.fights import LocalFight, SumAdvice, best_moves, play_out
from engine.endings.local_play import MAX_POINTS
from engine.endings.point_games import Shapes
from engine.endings.regions import divide
from engine.errors import BadSum
from engine.facts.chain_facts import ChainFacts
from engine.facts.group_prover import ReadingBudget
from engine.facts.position_facts import Facts
from engine.go.board import BLACK, BOARD_CELLS, COLOR, EMPTY, KO, SIZE, Board, Ownership, Points
from engine.go.geometry import AREA, board_points
from engine.go.history import Game
from engine.rollout.careful import survey_fates

DECIDED = 0.6  # net share of the roll-outs from which on a chain's fate counts as known


class SumLimits(NamedTuple):
    """When a position is read as a sum of fights, and how much work that may take."""

    # At most some 50 ms; 20,000 gave the same answers on 260 endings. Maximal number of comparisons
    # and positions for one position of the board.
    budget: int = 6_000
    # If few end as expected, the expectation itself is doubtful. The search then decides.
    survey_rollouts: int = 300
    least_survey_rollouts: int = 50
    # A position is late when at most this share of its points is not DECIDED.
    open_share: float = 0.3
    # Node limit for reading all chains in trouble.
    survey_nodes: int = 500


SUMS = SumLimits()


def advise(
    game: Game, color: int, ownership: Ownership, facts: Facts, budget: ReadingBudget
) -> SumAdvice | None:
    """Return the best moves if the position is a sum of fights that is not over, else None.

    ownership  from roll-outs begun by each side in turn
    budget     for reading the chains
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
    """Return ownership from roll-outs in which every chain met its expected fate.

    rollouts, least  number to play, and number that must end as expected; None if fewer do
    """
    bare = board.copy()
    # The sides begin in turn, and a ko ban would restrict only one of them.
    bare[KO] = 0
    owned, neutral = np.zeros((2, AREA), np.int64)
    rng = np.array([seed], np.uint64)
    work = np.zeros(BOARD_CELLS, np.uint16)
    counted = int(survey_fates(bare, rollouts, rng, expected, owned, neutral, work))
    return owned / counted if counted >= least else None
