r"""The full ranking model: learning from one move by expectation propagation.

Source: Stern, Herbrich & Graepel (2006), Sec. 3.1. Every candidate has a value u, a sum of
Gaussian summands: its pattern class (the paper's only summand) and added evidence. It also has a
latent x ~ N(u, beta^2). The expert plays the candidate with the largest x:

    summands      u_a   u_f   u_b        beliefs N(mean, variance)
                    \   / \   /
    groups           x_w   x_k  ...      sum of its summands + largest of the group's n noises
                       \___/             x_w > x_k for every loser k

Candidates with the same summands form one *group*, which enters once with the largest of its n
noises. The graph of the x is a star around the winner, and only its center is iterated. On the way
back, a summand's shared part moves several groups together. A summand of all groups thus learns
nothing, and a summand of a single group gets the paper's update.

# Deviates: the paper compares every vertex of a class separately, as if it were another class.
Winner and loser of one class would then shrink a belief about which they contain no information.

Twin: tests/reference/ranking.py (quadrature and enumeration).
"""

import math

from engine.arrays import Floats
from engine.gaussian import rough_truncation_terms, truncation_terms
from engine.jit import kernel
from engine.patterns.choice import (
    ALL_PI,
    ALL_TAU,
    CHOICE_GROUPS,
    CHOICE_LEAVES,
    CHOICE_REJECTED,
    CHOICE_UNSETTLED,
    MEAN,
    MESSAGE_PI,
    MESSAGE_TAU,
    OWN_PI,
    OWN_TAU,
    PRIOR_MEAN,
    PRIOR_VARIANCE,
    VARIANCE,
    Choice,
    fetch_beliefs,
    store_beliefs,
)

MAX_SWEEPS = 100  # rarely needed: a training reports the number of unsettled moves
ROUGH = 1e-5  # from this tolerance on, interpolated terms are exact enough
CONTENDING = 1.0  # losers within this distance of the best mean are processed first


@kernel
def weigh_groups(choice: Choice, beta_squared: float) -> None:
    """Set the prior of each group's x (Sec. 3.1): its summands plus the largest of n noises.

    choice        with beliefs; star changes in place
    beta_squared  float64 > 0, variance of one candidate's noise
    """
    beta = math.sqrt(beta_squared)
    for group in range(choice.meta[CHOICE_GROUPS]):
        size = choice.size[group]
        # The largest of n noises is not Gaussian. Messages of a Gaussian star carry its first two
        # moments.
        mean = beta * choice.largest[size, 0]
        variance = beta_squared * choice.largest[size, 1]
        for j in range(choice.leaf_of.shape[1]):
            leaf = choice.leaf_of[group, j]
            if leaf >= 0:
                mean += choice.leaves[leaf, MEAN]
                variance += choice.leaves[leaf, VARIANCE]
        choice.star[group, PRIOR_MEAN] = mean
        choice.star[group, PRIOR_VARIANCE] = variance


@kernel
def refresh_message(
    choice: Choice, k: int, pi: float, tau: float, rough: bool
) -> tuple[float, float, float]:
    """Compute one loser's new message to the winner's x from the comparison x_w > x_k.

    Source: Stern et al. (2006), Eq. (5). The closed form avoids dividing two nearly equal
    Gaussians. The message's precision cannot become negative.
    choice   weighed; star[k, MESSAGE_PI] and star[k, MESSAGE_TAU] of a loser change in place
    pi, tau  float64, belief about the winner's x, which includes the old message
    rough    bool, whether 1e-8 is exact enough
    returns  the belief with the new message, and the size of the message's change
    """
    star = choice.star
    old_pi = star[k, MESSAGE_PI]
    old_tau = star[k, MESSAGE_TAU]
    cavity_pi = pi - old_pi
    cavity_variance = 1.0 / cavity_pi
    cavity_mean = (tau - old_tau) * cavity_variance
    spread = cavity_variance + star[k, PRIOR_VARIANCE]
    scale = 1.0 / math.sqrt(spread)
    z = (cavity_mean - star[k, PRIOR_MEAN]) * scale
    if rough:
        v, shrinkage = rough_truncation_terms(choice.truncation, z)
    else:
        v, shrinkage = truncation_terms(z)
    w = (1.0 - shrinkage) / spread
    q = 1.0 / (1.0 - cavity_variance * w)
    new_pi = w * q
    new_tau = new_pi * cavity_mean + v * scale * q
    star[k, MESSAGE_PI] = new_pi
    star[k, MESSAGE_TAU] = new_tau
    moved = max(abs(new_pi - old_pi), abs(new_tau - old_tau))
    return cavity_pi + new_pi, tau - old_tau + new_tau, moved


@kernel
def settle_messages(choice: Choice, winner: int, tolerance: float) -> None:
    """Run expectation propagation on the star until no message moves by ``tolerance``.

    Source: Stern et al. (2006), Sec. 3.1.
    The losers with the largest means come first, so the many others meet nearly the final
    belief. A message that moved by less than a tenth of the tolerance is not refreshed again
    (a hundredth below ROUGH). Together they halve the time of training.
    choice     weighed; star[:, MESSAGE_PI] and star[:, MESSAGE_TAU] change in place: a loser's
               message to the winner's x, and for the winner its own prior; row is scratch
    winner     int64, the group that was played
    tolerance  float64 > 0, e.g. 1e-8, or 1e-3 in training; meta[CHOICE_UNSETTLED] counts the moves
               that were not settled after MAX_SWEEPS
    """
    star = choice.star
    moved = choice.row
    groups = choice.meta[CHOICE_GROUPS]
    rough = tolerance >= ROUGH
    # A loser far behind moves once and never again. Refreshing it in every sweep took a quarter to
    # a third of the time.
    quiet = (0.1 if rough else 0.01) * tolerance
    strong = -math.inf
    for k in range(groups):
        star[k, MESSAGE_PI] = 0.0
        star[k, MESSAGE_TAU] = 0.0
        moved[k, 0] = math.inf  # not processed yet
        if k != winner:
            strong = max(strong, star[k, PRIOR_MEAN] - CONTENDING)
    prior_pi = 1.0 / star[winner, PRIOR_VARIANCE]
    prior_tau = prior_pi * star[winner, PRIOR_MEAN]
    moved[winner, 0] = 0.0
    pi = prior_pi
    tau = prior_tau
    largest = math.inf
    for k in range(groups):
        if k != winner and star[k, PRIOR_MEAN] >= strong:
            pi, tau, moved[k, 0] = refresh_message(choice, k, pi, tau, rough)
    for _ in range(MAX_SWEEPS):
        # A NaN is not less, so it counts as unsettled and does not end the loop as a success.
        if largest < tolerance:
            break
        largest = 0.0
        for k in range(groups):
            if not moved[k, 0] < quiet:
                pi, tau, moved[k, 0] = refresh_message(choice, k, pi, tau, rough)
                largest = max(largest, moved[k, 0])
    if not largest < tolerance:
        choice.meta[CHOICE_UNSETTLED] += 1
    star[winner, MESSAGE_PI] = prior_pi
    star[winner, MESSAGE_TAU] = prior_tau


@kernel(inlined=True)
def add_message(leaves: Floats, leaf: int, pi: float, tau: float) -> None:
    """Add the message of one group with a leaf to its sums, ALL_PI ... OWN_TAU."""
    freed = 1.0 / (1.0 - pi * leaves[leaf, VARIANCE])
    leaves[leaf, ALL_PI] += pi
    leaves[leaf, ALL_TAU] += tau
    leaves[leaf, OWN_PI] += pi * freed
    leaves[leaf, OWN_TAU] += tau * freed


@kernel(inlined=True)
def revise_leaf(leaves: Floats, leaf: int, total_pi: float, total_tau: float) -> bool:
    """Fold a leaf's sums into its belief; return False if that would be improper.

    Source: Stern et al. (2006), Eq. (6), for sums. Group g tells the winner's x its location
    l_g = tau_g / pi_g with precision pi_g. Moving a summand moves the locations of all groups
    that contain it. Let (p, t) be the sums over these groups, without the summand's own variance
    in each, and (P, T) the sums over the other groups. The likelihood of its value then has

        precision p P / (p + P),   pull at the present mean (p T - P t) / (p + P)

    This is 0 if there are no other groups, and the paper's update if only one group has it.
    # Deviates: other summands that groups share as well count as private noise here.
    """
    rest_pi = total_pi - leaves[leaf, ALL_PI]
    rest_tau = total_tau - leaves[leaf, ALL_TAU]
    if rest_pi <= 1e-12 * total_pi:  # 0 apart from rounding
        return True  # every group contains it: no information
    own_pi = leaves[leaf, OWN_PI]
    own_tau = leaves[leaf, OWN_TAU]
    joint_pi = own_pi + rest_pi
    precision = own_pi * rest_pi / joint_pi
    variance = leaves[leaf, VARIANCE] / (1.0 + leaves[leaf, VARIANCE] * precision)
    step = variance * (own_pi * rest_tau - rest_pi * own_tau) / joint_pi
    if not (variance > 0.0 and abs(step) < math.inf):  # True for NaN
        return False
    leaves[leaf, MEAN] += step
    leaves[leaf, VARIANCE] = variance
    return True


@kernel
def total_message(choice: Choice) -> tuple[float, float]:
    """Return the belief about the winner's x, all settled messages together: (pi, tau)."""
    total_pi = 0.0
    total_tau = 0.0
    for group in range(choice.meta[CHOICE_GROUPS]):
        total_pi += choice.star[group, MESSAGE_PI]
        total_tau += choice.star[group, MESSAGE_TAU]
    return total_pi, total_tau


@kernel
def learn_from_messages(choice: Choice) -> None:
    """Fold the settled messages into all summands in use by Eq. (6); see ``revise_leaf``.

    meta[CHOICE_REJECTED] counts updates that were skipped because they would be improper.
    """
    leaves = choice.leaves
    for leaf in range(choice.meta[CHOICE_LEAVES]):
        for column in range(ALL_PI, OWN_TAU + 1):
            leaves[leaf, column] = 0.0
    for group in range(choice.meta[CHOICE_GROUPS]):
        pi, tau = choice.star[group, MESSAGE_PI], choice.star[group, MESSAGE_TAU]
        for j in range(choice.leaf_of.shape[1]):
            leaf = choice.leaf_of[group, j]
            if leaf >= 0:
                add_message(leaves, leaf, pi, tau)
    total_pi, total_tau = total_message(choice)
    for leaf in range(choice.meta[CHOICE_LEAVES]):
        if not revise_leaf(leaves, leaf, total_pi, total_tau):
            choice.meta[CHOICE_REJECTED] += 1


@kernel
def learn_from_move(
    choice: Choice, beliefs: Floats, played: int, beta_squared: float, tolerance: float
) -> None:
    """Learn from one expert move by assumed-density filtering.

    Source: Stern et al. (2006), Sec. 3.1.
    choice        grouped; its meta counts failures
    beliefs       float64[rows, 2], changes in place
    played        int64, the candidate that the expert chose
    tolerance     float64 > 0, see ``settle_messages``
    Twin: tests/reference/ranking.py::exact
    """
    fetch_beliefs(choice, beliefs)
    weigh_groups(choice, beta_squared)
    settle_messages(choice, choice.group_of[played], tolerance)
    learn_from_messages(choice)
    store_beliefs(choice, beliefs)
