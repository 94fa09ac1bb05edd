"""The player: chooses a move, with its reasons, for a position and a budget.

A thinker proposes moves. The player around it gets the facts and decides which moves are worth
thinking about, for how long, when to pass and when to resign.
"""

import math
import os
import threading
import time
from collections.abc import Generator, Hashable, Iterator, Set
from dataclasses import dataclass, field

from engine.belief.knowledge import Knowledge
from engine.belief.memory import BeliefMemory
from engine.belief.report import SearchReport
from engine.explain.kinds import Effect, Kind
from engine.facts.final_status import FinalStatus, is_divided
from engine.facts.position_facts import Facts
from engine.go.geometry import PASS
from engine.go.history import Game
from engine.picture.picture import picture_of
from engine.player.candidates import analysis_request, endgame_of, report_of_fates
from engine.player.clock import Allotment
from engine.player.comparing import overlooked, reasons_for
from engine.player.decision import Decision, Deliberation
from engine.player.instant import InstantMoves
from engine.player.options import PlayerOptions
from engine.player.passing import Passing
from engine.player.prior_steps import proving_nodes
from engine.player.resigning import Resigning
from engine.player.thinker import Limits


@dataclass
class Player:
    """A player that chooses moves and judges final positions.

    Raises BadSetup when the thinker lacks knowledge that it cannot do without.
    """

    options: PlayerOptions = field(default_factory=PlayerOptions)
    knowledge: Knowledge = field(default_factory=Knowledge)
    # About positions of games, by position; players may share them
    beliefs: BeliefMemory = field(default_factory=BeliefMemory)

    def __post_init__(self) -> None:
        seed = self.options.seed
        # The log names the seed to replay a game. Four bytes are short enough to type.
        self.seed: int = int.from_bytes(os.urandom(4), "big") if seed is None else seed
        # Nothing is allocated or compiled yet: a session starts before its kernels are ready.
        self.facts = Facts(self.knowledge.solver, self.knowledge.life)
        self.thinker = self.options.new_thinker(self.knowledge, self.seed, self.facts)
        patterns = self.knowledge.patterns
        self._instant = patterns and InstantMoves(patterns, self.knowledge, self.facts)
        self._resigning, self._passing = Resigning(), Passing()
        self._apart: Hashable = None  # the search without some moves that the tree belongs to

    def set_options(self, options: PlayerOptions) -> None:
        """Continue with other options. Results are kept unless a new thinker must be made.

        Raises BadSetup, and changes nothing, when that one lacks knowledge.
        """
        if not options.thinks_like(self.options):
            self.thinker = options.new_thinker(self.knowledge, self.seed, self.facts)
            self.facts.forget()
        self.options = self.thinker.options = options

    def new_game(self, seed: int | None = None) -> None:
        """Forget everything about the last game.

        seed  of all random numbers from now on, which begin anew; None: they go on as they are
        """
        if seed is not None:
            self.seed = seed
            self.thinker = self.options.new_thinker(self.knowledge, self.seed, self.facts)
        self.thinker.forget()
        self.facts.forget()
        # The memory is replaced and not emptied, because other players may share it.
        self.beliefs = BeliefMemory()
        self._resigning, self._passing = Resigning(), Passing()

    # -- choosing a move ----------------------------------------------------------------------

    def choose(
        self, game: Game, color: int | None = None, allotment: Allotment | None = None
    ) -> Decision:
        """Return a move for a color, None: the side to move; the game is not changed.

        allotment  time this move may take, from a clock; None: as in the options
        """
        return self.deliberate(game, color or game.to_play, allotment).decision

    def deliberate(
        self,
        game: Game,
        color: int,
        allotment: Allotment | None = None,
        stop: threading.Event | None = None,
        *,
        interval: float = math.inf,
        avoid: Set[int] = frozenset(),
    ) -> Deliberation:
        """Choose a move as ``choose`` does, and report progress; the last report is the basis.

        Thinking starts when the first report or the decision is requested. After two passes the
        only report is the count of the game.
        stop      ends the search early when set; the best move so far is the answer
        interval  seconds between two reports
        avoid     moves that are excluded
        """

        def thoughts() -> Generator[SearchReport, None, Decision]:
            start = time.monotonic()  # judging the chains takes time from the clock, too
            self._set_apart(game, color, avoid)
            limits = self.options.limits(game.size, allotment, start, stop)
            if limits.is_instant and self._instant is not None and self.options.level is None:
                cause = allotment.cause if allotment is not None else Kind.NO_TIME
                return (yield from self._instant.think(game, color, avoid, cause))
            status = self._status_before(game, limits)
            end = endgame_of(game, color, status, avoid)
            if end.is_over and game.passes == 0:  # the first pass needs all proofs
                status = self.facts.status(game, limits.passing_proofs)
                end = endgame_of(game, color, status, avoid)
            end = end._replace(beliefs=self._beliefs_for(avoid))
            search = self.options.search_apart(self.knowledge, self.seed)
            choice = Deliberation(
                self._passing.deliberate(self.thinker, search, end, limits, interval)
            )
            if game.is_over:
                # The game may go on, but the reports show its count, as those of an analysis do.
                yield report_of_fates(game, color, self.status(game), choice.decision.point)
            yield from choice
            options, decision = self.options, choice.decision
            return self._resigning.considered(decision, end, options.resign_percent, options.level)

        return Deliberation(thoughts())

    @property
    def moves_at_once(self) -> bool:
        """Whether the ranking model may move alone, while the rest is being compiled.

        A seed and a number of playouts, or a level, determine a game, so these wait.
        """
        options = self.options
        bound = options.playouts is not None or options.level is not None
        return self._instant is not None and not bound

    def expect(self, game: Game, color: int, avoid: Set[int] = frozenset()) -> SearchReport | None:
        """Return ``InstantMoves.expect``; None without a ranking model, or if the game is over."""
        if self._instant is None or game.is_over:
            return None
        return self._instant.expect(game, color, avoid)

    def analyze(
        self,
        game: Game,
        color: int,
        interval: float,
        stop: threading.Event,
        avoid: Set[int] = frozenset(),
        *,
        playouts: int | None = None,
        seconds: float = math.inf,
    ) -> Iterator[SearchReport]:
        """Search without end, or up to a limit, as if a color were to move; report regularly.

        The last of the reports comes soon after ``stop`` is set. The result helps later calls,
        including ``choose``. A position without a sensible move is reported once, without a search;
        so is a game after two passes, as ``final_score`` counts it.
        seconds  thinking time, from now on
        """
        deadline = time.monotonic() + seconds
        self._set_apart(game, color, avoid)
        nodes = proving_nodes(game.size, playouts, None)
        limits = Limits(playouts, None, deadline, stop.is_set, proof_nodes=nodes)

        def status_of(game: Game) -> FinalStatus:
            return self.facts.brief_status(game, limits.proofs)

        request = None if game.is_over else analysis_request(game, color, avoid, status_of)
        if request is None:
            yield report_of_fates(game, color, self.status(game))
        else:
            request = request._replace(beliefs=self._beliefs_for(avoid))
            yield from self.thinker.think(request, limits, interval)

    def _set_apart(self, game: Game, color: int, avoid: Set[int]) -> None:
        """Start a search without some moves from nothing: a kept tree tried these moves, too."""
        search = (game.beginning, tuple(game.moves), color, frozenset(avoid)) if avoid else None
        if search is not None and search != self._apart:
            self.thinker.forget()
        self._apart = search

    def _status_before(self, game: Game, limits: Limits) -> FinalStatus:
        """Return the status that a move starts from; it needs proofs only near the end."""
        if game.passes > 0:
            return self.facts.status(game, limits.passing_proofs)
        # Before stones divide the board, moves do not depend on it; it would take 12 ms on 19x19.
        plain = self.options.level is None and game.rules.scoring == "area"
        if plain and not (game.rules.capture_dead or is_divided(picture_of(game.board))):
            return self.facts.open_status(game)
        return self.facts.brief_status(game, limits.proofs)

    def _beliefs_for(self, avoid: Set[int]) -> BeliefMemory | None:
        """Return the memory that informs a search; one that avoids moves has to stand alone."""
        return None if avoid or self.options.independent else self.beliefs

    def reasons(self, game: Game, color: int, decision: Decision) -> list[Effect]:
        """Return what speaks for the move chosen for a color in a game, the largest first."""
        reasons = reasons_for(self.facts, game, color, decision)
        if self.options.level is not None and decision.point != PASS:
            reasons += overlooked(self.facts, game, color, decision.point)
        return reasons

    # -- judging a position -------------------------------------------------------------------

    def status(self, game: Game) -> FinalStatus:
        """Return which chains are alive, dead or in seki; the same answer for the same position.

        Rules that count all stones know no dead ones once both players have passed.
        """
        status = self.facts.status(game)
        stands = game.is_over and game.rules.counts_all_stones
        return status.as_it_stands() if stands else status

    def final_score(self, game: Game) -> float:
        """Return Black's margin under the game's rules, with the dead stones of ``status``."""
        return game.score(*self.status(game).counted)
