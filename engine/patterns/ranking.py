"""The full ranking model for one move: expectation propagation, learning and prediction.

Source: Stern, Herbrich & Graepel (2006), Sec. 3.1. Every candidate has a value u, a sum of
Gaussian summands (the paper: exactly one, its pattern class; here also added evidence), and a
latent x ~ N(u, beta^2). The expert plays the candidate with the largest x:

    summands      u_f    u_h     u_c                       beliefs N(mean, variance)
                    \\    / \\     /                        u = sum of its summands
    groups           x_w     x_1  ...  x_k                 + largest of the n noises
                       \\______|_________|                  x_w > x_1, ..., x_w > x_k

Candidates with the same summands share u, so a comparison between them says nothing: they form
one *group* that enters once, with the largest of its n noises. The graph of the x is a star
around the winner; only its center is iterated. On the way back each summand is judged with what
it shares between groups moved together, so a summand that all groups have learns nothing, and
one that a single group has gets the paper's update. Beliefs stay proper: only precision is added.

Twin: tests/reference/ranking.py (quadrature and enumeration).
"""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.gaussian import cdf, largest_of_normals, log_cdf, pdf, truncation_terms
from engine.jit import kernel, warm_up

MEAN, VARIANCE = 0, 1  # columns of beliefs
NO_SUMMAND = -1

# Columns of Choice.star: prior moments of a group's x, then its message to the winner's x.
PRIOR_MEAN, PRIOR_VARIANCE, PI, TAU = 0, 1, 2, 3
# Columns of Choice.tally: sums of (pi, tau) over the groups that hold a summand, plainly and
# with the summand's own variance taken out.
ALL_PI, ALL_TAU, OWN_PI, OWN_TAU = 0, 1, 2, 3
# Columns of Choice.row: a group's probability so far; at a grid point x its z-score and Phi(z).
CHANCE, SCORE, BELOW = 0, 1, 2
# Slots of Choice.meta. The last two only ever count up; a trainer reports them.
GROUPS, SUMMANDS, UNSETTLED, REJECTED = 0, 1, 2, 3

MAX_SWEEPS = 100
CERTAIN = 8.3  # Phi(8.3) is 1 in float64
NEGLIGIBLE = 1e-18  # a probability that no answer shows
SPAN = 8.0  # the grid of a prediction reaches so many deviations around the best candidates
HASH_FACTOR = 0x5851F42D
HASH_MASK = 0x7FFFFFFF


class Choice(NamedTuple):
    """Scratch for the candidates of one position; every field is overwritten by each use.

    group_of       int64[capacity]            group of each candidate
    first          int64[capacity]            the first candidate of a group
    size           int64[capacity]            how many candidates a group has (n)
    leaf           int64[capacity, width]     summands of a group, NO_SUMMAND where it has none
    summand        int64[capacity * width]    row in the beliefs of each summand in use
    group_slots    int64[power of two]        hash table of groups, by their summands
    summand_slots  int64[power of two]        hash table of summands, by their row
    star           float64[capacity, 4]       see PRIOR_MEAN ...
    tally          float64[capacity * width, 4]   see ALL_PI ...
    row            float64[capacity, 3]       for a prediction, see CHANCE ...
    largest        float64[626, 2]            moments of the largest of n standard normals
    meta           int64[4]                   see GROUPS ...
    """

    group_of: npt.NDArray[np.int64]
    first: npt.NDArray[np.int64]
    size: npt.NDArray[np.int64]
    leaf: npt.NDArray[np.int64]
    summand: npt.NDArray[np.int64]
    group_slots: npt.NDArray[np.int64]
    summand_slots: npt.NDArray[np.int64]
    star: npt.NDArray[np.float64]
    tally: npt.NDArray[np.float64]
    row: npt.NDArray[np.float64]
    largest: npt.NDArray[np.float64]
    meta: npt.NDArray[np.int64]


def new_choice(capacity: int, width: int) -> Choice:
    """Return scratch for at most ``capacity`` candidates with ``width`` summands each."""
    cells = capacity * width
    return Choice(
        group_of=np.zeros(capacity, np.int64),
        first=np.zeros(capacity, np.int64),
        size=np.zeros(capacity, np.int64),
        leaf=np.zeros((capacity, width), np.int64),
        summand=np.zeros(cells, np.int64),
        group_slots=np.zeros(1 << (2 * capacity).bit_length(), np.int64),
        summand_slots=np.zeros(1 << (2 * cells).bit_length(), np.int64),
        star=np.zeros((capacity, 4)),
        tally=np.zeros((cells, 4)),
        row=np.zeros((capacity, 3)),
        largest=largest_of_normals().copy(),
        meta=np.zeros(4, np.int64),
    )


@kernel
def find_group(choice, summands, candidate):
    """Return the group of a candidate's summands, a new one (empty yet) if there is none.

    choice     Choice; first, group_slots and meta change in place
    summands   int64[>= candidate + 1, width], rows in the beliefs
    candidate  int64
    returns    int64, meta[GROUPS] counts it already
    """
    width = choice.leaf.shape[1]
    mask = choice.group_slots.shape[0] - 1
    mixed = 0
    for j in range(width):
        mixed = ((mixed ^ (summands[candidate, j] + 1)) * HASH_FACTOR) & HASH_MASK
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
    group = choice.meta[GROUPS]
    choice.meta[GROUPS] = group + 1
    choice.group_slots[slot] = group
    choice.first[group] = candidate
    choice.size[group] = 0
    return group


@kernel
def find_summand(choice, row):
    """Return the index in ``choice.summand`` of a row of the beliefs; it is added if new."""
    mask = choice.summand_slots.shape[0] - 1
    mixed = ((row + 1) * HASH_FACTOR) & HASH_MASK
    slot = (mixed ^ (mixed >> 15)) & mask
    while choice.summand_slots[slot] >= 0:
        index = choice.summand_slots[slot]
        if choice.summand[index] == row:
            return index
        slot = (slot + 1) & mask
    index = choice.meta[SUMMANDS]
    choice.meta[SUMMANDS] = index + 1
    choice.summand_slots[slot] = index
    choice.summand[index] = row
    return index


@kernel
def group_candidates(choice, summands, count):
    """Put candidates with the same summands into one group each, in order of appearance.

    choice    Choice; all int64 fields change in place
    summands  int64[>= count, width], rows in the beliefs, < 2**31; NO_SUMMAND where a candidate
              has fewer; the order within a row matters, a row in the beliefs occurs once in it
    count     int64, 1 <= count <= capacity, number of candidates
    returns   int64, number of groups
    """
    for slot in range(choice.group_slots.shape[0]):
        choice.group_slots[slot] = -1
    for slot in range(choice.summand_slots.shape[0]):
        choice.summand_slots[slot] = -1
    choice.meta[GROUPS] = 0
    choice.meta[SUMMANDS] = 0
    for candidate in range(count):
        group = find_group(choice, summands, candidate)
        choice.group_of[candidate] = group
        choice.size[group] += 1
        if choice.size[group] == 1:
            for j in range(choice.leaf.shape[1]):
                row = summands[candidate, j]
                choice.leaf[group, j] = NO_SUMMAND if row < 0 else find_summand(choice, row)
    return choice.meta[GROUPS]


@kernel
def weigh_groups(choice, beliefs, beta_squared):
    """Set the prior of each group's x: the sum of its summands plus the largest of n noises.

    choice        Choice, grouped; star changes in place
    beliefs       float64[rows, 2], MEAN and VARIANCE of every summand
    beta_squared  float64 > 0, variance of one candidate's noise
    """
    beta = math.sqrt(beta_squared)
    for group in range(choice.meta[GROUPS]):
        size = choice.size[group]
        mean = beta * choice.largest[size, 0]
        variance = beta_squared * choice.largest[size, 1]
        for j in range(choice.leaf.shape[1]):
            leaf = choice.leaf[group, j]
            if leaf >= 0:
                mean += beliefs[choice.summand[leaf], MEAN]
                variance += beliefs[choice.summand[leaf], VARIANCE]
        choice.star[group, PRIOR_MEAN] = mean
        choice.star[group, PRIOR_VARIANCE] = variance


@kernel
def settle(choice, winner, tolerance):
    """Run expectation propagation on the star until no message moves by ``tolerance``.

    Source: Stern et al. (2006), Eq. (5); the messages in closed form, so that two nearly equal
    Gaussians are never divided. A message's precision cannot become negative.
    choice     Choice, weighed; star[:, PI] and star[:, TAU] change in place: a loser's message
               to the winner's x, and for the winner its own prior
    winner     int64, the group that was played
    tolerance  float64 > 0, e.g. 1e-8, or 1e-3 in training
    returns    int64, sweeps; meta[UNSETTLED] counts the moves that used up MAX_SWEEPS
    """
    star = choice.star
    groups = choice.meta[GROUPS]
    for group in range(groups):
        star[group, PI] = 0.0
        star[group, TAU] = 0.0
    prior_pi = 1.0 / star[winner, PRIOR_VARIANCE]
    prior_tau = prior_pi * star[winner, PRIOR_MEAN]
    pi = prior_pi
    tau = prior_tau
    settled = False
    sweep = 0
    while not settled and sweep < MAX_SWEEPS:
        sweep += 1
        change = 0.0
        for k in range(groups):
            if k == winner:
                continue
            cavity_pi = pi - star[k, PI]
            cavity_variance = 1.0 / cavity_pi
            cavity_mean = (tau - star[k, TAU]) * cavity_variance
            spread = cavity_variance + star[k, PRIOR_VARIANCE]
            scale = 1.0 / math.sqrt(spread)
            v, kept = truncation_terms((cavity_mean - star[k, PRIOR_MEAN]) * scale)
            w = (1.0 - kept) / spread
            q = 1.0 / (1.0 - cavity_variance * w)
            new_pi = w * q
            new_tau = new_pi * cavity_mean + v * scale * q
            change = max(change, abs(new_pi - star[k, PI]), abs(new_tau - star[k, TAU]))
            pi = cavity_pi + new_pi
            tau += new_tau - star[k, TAU]
            star[k, PI] = new_pi
            star[k, TAU] = new_tau
        settled = change < tolerance
    if not settled:
        choice.meta[UNSETTLED] += 1
    star[winner, PI] = prior_pi
    star[winner, TAU] = prior_tau
    return sweep


@kernel
def log_evidence(choice, winner):
    """Return EP's log probability, in nats, that the winner's group is played.

    An approximation of ``predict`` that costs one logarithm a group; a single vertex of the
    group has this less log(size).
    Source: Minka (2001), Sec. 3.2: each message is scaled so that its zeroth moment matches.
    choice  Choice, settled for this winner
    """
    star = choice.star
    pi = 0.0
    tau = 0.0
    for group in range(choice.meta[GROUPS]):
        pi += star[group, PI]
        tau += star[group, TAU]
    peak = tau * tau / pi
    total = 0.5 * (math.log(star[winner, PI] / pi) + peak)
    total -= 0.5 * star[winner, TAU] * star[winner, PRIOR_MEAN]
    for k in range(choice.meta[GROUPS]):
        if k == winner:
            continue
        cavity_pi = pi - star[k, PI]
        cavity_tau = tau - star[k, TAU]
        mean = cavity_tau / cavity_pi
        z = (mean - star[k, PRIOR_MEAN]) / math.sqrt(1.0 / cavity_pi + star[k, PRIOR_VARIANCE])
        total += log_cdf(z) - 0.5 * (math.log(cavity_pi / pi) + peak - cavity_tau * mean)
    return total


@kernel
def tally_summands(choice, beliefs):
    """Sum the settled messages over the groups that hold each summand.

    choice   Choice, settled; tally changes in place
    beliefs  float64[rows, 2]
    returns  (pi, tau), both float64: the belief about the winner's x, all messages together
    """
    tally = choice.tally
    for summand in range(choice.meta[SUMMANDS]):
        for column in range(4):
            tally[summand, column] = 0.0
    total_pi = 0.0
    total_tau = 0.0
    for group in range(choice.meta[GROUPS]):
        pi = choice.star[group, PI]
        tau = choice.star[group, TAU]
        total_pi += pi
        total_tau += tau
        for j in range(choice.leaf.shape[1]):
            leaf = choice.leaf[group, j]
            if leaf >= 0:
                freed = 1.0 / (1.0 - pi * beliefs[choice.summand[leaf], VARIANCE])
                tally[leaf, ALL_PI] += pi
                tally[leaf, ALL_TAU] += tau
                tally[leaf, OWN_PI] += pi * freed
                tally[leaf, OWN_TAU] += tau * freed
    return total_pi, total_tau


@kernel
def learn(choice, beliefs):
    """Fold the settled messages into the beliefs of all summands in use.

    Source: Stern et al. (2006), Eq. (6), for sums. Group g tells the winner's x its location
    l_g = tau_g / pi_g with precision pi_g. Moving a summand moves the locations of all groups
    that hold it, so with (p, t) summed over these groups, the summand's own variance taken out
    of each, and (P, T) summed over the other groups, the likelihood of its value has

        precision p P / (p + P),   pull at the present mean (p T - P t) / (p + P)

    which is 0 if there are no other groups, and the paper's update if it is one group's alone.
    Deviates: other summands that groups share as well count as private noise here.
    choice   Choice, settled; meta[REJECTED] counts beliefs that would have lost their meaning
    beliefs  float64[rows, 2], changes in place
    """
    total_pi, total_tau = tally_summands(choice, beliefs)
    for leaf in range(choice.meta[SUMMANDS]):
        rest_pi = total_pi - choice.tally[leaf, ALL_PI]
        rest_tau = total_tau - choice.tally[leaf, ALL_TAU]
        if rest_pi <= 1e-12 * total_pi:
            continue  # every group holds it: no information
        own_pi = choice.tally[leaf, OWN_PI]
        own_tau = choice.tally[leaf, OWN_TAU]
        joint_pi = own_pi + rest_pi
        row = choice.summand[leaf]
        precision = own_pi * rest_pi / joint_pi
        variance = 1.0 / (1.0 / beliefs[row, VARIANCE] + precision)
        step = variance * (own_pi * rest_tau - rest_pi * own_tau) / joint_pi
        if variance > 0.0 and abs(step) < math.inf:  # False for NaN
            beliefs[row, MEAN] += step
            beliefs[row, VARIANCE] = variance
        else:
            choice.meta[REJECTED] += 1


@kernel
def observe(choice, beliefs, played, beta_squared, tolerance):
    """Learn from one expert move: assumed-density filtering, one step.

    choice        Choice, grouped; scratch, meta[UNSETTLED] and meta[REJECTED] count trouble
    beliefs       float64[rows, 2], changes in place
    played        int64, the candidate that the expert chose
    beta_squared  float64 > 0
    tolerance     float64 > 0, see ``settle``
    returns       int64, sweeps of expectation propagation
    Twin: tests/reference/ranking.py::posterior
    """
    weigh_groups(choice, beliefs, beta_squared)
    sweeps = settle(choice, choice.group_of[played], tolerance)
    learn(choice, beliefs)
    return sweeps


@kernel
def add_grid_point(choice, x, step):
    """Add to each group's chance the probability that its x is the largest and near ``x``.

    choice   Choice, weighed; row changes in place, PI holds 1 / deviation
    x, step  float64, place and width of the grid cell
    returns  bool, False if nothing here or below matters any more
    """
    star = choice.star
    row = choice.row
    groups = choice.meta[GROUPS]
    product = 1.0
    for group in range(groups):
        z = (x - star[group, PRIOR_MEAN]) * star[group, PI]
        below = 1.0
        if z < CERTAIN:
            below = cdf(z)
            product *= below
            if product < NEGLIGIBLE:
                return False
        row[group, SCORE] = z
        row[group, BELOW] = below
    for group in range(groups):
        z = row[group, SCORE]
        if z < CERTAIN:
            others = product / row[group, BELOW]
            row[group, CHANCE] += others * pdf(z) * star[group, PI] * step
    return True


@kernel
def predict(choice, beliefs, count, beta_squared, points, probability):
    """Compute the probability of each candidate to be the expert's move.

    P(v) is the integral of N(x; v) times the product of all others' Phi: here on one common
    grid, from above until the product vanishes; each group takes its own factor out again.
    Source: Stern et al. (2006), Sec. 3.1, P(v | c).
    choice        Choice, grouped; scratch
    beliefs       float64[rows, 2]
    count         int64, number of candidates
    beta_squared  float64 > 0
    points        int64, grid points
    probability   float64[>= count], filled in; sums to 1; 0 where below some 1e-16
    returns       float64, the sum before normalising: 1 but for the quadrature's error
    Twin: tests/reference/ranking.py::best_probabilities
    """
    weigh_groups(choice, beliefs, beta_squared)
    star = choice.star
    groups = choice.meta[GROUPS]
    low = -math.inf
    high = -math.inf
    for group in range(groups):
        deviation = math.sqrt(star[group, PRIOR_VARIANCE])
        low = max(low, star[group, PRIOR_MEAN] - SPAN * deviation)
        high = max(high, star[group, PRIOR_MEAN] + SPAN * deviation)
        star[group, PI] = 1.0 / deviation
        choice.row[group, CHANCE] = 0.0
    step = (high - low) / points
    for i in range(points):
        if not add_grid_point(choice, high - (i + 0.5) * step, step):
            break
    total = 0.0
    for group in range(groups):
        total += choice.row[group, CHANCE]
    for candidate in range(count):
        group = choice.group_of[candidate]
        probability[candidate] = choice.row[group, CHANCE] / (total * choice.size[group])
    return total


@warm_up("ranking model")
def compile_ranking() -> None:
    """Compile the kernels of this module on two candidates."""
    choice, beliefs = new_choice(4, 1), np.array([[0.0, 1.0], [0.5, 1.0]])
    group_candidates(choice, np.array([[0], [1]]), 2)
    predict(choice, beliefs, 2, 0.36, 16, np.zeros(2))
    observe(choice, beliefs, 0, 0.36, 1e-3)
    log_evidence(choice, choice.group_of[0])
