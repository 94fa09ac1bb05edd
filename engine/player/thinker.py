"""The interface between a player and its thinker: requests, limits, options and the protocol."""

import math
from collections.abc import Callable, Generator
from dataclasses import dataclass, field, replace
from typing import NamedTuple, Protocol

from engine.belief.game_search import GameSearch
from engine.belief.knowledge import Knowledge
from engine.belief.memory import BeliefMemory
from engine.belief.report import SearchReport
from engine.belief.searcher import Searcher
from engine.facts.group_prover import LONG_READING, PROVER, ReadingBudget
from engine.facts.position_facts import Facts
from engine.go.board import Ownership
from engine.go.history import Game
from engine.jit.machine import workers_for
from engine.player.decision import Decision
from engine.player.prior_steps import READING
from engine.search.model import SearchModel

# Share of a move's time for proofs of the final status before a pass; a search for points follows.
PASSING_SHARE = 0.5

NewSearcher = Callable[[SearchModel, Knowledge, int, int, int], Searcher]
"""Makes a searcher of model, knowledge, number of threads, bytes of memory, and a seed."""


@dataclass(frozen=True)
class ThinkerOptions:
    """The options of a thinker."""

    playouts: int | None = None  # new roll-outs a move; None: as many as the time allows
    threads: int | None = None  # None: all cores, as far as memory allows
    memory_mib: int = 512  # bound for the search tree
    model: SearchModel = field(default_factory=SearchModel)  # constants of the search
    tactics: bool = True  # use proved captures and rescues
    sums: bool = True  # in late positions that are sums of fights, prefer the right move of the sum

    @property
    def thread_count(self) -> int:
        """Number of threads that grow the tree."""
        # A thread's own arrays take 6 MB on 19x19; the rest is for the tree and other programs.
        return self.threads or workers_for(32 << 20)

    def search_apart(self, knowledge: Knowledge, seed: int) -> GameSearch:
        """Return a short search on one thread, with a tree apart from the game's."""
        # Of a separate search: it takes some hundred roll-outs.
        return replace(self, threads=1, memory_mib=32).game_search(knowledge, seed)

    def game_search(
        self, knowledge: Knowledge, seed: int, new_searcher: NewSearcher = Searcher
    ) -> GameSearch:
        """Return a search with these options; it takes its memory when it is first used."""
        memory = self.memory_mib << 20
        return GameSearch(
            lambda: new_searcher(self.model, knowledge, self.thread_count, memory, seed)
        )


class Limits(NamedTuple):
    """The limits of thinking about one move."""

    playouts: int | None  # roll-outs to add; None: no such limit
    # Planned seconds of this move, from which side tasks are budgeted; None: no plan
    share: float | None
    deadline: float  # in time.monotonic() seconds
    stopped: Callable[[], bool]  # ends it early when it returns True
    # Ends it early when no other move can overtake the one that would be played, so that later
    # moves get the saved time
    thrifty: bool = False
    # Of the solver for the groups of a final status that a short reading does not decide
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
        """Return whether overtaking takes more roll-outs than there will be, by those so far."""
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


class MoveRequest(NamedTuple):
    """A request for a color's move out of ``moves``, which has at least one."""

    game: Game
    color: int
    moves: frozenset[int]
    # Owner of each point by the status of the chains; None: do not ask for sums of fights
    ownership: Ownership | None = None
    # Dead stones are being captured: neither chains read out nor sums are used
    clean_up: bool = False
    # About other positions, which inform what is believed of this one; None: of none
    beliefs: BeliefMemory | None = None


class Thinker(Protocol):
    """Proposes moves; it may remember its findings until it is told that a game is over.

    options      its options; all but the number of playouts are fixed
    reads_ahead  whether it plays what a separate search finds where it would pass
    """

    options: ThinkerOptions
    reads_ahead: bool

    def think(
        self, request: MoveRequest, limits: Limits, interval: float
    ) -> Generator[SearchReport, None, Decision]:
        """Report every ``interval`` seconds and at the end, best move first; return the move.

        The move rests on the last report. Moves that a symmetry of the position swaps have one
        belief.
        """
        ...

    def forget(self) -> None:
        """Drop all memory of a game."""
        ...


NewThinker = Callable[[ThinkerOptions, Knowledge, int, Facts], Thinker]
"""Makes a thinker of its options, its knowledge, a seed, and its source of facts."""
