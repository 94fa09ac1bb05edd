"""The slow twin of the playing search: nodes as objects, roll-outs on the slow board.

Written from the model in engine/search/best_first.py: with the same random numbers it grows the
same tree. Two things come from the kernels, because they decide the meaning of a random number: the
order of the empty points, and the normal number made of 64 random bits.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field

from tests.reference.board import (
    BLACK,
    EMPTY,
    WHITE,
    Point,
    ReferenceGame,
    Stones,
    all_points,
    neighbors,
)
from tests.reference.rollout import Xorshift, playable_points, roll_out
from tests.reference.scoring import area_score

Natural = list[float]  # (pi, tau)
RemovalOrder = Callable[[ReferenceGame, int, Point], list[Point]]


@dataclass
class Node:
    """The tree's knowledge of a position; ``move`` None is a pass."""

    move: Point | None
    step_variance: float = 0.0
    children: list["Node"] = field(default_factory=list)
    visits: int = 0
    wins: float = 0.0
    margins: float = 0.0
    lateral: Natural = field(default_factory=lambda: [0.0, 0.0])
    evidence: Natural = field(default_factory=lambda: [0.0, 0.0])


def rollout_message(mean: float, variance: float, result: float, length: int) -> Natural:
    """Return the message of one result: the matched moments divided by the belief before it."""
    deviation = math.sqrt(variance + length)
    t = result * mean / deviation
    density = math.exp(-0.5 * t * t) / math.sqrt(2.0 * math.pi)
    v = density / (0.5 * math.erfc(-t / math.sqrt(2.0)))
    after_mean = mean + result * variance / deviation * v
    after_variance = variance - variance**2 / (variance + length) * v * (v + t)
    return [1 / after_variance - 1 / variance, after_mean / after_variance - mean / variance]


def child_value(child: Node, parent_mean: float, model) -> tuple[float, float]:
    """Return (mean, variance): the product of the prior step, lateral evidence and own evidence."""
    factors = [(parent_mean, child.step_variance)]
    biases = (model.bias_variance, model.rollout_bias_variance)
    for (pi, tau), bias in zip((child.lateral, child.evidence), biases, strict=True):
        if pi > 0.0:  # as if seen through noise with the bias's variance
            factors.append((tau / pi, 1.0 / pi + bias))
    pi = sum(1.0 / variance for _, variance in factors)
    tau = sum(mean / variance for mean, variance in factors)
    return tau / pi, 1.0 / pi


class Search:
    """Grows one tree from a position by uniform roll-outs."""

    def __init__(self, size: int, stones: Stones, color: int, komi: float, model, seed: int):
        self.size, self.stones, self.color, self.komi = size, stones, color, komi
        self.model = model
        self.rng = Xorshift(seed)
        self.root = Node(None)

    def draw_normal(self) -> float:
        """Return four 16-bit uniforms added up, centered and scaled to variance 1."""
        self.rng.below(1)
        parts = [(self.rng.state >> shift) & 0xFFFF for shift in (0, 16, 32, 48)]
        return (sum(parts) - 2 * 65535) * math.sqrt(12 / 4) / 65536

    def descend(self, empties: list[Point], removal_order: RemovalOrder) -> None:
        """Add one roll-out. ``empties`` is the root's list of empty points, in its order."""
        game = ReferenceGame(self.size)
        game.stones = self.stones
        path, beliefs = [self.root], [self._root_value()]
        color, passes = self.color, 0
        while passes < 2:
            node = path[-1]
            if not node.children:
                if node is not self.root and node.visits < self.model.expand_visits:
                    break
                self._expand(node, game, color, passes, empties)
            child, belief = self._choose(node, color, beliefs[-1][0])
            path.append(child)
            beliefs.append(belief)
            passes = 0 if child.move else passes + 1
            if child.move:
                empties[empties.index(child.move)] = empties[-1]
                empties.pop()
                empties.extend(removal_order(game, color, child.move))
            game.play(color, child.move)
            color = 3 - color
        if passes == 2:
            length, margin, first = 0, area_score(game.stones, self.size), {}
        else:
            limit = 3 * self.size**2
            length, _, first = roll_out(game, color, self.rng, empties, limit, removal_order)
            margin = stones_and_eyes(game)
        self._back_up(path, beliefs, color, length, margin - self.komi, first)

    def _root_value(self) -> tuple[float, float]:
        pi, tau = self.root.evidence
        pi += 1.0 / self.model.root_variance
        return tau / pi, 1.0 / pi

    def _expand(self, node, game, color, passes, empties):
        playable = playable_points(game, color)
        moves: list[Point | None] = [point for point in empties if point in playable]
        if not moves or passes or 3 * len(empties) < self.size**2:
            moves.append(None)
        node.children = [Node(move, self.model.step_variance) for move in moves]

    def _choose(self, node, color, mean):
        sign = 1.0 if color == BLACK else -1.0
        sampled = []
        for child in node.children:
            value, variance = child_value(child, mean, self.model)
            noise = self.model.exploration * math.sqrt(variance) * self.draw_normal()
            sampled.append(sign * value + noise)
        child = node.children[sampled.index(max(sampled))]
        return child, child_value(child, mean, self.model)

    def _back_up(self, path, beliefs, color, length, margin, first):
        """Add the messages, from the end of the path upwards."""
        for up in reversed(range(len(path))):
            node = path[up]
            plies = max(length + len(path) - 1 - up, 1)
            pi, tau = rollout_message(*beliefs[up], 1.0 if margin > 0 else -1.0, plies)
            message = [pi, 0.0 if margin == 0 else tau]
            node.visits += 1
            node.wins += 1.0 if margin > 0 else 0.5 if margin == 0 else 0.0
            node.margins += margin
            node.evidence = add(node.evidence, message)
            for child in node.children:
                if first.get(child.move) == color:
                    child.lateral = add(child.lateral, message)
            color = 3 - color
            if node.move:
                first[node.move] = color


def played(moves: list[tuple[int, float, float]], prior_vote: float, value_vote: float) -> int:
    """Return the move to play: log(visits) + votes is largest; the first of equals.

    moves  visits of each, its prior step and its value, the mover's; what has no visits at all
           counts as if it had 1e-9
    """
    weights = [
        max(visits, 1e-9) * math.exp(prior_vote * step + value_vote * value)
        for visits, step, value in moves
    ]
    return weights.index(max(weights))


def add(one: Natural, other: Natural) -> Natural:
    """Return the product of two beliefs."""
    return [one[0] + other[0], one[1] + other[1]]


def stones_and_eyes(game: ReferenceGame) -> int:
    """Return Black's stones and empty points bordered by Black alone, minus White's.

    At the end of a roll-out that is the area; a roll-out that was broken off counts in the same
    way.
    """
    margin = 0
    for point in all_points(game.size):
        around = {game.stones.get(near, EMPTY) for near in neighbors(game.size, point)}
        owners = {game.stones[point]} if point in game.stones else around
        margin += (owners == {BLACK}) - (owners == {WHITE})
    return margin


def chance_to_be_largest(number: int, moves: list[tuple[float, float]]) -> float:
    """Return the probability that one of some Gaussians (mean, deviation) is the largest.

    The integral of its density times the others' distribution functions, by the midpoint rule.
    """

    def below(value: float, mean: float, deviation: float) -> float:
        return 0.5 * math.erfc((mean - value) / (deviation * math.sqrt(2.0)))

    mean, deviation = moves[number]
    steps = 2000
    total = 0.0
    for step in range(steps):
        at = -8.0 + 16.0 * (step + 0.5) / steps
        density = math.exp(-0.5 * at * at) / math.sqrt(2.0 * math.pi) * 16.0 / steps
        others = (m for i, m in enumerate(moves) if i != number)
        total += density * math.prod(below(mean + deviation * at, *other) for other in others)
    return total
