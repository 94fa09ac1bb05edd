"""The interface between a player and its thinker: what is asked, within which limits, the answer.

A thinker is made of ``ThinkerOptions``, ``Knowledge``, the seed of its random numbers, and
``Facts``, whom it asks about positions.
"""

import os
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple, Protocol

from engine.endings.outlook import Ownership
from engine.facts.position_facts import Facts
from engine.go.history import Game
from engine.knowledge import Knowledge
from engine.search.game_search import GameSearch
from engine.search.model import SearchModel
from engine.search.neighbors import BeliefMemory
from engine.search.report import SearchReport
from engine.search.root_moves import MoveBelief
from engine.search.searcher import Searcher

APART_MIB = 32  # of a search apart: it takes some hundred roll-outs

NewSearcher = Callable[[SearchModel, Knowledge, int, int, int], Searcher]
"""Makes a searcher of model, knowledge, number of threads, bytes of memory, and a seed."""


def default_threads() -> int:
    """Return the number of threads where none is given: as many as there are cores, at most 4."""
    # cpu_count is None where the system does not tell.
    return min(4, os.cpu_count() or 1)


@dataclass(frozen=True)
class ThinkerOptions:
    """How a thinker thinks.

    playouts    new roll-outs a move; None: as many as the time allows
    threads     None: as many as there are cores, at most 4
    memory_mib  bound for the search tree
    model       constants of the search
    tactics     let proved captures and rescues have their say
    life        let proofs that groups live or die have their say, too
    sums        in late positions that are sums of fights, prefer the right one
    """

    playouts: int | None = None
    threads: int | None = None
    memory_mib: int = 512
    model: SearchModel = field(default_factory=SearchModel)
    tactics: bool = True
    life: bool = False
    sums: bool = True

    @property
    def thread_count(self) -> int:
        """How many threads let the tree grow."""
        return self.threads or default_threads()

    def search_apart(self, knowledge: Knowledge, seed: int) -> GameSearch:
        """Return a short search on one thread, whose tree is not that of the game."""
        return replace(self, threads=1, memory_mib=APART_MIB).game_search(knowledge, seed)

    def game_search(
        self, knowledge: Knowledge, seed: int, new_searcher: NewSearcher = Searcher
    ) -> GameSearch:
        """Return a search with these options; it takes its memory when it is first used."""
        memory = self.memory_mib << 20
        return GameSearch(
            lambda: new_searcher(self.model, knowledge, self.thread_count, memory, seed)
        )


class MoveRequest(NamedTuple):
    """What to think about: a move for a color, out of ``moves``, of which there is one at least.

    ownership  who owns each point by the fates of the chains; None: do not ask for sums of fights
    clean_up   dead stones are being captured: neither chains read out nor sums have a say
    pass_ends  whether a second pass in a row ends the game as it stands
    beliefs    about other positions, which inform what is believed of this one; None: of none
    """

    game: Game
    color: int
    moves: frozenset[int]
    ownership: Ownership | None = None
    clean_up: bool = False
    pass_ends: bool = True
    beliefs: BeliefMemory | None = None


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


class Candidate(NamedTuple):
    """One move that was looked at, the best first. All is the mover's, and as in ``MoveBelief``.

    prior  the ranking model's probability that it is the best
    known  what was known of the move before the search, "" if nothing
    best   probability that a search many times as long would choose it
    """

    point: int
    playouts: int
    won: float
    won_by: float
    win_rate: float
    win_rate_deviation: float
    margin: float
    prior: float
    reason: str
    line: tuple[int, ...]
    known: str = ""
    best: float = 0.0


def candidate(move: MoveBelief, found: str, known: str = "") -> Candidate:
    """Return what is said of a move that was looked at.

    found  why it would be played
    known  what was known of the move before the search
    """
    return Candidate(
        move.point,
        move.playouts,
        move.won,
        move.won_by,
        move.win_rate,
        move.win_rate_deviation,
        move.margin,
        move.prior,
        f"{known}; {found}" if known else found,
        move.line,
        known,
        move.best,
    )


class Decision(NamedTuple):
    """A move and its reasons. Whether to resign instead is up to the player.

    likely_margins  as ``SearchReport`` has it
    """

    point: int
    resign: bool
    reason: str
    win_rate: float
    playouts: int
    candidates: tuple[Candidate, ...] = ()
    likely_margins: tuple[float, float] | None = None


LEAST_PLAYOUTS = 8  # of a move, for its win rate to count


class Deliberation:
    """Thinking about one move: iterating gives reports on the way, ``decision`` the move.

    There is at least one report; the last one is what the decision rests on. Iterate once.
    """

    def __init__(self, thoughts: Generator[SearchReport, None, Decision]) -> None:
        self._decision: Decision | None = None
        # Held here, or a listener that goes early would end it.
        self._reports = self._listen(thoughts)

    def _listen(self, thoughts: Generator[SearchReport, None, Decision]) -> Iterator[SearchReport]:
        self._decision = yield from thoughts

    def __iter__(self) -> Iterator[SearchReport]:
        return self._reports

    @property
    def decision(self) -> Decision:
        """The move; what is left to think is thought first."""
        if self._decision is None:
            for _ in self:
                pass
        assert self._decision is not None
        return self._decision


class Thinker(Protocol):
    """Proposes moves; it may remember what it has found, until it is told that a game is over.

    options  as it was made with; but for the number of playouts they do not change
    """

    options: ThinkerOptions

    def think(
        self, request: MoveRequest, limits: Limits, interval: float
    ) -> Generator[SearchReport, None, Decision]:
        """Report every ``interval`` seconds and at the end, best move first; return the move.

        There is at least one report; the last one is what the move rests on.
        """
        ...

    def glance(
        self, game: Game, color: int, moves: frozenset[int], playouts: int, limits: Limits
    ) -> MoveBelief | None:
        """Return the best of some moves after a brief look apart, which leaves no trace.

        None where none was looked at well enough to judge it, as by a thinker that does not read.
        playouts  roll-outs at most; of the limits only the deadline and the stop count
        """
        ...

    def forget(self) -> None:
        """Drop what was remembered of a game."""
        ...


NewThinker = Callable[[ThinkerOptions, Knowledge, int, Facts], Thinker]
"""Makes a thinker of its options, what it has learned, a seed, and whom it asks for facts."""
