"""Training: one pass of assumed-density filtering over the expert moves, in order.

Stern, Herbrich & Graepel (2006), section 3.1. Two models are learned side by side, each with its
own beliefs: ``paper``, a move's value is that of its pattern class, and ``evidence``, it is the
sum of its pattern class and its classes of added evidence. The counts of the independent
Bernoulli model (section 3.2) come along.

A block of games is prepared (``positions``) while the models learn from the block before it, each
in its own thread. Every model sees all moves in order whatever the threads do, so the result is
the same every time; a checkpoint between two blocks holds all there is.
"""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.jit import kernel
from engine.patterns.bernoulli import count_move
from engine.patterns.choice import (
    MEAN,
    REJECTED,
    SUMMANDS,
    UNSETTLED,
    VARIANCE,
    Choice,
    Floats,
    group_candidates,
    new_choice,
)
from engine.patterns.features import Integers
from engine.patterns.hashing import Keys
from engine.patterns.ranking import observe
from engine.patterns.table import claim_slot, slots_for
from engine.patterns.valuing import EVIDENCE_ROWS, WIDTH
from patterns_db.archive import GameArchive
from patterns_db.harvest import Harvest
from patterns_db.positions import (
    MOVES,
    Positions,
    Preparer,
    blocks_of_games,
    new_positions,
    prepare_games,
    room_for,
    rows_into,
)

TOLERANCE = 1e-3
BETA_SQUARED = 0.36
BLOCK_CANDIDATES = 1 << 20  # some 14 games
NEW = 1.0  # variance of a class that was not met yet
SPREAD = 0.5  # of the paper's model: variance of a class around the next smaller one
MODELS = ("evidence", "paper")


class Classes(NamedTuple):
    """The harvested classes in a table.

    keys     uint32[slots], see engine.patterns.table
    rows     int64[n], the slot of each class of the harvest, in its order
    smaller  int32[slots], the slot of the class of the next smaller template, or -1
    """

    keys: npt.NDArray[np.uint32]
    rows: Integers
    smaller: npt.NDArray[np.int32]


class Learned(NamedTuple):
    """What training knows so far; rows: the slots of the table, no match, the added evidence.

    evidence  float64[rows, 2], beliefs (mean, variance) of the model with added evidence
    paper     float64[slots + 1, 2], beliefs of the paper's model
    counts    float64[slots + 1, 2], how often a class was played and passed over
    tally     int64[6], games and moves learned from, then unsettled moves and rejected beliefs
              of either model
    """

    evidence: Floats
    paper: Floats
    counts: Floats
    tally: Integers


GAMES_DONE, MOVES_DONE, TROUBLE = 0, 1, 2


class Learner(NamedTuple):
    """Scratch of one model's thread."""

    choice: Choice
    rows: Integers  # (most, WIDTH)
    only: Integers  # (most, 1)
    flat: Integers  # (most,) the same memory as ``only``


def new_learner(width: int, candidates: int = 625) -> Learner:
    """Return scratch for positions with so many candidates, ``width`` summands each."""
    only = np.zeros((candidates, 1), np.int64)
    return Learner(
        new_choice(candidates, width),
        np.zeros((candidates, WIDTH), np.int64),
        only,
        only.reshape(-1),
    )


@kernel
def claim_slots(keys: npt.NDArray[np.uint32], classes: Keys, rows: Integers) -> None:
    """Put all classes into a table; rows int64[n] is overwritten with their slots."""
    for i in range(len(classes)):
        rows[i] = claim_slot(keys, classes[i])


def place_classes(harvest: Harvest) -> Classes:
    """Return a table of the harvested classes, made for speed: at most half full."""
    keys = np.zeros(slots_for(2 * len(harvest.keys)), np.uint32)
    rows = np.zeros(len(harvest.keys), np.int64)
    claim_slots(keys, harvest.keys, rows)
    smaller = np.full(len(keys), -1, np.int32)
    smaller[rows] = np.append(rows, -1)[harvest.smaller]
    return Classes(keys, rows, smaller)


def new_learned(slots: int) -> Learned:
    """Return the prior: N(0, 1) for every class."""
    evidence, paper = np.zeros((slots + EVIDENCE_ROWS, 2)), np.zeros((slots + 1, 2))
    evidence[:, 1] = paper[:, 1] = 1.0
    return Learned(evidence, paper, np.zeros((slots + 1, 2)), np.zeros(6, np.int64))


@kernel
def begin_beliefs(choice: Choice, smaller: npt.NDArray[np.int32], beliefs: Floats) -> None:
    """Give each class that is met for the first time its prior: about as good as a smaller one.

    # Deviates: the paper does not say which prior a pattern has. With N(0, 1) for all of them, a
    large class that is met for the first time starts as good as any, however good the next smaller
    class inside it is known to be; this way 1.0 point more of the moves is predicted.
    choice   Choice of one summand, grouped
    smaller  int32[slots], see Classes
    beliefs  float64[slots + 1, 2], changes in place
    """
    for leaf in range(choice.meta[SUMMANDS]):
        row = choice.summand[leaf]
        if row == len(smaller) or beliefs[row, VARIANCE] != NEW:
            continue
        other = np.int64(smaller[row])
        while other >= 0 and beliefs[other, VARIANCE] == NEW:
            other = np.int64(smaller[other])
        if other >= 0:
            beliefs[row, MEAN] = beliefs[other, MEAN]
            beliefs[row, VARIANCE] = SPREAD


@kernel
def learn_evidence(
    learner: Learner,
    positions: Positions,
    slots: int,
    beliefs: Floats,
    beta_squared: float,
    tolerance: float,
) -> None:
    """Learn from the positions of a block: the model with added evidence.

    learner    Learner of WIDTH summands; its choice counts trouble
    slots      int64, number of pattern rows
    beliefs    float64[slots + EVIDENCE_ROWS, 2], changes in place
    """
    for index in range(positions.meta[MOVES]):
        first = positions.begins[index]
        count = positions.begins[index + 1] - first
        rows_into(positions, first, count, slots, learner.rows, learner.only)
        group_candidates(learner.choice, learner.rows, count)
        observe(learner.choice, beliefs, positions.played[index], beta_squared, tolerance)


@kernel
def learn_paper(
    learner: Learner,
    positions: Positions,
    smaller: npt.NDArray[np.int32],
    beliefs: Floats,
    counts: Floats,
    beta_squared: float,
    tolerance: float,
) -> None:
    """Learn from the positions of a block: the paper's model, and the Bernoulli model's counts.

    Source: Stern, Herbrich & Graepel (2006), sections 3.1 and 3.2
    learner  Learner of one summand; its choice counts trouble
    smaller  int32[slots], see Classes
    beliefs  float64[slots + 1, 2], changes in place
    counts   float64[slots + 1, 2], changes in place
    """
    slots = np.int64(len(smaller))
    for index in range(positions.meta[MOVES]):
        first = positions.begins[index]
        count = positions.begins[index + 1] - first
        played = positions.played[index]
        rows_into(positions, first, count, slots, learner.rows, learner.only)
        count_move(counts, learner.flat, count, played)
        group_candidates(learner.choice, learner.only, count)
        begin_beliefs(learner.choice, smaller, beliefs)
        observe(learner.choice, beliefs, played, beta_squared, tolerance)


class Trainer:
    """Learns from the games of an archive, block by block."""

    def __init__(
        self,
        games: GameArchive,
        classes: Classes,
        learned: Learned,
        beta_squared: float = BETA_SQUARED,
        tolerance: float = TOLERANCE,
        models: tuple[str, ...] = MODELS,
    ) -> None:
        self.games, self.classes, self.learned = games, classes, learned
        self.beta_squared, self.tolerance, self.models = beta_squared, tolerance, models
        self.seconds = np.zeros(3)  # CPU time of preparing and of either model
        moves, candidates = room_for(games, BLOCK_CANDIDATES)
        self._buffers = [new_positions(moves, candidates) for _ in range(2)]
        self._preparers: dict[int, Preparer] = {}
        self._learners = new_learner(WIDTH), new_learner(1)

    def run(self, after_block: Callable[[int, int], object]) -> None:
        """Learn from all games that are left.

        after_block  called with the games and moves of each block when it is learned: the time
                     for a checkpoint. What it raises ends the run between two blocks.
        """
        blocks = blocks_of_games(self.games, int(self.learned.tally[GAMES_DONE]), BLOCK_CANDIDATES)
        with ThreadPoolExecutor(3) as pool:
            for number, block in enumerate(blocks):
                current, following = self._buffers[number % 2], self._buffers[1 - number % 2]
                if number == 0:
                    self._prepare(block, current)
                tasks = [
                    pool.submit(learn, current)
                    for name, learn in zip(MODELS, (self._evidence, self._paper), strict=True)
                    if name in self.models
                ]
                if number + 1 < len(blocks):
                    tasks.append(pool.submit(self._prepare, blocks[number + 1], following))
                for task in tasks:
                    task.result()
                self._finish(block, current, after_block)

    def _finish(
        self,
        block: tuple[int, int],
        positions: Positions,
        after_block: Callable[[int, int], object],
    ) -> None:
        tally, moves = self.learned.tally, int(positions.meta[MOVES])
        tally[GAMES_DONE] = block[1]
        tally[MOVES_DONE] += moves
        for i, learner in enumerate(self._learners):
            tally[TROUBLE + 2 * i] += learner.choice.meta[UNSETTLED]
            tally[TROUBLE + 2 * i + 1] += learner.choice.meta[REJECTED]
            learner.choice.meta[UNSETTLED] = learner.choice.meta[REJECTED] = 0
        after_block(block[1] - block[0], moves)

    def _prepare(self, block: tuple[int, int], positions: Positions) -> None:
        start = time.thread_time()
        with_evidence = MODELS[0] in self.models
        prepare_games(
            self._preparers, self.classes.keys, self.games, *block, positions, with_evidence
        )
        self.seconds[0] += time.thread_time() - start

    def _evidence(self, positions: Positions) -> None:
        start = time.thread_time()
        learn_evidence(
            self._learners[0],
            positions,
            len(self.classes.keys),
            self.learned.evidence,
            self.beta_squared,
            self.tolerance,
        )
        self.seconds[1] += time.thread_time() - start

    def _paper(self, positions: Positions) -> None:
        start = time.thread_time()
        learn_paper(
            self._learners[1],
            positions,
            self.classes.smaller,
            self.learned.paper,
            self.learned.counts,
            self.beta_squared,
            self.tolerance,
        )
        self.seconds[2] += time.thread_time() - start
