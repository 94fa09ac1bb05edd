"""Slow twins of engine/proof and engine/captures, from Stern, Herbrich & Graepel (2007).

Probabilities are multiplied directly. Capture goals are decided by looking at every position that
legal moves can reach. The Gaussian model is one large joint Gaussian.
"""

import itertools
import math

import numpy as np

from tests.reference import groups
from tests.reference.board import chain_at, liberties_of, result_of

Stones = tuple[int, ...]
State = tuple[Stones, int, int]  # stones, color to move, banned point or -1


def probability(probs, holds):
    """Equation (1) for all, (2) for any, by enumeration of the children's truth values."""
    total = 0.0
    for values in itertools.product((True, False), repeat=len(probs)):
        if holds(values):
            total += math.prod(p if v else 1 - p for p, v in zip(probs, values, strict=True))
    return total


def tree_probability(tree, is_and):
    """Return P(root) of a nested list with leaf probabilities, levels alternating."""
    if not isinstance(tree, list):
        return tree
    children = [tree_probability(child, not is_and) for child in tree]
    return probability(children, all if is_and else any)


def tree_numbers(tree, is_and):
    """Return (proof number, disproof number) of a nested list of leaves: 0.0, 1.0 or undecided."""
    if not isinstance(tree, list):
        return {0.0: (math.inf, 0.0), 1.0: (0.0, math.inf)}.get(tree, (1.0, 1.0))
    numbers = [tree_numbers(child, not is_and) for child in tree]
    proofs, disproofs = zip(*numbers, strict=True)
    return (sum(proofs), min(disproofs)) if is_and else (min(proofs), sum(disproofs))


class CaptureGame:
    """A capture goal on a small board, decided by retrograde analysis of the whole game graph."""

    def __init__(self, size, goal, attacker, limit, attacker_obeys_ban=True):
        self.size, self.goal, self.attacker, self.limit = size, goal, attacker, limit
        self.obeys = attacker if attacker_obeys_ban else 3 - attacker
        self.near = []
        for point in range(size * size):
            row, column = divmod(point, size)
            steps = ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1))
            self.near.append([r * size + c for r, c in steps if 0 <= r < size and 0 <= c < size])

    def chain(self, stones, point):
        chain, liberties, waiting = {point}, set(), [point]
        while waiting:
            for near in self.near[waiting.pop()]:
                if stones[near] == 0:
                    liberties.add(near)
                elif stones[near] == stones[point] and near not in chain:
                    chain.add(near)
                    waiting.append(near)
        return chain, liberties

    def play(self, state: State, point: int) -> State | None:
        stones, color, ban = state
        if stones[point] or (point == ban and color == self.obeys):
            return None
        board = list(stones)
        board[point] = color
        gone = set()
        for near in self.near[point]:
            if board[near] == 3 - color:
                chain, liberties = self.chain(board, near)
                if not liberties:
                    gone |= chain
        for stone in gone:
            board[stone] = 0
        chain, liberties = self.chain(board, point)
        if not liberties:
            return None
        ko = len(gone) == 1 and len(chain) == 1 and len(liberties) == 1
        ban = next(iter(gone)) if ko and 3 - color == self.obeys else -1
        return tuple(board), 3 - color, ban

    def value(self, stones):
        """TRUE, FALSE or None, as the goal function returns."""
        if stones[self.goal] == 0:
            return True
        return False if len(self.chain(stones, self.goal)[1]) >= self.limit else None

    def moves(self, state):
        after = [self.play(state, point) for point in range(self.size * self.size)]
        states = [child for child in after if child is not None]
        if state[1] != self.attacker:
            states.append((state[0], self.attacker, -1))
        return states

    def solve(self, stones, to_move):
        """Return whether the attacker forces TRUE; endless play counts against the obeying side."""
        start = (tuple(stones), to_move, -1)
        children, waiting = {}, [start]
        while waiting:
            state = waiting.pop()
            if state in children:
                continue
            children[state] = [] if self.value(state[0]) is not None else self.moves(state)
            waiting.extend(children[state])
        values = {s: self.value(s[0]) for s in children}
        changed = True
        while changed:
            changed = False
            for state, states in children.items():
                if values[state] is not None:
                    continue
                below = [values[child] for child in states]
                wanted = state[1] == self.attacker
                if wanted in below:
                    values[state] = wanted
                elif all(v == (not wanted) for v in below):
                    values[state] = not wanted
                changed |= values[state] is not None
        if values[start] is None:
            return self.obeys != self.attacker
        return values[start]


def gaussian_stack(mean, variance, betas, observations, stack):
    """Return (mean, variance) of x along a stack, all patterns in one joint Gaussian.

    observations  list of (pattern stack, mean, variance): Gaussian evidence about the last x
    Patterns are named by the tuple of branch numbers that lead to them.
    """
    names = sorted({s[:i] for s, _, _ in [*observations, (stack, 0, 1)] for i in range(len(s) + 1)})
    cov = np.zeros((len(names), len(names)))
    for i, a in enumerate(names):
        for j, b in enumerate(names):
            common = 0
            while common < min(len(a), len(b)) and a[common] == b[common]:
                common += 1
            cov[i, j] = variance + sum(betas[:common])
    means = np.full(len(names), float(mean))
    for s, y, v in observations:
        i = names.index(s)
        gain = cov[:, i] / (cov[i, i] + v)
        means = means + gain * (y - means[i])
        cov = cov - np.outer(gain, cov[i])
    out = [names.index(stack[:i]) for i in range(len(stack) + 1)]
    return means[out], cov[out, out]


def looked_at(stones, size, listed):
    """Return the places that a reading may have looked at; stones are {(column, row): color}."""

    def beside(places):
        return set().union(*(groups.near(place, size) for place in places))

    def chains_on(places):
        chains = {groups.chain_of(stones, place, size) for place in places if place in stones}
        return frozenset().union(*chains)

    around = listed | beside(listed)
    close = chains_on(around)
    liberties = beside(close) - stones.keys()
    wider = beside(close) | beside(liberties)
    far = chains_on(wider)
    return around | close | wider | far | beside(far)


def replies_of(proof, stones, size, goal, color):
    """Return the attacker's answers, by the owner's move, nearest to the root of a proof first.

    proof  {node: [(owner's move or None for a pass, answer or None, node after it or None)]};
           the root is 0; without an answer the chain at ``goal`` is in atari
    """
    answers, met, level = {}, {0}, [(0, stones)]
    while level:
        deeper = []
        for node, before in level:
            for move, answer, after in proof[node]:
                tried = before if move is None else result_of(before, size, color, move)[0]
                if answer is None:
                    (answer,) = liberties_of(tried, size, chain_at(tried, size, goal))
                if move is not None:
                    answers.setdefault(move, answer)
                if after is not None and after not in met:
                    met.add(after)
                    deeper.append((after, result_of(tried, size, 3 - color, answer)[0]))
        level = deeper
    return answers
