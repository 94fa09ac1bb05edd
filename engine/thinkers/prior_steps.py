"""What facts about chains and groups mean for the player's next move: urged, or in vain.

A capture or a rescue that is proved urges its move; extending a chain that is captured all the
same is in vain, and so is attacking one that is captured anyway. It is the same with groups that
live or die. These are no commands: the move may serve another purpose, or the stones may not
matter. So they become prior beliefs about the search's steps, wide ones where they urge.
"""

import math
import time
from collections.abc import Callable, Sequence, Set
from functools import cached_property
from typing import NamedTuple

from engine.captures.priors import PriorTable, SolverPriors, learned_priors
from engine.facts.chain_facts import ChainFacts, Surveyor
from engine.facts.group_facts import GroupFacts, GroupSurveyor
from engine.go.board import SIZE, Board
from engine.life.evidence import LifeWeights
from engine.life.races import Ownership
from engine.thinkers.wording import named

# What reading chains may cost, compared with the search it serves: about a tenth of its time.
TIME_SHARE = 0.1  # of the search's seconds
NODES_A_PLAYOUT = 0.5 / 81  # solver nodes for every roll-out and point of the board
ANALYSIS_NODES = 20_000  # where time bounds the reading, or nothing else does
LIFE_NODES_A_PLAYOUT = 0.3 / 81  # the same for groups, where a node takes less time


class AdviceModel(NamedTuple):
    """How much facts weigh. Means and variances are of a step of the search [roll-out steps].

    Steps are the mover's and count from the move that the ranking model likes best, or from the
    position where there is none. The defaults are for a search with the ranking model: it expects
    captures and rescues of one or two stones as often as experts play them, so its means mostly
    stand there; larger chains are raised, and all urged moves get the wide variance.
    """

    urge: float = -3.6  # least mean of a move that captures or saves a chain, plus
    urge_a_stone: float = 0.9  # for every stone of that chain: small ones matter little
    group_urge: float = -6.0  # the same two for groups
    group_urge_a_stone: float = 0.75
    most_urge: float = 4.0
    urge_variance: float = 4.0
    in_vain: float = 3.0  # how far behind a move in vain is
    # Size of a dead chain from which on roll-outs answer its rescue: telling them of smaller ones,
    # too, takes half of what they gain away.
    reply_stones: float = 3.0
    # The largest board on which they do: games on 9x9 are won by it, on 19x19 rather lost.
    reply_size: float = 9.0


ALONE = AdviceModel(urge=1.0, urge_a_stone=0.5, group_urge=1.0, group_urge_a_stone=0.5)
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


class Reply(NamedTuple):
    """A proved answer.

    color   who owns a dead chain
    move    his, to save it
    answer  the opponent's
    stone   one of the chain
    """

    color: int
    move: int
    answer: int
    stone: int


Facts = ChainFacts | GroupFacts


def advise(
    facts: Sequence[Facts], color: int, moves: Set[int], model: AdviceModel
) -> tuple[Advice, ...]:
    """Return what the facts advise a color to play, or not to play, among some moves.

    A move is urged by all that it takes or saves together; what is urged is not in vain.
    """
    urged: dict[int, list[Facts]] = {}
    vain: dict[int, Facts] = {}
    for fact in facts:
        for point in fact.defenses if fact.color == color else fact.attacks:
            urged.setdefault(point, []).append(fact)
        for point in _in_vain(fact, color):
            # One reason is enough: what was settled first.
            vain.setdefault(point, fact)
    advice = [_urge(point, reasons, color, model) for point, reasons in urged.items()]
    advice += [
        Advice(point, False, -model.in_vain, 0.0, _why_in_vain(fact, color))
        for point, fact in vain.items()
        # No advice against a move that is urged for another reason.
        if point not in urged
    ]
    return tuple(sorted(a for a in advice if a.point in moves))


def _in_vain(fact: Facts, color: int) -> tuple[int, ...]:
    """Return the moves of a color that do not change what becomes of stones."""
    if fact.status != "dead":
        return ()
    if isinstance(fact, GroupFacts):
        return fact.space
    # Stones in atari can be taken off at once, which may make an eye: no move in vain.
    return fact.liberties if fact.color == color or len(fact.liberties) > 1 else ()


def _urge(point: int, facts: list[Facts], color: int, model: AdviceModel) -> Advice:
    # Together, each stone once: a move that captures two chains is worth both.
    chains = {stone for fact in facts if isinstance(fact, ChainFacts) for stone in fact.stones}
    groups = {stone for fact in facts if isinstance(fact, GroupFacts) for stone in fact.stones}
    urges = [model.urge + model.urge_a_stone * len(chains)] if chains else []
    urges += [model.group_urge + model.group_urge_a_stone * len(groups)] if groups else []
    # A ceiling: the largest chain must not drown what the roll-outs find.
    mean = min(max(urges), model.most_urge)
    reasons = [f"{_does(fact, color)} {_name(fact)}" for fact in facts]
    return Advice(point, True, mean, model.urge_variance, " and ".join(reasons))


def _does(fact: Facts, color: int) -> str:
    if fact.color == color:
        return "saves"
    return "kills" if isinstance(fact, GroupFacts) else "captures"


def _why_in_vain(fact: Facts, color: int) -> str:
    if fact.color == color:
        return f"cannot save {_name(fact)}"
    return f"needless: {_name(fact)} cannot be saved"


def _name(fact: Facts) -> str:
    name = named(fact.stones)
    if isinstance(fact, ChainFacts):
        return name
    return f"the group of {name}{' in a race' if fact.rival else ''}"


class Adviser:
    """Reads chains and groups of a position and advises on moves; remembers the last facts.

    table  what the solver of captures has learned; None: it does without
    life   what the solver of life and death has learned, likewise
    """

    def __init__(
        self,
        model: AdviceModel | None = None,
        table: PriorTable | None = None,
        life: LifeWeights | None = None,
    ) -> None:
        self.model = model or AdviceModel()
        self._table, self._life = table, life
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

    @cached_property
    def _group_surveyor(self) -> GroupSurveyor:
        return GroupSurveyor(self._life)

    def forget(self) -> None:
        """Start the next position from nothing."""
        self._position = b""
        if "_surveyor" in vars(self):  # not made for this
            self._surveyor.forget()

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
            self._facts = self._surveyor.survey(board, nodes, _until(seconds, stopped))
            # A reading that was cut short is not kept: the next one may have the time.
            self._position = b"" if stopped() else position
        return self._facts

    def replies(self, size: int) -> tuple[Reply, ...]:
        """Return how roll-outs may answer who tries to save dead chains of the last position.

        The largest chain's first, for a move may try to save several; none on large boards.
        size  of the board
        """
        if size > self.model.reply_size:
            return ()
        return tuple(
            Reply(chain.color, move, answer, chain.stones[0])
            for chain in sorted(self._facts, key=lambda chain: -len(chain.stones))
            if len(chain.stones) >= self.model.reply_stones
            for move, answer in chain.replies
        )

    def group_facts(
        self,
        board: Board,
        ownership: Ownership,
        playouts: int | None,
        seconds: float | None,
        stopped: Callable[[], bool] = lambda: False,
    ) -> list[GroupFacts]:
        """Return what is proved of groups in doubt, at a small share of the cost of a search.

        ownership  float64[AREA], who owns each point in roll-outs: -1 White .. 1 Black
        playouts, seconds, stopped  as in ``facts``
        """
        nodes = ANALYSIS_NODES
        if playouts is not None:
            nodes = int(playouts * LIFE_NODES_A_PLAYOUT * board[SIZE] ** 2)
        return self._group_surveyor.survey(board, ownership, nodes, _until(seconds, stopped))

    def advise(
        self,
        board: Board,
        color: int,
        moves: Set[int],
        playouts: int | None,
        seconds: float | None,
        stopped: Callable[[], bool] = lambda: False,
        ownership: Ownership | None = None,
    ) -> tuple[Advice, ...]:
        """Return what the facts of a position advise a color; see ``facts`` and ``advise``.

        ownership  for groups in doubt as well; None: chains alone
        """
        facts: list[Facts] = [*self.facts(board, playouts, seconds, stopped)]
        if ownership is not None:
            facts += self.group_facts(board, ownership, playouts, seconds, stopped)
        return advise(facts, color, moves, self.model)


def _until(seconds: float | None, stopped: Callable[[], bool]) -> Callable[[], bool]:
    """Return whether a reading is over: stopped, or its share of the search's seconds is used.

    Time bounds analysis and clocks; with playouts only, nodes do, so that a seed fixes the game.
    """
    end = math.inf if seconds is None else time.monotonic() + TIME_SHARE * seconds
    return lambda: stopped() or time.monotonic() >= end
