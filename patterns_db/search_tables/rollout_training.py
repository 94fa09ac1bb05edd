"""Training of the weights of guided roll-outs from expert games, by the full ranking model.

Each expert move is a choice among the local candidates of a roll-out
(engine.rollout.guided.list_local) and "elsewhere". A local candidate's value is the sum of two
Gaussian summands: its 3x3 neighborhood (template T_2 of Stern, Herbrich & Graepel 2006, without
features) and its kind. "Elsewhere" has a single summand. Beliefs are learned by the same EP as the
move prediction. A roll-out needs one weight per summand, exp(scale * mean).
"""

import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from engine.arrays import Floats, Ints
from engine.go.board import COLOR, EMPTY, Board, clear_into, empty_board, is_legal, place
from engine.go.geometry import PASS
from engine.jit import kernel
from engine.patterns.choice import MEAN, NO_SUMMAND, VARIANCE, Choice, group_candidates, new_choice
from engine.patterns.ranking import learn_from_move
from engine.rollout.guided import (
    KIND_SELF_ATARI,
    KINDS,
    MAX_LOCAL,
    NEIGHBORHOODS,
    GuidedPolicy,
    GuidedScratch,
    list_local,
    neighborhood,
    new_guided_scratch,
)
from patterns_db.records.games import DecodedGame

ELSEWHERE = NEIGHBORHOODS + KINDS  # row of the beliefs; before it are the kinds and the codes
ROWS = ELSEWHERE + 1
# It equals the prior variance of a summand, and determines ``scale``.
ROLLOUT_BETA_SQUARED = 1.0
ROLLOUT_TOLERANCE = 1e-3


def new_beliefs() -> Floats:
    """Return float64[ROWS, 2], the prior N(0, 1) of every summand (the paper's, Sec. 4)."""
    beliefs = np.zeros((ROWS, 2))
    beliefs[:, VARIANCE] = 1.0
    return beliefs


@kernel
def learn_game(
    board: Board,
    colors: Ints,
    moves: Ints,
    beliefs: Floats,
    choice: Choice,
    local: GuidedScratch,
    summands: Ints,
) -> int:
    """Learn from all moves of one game that answer a move.

    board          uint16[BOARD_CELLS], the position before the first move; in place
    colors, moves  int64[n], the game; it is cut at an impossible move
    beliefs        float64[ROWS, 2], in place
    summands       int64[MAX_LOCAL + 1, 2], scratch space
    returns        int64, number of moves learned from
    """
    last = PASS
    learned = 0
    for i in range(len(moves)):
        color = colors[i]
        point = moves[i]
        if point == PASS:  # no move is local to a pass
            last = PASS
            continue
        # Occupied points are checked first, because is_legal assumes an empty one.
        if board[COLOR + point] != EMPTY or not is_legal(board, point, color):
            break
        count = list_local(board, color, last, local)
        if count > 0:
            played = count  # "elsewhere", unless a local candidate was played
            for j in range(count):
                summands[j, 0] = neighborhood(board, local.points[j], color)
                summands[j, 1] = NEIGHBORHOODS + local.kinds[j]
                if local.points[j] == point:
                    played = j
            # All other points are one candidate, as in a roll-out.
            summands[count, 0] = ELSEWHERE
            summands[count, 1] = NO_SUMMAND
            group_candidates(choice, summands, count + 1)
            # "Elsewhere" is learned as well: the rate at which experts leave the neighborhood.
            learn_from_move(choice, beliefs, played, ROLLOUT_BETA_SQUARED, ROLLOUT_TOLERANCE)
            learned += 1
        place(board, point, color)
        last = point
    return learned


def learn_policy(games: Iterable[DecodedGame]) -> tuple[Floats, int]:
    """Return the beliefs learned from some games, and the number of moves."""
    beliefs = new_beliefs()
    choice = new_choice(MAX_LOCAL + 1, 2)
    summands = np.zeros((MAX_LOCAL + 1, 2), np.int64)
    # ``clear_into`` sets the size of each game.
    board = empty_board(19)
    local = new_guided_scratch()
    learned = 0
    for game in games:
        clear_into(board, game.size)
        for stones, color in ((game.black, 1), (game.white, 2)):
            for point in stones:
                place(board, int(point), color)
        learned += learn_game(board, game.colors, game.moves, beliefs, choice, local, summands)
    return beliefs, learned


def to_policy(beliefs: Floats, elsewhere: float) -> GuidedPolicy:
    """Return roll-out weights exp(scale * mean). Moves elsewhere get a further factor.

    beliefs    float64[ROWS, 2]
    elsewhere  float > 0; experts leave the neighborhood for a good point, and a roll-out for
               any point, so it should leave it less often
    """
    # Rows that never occurred keep mean 0, which gives weight 1.
    weights = np.exp(ROLLOUT.scale * beliefs[:, MEAN]).astype(np.float32)
    kinds = weights[NEIGHBORHOODS:ELSEWHERE]
    # GuidedPolicy guarantees this bound. Learned weights are far within it wherever both kinds
    # occurred.
    with_room = kinds[np.arange(KINDS) & ~KIND_SELF_ATARI]
    return GuidedPolicy(
        weights[:NEIGHBORHOODS].copy(),
        np.minimum(kinds, with_room),
        weights[ELSEWHERE:] * np.float32(elsewhere),
    )


class RolloutTraining(NamedTuple):
    """The fit of the weights of roll-outs."""

    # With noise of variance beta^2 a difference d wins with Phi(d / (beta sqrt 2)). That is about a
    # logistic of slope 1.7 / sqrt 2 = 1.2 at beta = 1.
    scale: float = 1.7 / math.sqrt(2.0 * ROLLOUT_BETA_SQUARED)
    # It was chosen by how well roll-outs predict the owners of points: scripts.check.rollouts.
    elsewhere_factor: float = 0.15


ROLLOUT = RolloutTraining()
