"""Prior steps of the player's next move from facts about chains: urged, or in vain.

A proved capture or rescue urges its move. Extending a chain that is captured anyway is in vain, and
so is attacking one. No fact commands a move: it may serve another purpose, or the stones may not
matter. Learned values therefore add to those of the ranking model
(``patterns_db.patterns.chain_value_training``; ``scripts.learn.chain_values`` prints them).
"""

import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from engine.arrays import Floats
from engine.explain.kinds import STONE, Effect, Kind
from engine.facts.chain_facts import ChainFacts
from engine.facts.group_prover import PROVER, ReadingBudget
from engine.go.geometry import PASS
from engine.patterns.position import Position
from engine.patterns.predictor import Predictor
from engine.rollout.guided import KnownReply
from engine.search.model import SearchModel
from engine.search.root_priors import PriorStep


class ReadingShares(NamedTuple):
    """The work of the solvers before a search."""

    # Of the search's seconds. At 0.1 the solvers took a third of what a quick move does beside
    # descents.
    time_share: float = 0.016
    # Solver nodes for every roll-out and point of the board.
    chain_nodes: float = 0.5 / 81
    # The same for groups of a final status: their nodes take less time.
    group_nodes: float = 0.3 / 81
    nodes_a_second: int = 80_000  # Of groups.


READING = ReadingShares()


class AdviceModel(NamedTuple):
    """The constants of prior steps and of known replies."""

    # Of the step of a move that captures or saves a chain, so that the search looks at it.
    urge_variance: float = 4.0
    # Least number of stones whose proved capture or rescue stands beside the ranking model's best
    # move: with this bound the search solves 20 instead of 16 of 81 capture problems
    # (``scripts.check.problems moves``). Separate searches of 340 such moves put their steps at
    # -0.43 + 0.17 · value (deviation 2.0), and those of the model's best other moves at -0.7.
    proved_stones: int = 3
    # Least size of a dead chain whose rescue roll-outs answer. Answers for smaller ones, too, lose
    # half of the gain.
    reply_stones: int = 3
    # The largest board on which roll-outs answer: games on 9x9 gain from it, on 19x19 they rather
    # lose.
    reply_size: int = 9


ADVICE = AdviceModel()


CHAIN_GROUPS = 4
CAPTURES, SAVES, EXTENDS_DEAD, ATTACKS_DEAD = range(CHAIN_GROUPS)
CHAIN_SIZES = (1, 2, 4)  # the most stones of each class but the last
CHAIN_CLASSES = len(CHAIN_SIZES) + 1
CHAIN_VALUES: Floats = np.array([
    [0.02, 0.14, 0.74, 1.47],
    [0.04, 0.56, 0.98, 1.20],
    [-0.46, -0.47, -1.18, -1.07],
    [-0.92, -1.05, -1.29, -1.14],
])  # fmt: skip
"""float64[CHAIN_GROUPS, CHAIN_CLASSES], in units of the ranking model's values."""


def chain_classes(chains: Iterable[ChainFacts], color: int) -> dict[int, list[int]]:
    """Return the classes of a color's moves, by point: of the largest chain in each group, or 0."""
    classes_at: dict[int, list[int]] = {}
    for chain in chains:
        own = chain.color == color
        if chain.status == "critical":
            group, points = (SAVES, chain.defenses) if own else (CAPTURES, chain.attacks)
        else:
            group = EXTENDS_DEAD if own else ATTACKS_DEAD
            points = points_in_vain(chain, color)
        size = 1 + sum(len(chain.stones) > most for most in CHAIN_SIZES)
        for point in points:
            classes = classes_at.setdefault(point, [0] * CHAIN_GROUPS)
            classes[group] = max(classes[group], size)
    return classes_at


def points_in_vain(chain: ChainFacts, color: int) -> tuple[int, ...]:
    """Return the moves of a color that do not change the status of a dead chain."""
    if chain.status != "dead":
        return ()
    # Stones in atari can be captured at once, which may make an eye, so the move is not in vain.
    return chain.liberties if chain.color == color or len(chain.liberties) > 1 else ()


def chain_value(classes: Iterable[int]) -> float:
    """Return the value that the classes add to a move's [units of the ranking model's values]."""
    return float(sum(CHAIN_VALUES[group, size - 1] for group, size in enumerate(classes) if size))


class RankedMoves(NamedTuple):
    """The ranking model's values of the moves, and the prior steps that a search makes of them."""

    # Distance of each legal move's value from the best one, by point; a move that is no child
    # stands where the search's window ends
    behind: Mapping[int, float]
    scale: float  # roll-out steps for one unit of value

    @classmethod
    def of(cls, predictor: Predictor, position: Position, model: SearchModel) -> "RankedMoves":
        """Return them for a position, as a search with this model and the predictor's has them."""
        behind = {
            point: min(distance, model.prior_window)
            for point, distance in predictor.behind(position).items()
        }
        return cls(behind, model.prior_scale)


class Advice(NamedTuple):
    """The prior steps of moves, and what the urged ones are proved to gain, by point."""

    steps: tuple[PriorStep, ...] = ()
    effects: Mapping[int, tuple[Effect, ...]] = MappingProxyType({})


def advise(
    chains: Sequence[ChainFacts], color: int, moves: Set[int], ranked: RankedMoves
) -> Advice:
    """Return the prior steps of some moves of a color, by the facts about chains.

    A step counts from the ranking model's own one, so it is never added twice to a kept tree. All
    that a move takes or saves urges it together; an urged move is not in vain.
    """
    urged: dict[int, list[ChainFacts]] = {}
    for fact in chains:
        for point in fact.defenses if fact.color == color else fact.attacks:
            urged.setdefault(point, []).append(fact)
    vain = {point for fact in chains for point in points_in_vain(fact, color)}
    classes = chain_classes(chains, color)
    steps = []
    for point in sorted((urged.keys() | vain) & moves & ranked.behind.keys()):
        value, facts = chain_value(classes.get(point, ())), urged.get(point, [])
        mean = ranked.scale * (value - ranked.behind[point])
        if len({stone for fact in facts for stone in fact.stones}) >= ADVICE.proved_stones:
            mean = max(mean, 0.0)
        # A move that is lowered keeps the variance that it has.
        variance = ADVICE.urge_variance if facts else 0.0
        steps.append(PriorStep(point, bool(facts) or value > 0.0, mean, variance))
    effects = {
        step.point: tuple(_effect(step.point, fact, color) for fact in urged[step.point])
        for step in steps
        if step.point in urged
    }
    return Advice(tuple(steps), effects)


def _effect(point: int, fact: ChainFacts, color: int) -> Effect:
    """Return the rescue or capture, at once or later, that a fact proves of a move."""
    kind = Kind.CAPTURES if fact.liberties == (point,) else Kind.TRAPS
    kind = Kind.SAVES if fact.color == color else kind
    return Effect(kind, STONE * len(fact.stones), (fact.stones,), color, (point, PASS))


def replies_to_rescues(chains: Iterable[ChainFacts], size: int) -> tuple[KnownReply, ...]:
    """Return the proved answers of roll-outs to rescues of dead chains on a board of a size.

    The largest chain's answer comes first, since a move may try to save several.
    """
    if size > ADVICE.reply_size:
        return ()
    return tuple(
        KnownReply(chain.color, move, answer, chain.stones[0])
        for chain in sorted(chains, key=lambda chain: -len(chain.stones))
        if len(chain.stones) >= ADVICE.reply_stones
        for move, answer in chain.replies
    )


def proving_nodes(size: int, playouts: int | None, seconds: float | None) -> int:
    """Return the nodes for groups of a final status that a move with some limits may take."""
    nodes = float(PROVER.longer_nodes)
    if playouts is not None:
        nodes = min(nodes, playouts * READING.group_nodes * size**2)
    if seconds is not None:
        nodes = min(nodes, READING.time_share * seconds * READING.nodes_a_second)
    return int(nodes)


def reading_budget(
    size: int,
    playouts: int | None = None,
    seconds: float | None = None,
    stopped: Callable[[], bool] = lambda: False,
    least: int = 0,
) -> ReadingBudget:
    """Return the limits of reading chains: a small share of the cost of a search.

    least  solver nodes that the reading may always take
    """
    nodes = PROVER.analysis_nodes
    if playouts is not None:
        nodes = max(least, int(playouts * READING.chain_nodes * size**2))
    # Time bounds analysis and clocks. If only playouts are given, nodes bound the reading, so that
    # a seed fixes the game.
    deadline = math.inf if seconds is None else time.monotonic() + READING.time_share * seconds
    return ReadingBudget(nodes, deadline, stopped)
