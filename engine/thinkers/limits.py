"""Limits of thinking about one move: roll-outs, a deadline, a stop, patience with a clock."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from engine.search.searcher import Searcher


class Patience(Protocol):
    """Says when a move has had enough of a clock's time: what is saved is there for later ones."""

    @property
    def pause(self) -> float:
        """Seconds between two questions, and before the first one."""

    def is_enough(self, searcher: Searcher, playouts: int, elapsed: float) -> bool:
        """Return whether this move needs no more time.

        playouts  roll-outs that this search has added
        elapsed   seconds that it took
        """


@dataclass(frozen=True)
class PricePatience:
    """When thinking on is not worth its price: Baum's condition for termination.

    Source: Baum (1993), "Tree growth": stop when U falls below the cost. Time that is saved here
    is there for later moves, so its price is what it earns there. U is what searching much longer
    would earn, so it is earned at the rate U / elapsed.

    share   seconds that this move would get if all were treated alike
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
class LeadPatience:
    """When no other move can overtake the one that would be played.

    share   seconds that this move gets
    """

    share: float

    @property
    def pause(self) -> float:
        """Seconds between two looks at the lead, and before the first one."""
        return self.share / 16.0

    def is_enough(self, searcher: Searcher, playouts: int, elapsed: float) -> bool:
        """Return whether the lead is larger than all roll-outs that are still to come."""
        to_come = playouts / elapsed * (self.share - elapsed)
        return searcher.lead() > to_come


class Limits(NamedTuple):
    """What ends thinking.

    playouts  roll-outs to add; None: no such limit
    share     seconds that this move should take, from which side tasks are budgeted; None: no plan
    deadline  in time.monotonic() seconds
    stopped   ends it early when it returns True
    patience  so does this, when it says that it is enough
    """

    playouts: int | None
    share: float | None
    deadline: float
    stopped: Callable[[], bool]
    patience: Patience | None = None
