"""The player: a position and a budget in, one move with its reasons out.

The search proposes; the frame around it decides when to pass, when to resign, and which stones
are dead. What the player knows beyond the rules (weights learned from games) is handed to it as
``Knowledge``: the engine opens no files.
"""

import math
import os
import threading
import time
from collections.abc import Callable, Generator, Iterator, Set
from dataclasses import dataclass, field
from typing import NamedTuple

from engine.clock import Allotment
from engine.endings.advice import advise, explain
from engine.endings.chances import ChanceAdvice
from engine.endings.fights import SumAdvice
from engine.errors import BadSetup
from engine.fates import FinalStatus, judge_fates
from engine.go.board import BLACK, WHITE
from engine.go.geometry import PASS, fixed_handicap, max_fixed_handicap
from engine.go.history import Game
from engine.knowledge import Knowledge, no_policy
from engine.patterns.predictor import memory_of
from engine.patterns.valuing import no_patterns
from engine.reports import (
    Candidate,
    Limits,
    Patience,
    candidate,
    choose_between,
    moves_to_capture,
    report_of_fates,
    reports,
)
from engine.rollout.uniform import is_playable
from engine.search.model import SearchModel
from engine.search.root_moves import MoveBelief
from engine.search.root_priors import PriorStep
from engine.search.searcher import Root, Searcher, SearchReport
from engine.tactics.advice import ALONE, Advice, AdviceModel, Adviser
from engine.tactics.facts import ChainFacts
from engine.tactics.solver import Reader, Reading


@dataclass(frozen=True)
class PlayerOptions:
    """How a player thinks.

    playouts        new roll-outs a move; None: as many as the time allows
    seconds         time a move when no clock says otherwise and playouts is None
    patient         spend a clock's time by Baum's utility instead of in equal shares
    time_price      winning probability that one move's share of the time earns elsewhere
    threads         None: as many as there are cores, at most 4
    seed            None: random
    capture_dead    capture all dead stones before passing, as CGOS counts
    resign_percent  resign after three own moves in a row below this win rate; None: never
    memory_mib      bound for the search trees
    model           constants of the search
    tactics         let proved captures and rescues have their say
    sums            in late positions that are sums of fights, prefer the right one
    """

    playouts: int | None = None
    seconds: float = 5.0
    patient: bool = False
    time_price: float = 0.012
    threads: int | None = None
    seed: int | None = None
    capture_dead: bool = False
    resign_percent: float | None = 4.0
    memory_mib: int = 512
    model: SearchModel = field(default_factory=SearchModel)
    tactics: bool = True
    sums: bool = True


class Decision(NamedTuple):
    """A player's answer. ``resign`` stands beside the move that would have been played."""

    point: int
    resign: bool
    reason: str
    win_rate: float
    playouts: int
    candidates: tuple[Candidate, ...] = ()


@dataclass
class Player:
    """Chooses moves and judges final positions.

    Keeps the search tree, the position it belongs to, and a count of hopeless moves.
    """

    options: PlayerOptions = field(default_factory=PlayerOptions)
    knowledge: Knowledge = field(default_factory=Knowledge)

    def __post_init__(self) -> None:
        seed = self.options.seed
        self.seed: int = int.from_bytes(os.urandom(4), "big") if seed is None else seed
        self.threads = self.options.threads or min(4, os.cpu_count() or 1)
        self._searcher: Searcher | None = None
        self._searched: Game | None = None
        self._root_color = BLACK
        self._root_moves: frozenset[int] = frozenset()
        informed = self.options.model.informed and self.knowledge.patterns is not None
        self.adviser = Adviser(AdviceModel() if informed else ALONE)
        self._hopeless = {BLACK: 0, WHITE: 0}

    def new_game(self) -> None:
        """Forget what was remembered of a game."""
        self._searched = None
        self._hopeless = {BLACK: 0, WHITE: 0}

    # -- choosing a move ----------------------------------------------------------------------

    def choose(
        self,
        game: Game,
        color: int,
        allotment: Allotment | None = None,
        stop: threading.Event | None = None,
    ) -> Decision:
        """Return a move for a color; the game stays as it is.

        allotment  time this move may take, from a clock; None: as the options say
        stop       ends the search early when set; the best move so far is the answer
        """
        thoughts = self.deliberate(game, color, allotment, stop)
        while True:
            try:
                next(thoughts)
            except StopIteration as end:
                decision: Decision = end.value
                return decision

    def deliberate(
        self,
        game: Game,
        color: int,
        allotment: Allotment | None = None,
        stop: threading.Event | None = None,
        *,
        interval: float = math.inf,
        avoid: Set[int] = frozenset(),
        capture_dead: bool = False,
    ) -> Generator[SearchReport, None, Decision]:
        """Do as ``choose``, and report on the way: at least once, at last what the move rests on.

        interval      seconds between two reports
        avoid         moves that are not considered
        capture_dead  capture dead stones before passing, whatever the options say
        """
        start = time.monotonic()
        moves = self._sensible_moves(game, color) - avoid
        status = self.status(game)
        dead = set()
        if capture_dead or self.options.capture_dead:
            dead = {p for p in status.dead_stones() if game.color_at(p) != color}
        pointless = moves <= {PASS}
        if pointless or (not dead and self._may_pass(game, color, status)):
            report = report_of_fates(game, color, status)
            yield report
            reason = "no sensible move is left" if pointless else "the position is settled"
            return Decision(PASS, False, reason, report.moves[0].win_rate, 0)
        if dead:
            moves = moves_to_capture(game, moves, dead, status)
        playouts = self.options.playouts
        if allotment is None and playouts is None:
            allotment = Allotment(self.options.seconds, self.options.seconds)
        stopped = stop.is_set if stop is not None else lambda: False
        limits = Limits(playouts, math.inf, stopped)
        if allotment is not None:
            limits = self._within(allotment, start, limits)
        seconds = None if allotment is None else allotment.share
        ending = None if dead else self._ending(game, color, moves, status)
        advice = () if dead else self._advice(game, color, moves, seconds, stopped)
        searcher = self._enter(game, color, moves, advice)
        for report in self._reports(searcher, limits, interval):
            yield report
        best = choose_between(report.moves, ending)
        resign = self._gives_up(game, color, best.win_rate)
        reasons = {item.point: item.reason for item in advice}
        candidates = tuple(
            candidate(move, self._reason(move), reasons.get(move.point, ""))
            for move in report.moves
        )
        why = candidates[report.moves.index(best)].reason
        if ending is not None and best.point in ending.moves:
            why = f"{explain(ending, color, game.full_komi)}; {why}"
        return Decision(best.point, resign, why, best.win_rate, report.playouts, candidates)

    def _ending(
        self, game: Game, color: int, moves: Set[int], status: FinalStatus
    ) -> SumAdvice | ChanceAdvice | None:
        """Return what the sum of fights says, if the position is one and that is wanted."""
        if not self.options.sums:
            return None
        advice = advise(game, color, status.ownership)
        return advice if advice is not None and advice.moves & moves else None

    def _within(self, allotment: Allotment, start: float, limits: Limits) -> Limits:
        """Return the limits of a search that has begun at ``start`` and keeps to its time, too."""
        if self.options.patient and allotment.most > allotment.share > 0.0:
            patience = Patience(allotment.share, self.options.time_price)
            return limits._replace(deadline=start + allotment.most, patience=patience)
        return limits._replace(deadline=start + allotment.share)

    def analyze(
        self,
        game: Game,
        color: int,
        interval: float,
        stop: threading.Event,
        avoid: Set[int] = frozenset(),
    ) -> Iterator[SearchReport]:
        """Search without end, as if a color were to move, and report every so often.

        There is at least one report; the last one comes soon after ``stop`` is set. What was found
        serves later calls, ``choose`` among them. A position without a sensible move is reported
        once, without a search.
        interval  seconds between two reports
        avoid     moves that are not considered
        """
        moves = self._sensible_moves(game, color) - avoid
        if moves <= {PASS}:
            yield report_of_fates(game, color, self.status(game))
        else:
            advice = self._advice(game, color, moves, None, stop.is_set)
            searcher = self._enter(game, color, moves, advice)
            yield from self._reports(searcher, Limits(None, math.inf, stop.is_set), interval)

    def _reports(
        self, searcher: Searcher, limits: Limits, interval: float
    ) -> Iterator[SearchReport]:
        """Think about the searcher's root and report, best move first; see ``reports``."""
        return reports(searcher, limits, interval)

    def _reason(self, move: MoveBelief) -> str:
        """Return why a move would be played."""
        return f"won {move.win_rate:.1%} of {move.playouts} roll-outs"

    def _advice(
        self,
        game: Game,
        color: int,
        moves: Set[int],
        seconds: float | None,
        stopped: Callable[[], bool],
    ) -> tuple[Advice, ...]:
        """Return what the facts about chains advise; nothing if they are not wanted."""
        if not self.options.tactics:
            return ()
        playouts = self.options.playouts
        return self.adviser.advise(game.board, color, moves, playouts, seconds, stopped)

    def _enter(
        self, game: Game, color: int, moves: frozenset[int], advice: tuple[Advice, ...]
    ) -> Searcher:
        """Put the searcher on a position; what it knows from before is kept where it fits."""
        model, policy = self.options.model, self.knowledge.policy
        patterns = self.knowledge.patterns
        if policy is None:
            model, policy = model._replace(guided=False), no_policy()
        if patterns is None:
            model, patterns = model._replace(informed=False), no_patterns()
        if self._searcher is None:
            memory = self.options.memory_mib << 20
            self._searcher = Searcher(
                model, policy, patterns, self.threads, memory, self.seed, self.knowledge.opinions
            )
        last = game.moves[-1].point if game.moves else PASS
        passes = min(game.passes, 1)  # asked to play on after two passes, the game is not over
        steps = tuple(PriorStep(*item[:4]) for item in advice)
        komi, recent = game.full_komi, memory_of(game)
        root = Root(game.board, color, last, passes, komi, recent, moves, steps)
        since = self._moves_since(game, color)
        if since == () and not moves <= self._root_moves:
            since = None  # the tree has lost the moves that were not allowed
        self._searcher.set_root(root, since)
        self._searched, self._root_color, self._root_moves = game.copy(), color, moves
        return self._searcher

    def _moves_since(self, game: Game, color: int) -> tuple[int, ...] | None:
        """Return the moves from the position searched last to this one; None when unrelated."""
        before = self._searched
        if before is None or not game.continues(before):
            return None
        since = game.moves[len(before.moves) :]
        mover = self._root_color
        for move in since:
            if move.color != mover:
                return None
            mover = 3 - mover
        return tuple(move.point for move in since) if mover == color else None

    def _sensible_moves(self, game: Game, color: int) -> frozenset[int]:
        """Return the legal moves that do not fill an own eye; a pass goes with them."""
        legal = game.legal_points(color)
        points = [point for point in legal if is_playable(game.board, point, color)]
        return frozenset([*points, PASS]) if points else frozenset()

    def _may_pass(self, game: Game, color: int, status: FinalStatus) -> bool:
        """Return whether passing loses nothing: all is settled, or the opponent passed and lost."""
        margin = game.score(status.dead_stones(), status.seki_stones())
        margin *= 1 if color == BLACK else -1
        return status.settled or (game.passes > 0 and margin > 0)

    def _gives_up(self, game: Game, color: int, win_rate: float) -> bool:
        """Count hopeless moves; resign at the third in a row.

        Never in the first half of a game with handicap stones against the mover: it starts lost.
        """
        threshold = self.options.resign_percent
        if threshold is None or win_rate * 100 >= threshold:
            self._hopeless[color] = 0
            return False
        self._hopeless[color] += 1
        early = len(game.moves) < game.size * game.size // 2
        if color == WHITE and game.handicap > 0 and early:
            return False
        return self._hopeless[color] >= 3

    # -- judging a position -------------------------------------------------------------------

    def status(self, game: Game) -> FinalStatus:
        """Return which chains are alive, dead or in seki; the same answer for the same position."""
        return judge_fates(game)

    def chain_facts(self, game: Game, stopped: Callable[[], bool]) -> list[ChainFacts]:
        """Return what is proved of the chains with few liberties."""
        return self.adviser.facts(game.board, stopped=stopped)

    def read_chain(
        self, game: Game, stone: int, attacker_first: bool, nodes: int, seconds: float
    ) -> Reading:
        """Return what reading one chain finds out, for one side moving first.

        nodes  of one search, at most
        """
        reader = Reader("pns", nodes)
        return reader.read_chain(game.board, stone, attacker_first, seconds=seconds)

    def final_score(self, game: Game) -> float:
        """Return Black's margin under the game's rules, with the dead stones of ``status``."""
        status = self.status(game)
        return game.score(status.dead_stones(), status.seki_stones())

    def free_handicap(self, size: int, stones: int) -> list[int]:
        """Return points for a free handicap, at most ``stones`` of them.

        Raises BadSetup when the size knows no handicap or fewer than two stones are asked for.
        """
        most = max_fixed_handicap(size)
        if stones < 2 or most == 0:
            raise BadSetup("invalid number of stones")
        return fixed_handicap(size, min(stones, most))
