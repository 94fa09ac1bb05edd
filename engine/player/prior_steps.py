"""Advice from facts about chains for the player's next move: urged, or in vain.

A proved capture or rescue urges its move. Extending a chain that is captured anyway is in vain, and
so is attacking one. Advice is no command: the move may serve another purpose, or the stones may not
matter. It therefore becomes a prior belief about the search's steps. Beside the ranking model,
learned values say how much a proof about a chain changes a move (``chain_values``). Without the
model, the steps are set by hand.
"""

import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from typing import NamedTuple

from engine.explain.kinds import STONE, Effect, Kind
from engine.facts.chain_facts import ChainFacts
from engine.facts.group_prover import PROVER, ReadingBudget
from engine.go.geometry import PASS
from engine.patterns.position import Position
from engine.patterns.predictor import Predictor
from engine.player.chain_values import chain_classes, chain_value, points_in_vain
from engine.rollout.guided import KnownReply
from engine.search.model import SearchModel


class ReadingShares(NamedTuple):
    """The work of the solvers before a search."""

    # Of the search's seconds. At 0.1 the solvers took a third of what a quick move does beside
    # descents.
    time_share: float = 0.02
    # Solver nodes for every roll-out and point of the board.
    chain_nodes: float = 0.5 / 81
    # The same for groups of a final status: their nodes take less time.
    group_nodes: float = 0.3 / 81
    nodes_a_second: int = 80_000  # Of groups.


READING = ReadingShares()


class AdviceModel(NamedTuple):
    """Weights of facts. Means and variances are of a step of the search [roll-out steps].

    Steps are the mover's. They count from the move that the ranking model likes best, or from the
    position where there is no model. Weights of chains are for a search without the model, whose
    learned values replace them.
    """

    urge: float = 1.0  # Base of the least mean of a move that captures or saves a chain.
    urge_a_stone: float = 0.5  # Addition for each stone of that chain: small chains matter little.
    most_urge: float = 4.0
    urge_variance: float = 4.0
    in_vain: float = 3.0  # distance behind for a move in vain
    # Least number of stones whose proved capture or rescue stands beside the ranking model's best
    # move. Separate searches of 340 such moves put their steps at -0.43 + 0.17 · value (deviation
    # 2.0), and those of the model's best other moves at -0.7.
    proved_stones: float = 3.0
    # Least size of a dead chain whose rescue roll-outs answer. Answers for smaller ones, too, lose
    # half of the gain.
    reply_stones: float = 3.0
    # The largest board on which roll-outs answer: games on 9x9 gain from it, on 19x19 they rather
    # lose.
    reply_size: float = 9.0


class RankedMoves(NamedTuple):
    """The ranking model's values of the moves, and the prior steps that the search makes of them.

    behind  distance of each legal move's value from the best one, by point; a move that is no
            child stands where the search's window ends
    scale   roll-out steps for one unit of value
    """

    behind: Mapping[int, float]
    scale: float

    @classmethod
    def of(cls, predictor: Predictor, position: Position, model: SearchModel) -> "RankedMoves":
        """Return them for a position, as a search with this model and the predictor's has them."""
        behind = {
            point: min(distance, model.prior_window)
            for point, distance in predictor.behind(position).items()
        }
        return cls(behind, model.prior_scale)


class Advice(NamedTuple):
    """A prior belief about one move's step, and the proved effects that urge it.

    urged  True: the move is at least this good; False: at most
    mean   the mover's [roll-out steps]
    """

    point: int
    urged: bool
    mean: float
    variance: float
    effects: tuple[Effect, ...] = ()


def advise(
    chains: Sequence[ChainFacts],
    color: int,
    moves: Set[int],
    model: AdviceModel,
    ranked: RankedMoves | None = None,
) -> tuple[Advice, ...]:
    """Return the moves, among some, that the facts advise a color to play, or not to play.

    All that a move takes or saves urges it together; an urged move is not in vain.
    ranked  values of the moves for the learned values of chains; None: weights set by hand
    """
    if ranked is None:
        advice = _by_hand(chains, color, moves, model)
    else:
        advice = _learned(chains, color, moves, model, ranked)
    return tuple(sorted(advice))


def _purposes(
    facts: Iterable[ChainFacts], color: int
) -> tuple[dict[int, list[ChainFacts]], set[int]]:
    """Return by point the facts that urge a color's move, and the moves that are in vain."""
    urged: dict[int, list[ChainFacts]] = {}
    vain: set[int] = set()
    for fact in facts:
        for point in fact.defenses if fact.color == color else fact.attacks:
            urged.setdefault(point, []).append(fact)
        vain.update(points_in_vain(fact, color))
    # No advice against a move that is urged for another reason.
    return urged, vain - urged.keys()


def _by_hand(
    facts: Iterable[ChainFacts], color: int, moves: Set[int], model: AdviceModel
) -> list[Advice]:
    """Return advice with the weights of a model."""
    urged, vain = _purposes(facts, color)
    advice = [_urge(point, reasons, color, model) for point, reasons in urged.items()]
    advice += [Advice(point, False, -model.in_vain, 0.0) for point in vain]
    return [item for item in advice if item.point in moves]


def _learned(
    chains: Sequence[ChainFacts],
    color: int,
    moves: Set[int],
    model: AdviceModel,
    ranked: RankedMoves,
) -> list[Advice]:
    """Return advice that adds the learned values of proofs to those of the ranking model.

    A step counts from the ranking model's own one, so it is never added twice to a kept tree.
    Proved captures and rescues get a wide variance, so that the search looks at them. Those of
    ``proved_stones`` are at least as good as the model's best move: with this bound the search
    solves 20 instead of 16 of 81 capture problems (``scripts.check.problems moves``).
    """
    urged, vain = _purposes(chains, color)
    classes = chain_classes(chains, color)
    advice = []
    for point in (urged.keys() | vain) & moves & ranked.behind.keys():
        value = chain_value(classes.get(point, ()))
        mean = ranked.scale * (value - ranked.behind[point])
        facts = urged.get(point, [])
        if len({stone for fact in facts for stone in fact.stones}) >= model.proved_stones:
            mean = max(mean, 0.0)
        # A move that is lowered keeps the variance that it has.
        variance = model.urge_variance if facts else 0.0
        urges, effects = bool(facts) or value > 0.0, _effects(point, facts, color)
        advice.append(Advice(point, urges, mean, variance, effects))
    return advice


def _urge(point: int, facts: list[ChainFacts], color: int, model: AdviceModel) -> Advice:
    # Together, each stone once: a move that captures two chains gains both.
    stones = {stone for fact in facts for stone in fact.stones}
    # A ceiling: the largest chain must not hide the findings of roll-outs.
    mean = min(model.urge + model.urge_a_stone * len(stones), model.most_urge)
    return Advice(point, True, mean, model.urge_variance, _effects(point, facts, color))


def _effects(point: int, facts: Iterable[ChainFacts], color: int) -> tuple[Effect, ...]:
    """Return what a move is proved to save or to capture, at once or later."""

    def kind(fact: ChainFacts) -> Kind:
        if fact.color == color:
            return Kind.SAVES
        return Kind.CAPTURES if fact.liberties == (point,) else Kind.TRAPS

    return tuple(
        Effect(
            kind=kind(fact),
            points=STONE * len(fact.stones),
            stones=(fact.stones,),
            color=color,
            moves=(point, PASS),
        )
        for fact in facts
    )


def replies_to_rescues(
    chains: Iterable[ChainFacts], size: int, model: AdviceModel
) -> tuple[KnownReply, ...]:
    """Return the proved answers of roll-outs to rescues of dead chains.

    The largest chain's answer comes first, since a move may try to save several. There are none on
    large boards.
    size  of the board
    """
    if size > model.reply_size:
        return ()
    return tuple(
        KnownReply(chain.color, move, answer, chain.stones[0])
        for chain in sorted(chains, key=lambda chain: -len(chain.stones))
        if len(chain.stones) >= model.reply_stones
        for move, answer in chain.replies
    )


def _nodes_for(playouts: int, rate: float, size: int) -> float:
    """Return the solver nodes that a search's reading may take; see ``reading_budget``."""
    return playouts * rate * size**2


def proving_nodes(size: int, playouts: int | None, seconds: float | None) -> int:
    """Return the nodes for groups of a final status that a move may take, as a search may be short.

    size      of the board
    playouts  of the search
    seconds   of the search
    """
    nodes = float(PROVER.longer_nodes)
    if playouts is not None:
        nodes = min(nodes, _nodes_for(playouts, READING.group_nodes, size))
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

    size      of the board
    playouts  of the search; they bound the nodes of the reading, so that the same search has the
              same facts on every machine
    seconds   of the search
    stopped   ends the reading early when it returns True
    least     solver nodes that the reading may always take
    """
    nodes = PROVER.analysis_nodes
    if playouts is not None:
        nodes = max(least, int(_nodes_for(playouts, READING.chain_nodes, size)))
    # Time bounds analysis and clocks. If only playouts are given, nodes bound the reading, so that
    # a seed fixes the game.
    deadline = math.inf if seconds is None else time.monotonic() + READING.time_share * seconds
    return ReadingBudget(nodes, deadline, stopped)
