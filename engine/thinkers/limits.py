"""Limits of thinking about one move: roll-outs, a deadline, a stop, patience with a clock."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from engine.facts.group_prover import LONGER_NODES
from engine.search.searcher import Searcher
from engine.thinkers.prior_steps import NODES_A_SECOND

# Share of a move's time for proofs of the final status before a pass; a search for points follows.
PASSING_SHARE = 0.5


class Patience(Protocol):
    """Says when a move has had enough of a clock's time; later moves get the saved time."""

    @property
    def pause(self) -> float:
        """Seconds between two questions, and before the first one."""

    def is_enough(self, searcher: Searcher, playouts: int, elapsed: float) -> bool:
        """Return whether this move needs no more time.

        playouts  roll-outs that this search has added
        elapsed   seconds of this search so far
        """


@dataclass(frozen=True)
class PricePatience:
    """Ends thinking when it is no longer worth its price: Baum's condition for termination.

    Source: Baum (1993), "Tree growth": stop when U falls below the cost. Later moves get the time
    saved here, so the price of time is its earnings there.

    # Deviates: U is the gain of searching much longer, so its rate is compared with the price of a
    second: U / elapsed, not U.

    share   seconds of this move if all of its phase were treated alike
    price   of one share [winning probability]
    """

    share: float
    price: float

    @property
    def pause(self) -> float:
        """Seconds between two looks at U, and before the first one."""
        return self.share / 4.0

    def is_enough(self, searcher: Searcher, playouts: int, elapsed: float) -> bool:
        """Return whether U [winning probability] does not pay for more time."""
        return searcher.utility() * self.share < self.price * elapsed


@dataclass(frozen=True)
class OvertakingPatience:
    """Ends thinking when no other move can overtake the one that would be played.

    share   seconds of this move
    """

    share: float

    @property
    def pause(self) -> float:
        """Seconds between two looks at the visits, and before the first one."""
        return self.share / 16.0

    def is_enough(self, searcher: Searcher, playouts: int, elapsed: float) -> bool:
        """Return whether overtaking takes more roll-outs than there will be."""
        to_come = playouts / elapsed * (self.share - elapsed)
        return searcher.rollouts_to_overtake() > to_come


class Limits(NamedTuple):
    """The limits of thinking about one move.

    playouts  roll-outs to add; None: no such limit
    share     planned seconds of this move, from which side tasks are budgeted; None: no plan
    deadline  in time.monotonic() seconds
    stopped   ends it early when it returns True
    patience  ends it early when it says that the time is enough
    proof_nodes  of the solver for the groups of a final status that a short reading does not decide
    """

    playouts: int | None
    share: float | None
    deadline: float
    stopped: Callable[[], bool]
    patience: Patience | None = None
    proof_nodes: int = LONGER_NODES

    @property
    def is_instant(self) -> bool:
        """Whether there is no time for a search at all."""
        return self.share is not None and self.share <= 0.0

    @property
    def passing_nodes(self) -> int:
        """Solver nodes for the groups of a final status when the move may be a pass."""
        if self.share is None:
            return LONGER_NODES
        return min(LONGER_NODES, int(PASSING_SHARE * self.share * NODES_A_SECOND))
