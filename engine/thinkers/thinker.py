"""The interface between a player and its thinker: what is asked, and how it thinks.

A thinker is made of ``ThinkerOptions``, ``Knowledge``, the seed of its random numbers, and
``Facts``, which it asks about positions. What ends its thinking is in ``limits``, its answer in
``decision``.
"""

import os
from collections.abc import Callable, Generator
from dataclasses import dataclass, field, replace
from typing import NamedTuple, Protocol

from engine.facts.position_facts import Facts
from engine.go.board import Ownership
from engine.go.history import Game
from engine.search.game_search import GameSearch
from engine.search.knowledge import Knowledge
from engine.search.model import SearchModel
from engine.search.neighbors import BeliefMemory
from engine.search.report import SearchReport
from engine.search.root_moves import MoveBelief
from engine.search.searcher import Searcher
from engine.thinkers.decision import Decision
from engine.thinkers.limits import Limits

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
