"""The playing search: descents by sampled values, roll-outs, messages back to the root.

The model is that of Hennig, Stern & Graepel (2010). A position has a latent score, and its children
differ from it by Gaussian steps. A roll-out of length l shows the sign of a Gaussian of variance l
around the score. Each descent samples a value for every child from its belief and follows the best
one until it leaves the tree (Thompson sampling). The roll-out from there becomes a Gaussian message
to every node on the way. A child's belief is the product of

    step      the parent's value plus a prior step (ranking model, or the same for all)
    lateral   all-moves-as-first evidence, with the variance of its bias added
    evidence  the messages of the roll-outs that went through it, with the variance of their bias
              added

# Deviates: the paper passes a message up through the steps (Eq. 5). A step then keeps at most
1/variance of the precision gained below it, because the paper takes roll-outs for random from the
root on. Our descents follow beliefs about values, so their results are evidence on the *value* and
reach every ancestor in full. Roll-outs do err all alike, so a child's evidence counts as seen
through a bias: a prior step keeps a say beside any number of them.

# Deviates: there is no maximum over children (Eq. 3). The mean result of descents that follow the
best child converges to its value, without the maximum's optimism at few visits.

# Deviates: there is no increment Delta of optimal future play (Eq. 7), and no beliefs v apart from
g. Each node has one belief.

# Deviates: the paper divides a node's own roll-out out of its belief when its first child comes
(Algorithm 1, lines 16 and 17). Here this roll-out stays in the node's evidence.

# Deviates: the paper expands a node at its second visit. Here a node gets children once it had
``expand_visits`` (two) visits.

The printed algorithm is scripts.reproduce.papers.hennig. Twin: tests/reference/search.py.
"""

import math

import numpy as np

from engine.arrays import ROOT, Floats, Ints
from engine.go.board import BLACK
from engine.go.geometry import PASS
from engine.jit import fetch_add, kernel, observe
from engine.patterns.position import Position, play_move
from engine.patterns.valuing import PatternKnowledge
from engine.randomness import RandomState, draw_normal
from engine.rollout.guided import GuidedPolicy
from engine.rollout.message import rollout_message
from engine.rollout.owner_tallies import TALLIED_ROLLOUTS, OwnerRollouts, tally_owners
from engine.search.children import expand, refine_steps
from engine.search.model import MAX_PLIES, SearchModel
from engine.search.playouts import play_to_end
from engine.search.tree import EVIDENCE_PI, EVIDENCE_TAU, NO_NODE, STEP_MEAN, STEP_VARIANCE, Tree
from engine.search.work import BELIEF_MEAN, BELIEF_VARIANCE, SearchWork, enter


@kernel
def seen_through(pi: float, tau: float, bias: float) -> tuple[float, float]:
    """Return evidence (pi, tau) seen through a bias of some variance: 1/pi + bias, same mean."""
    shrink = 1.0 / (1.0 + pi * bias)
    return pi * shrink, tau * shrink


@kernel
def child_value(tree: Tree, child: int, mean: float, model: SearchModel) -> tuple[float, float]:
    """Return the belief about a child's value, given its parent's mean.

    # Deviates: in the paper the message to a child includes the variance of its parent's belief
    (Eq. 5). The child's own messages are divided out of that belief first (Eq. 4). Here the parent
    gives its mean alone, with the child's messages in it.
    """
    pi = 1.0 / tree.step[child, STEP_VARIANCE]
    tau = (mean + tree.step[child, STEP_MEAN]) * pi
    if model.lateral:
        lateral = tree.lateral[child]
        more = seen_through(lateral[EVIDENCE_PI], lateral[EVIDENCE_TAU], model.bias_variance)
        pi, tau = pi + more[0], tau + more[1]
    # Roll-outs are no perfect judges either. However many agree, the prior step keeps a say.
    own = tree.evidence[child]
    more = seen_through(own[EVIDENCE_PI], own[EVIDENCE_TAU], model.rollout_bias_variance)
    return pi + more[0], tau + more[1]


@kernel
def child_values(
    tree: Tree, children: Ints, mean: float, model: SearchModel, pi: Floats, tau: Floats
) -> None:
    """Write the beliefs about the values of some children to pi and tau, float64[n]."""
    for i in range(len(children)):
        pi[i], tau[i] = child_value(tree, children[i], mean, model)


@kernel
def choose_child(
    tree: Tree, node: int, sign: float, mean: float, model: SearchModel, rng: RandomState
) -> int:
    """Sample each child's value from its belief and return the child with the mover's best.

    Source: Thompson (1933); Hennig et al. (2010), Sec. 2.5.
    sign  +1.0 Black moves, -1.0 White
    mean  of the node's own value
    """
    first = tree.first_child[node]
    best = np.int64(first)
    # A sampled value is tau / pi. Products compare two of them, because divisions take longest.
    best_tau, best_pi = -np.inf, 1.0
    for child in range(first, first + tree.children[node]):
        pi, tau = child_value(tree, child, mean, model)
        tau = sign * tau + model.exploration * draw_normal(rng) * math.sqrt(pi)
        if tau * best_pi > best_tau * pi:
            best_tau, best_pi = tau, pi
            best = np.int64(child)
    return best


@kernel
def descend(
    tree: Tree,
    position: Position,
    model: SearchModel,
    patterns: PatternKnowledge,
    work: SearchWork,
) -> tuple[int, Position]:
    """Descend from the root to a node without children, playing the moves.

    Source: Hennig et al. (2010), Algorithm 1.
    position  of the root; its arrays change in place, as do path and beliefs of ``work``
    returns   (depth of the node, its position)
    """
    node = ROOT
    depth = 0
    # The root's prior has mean 0: neither side is ahead before the first roll-out.
    pi = 1.0 / model.root_variance + tree.evidence[ROOT, EVIDENCE_PI]
    work.path[0] = ROOT
    work.beliefs[0, BELIEF_MEAN] = tree.evidence[ROOT, EVIDENCE_TAU] / pi
    work.beliefs[0, BELIEF_VARIANCE] = 1.0 / pi
    while position.passes < 2 and depth < MAX_PLIES - 1:
        if observe(tree.first_child, node) < 0 and (
            (tree.visits[node] < model.expand_visits and node != ROOT)
            or not expand(tree, node, position, model, patterns, work)
        ):
            break
        if model.informed and tree.visits[node] == model.refine_visits and node != ROOT:
            refine_steps(tree, node, position, model, patterns, work)
        sign = 1.0 if position.color == BLACK else -1.0
        mean = work.beliefs[depth, BELIEF_MEAN]
        node = choose_child(tree, node, sign, mean, model, work.rng)
        pi, tau = child_value(tree, node, mean, model)
        depth += 1
        work.path[depth] = node
        work.beliefs[depth, BELIEF_MEAN] = tau / pi
        work.beliefs[depth, BELIEF_VARIANCE] = 1.0 / pi
        position = play_move(position, np.int64(tree.move[node]))
    return depth, position


@kernel(inlined=True)
def add_message(messages: Floats, node: int, pi: float, tau: float, alone: bool) -> None:
    """Add a message to Tree.lateral or Tree.evidence, atomically unless one thread is alone."""
    if alone:  # an atomic addition takes several times as long
        messages[node, EVIDENCE_PI] += pi
        messages[node, EVIDENCE_TAU] += tau
    else:
        fetch_add(messages, (node, EVIDENCE_PI), pi)
        fetch_add(messages, (node, EVIDENCE_TAU), tau)


@kernel
def back_up(
    tree: Tree, depth: int, color: int, length: int, margin: float, alone: bool, work: SearchWork
) -> None:
    """Add the result of a roll-out to every node on the path.

    depth, color  of the node where the roll-out began, and to move there
    length        moves of the roll-out
    margin        Black's final margin with komi [points]; 0 is jigo
    alone         whether no other thread grows the tree
    work          first changes in place: moves of the path come before the roll-out's
    """
    # Win rates go beside the messages, because people and other programs read them.
    win = 1.0 if margin > 0.0 else 0.5 if margin == 0.0 else 0.0
    result = 1.0 if margin > 0.0 else -1.0
    # Upward, so that at each node ``first`` holds the moves below it: earlier moves overwrite.
    for up in range(depth, -1, -1):
        node = work.path[up]
        # After two passes no move is played, but a message needs a variance.
        plies = np.float64(max(length + depth - up, 1))
        mean = work.beliefs[up, BELIEF_MEAN]
        pi, tau, _ = rollout_message(mean, work.beliefs[up, BELIEF_VARIANCE], result, plies)
        if margin == 0.0:  # a jigo says that the score is about 0
            tau = 0.0
        fetch_add(tree.visits, node, 1)
        fetch_add(tree.wins, node, win)
        fetch_add(tree.margins, node, margin)
        add_message(tree.evidence, node, pi, tau, alone)
        first = observe(tree.first_child, node)
        if first >= 0:  # otherwise there are none yet
            for child in range(first, first + tree.children[node]):
                if work.first[tree.move[child]] == color:
                    add_message(tree.lateral, child, pi, tau, alone)
        color = 3 - color
        if tree.move[node] != PASS:
            work.first[tree.move[node]] = color


@kernel
def search(
    tree: Tree,
    position: Position,
    descents: int,
    model: SearchModel,
    policy: GuidedPolicy,
    patterns: PatternKnowledge,
    work: SearchWork,
) -> None:
    """Grow the tree by a number of descents (Hennig et al. 2010, Algorithm 1).

    descents  how many roll-outs to add; 0: only the root gets its children, or the children
              that it has get the steps of a root; -1: they get steps that know the owners
    """
    # Called here and not from Python: ``expand`` compiled on its own would cost a cold start more.
    if descents < 0:
        rollouts: int = np.int64(TALLIED_ROLLOUTS)
        play = OwnerRollouts(
            rollouts=rollouts, policy=policy, local=work.local, board=work.board,
            first=work.first, sums=work.stack, rng=work.rng,
        )  # fmt: skip
        tally_owners(position, play, work.candidates.contenders.tallies)
        refine_steps(tree, ROOT, enter(position, work), model, patterns, work)
    if descents == 0:
        root = enter(position, work)
        if tree.first_child[ROOT] == NO_NODE:
            expand(tree, ROOT, root, model, patterns, work)
        elif model.informed:
            refine_steps(tree, ROOT, root, model, patterns, work)
    for _ in range(descents):
        depth, leaf = descend(tree, enter(position, work), model, patterns, work)
        through = 0 if depth == 0 else 1 + work.path[1] - np.int64(tree.first_child[ROOT])
        length, margin = play_to_end(leaf, depth, through, model, policy, work)
        back_up(tree, depth, leaf.color, length, margin, model.alone, work)
