"""Parallel learning: in every round, shards of games are learned from one shared prior.

A shard's likelihood is its posterior divided by its prior. The posterior of a round is therefore
the product of its shards' posteriors, divided by the prior once for each shard but one: precisions
and precision-means add. The next round starts there. This is assumed-density filtering with
messages that are late by one round (Broderick et al. 2013, "Streaming variational Bayes", Eq. 3; as
EP with several sites of many moves: Minka 2001, section 3).

# Deviates: the posterior of each move is the prior of the next one in Stern et al. (2006).

Shards do not know of each other within a round, so they learn some things twice. If several shards
meet the same error, each corrects all of it and shares the correction among a move's summands. A
round is therefore never much larger than the games learned before it (growth), and shards stay
small.

Only the rows that a shard has changed are sent. A row changed by one shard alone is taken
unchanged, so rounds of one shard equal the serial training, bit for bit.
"""

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.arrays import Floats
from engine.jit import kernel
from engine.patterns.choice import MEAN, VARIANCE
from patterns_db.patterns.training import GAMES_DONE, Classes, Learned, Trainer, TrainingSettings
from patterns_db.records.archive import GameArchive


class RoundSizes(NamedTuple):
    """The games that are learned in parallel."""

    first_shard: int = 8  # games of a shard at the beginning
    shard: int = 400  # most games of a shard
    growth: float = 0.5  # games of a round, for each game learned before it
    warm_up: int = 100  # first games, which are learned one after the other
    dampings: int = 8  # most halvings of a step that leads to an improper belief


SIZES = RoundSizes()


Rows = npt.NDArray[np.int32]


class Part(NamedTuple):
    """Some rows of a table of beliefs or counts."""

    rows: Rows  # int32[n], ascending
    values: Floats  # float64[n, 2]


class Message(NamedTuple):
    """Changes by the fields of Learned; for the tally, the additions."""

    evidence: Part
    paper: Part
    counts: Part
    tally: npt.NDArray[np.int64]


class ShardLearner:
    """Learns shards from a prior that several learners share.

    learned  the shared prior; taken over
    """

    def __init__(self, classes: Classes, learned: Learned, settings: TrainingSettings) -> None:
        self._classes, self._settings = classes, settings
        self._prior = learned
        self._posterior = Learned._make(field.copy() for field in learned)

    def work(self, games: GameArchive) -> Message:
        """Return the changes by a shard. The prior stays."""
        learned = self._posterior
        learned.tally[:] = 0
        # One thread: a worker has a shard for each of its cores.
        Trainer(games, self._classes, learned, self._settings, threads=1).run()
        parts = [take_back(old, new) for old, new in zip(self._prior[:3], learned[:3], strict=True)]
        return Message._make([*parts, learned.tally.copy()])

    def update(self, message: Message) -> None:
        """Take over the result of ``merge`` for a round."""
        for learned in (self._prior, self._posterior):
            for part, field in zip(message[:3], learned[:3], strict=True):
                field[part.rows] = part.values


def take_back(old: Floats, new: Floats) -> Part:
    """Return the rows of ``new`` that differ from ``old``, and restore them in ``new``.

    old, new  float64[rows, 2]
    """
    rows = np.zeros(len(old), np.int32)
    count = _find_changed(old, new, rows)
    rows = rows[:count].copy()
    values = new[rows]
    new[rows] = old[rows]
    return Part(rows, values)


@kernel
def _find_changed(old: Floats, new: Floats, rows: Rows) -> int:
    """Write the rows that differ to ``rows`` and return their number."""
    # This is one pass without allocation, since most rows of a large table are unchanged.
    count = 0
    for row in range(len(old)):
        if old[row, 0] != new[row, 0] or old[row, 1] != new[row, 1]:
            rows[count] = row
            count += 1
    return count


def merge(learned: Learned, messages: list[Message], done: int) -> Message:
    """Merge the results of all shards of a round into their shared prior.

    learned  changes in place
    done     games learned from, those of this round included
    returns  the rows that have changed, for ShardLearner.update
    """
    # Threads help here: the workers wait for the result, so cores are free.
    with ThreadPoolExecutor(1) as pool:
        merged = pool.submit(merge_beliefs, learned.paper, [message.paper for message in messages])
        evidence = merge_beliefs(learned.evidence, [part.evidence for part in messages])
        counts = merge_counts(learned.counts, [message.counts for message in messages])
        paper = merged.result()
    for message in messages:
        learned.tally[:] += message.tally
    learned.tally[GAMES_DONE] = done
    return Message(evidence, paper, counts, learned.tally)


def merge_counts(counts: Floats, parts: list[Part]) -> Part:
    """Add up the shards' counts. Arguments as in ``merge_beliefs``."""
    rows = all_rows(parts)
    total = counts[rows]
    for part in parts:
        total[np.searchsorted(rows, part.rows)] += part.values - counts[part.rows]
    counts[rows] = total
    return Part(rows, total)


def merge_beliefs(prior: Floats, parts: list[Part]) -> Part:
    """Multiply the posteriors of all shards and divide by the prior.

    prior    float64[rows, 2], MEAN and VARIANCE, changes in place
    returns  the rows that have changed
    Twin: tests/reference/rounds.py
    """
    rows = all_rows(parts)
    old = prior[rows]
    places = [np.searchsorted(rows, part.rows) for part in parts]
    precision, shift = np.zeros((2, len(rows)))
    sources = np.zeros(len(rows), np.int64)
    for part, place in zip(parts, places, strict=True):
        means, variances = part.values[:, MEAN], part.values[:, VARIANCE]
        precision[place] += 1.0 / variances - 1.0 / old[place, VARIANCE]
        shift[place] += means / variances - old[place, MEAN] / old[place, VARIANCE]
        sources[place] += 1
    new = take_step(old, precision, shift)
    # The step is limited to that of the farthest shard, as all have corrected the same errors.
    low, high = np.full(len(rows), np.inf), np.full(len(rows), -np.inf)
    for part, place in zip(parts, places, strict=True):
        low[place] = np.minimum(low[place], part.values[:, MEAN])
        high[place] = np.maximum(high[place], part.values[:, MEAN])
    np.clip(new[:, MEAN], low, high, out=new[:, MEAN])
    for part, place in zip(parts, places, strict=True):
        # The value is taken unchanged. A product and a division would round it.
        alone = sources[place] == 1
        new[place[alone]] = part.values[alone]
    prior[rows] = new
    return Part(rows, new)


def all_rows(parts: list[Part]) -> Rows:
    """Return int32[n], the rows of all parts, each once, ascending."""
    rows = np.concatenate([np.zeros(0, np.int32), *(part.rows for part in parts)])
    # The rows are sorted already, so they are merged. np.unique hashes, and takes thirty times as
    # long.
    rows.sort(kind="stable")
    first = np.ones(len(rows), bool)
    np.not_equal(rows[1:], rows[:-1], out=first[1:])
    return rows[first]


def take_step(
    old: Floats, precision: npt.NDArray[np.float64], shift: npt.NDArray[np.float64]
) -> Floats:
    """Multiply beliefs by likelihoods, or by repeated square roots of them where that is improper.

    old               float64[n, 2], MEAN and VARIANCE
    precision, shift  float64[n], the likelihoods' precision and precision times mean
    """
    new = old.copy()
    improper = np.arange(len(old))
    for halving in range(SIZES.dampings):
        step = 0.5**halving
        pi = 1.0 / old[improper, VARIANCE] + step * precision[improper]
        tau = old[improper, MEAN] / old[improper, VARIANCE] + step * shift[improper]
        proper = (pi > 0.0) & np.isfinite(pi) & np.isfinite(tau)
        good = improper[proper]
        new[good, MEAN] = tau[proper] / pi[proper]
        new[good, VARIANCE] = 1.0 / pi[proper]
        improper = improper[~proper]
    # The remaining beliefs keep their prior.
    return new


def next_round(games: GameArchive, done: int, shards: int, most: int) -> list[tuple[int, int]]:
    """Return the games first..last - 1 of each shard of the next round.

    done    games learned from already
    shards  most shards, each with about as much work as the others
    most    games per shard
    """
    if done < SIZES.warm_up:
        return [(done, min(SIZES.warm_up, games.games))]
    total = min(max(int(SIZES.growth * done), shards * SIZES.first_shard), shards * most)
    return split_games(games, done, min(done + total, games.games), shards)


def split_games(games: GameArchive, start: int, end: int, parts: int) -> list[tuple[int, int]]:
    """Cut the games start..end - 1 into at most ``parts`` parts with about equal work."""
    # The work for a move is proportional to its candidates.
    lengths = np.diff(games.starts[start : end + 1])
    cost = np.cumsum(lengths * games.sizes[start:end].astype(np.int64) ** 2)
    targets = cost[-1:] * np.arange(1, parts) / parts
    edges = [0, *np.searchsorted(cost, targets, side="right").tolist(), end - start]
    return [(start + first, start + last) for first, last in pairwise(edges) if last > first]
