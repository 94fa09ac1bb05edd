"""What facts about chains and groups mean for the player's next move: urged, or in vain.

A capture or a rescue that is proved urges its move; extending a chain that is captured all the
same is in vain, and so is attacking one that is captured anyway. It is the same with groups that
live or die. These are no commands: the move may serve another purpose, or the stones may not
matter. So they become prior beliefs about the search's steps, wide ones where they urge.
"""

import math
import time
from collections.abc import Callable, Iterable, Sequence, Set
from typing import NamedTuple

from engine.facts.chain_facts import ChainFacts
from engine.facts.group_facts import GroupFacts
from engine.facts.position_facts import ANALYSIS_NODES, ReadingBudget
from engine.rollout.guided import KnownReply
from engine.thinkers.wording import named

# What reading chains may cost, compared with the search it serves: about a tenth of its time.
TIME_SHARE = 0.1  # of the search's seconds
CHAIN_NODES = 0.5 / 81  # solver nodes for every roll-out and point of the board
GROUP_NODES = 0.3 / 81  # the same for groups, where a node takes less time


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


Fact = ChainFacts | GroupFacts


def advise(
    facts: Sequence[Fact], color: int, moves: Set[int], model: AdviceModel
) -> tuple[Advice, ...]:
    """Return what the facts advise a color to play, or not to play, among some moves.

    A move is urged by all that it takes or saves together; what is urged is not in vain.
    """
    urged: dict[int, list[Fact]] = {}
    vain: dict[int, Fact] = {}
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


def _in_vain(fact: Fact, color: int) -> tuple[int, ...]:
    """Return the moves of a color that do not change what becomes of stones."""
    if fact.status != "dead":
        return ()
    if isinstance(fact, GroupFacts):
        return fact.space
    # Stones in atari can be taken off at once, which may make an eye: no move in vain.
    return fact.liberties if fact.color == color or len(fact.liberties) > 1 else ()


def _urge(point: int, facts: list[Fact], color: int, model: AdviceModel) -> Advice:
    # Together, each stone once: a move that captures two chains is worth both.
    chains = {stone for fact in facts if isinstance(fact, ChainFacts) for stone in fact.stones}
    groups = {stone for fact in facts if isinstance(fact, GroupFacts) for stone in fact.stones}
    urges = [model.urge + model.urge_a_stone * len(chains)] if chains else []
    urges += [model.group_urge + model.group_urge_a_stone * len(groups)] if groups else []
    # A ceiling: the largest chain must not drown what the roll-outs find.
    mean = min(max(urges), model.most_urge)
    reasons = [f"{_does(fact, color)} {_name(fact)}" for fact in facts]
    return Advice(point, True, mean, model.urge_variance, " and ".join(reasons))


def _does(fact: Fact, color: int) -> str:
    if fact.color == color:
        return "saves"
    return "kills" if isinstance(fact, GroupFacts) else "captures"


def _why_in_vain(fact: Fact, color: int) -> str:
    if fact.color == color:
        return f"cannot save {_name(fact)}"
    return f"needless: {_name(fact)} cannot be saved"


def _name(fact: Fact) -> str:
    name = named(fact.stones)
    if isinstance(fact, ChainFacts):
        return name
    return f"the group of {name}{' in a race' if fact.rival else ''}"


def replies_to_rescues(
    chains: Iterable[ChainFacts], size: int, model: AdviceModel
) -> tuple[KnownReply, ...]:
    """Return how roll-outs may answer a rescue of dead chains, as is proved.

    The largest chain's first, for a move may try to save several; none on large boards.
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


def reading_budget(
    rate: float,
    size: int,
    playouts: int | None = None,
    seconds: float | None = None,
    stopped: Callable[[], bool] = lambda: False,
    least: int = 0,
) -> ReadingBudget:
    """Return what reading may take: a small share of the cost of a search.

    rate      CHAIN_NODES or GROUP_NODES
    size      of the board
    playouts  of the search; they bound the reading by its nodes, so that the same search has the
              same facts on every machine
    seconds   of the search
    stopped   ends the reading early when it returns True
    least     solver nodes that the reading may take however short the search is
    """
    nodes = ANALYSIS_NODES
    if playouts is not None:
        nodes = max(least, int(playouts * rate * size**2))
    # Time bounds analysis and clocks; with playouts only, nodes do, so that a seed fixes the game.
    deadline = math.inf if seconds is None else time.monotonic() + TIME_SHARE * seconds
    return ReadingBudget(nodes, deadline, stopped)
