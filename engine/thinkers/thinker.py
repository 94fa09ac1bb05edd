"""The interface between a player and its thinker: what is asked, within which limits, the answer.

A thinker is made of ``ThinkerOptions``, ``Knowledge`` and the seed of its random numbers.
"""

import os
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from engine.endings.outlook import Ownership
from engine.facts.chain_facts import ChainFacts
from engine.go.geometry import PASS, format_vertex
from engine.go.history import Game
from engine.knowledge import Knowledge
from engine.search.game_search import GameSearch
from engine.search.model import SearchModel
from engine.search.report import SearchReport
from engine.search.root_moves import MoveBelief
from engine.search.searcher import Searcher

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
    """

    game: Game
    color: int
    moves: frozenset[int]
    ownership: Ownership | None = None
    clean_up: bool = False
    pass_ends: bool = True


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


# By how much a move may look worse than a pass and be played instead of it, in win rate and points:
# where all fates are clear, no more than roll-outs differ by chance; where one is in doubt, less
# than a chain in seki is worth.
CLEAR_DOUBT, CLEAR_SLACK = 0.1, 1.0
UNCLEAR_DOUBT, UNCLEAR_SLACK = 0.3, 5.0
LOST = 0.1  # win rate of a pass below which points do not count either where a fate is in doubt
LEAST_PLAYOUTS = 8  # of a move, for its win rate to count
# Of some move beside a pass, for the pass to be preferred to it: with eight, two or three of them
# won, a pass once gave points away.
LOOKED_AT = 32


def passes_unlooked(decision: Decision) -> bool:
    """Return whether a search chose a pass and looked at no other move well enough to judge it."""
    others = [move for move in decision.candidates if move.point != PASS]
    searched = len(others) < len(decision.candidates)
    unlooked = all(move.playouts < LOOKED_AT for move in others)
    return decision.point == PASS and searched and unlooked


def beside_pass(decision: Decision, aside: Decision) -> Decision:
    """Return a decision to pass with the candidates of a look at all other moves beside it."""
    passing = tuple(move for move in decision.candidates if move.point == PASS)
    others = tuple(move for move in aside.candidates if move.point != PASS)
    return decision._replace(candidates=passing + others)


def rather_than_pass(decision: Decision, clear: bool) -> Decision:
    """Return what to play instead of a pass while points are open: dame, where nothing else is.

    In a game that is won or lost a pass looks as good as anything, and ends it with points on the
    board; where a fate is in doubt, as it is counted then, which the opponent may do otherwise.
    But no move is forced on a player that loses much by it, as in a seki, unless all is lost.
    clear  whether all fates are beyond doubt
    """
    if decision.point != PASS:
        return decision
    doubt, slack = (CLEAR_DOUBT, CLEAR_SLACK) if clear else (UNCLEAR_DOUBT, UNCLEAR_SLACK)
    passing = next(move for move in decision.candidates if move.point == PASS)
    # Once a threat for a ko that would have turned the game cost eight points in roll-outs.
    lost = not clear and passing.won < LOST
    # Margins as well: a win rate near 0 or 1 says nothing about points.
    for move in decision.candidates:
        as_good = move.won >= passing.won - doubt and move.won_by >= passing.won_by - slack
        if move.point != PASS and move.playouts >= LEAST_PLAYOUTS and (as_good or lost):
            return decision._replace(point=move.point, reason=move.reason, win_rate=move.win_rate)
    return decision


def rather_than_lose(decision: Decision, needed: MoveBelief | None) -> Decision:
    """Return a decision, or instead a move that costs a point where much more is lost without it.

    needed  the best of the moves that were not thought about because they cost a point
    """
    if needed is None:
        return decision
    best = next(move for move in decision.candidates if move.point == decision.point)
    if needed.won < best.won + UNCLEAR_DOUBT:
        return decision
    why = f"won in {needed.won:.0%} of the roll-outs, {format_vertex(best.point)} in {best.won:.0%}"
    return decision._replace(
        point=needed.point,
        reason=why,
        win_rate=needed.win_rate,
        candidates=(candidate(needed, why), *decision.candidates),
    )


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

    def chain_facts(self, game: Game, stopped: Callable[[], bool]) -> list[ChainFacts]:
        """Return what is proved of the chains with few liberties."""
        ...

    def forget(self) -> None:
        """Drop what was remembered of a game."""
        ...


NewThinker = Callable[[ThinkerOptions, Knowledge, int], Thinker]
"""Makes a thinker of its options, what it has learned, and a seed."""
