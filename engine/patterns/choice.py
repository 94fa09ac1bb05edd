"""The grouped candidates of one position, the input of the ranking model.

A candidate move is a set of summands, each with a Gaussian belief: its pattern class and the added
evidence that applies. The value of the move is their sum. Candidates with the same summands share
their value; they form one *group*. A summand is a row of a table of beliefs in training, and of a
shipped table and its added evidence in play. Only this position's beliefs are copied in and back.
Twin: tests/patterns/test_choice.py groups with a dictionary.
"""

from typing import NamedTuple

import numpy as np

from engine.arrays import Floats, Ints
from engine.gaussian import largest_of_normals, truncation_table
from engine.jit import kernel

MEAN, VARIANCE = 0, 1  # columns of beliefs, and the first two of Choice.leaves
NO_SUMMAND = -1

# Columns of Choice.leaves after the belief: sums of the messages (pi, tau) of the groups with
# a summand. The first are complete, the others are without the summand's own variance.
ALL_PI, ALL_TAU, OWN_PI, OWN_TAU = 2, 3, 4, 5
# Columns of Choice.star: prior moments of a group's x, then its message to the winner's x.
PRIOR_MEAN, PRIOR_VARIANCE, MESSAGE_PI, MESSAGE_TAU = 0, 1, 2, 3
# Columns of Choice.row: a group's probability so far; at a grid point x its z-score and Phi(z).
CHANCE, SCORE, BELOW = 0, 1, 2
# Slots of Choice.meta. The last two are running totals, which a trainer reports.
CHOICE_GROUPS, CHOICE_LEAVES, CHOICE_UNSETTLED, CHOICE_REJECTED = 0, 1, 2, 3

# The high half of Knuth's MMIX multiplier. Factor and hash have 31 bits, so their product stays
# positive in int64. numba falls back to float64 when a uint64 meets an int64.
HASH_FACTOR, HASH_MASK = 0x5851F42D, 0x7FFFFFFF


class Choice(NamedTuple):
    """Scratch for the candidates of one position; each use first clears the data of the last one.

    A leaf is a summand of this position, in order of appearance.
    """

    group_of: Ints  # int64[capacity], group of each candidate
    first: Ints  # int64[capacity], the first candidate of a group
    size: Ints  # int64[capacity], number of candidates of a group (n)
    leaf_of: Ints  # int64[capacity, width], leaves of a group; NO_SUMMAND if there is none
    summand: Ints  # int64[capacity * width], row in the beliefs of each leaf
    # int64[power of two], hash table of groups, by their summands; -1 = free
    group_slots: Ints
    summand_slots: Ints  # int64[power of two], hash table of leaves, by their row; -1 = free
    group_at: Ints  # int64[capacity], place of each group in its hash table
    summand_at: Ints  # int64[capacity * width], place of each leaf in its hash table
    leaves: Floats  # float64[capacity * width, 6], see MEAN ..., ALL_PI ...
    star: Floats  # float64[capacity, 4], see PRIOR_MEAN ...
    row: Floats  # float64[capacity, 3], for a prediction, see CHANCE ...
    largest: Floats  # float64[626, 2], moments of the largest of n standard normals
    truncation: Floats  # float64[641, 2], engine.gaussian.truncation_table
    meta: Ints  # int64[4], see CHOICE_GROUPS ...


def new_choice(capacity: int, width: int) -> Choice:
    """Return scratch for at most ``capacity`` candidates with ``width`` summands each."""
    cells = capacity * width
    return Choice(
        group_of=np.zeros(capacity, np.int64),
        first=np.zeros(capacity, np.int64),
        size=np.zeros(capacity, np.int64),
        leaf_of=np.zeros((capacity, width), np.int64),
        summand=np.zeros(cells, np.int64),
        # At most half full, so that linear probing stays short.
        group_slots=np.full(1 << (2 * capacity).bit_length(), -1, np.int64),
        summand_slots=np.full(1 << (2 * cells).bit_length(), -1, np.int64),
        group_at=np.zeros(capacity, np.int64),
        summand_at=np.zeros(cells, np.int64),
        leaves=np.zeros((cells, 6)),
        star=np.zeros((capacity, 4)),
        row=np.zeros((capacity, 3)),
        # Copies, because the shared ones are read-only. That is another type, and every kernel
        # with a Choice would be compiled twice.
        largest=largest_of_normals().copy(),
        truncation=truncation_table().copy(),
        meta=np.zeros(4, np.int64),
    )


@kernel
def find_group(choice: Choice, summands: Ints, candidate: int) -> int:
    """Return the group of a candidate's summands; a new, empty one if there is none.

    choice    first, group_slots and meta change; meta[CHOICE_GROUPS] includes a new one
    summands  int64[>= candidate + 1, width], rows in the beliefs
    """
    width = choice.leaf_of.shape[1]
    mask = choice.group_slots.shape[0] - 1
    mixed = 0
    for j in range(width):
        mixed = ((mixed ^ (summands[candidate, j] + 1)) * HASH_FACTOR) & HASH_MASK
    # A product's low bits depend little on its factors' high bits, and the mask keeps low bits.
    slot = (mixed ^ (mixed >> 15)) & mask
    while choice.group_slots[slot] >= 0:
        group = choice.group_slots[slot]
        other = choice.first[group]
        same = True
        for j in range(width):
            same = same and summands[candidate, j] == summands[other, j]
        if same:
            return group
        slot = (slot + 1) & mask
    group = choice.meta[CHOICE_GROUPS]
    choice.meta[CHOICE_GROUPS] = group + 1
    choice.group_slots[slot] = group
    choice.group_at[group] = slot
    choice.first[group] = candidate
    choice.size[group] = 0
    return group


@kernel
def claim_leaf(choice: Choice, row: int) -> int:
    """Return the leaf for a row of the beliefs; it is added if new."""
    mask = choice.summand_slots.shape[0] - 1
    mixed = ((row + 1) * HASH_FACTOR) & HASH_MASK
    slot = (mixed ^ (mixed >> 15)) & mask
    while choice.summand_slots[slot] >= 0:
        index = choice.summand_slots[slot]
        if choice.summand[index] == row:
            return index
        slot = (slot + 1) & mask
    index = choice.meta[CHOICE_LEAVES]
    choice.meta[CHOICE_LEAVES] = index + 1
    choice.summand_slots[slot] = index
    choice.summand_at[index] = slot
    choice.summand[index] = row
    return index


@kernel
def group_candidates(choice: Choice, summands: Ints, count: int) -> None:
    """Put candidates with the same summands into one group each.

    choice    all int64 fields change in place
    summands  int64[>= count, width], rows in the beliefs, < 2**31; NO_SUMMAND if a candidate has
              fewer. The order within a row matters, and a row of the beliefs occurs in it once
    count     int64, 1 <= count <= capacity, number of candidates
    """
    # Only the slots used by the last position are freed. The tables have room for 625 candidates,
    # and most positions use a small part of it.
    for group in range(choice.meta[CHOICE_GROUPS]):
        choice.group_slots[choice.group_at[group]] = -1
    for leaf in range(choice.meta[CHOICE_LEAVES]):
        choice.summand_slots[choice.summand_at[leaf]] = -1
    choice.meta[CHOICE_GROUPS] = 0
    choice.meta[CHOICE_LEAVES] = 0
    for candidate in range(count):
        group = find_group(choice, summands, candidate)
        choice.group_of[candidate] = group
        choice.size[group] += 1
        if choice.size[group] == 1:  # the other candidates of a group have the same summands
            for j in range(choice.leaf_of.shape[1]):
                row = summands[candidate, j]
                choice.leaf_of[group, j] = NO_SUMMAND if row < 0 else claim_leaf(choice, row)


@kernel
def fetch_beliefs(choice: Choice, beliefs: Floats) -> None:
    """Copy the beliefs of this position's summands, float64[rows, 2], into the leaves."""
    for leaf in range(choice.meta[CHOICE_LEAVES]):
        choice.leaves[leaf, MEAN] = beliefs[choice.summand[leaf], MEAN]
        choice.leaves[leaf, VARIANCE] = beliefs[choice.summand[leaf], VARIANCE]


@kernel
def store_beliefs(choice: Choice, beliefs: Floats) -> None:
    """Copy the leaves back; the reverse of ``fetch_beliefs``."""
    for leaf in range(choice.meta[CHOICE_LEAVES]):
        beliefs[choice.summand[leaf], MEAN] = choice.leaves[leaf, MEAN]
        beliefs[choice.summand[leaf], VARIANCE] = choice.leaves[leaf, VARIANCE]
