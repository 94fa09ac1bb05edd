"""Training: one pass of assumed-density filtering over the expert moves, in order.

Stern, Herbrich & Graepel (2006), section 3.1. Two models are learned in parallel, each with its own
beliefs. In ``paper``, a move's value is that of its pattern class alone. In ``evidence``, it is the
sum of its pattern class and its classes of added evidence. The counts of the independent Bernoulli
model (section 3.2) are collected too.

A nested class has the value of the class of the next smaller template inside it plus a difference,
N(0, SPREAD). Training learns differences, each a summand; ``checkpoints.export`` adds them up.

# Deviates: the paper's classes are independent, each N(0, 1). There, a new large class starts at
the common prior, however well the class inside it is known.

# Deviates: the paper iterates messages until convergence; here until none moves by TOLERANCE.

Each model learns in its own thread and sees all moves in order, so the result does not depend on
the threads. A checkpoint between two blocks of games is complete.
"""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import repeat
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.arrays import Floats, Ints
from engine.go.board import SIZE
from engine.go.geometry import MAX_SIZE
from engine.jit import kernel
from engine.patterns.choice import (
    CHOICE_REJECTED,
    CHOICE_UNSETTLED,
    VARIANCE,
    Choice,
    group_candidates,
    new_choice,
)
from engine.patterns.hashing import Keys
from engine.patterns.matching import Candidates, list_slots, match_moves_into, new_candidates
from engine.patterns.ranking import learn_from_move
from engine.patterns.table import TableKeys, claim_slot, slots_for
from engine.patterns.templates import TEMPLATES
from engine.patterns.valuing import EVIDENCE_ROWS, MOVE_SUMMANDS, NESTED_SUMMANDS, summands_into
from patterns_db.patterns.bernoulli import count_move
from patterns_db.patterns.harvest import Harvest
from patterns_db.patterns.packed import (
    PackedMoves,
    Preparer,
    begin_game,
    color_of,
    next_choice,
    preparer_for,
)
from patterns_db.records.archive import POINT_BITS, GameArchive
from patterns_db.store.checkpointing import Steps
from patterns_db.store.model_names import MODELS

TOLERANCE = 1e-3  # see ranking.settle_messages
BLOCK_GAMES = 16  # after each block a training may be stopped
SPREAD = 0.25  # prior variance of a class's value around that of the next smaller one


@dataclass(frozen=True)
class TrainingSettings:
    """The settings that determine the result."""

    paths: tuple[str, ...]  # game collections, see GameReader
    min_count: int = 2  # how often experts must have played a class
    max_patterns: int | None = None  # number of the commonest classes to keep; None for all
    # Deviation of a move's value around its class's, prior deviation = 1; that of the shipped table
    # by default
    beta: float = 2.0**0.5
    max_games: int | None = None  # number of games to use, from the first on; None for all
    shards: int | None = None  # learned in parallel, see ``rounds``; None: the backend decides
    # Whether classes are independent, as the paper's are, instead of nested
    independent: bool = False


class Classes(NamedTuple):
    """The harvested classes in a table."""

    keys: npt.NDArray[np.uint32]  # uint32[slots], see engine.patterns.table
    rows: Ints  # int64[n], the slot of each class, in the harvest's order


class Learned(NamedTuple):
    """The state of a training; rows: the slots of the table, no match, the added evidence."""

    # float64[rows, 2], beliefs (mean, variance) of the model with added evidence; a nested class's
    # is about its difference from the next smaller one
    evidence: Floats
    paper: Floats  # float64[slots + 1, 2], the same of the model of patterns alone
    counts: Floats  # float64[slots + 1, 2], how often a class was played and passed over
    # int64[6], games and moves learned from, then unsettled moves and rejected beliefs of either
    # model
    tally: Ints


GAMES_DONE, MOVES_DONE, TROUBLE = 0, 1, 2


class Learner(NamedTuple):
    """Scratch of one model's thread."""

    candidates: Candidates
    choice: Choice
    summands: Ints  # (MAX_SIZE ** 2, width)
    largest: Ints  # (MAX_SIZE ** 2, 1) the classes of the largest templates alone


def new_learner(width: int) -> Learner:
    """Return scratch for any position whose candidates have ``width`` summands each."""
    most = MAX_SIZE * MAX_SIZE
    summands, largest = np.zeros((most, width), np.int64), np.zeros((most, 1), np.int64)
    return Learner(new_candidates(), new_choice(most, width), summands, largest)


@kernel
def claim_slots(keys: npt.NDArray[np.uint32], classes: Keys, rows: Ints) -> None:
    """Put all classes, uint64[n], into a table.

    keys  uint32[slots], empty; changes in place
    rows  int64[n], overwritten with the slots of the classes
    """
    for i in range(len(classes)):
        rows[i] = claim_slot(keys, classes[i])


def place_classes(harvest: Harvest) -> Classes:
    """Return a table of the harvested classes, at most half full for speed."""
    keys = np.zeros(slots_for(2 * len(harvest.keys)), np.uint32)
    rows = np.zeros(len(harvest.keys), np.int64)
    claim_slots(keys, harvest.keys, rows)
    return Classes(keys, rows)


def new_learned(slots: int, independent: bool = False) -> Learned:
    """Return the prior: N(0, SPREAD) for every nested class, N(0, 1) for everything else."""
    evidence, paper = np.zeros((slots + EVIDENCE_ROWS, 2)), np.zeros((slots + 1, 2))
    evidence[:, VARIANCE] = paper[:, VARIANCE] = 1.0
    # A class of template n is a sum of nested differences, so its prior variance is n * SPREAD.
    evidence[:slots, VARIANCE] = paper[:slots, VARIANCE] = 1.0 if independent else SPREAD
    return Learned(evidence, paper, np.zeros((slots + 1, 2)), np.zeros(6, np.int64))


@kernel
def learn_game(
    learner: Learner,
    preparer: Preparer,
    keys: TableKeys,
    moves: PackedMoves,
    beliefs: Floats,
    counts: Floats,
    beta_squared: float,
    nested: bool,
) -> int:
    """Learn from the moves of one game, which is cut at an illegal one; return their number.

    Source: Stern, Herbrich & Graepel (2006), sections 3.1 and 3.2
    learner   Learner of the model's summands; its choice counts trouble
    preparer  Preparer of this board size, its matcher cleared
    keys      uint32[slots], see engine.patterns.table
    moves     uint16[n], packed
    beliefs   float64[rows, 2], changes in place
    counts    float64[slots + 1, 2] of the Bernoulli model, changes in place; no row: the model with
              added evidence, which leaves them to the other one
    nested    bool, whether classes are nested; the paper's are not
    """
    board, memory, found = preparer.board, preparer.memory, learner.candidates
    begin_game(board, memory, np.int64(board[SIZE]))
    slots, made = len(keys), 0
    i = next_choice(board, memory, moves, np.int64(-1))
    while i < len(moves):
        move = np.int64(moves[i])
        color, with_evidence = color_of(move), len(counts) == 0
        count = match_moves_into(preparer.matcher, keys, board, memory, color, with_evidence, found)
        list_slots(preparer.matcher, color, found, count)
        played = 0
        while found.points[played] != move & POINT_BITS:
            played += 1
        if not with_evidence:
            # Only the largest classes count, since the Bernoulli model (3.2) has no sums.
            summands_into(found, count, slots, False, learner.largest)
            count_move(counts, learner.largest, count, played)
        summands_into(found, count, slots, nested, learner.summands)
        group_candidates(learner.choice, learner.summands, count)
        learn_from_move(learner.choice, beliefs, played, beta_squared, TOLERANCE)
        made += 1
        i = next_choice(board, memory, moves, i)
    return made


class Trainer:
    """Learns from the games of an archive, block by block.

    threads  2 for the two models; with one the result is the same
    """

    def __init__(
        self,
        games: GameArchive,
        classes: Classes,
        learned: Learned,
        settings: TrainingSettings,
        threads: int = 2,
    ) -> None:
        self._games, self._keys, self._learned = games, classes.keys, learned
        self._settings, self._threads = settings, threads
        self._preparers: tuple[dict[int, Preparer], ...] = {}, {}
        widths = (MOVE_SUMMANDS, 1) if settings.independent else (NESTED_SUMMANDS, TEMPLATES)
        self._learners = new_learner(widths[0]), new_learner(widths[1])

    def run(self) -> None:
        """Learn from all remaining games."""
        with closing(self.steps()) as steps:  # closing waits for the threads after an error
            for step in steps:
                step()

    def steps(self) -> Steps:
        """Yield a step for each remaining block of games. It returns the number of its moves."""
        games = self._games.games
        # Kernels release the interpreter's lock, so threads run in parallel. Each has its own
        # scratch and model, so the result does not depend on their speed.
        with ThreadPoolExecutor(self._threads) as pool:
            for first in range(int(self._learned.tally[GAMES_DONE]), games, BLOCK_GAMES):
                yield partial(self._learn_block, pool, first, min(first + BLOCK_GAMES, games))

    def _learn_block(self, pool: ThreadPoolExecutor, first: int, last: int) -> int:
        moves, _ = pool.map(self._learn, range(len(MODELS)), repeat(first), repeat(last))
        tally = self._learned.tally
        tally[GAMES_DONE] = last
        tally[MOVES_DONE] += moves
        # Counts of trouble are kept with the learned values, since a resumed run has fresh scratch.
        for i, learner in enumerate(self._learners):
            tally[TROUBLE + 2 * i] += learner.choice.meta[CHOICE_UNSETTLED]
            tally[TROUBLE + 2 * i + 1] += learner.choice.meta[CHOICE_REJECTED]
            learner.choice.meta[CHOICE_UNSETTLED] = learner.choice.meta[CHOICE_REJECTED] = 0
        return moves

    def _learn(self, model: int, first: int, last: int) -> int:
        """Learn one model from the games first..last - 1. Return the number of their moves."""
        games, learned, settings = self._games, self._learned, self._settings
        beliefs = learned.evidence, learned.paper
        counts = learned.counts[:0], learned.counts
        how = settings.beta**2, not settings.independent
        made = 0
        for game in range(first, last):
            preparer = preparer_for(self._preparers[model], int(games.sizes[game]))
            moves = games.moves[games.starts[game] : games.starts[game + 1]]
            learner, values = self._learners[model], (beliefs[model], counts[model])
            made += int(learn_game(learner, preparer, self._keys, moves, *values, *how))
        return made
