"""Limits of thinking about one move: roll-outs, a deadline, a stop, patience with a clock."""

import math
from collections.abc import Callable
from typing import NamedTuple

from engine.belief.searcher import Searcher
from engine.facts.group_prover import LONG_READING, PROVER, ReadingBudget
from engine.player.prior_steps import READING

# Share of a move's time for proofs of the final status before a pass; a search for points follows.
PASSING_SHARE = 0.5


class Limits(NamedTuple):
    """The limits of thinking about one move.

    playouts  roll-outs to add; None: no such limit
    share     planned seconds of this move, from which side tasks are budgeted; None: no plan
    deadline  in time.monotonic() seconds
    stopped   ends it early when it returns True
    thrifty   ends it early when no other move can overtake the one that would be played, so that
              later moves get the saved time
    proof_nodes  of the solver for the groups of a final status that a short reading does not decide
    """

    playouts: int | None
    share: float | None
    deadline: float
    stopped: Callable[[], bool]
    thrifty: bool = False
    proof_nodes: int = PROVER.longer_nodes

    @property
    def is_instant(self) -> bool:
        """Whether there is no time for a search at all."""
        return self.share is not None and self.share <= 0.0

    @property
    def pause(self) -> float:
        """Seconds between two looks at the visits, and before the first one."""
        return self.share / 16.0 if self.thrifty and self.share is not None else math.inf

    def is_enough(self, searcher: Searcher, playouts: int, elapsed: float) -> bool:
        """Return whether overtaking takes more roll-outs than there will be.

        playouts, elapsed  of this search so far [roll-outs, seconds]
        """
        assert self.share is not None
        return searcher.rollouts_to_overtake() > playouts / elapsed * (self.share - elapsed)

    @property
    def proofs(self) -> ReadingBudget:
        """The readings of groups for a final status; none begins after the deadline."""
        return ReadingBudget(self.proof_nodes, self.deadline)

    @property
    def passing_proofs(self) -> ReadingBudget:
        """The same where the move may be a pass: the searches that follow need time, too."""
        if self.share is None:
            return LONG_READING
        nodes = min(PROVER.longer_nodes, int(PASSING_SHARE * self.share * READING.nodes_a_second))
        return ReadingBudget(nodes, self.deadline - (1.0 - PASSING_SHARE) * self.share)
