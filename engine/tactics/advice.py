"""What the facts about chains mean for the player's next move: moves urged, and moves in vain.

A capture or a rescue that is proved urges its move; extending a chain that is captured all the
same is in vain, and so is attacking one that is captured anyway. These are no commands: the move
may serve another purpose, or the stones may not matter. So they become prior beliefs about the
search's steps, wide ones where they urge.
"""

import math
import time
from collections.abc import Callable, Set
from functools import cached_property
from typing import NamedTuple

from engine.go.board import SIZE, Board
from engine.go.geometry import format_vertex
from engine.tactics.facts import ChainFacts, Surveyor
from engine.tactics.priors import PriorTable, SolverPriors, learned_priors

# What reading chains may cost, compared with the search it serves: about a tenth of its time.
TIME_SHARE = 0.1  # of the search's seconds
NODES_A_PLAYOUT = 0.5 / 81  # solver nodes for every roll-out and point of the board
ANALYSIS_NODES = 20_000  # where time bounds the reading, or nothing else does


class AdviceModel(NamedTuple):
    """How much facts weigh. Means and variances are of a step of the search [roll-out steps].

    Steps are the mover's and count from the move that the ranking model likes best, or from the
    position where there is none. The defaults are for a search with the ranking model: it expects
    captures and rescues of one or two stones as often as experts play them, so its means mostly
    stand there; larger chains are raised, and all urged moves get the wide variance.
    """

    urge: float = -3.6  # least mean of a move that captures or saves a chain, plus
    urge_a_stone: float = 0.9  # for every stone of that chain: small ones matter little
    most_urge: float = 4.0
    urge_variance: float = 4.0
    in_vain: float = 3.0  # how far behind a move in vain is


ALONE = AdviceModel(urge=1.0, urge_a_stone=0.5)
"""For a search in which nothing else tells the moves apart."""


class Advice(NamedTuple):
    """A prior belief about one move's step, and why.

    urged  True: the move is at least so good; False: it is at most so good
    mean   the mover's [roll-out steps]
    """

    point: int
    urged: bool
    mean: float
    variance: float
    reason: str


def advise(
    facts: list[ChainFacts], color: int, moves: Set[int], model: AdviceModel
) -> tuple[Advice, ...]:
    """Return what the facts advise a color to play, or not to play, among some moves.

    A move is urged by all chains that it captures or saves together; what is urged is not in vain.
    """
    urged: dict[int, list[ChainFacts]] = {}
    vain: dict[int, ChainFacts] = {}
    for chain in facts:
        own = chain.color == color
        for point in chain.defenses if own else chain.attacks:
            urged.setdefault(point, []).append(chain)
        # Stones in atari can be taken off at once, which may make an eye: no move in vain.
        if chain.status == "dead" and (own or len(chain.liberties) > 1):
            for point in chain.liberties:
                # One reason is enough: the chain that was settled first.
                vain.setdefault(point, chain)
    advice = [_urge(point, chains, color, model) for point, chains in urged.items()]
    advice += [
        Advice(point, False, -model.in_vain, 0.0, _why_in_vain(chain, color))
        for point, chain in vain.items()
        # No advice against a move that is urged for another chain.
        if point not in urged
    ]
    return tuple(sorted(a for a in advice if a.point in moves))


def _urge(point: int, chains: list[ChainFacts], color: int, model: AdviceModel) -> Advice:
    # Together: a move that captures two chains is worth both.
    stones = sum(len(chain.stones) for chain in chains)
    # A ceiling: the largest chain must not drown what the roll-outs find.
    mean = min(model.urge + model.urge_a_stone * stones, model.most_urge)
    reasons = [f"{'saves' if c.color == color else 'captures'} {_name(c)}" for c in chains]
    return Advice(point, True, mean, model.urge_variance, " and ".join(reasons))


def _why_in_vain(chain: ChainFacts, color: int) -> str:
    if chain.color == color:
        return f"cannot save {_name(chain)}"
    return f"needless: {_name(chain)} cannot be saved"


def _name(chain: ChainFacts) -> str:
    count = len(chain.stones)
    return f"{format_vertex(chain.stones[0])} ({count} stone{'s' if count > 1 else ''})"


class Adviser:
    """Reads the chains of a position and advises on moves; remembers the last position's facts.

    table  what the solver has learned; None: it does without
    """

    def __init__(self, model: AdviceModel | None = None, table: PriorTable | None = None) -> None:
        self.model = model or AdviceModel()
        self._table = table
        self._facts: list[ChainFacts] = []
        self._position = b""

    @cached_property
    def priors(self) -> SolverPriors | None:
        """What was learned from problems, for whoever reads chains; None: nothing was."""
        # Not before it is asked for: a player is there before its kernels are.
        return None if self._table is None else learned_priors(self._table)

    @cached_property
    def _surveyor(self) -> Surveyor:
        return Surveyor(self.priors)

    def facts(
        self,
        board: Board,
        playouts: int | None = None,
        seconds: float | None = None,
        stopped: Callable[[], bool] = lambda: False,
        least: int = 0,
    ) -> list[ChainFacts]:
        """Return the facts of a position, at a small share of the cost of a search.

        playouts, seconds  what the search may take; playouts bound the reading by its nodes, so
                           that the same search has the same facts on every machine
        stopped            ends the reading early when it returns True
        least              solver nodes that the reading may take however short the search is
        """
        position = board.tobytes()
        if position != self._position:
            nodes = ANALYSIS_NODES
            if playouts is not None:
                nodes = max(least, int(playouts * NODES_A_PLAYOUT * board[SIZE] ** 2))
            # Time bounds analysis and clocks; with playouts only, nodes do, so that a seed fixes
            # the game.
            end = math.inf if seconds is None else time.monotonic() + TIME_SHARE * seconds
            self._facts = self._surveyor.survey(
                board, nodes, lambda: stopped() or time.monotonic() >= end
            )
            # A reading that was cut short is not kept: the next one may have the time.
            self._position = b"" if stopped() else position
        return self._facts

    def advise(
        self,
        board: Board,
        color: int,
        moves: Set[int],
        playouts: int | None,
        seconds: float | None,
        stopped: Callable[[], bool] = lambda: False,
    ) -> tuple[Advice, ...]:
        """Return what the facts of a position advise a color; see ``facts`` and ``advise``."""
        facts = self.facts(board, playouts, seconds, stopped)
        return advise(facts, color, moves, self.model)
