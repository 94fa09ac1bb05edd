"""The ranking model asked about a position in play: how probable is each move?

The same sums of beliefs as in ``valuing``, but normalised: the probability that a move is the
expert's, over all legal moves (Stern, Herbrich & Graepel 2006, Sec. 3.1). Candidates of the same
classes have the same probability.
"""

import numpy as np

from engine.go.board import SIZE, Board
from engine.go.geometry import MAX_SIZE
from engine.go.history import Game
from engine.jit import kernel
from engine.patterns.choice import (
    MEAN,
    NO_SUMMAND,
    SUMMANDS,
    VARIANCE,
    Choice,
    Floats,
    Ints,
    group_candidates,
    new_choice,
)
from engine.patterns.evidence import GROUPS, KO_MEMORY, new_memory, remember_move
from engine.patterns.matching import (
    NO_MATCH,
    Candidates,
    Matcher,
    list_slots,
    match_moves_into,
    new_candidates,
    new_matcher,
)
from engine.patterns.prediction import predict
from engine.patterns.table import LOG_VARIANCE_STEP, MEAN_STEP, load_belief
from engine.patterns.valuing import FIRST_ROWS, WIDTH, PatternKnowledge

GRID = 64  # points of the quadrature


def memory_of(game: Game) -> Ints:
    """Return int64[MEMORY], what the model's evidence needs to know of a game's moves so far."""
    memory = new_memory()
    for board, point in game.recent(KO_MEMORY + 2):
        remember_move(board, memory, point)
    return memory


@kernel
def summands_into(candidates: Candidates, count: int, slots: int, summands: Ints) -> None:
    """Name the summands of each candidate by their rows: the table's slots, then the evidence's.

    candidates  Candidates of a position, with evidence and slots (matching.list_slots)
    count       int64, number of candidates
    slots       int64, of the table
    summands    int64[>= count, WIDTH], overwritten
    """
    for i in range(count):
        slot = candidates.slots[i]
        summands[i, 0] = slots if slot == NO_MATCH else slot
        for group in range(GROUPS):
            found = candidates.evidence[i * GROUPS + group]
            row = slots + FIRST_ROWS[group] + found
            summands[i, 1 + group] = row if found > 0 else NO_SUMMAND


def beliefs_of(knowledge: PatternKnowledge, rows: Ints) -> Floats:
    """Return float64[n, 2], means and variances of summands named by ``summands_into``'s rows."""
    slots = len(knowledge.keys)
    beliefs = knowledge.evidence[np.maximum(rows - slots, 0)]
    stored = rows < slots
    values = knowledge.values[rows[stored]]
    beliefs[stored, MEAN] = values[:, MEAN] * MEAN_STEP
    beliefs[stored, VARIANCE] = np.exp(values[:, VARIANCE] * LOG_VARIANCE_STEP)
    return beliefs


@kernel
def load_leaves(choice: Choice, knowledge: PatternKnowledge) -> None:
    """Copy the beliefs of this position's summands in; ``choice.fetch_beliefs`` for stored ones.

    choice  Choice, grouped by ``summands_into``'s rows; leaves change in place
    """
    slots = len(knowledge.keys)
    for leaf in range(choice.meta[SUMMANDS]):
        row = choice.summand[leaf]
        if row < slots:
            load_belief(knowledge.values, row, choice.leaves, leaf)
        else:
            choice.leaves[leaf, MEAN] = knowledge.evidence[row - slots, MEAN]
            choice.leaves[leaf, VARIANCE] = knowledge.evidence[row - slots, VARIANCE]


@kernel
def predict_moves(
    knowledge: PatternKnowledge,
    matcher: Matcher,
    board: Board,
    memory: Ints,
    color: int,
    candidates: Candidates,
    choice: Choice,
    summands: Ints,
    probability: Floats,
) -> int:
    """Match the legal moves of a position and compute the probability of each.

    board, memory, color  as for matching.match_moves_into
    candidates            Candidates, overwritten
    choice, summands      scratch: Choice of WIDTH summands, int64[MAX_SIZE**2, WIDTH]
    probability           float64[MAX_SIZE**2], by candidate, overwritten; sums to 1
    returns               int64, number of legal moves
    """
    count = match_moves_into(matcher, knowledge.keys, board, memory, color, True, candidates)
    if count > 0:
        list_slots(matcher, color, candidates, count)
        slots = np.int64(len(knowledge.keys))
        summands_into(candidates, count, slots, summands)
        group_candidates(choice, summands, count)
        load_leaves(choice, knowledge)
        predict(choice, count, knowledge.beta_squared, GRID, probability)
    return count


class Predictor:
    """Predicts moves; positions that follow one another are matched incrementally.

    knowledge  the trained model
    """

    def __init__(self, knowledge: PatternKnowledge) -> None:
        self.knowledge = knowledge
        self._matchers: dict[int, Matcher] = {}
        self._candidates = new_candidates()
        self._choice = new_choice(MAX_SIZE * MAX_SIZE, WIDTH)
        self._summands = np.zeros((MAX_SIZE * MAX_SIZE, WIDTH), np.int64)
        self._probability = np.zeros(MAX_SIZE * MAX_SIZE)

    def probabilities(self, board: Board, memory: Ints, color: int) -> dict[int, float]:
        """Return the probability of each legal move by its point; they sum to 1.

        board   uint16[BOARD_CELLS]
        memory  int64[MEMORY], see ``memory_of``
        Superko is left aside, and a pass is never a candidate.
        """
        size = int(board[SIZE])
        if size not in self._matchers:
            self._matchers[size] = new_matcher(size)
        count = predict_moves(
            self.knowledge,
            self._matchers[size],
            board,
            memory,
            color,
            self._candidates,
            self._choice,
            self._summands,
            self._probability,
        )
        points = self._candidates.points[:count].tolist()
        return dict(zip(points, self._probability[:count].tolist(), strict=True))

    def of_game(self, game: Game, color: int) -> dict[int, float]:
        """Return the probability of each move of a color in a game's position."""
        return self.probabilities(game.board, memory_of(game), color)
