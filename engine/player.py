"""The player: a position and a budget in, one move with its reasons out.

A thinker proposes; the player around it decides which moves are worth thinking about, how long,
when to pass, when to resign, and which stones are dead. What was learned from games is handed to
it as ``Knowledge``: the engine opens no files.
"""

import math
import os
import threading
import time
from collections.abc import Callable, Generator, Iterator, Set
from dataclasses import dataclass, field, replace

from engine.captures.reader import CaptureReader, CaptureReading
from engine.clock import Allotment
from engine.errors import BadSetup
from engine.facts.chain_facts import ChainFacts
from engine.facts.final_status import FinalStatus, judge_fates
from engine.go.board import BLACK, KO, WHITE
from engine.go.geometry import (
    PASS,
    fixed_handicap,
    max_fixed_handicap,
    to_column_row,
    to_point,
)
from engine.go.history import Game
from engine.knowledge import Knowledge
from engine.rollout.uniform import is_playable
from engine.search.report import SearchReport
from engine.search.root_moves import MoveBelief
from engine.settled import game_for_points, moves_to_capture, report_of_fates
from engine.thinkers.explaining import changes, links
from engine.thinkers.leveled import LevelThinker
from engine.thinkers.levels import LevelOptions
from engine.thinkers.searching import SearchThinker
from engine.thinkers.thinker import (
    LEAST_PLAYOUTS,
    Decision,
    LeadPatience,
    Limits,
    MoveRequest,
    NewThinker,
    PricePatience,
    Thinker,
    ThinkerOptions,
    beside_pass,
    passes_unlooked,
    rather_than_lose,
    rather_than_pass,
)

# Of a look at what a move changes: a chain's share of lives deviates by 4 % at most.
COMPARING_PLAYOUTS = 200
COMPARING_MIB = 32
# Of a look at what could be played instead of a pass, or inside settled ground: a few candidates
# are looked at well.
ASIDE_PLAYOUTS = 64
# Of a last look for points before a pass: roll-outs, but no more than so many times a move's, and
# the share of them to be won. Before 206 passes on 9x9 the best move of either side won two points
# in more than 0.63 of them seven times (five are right, one is neutral, one is misjudged), with
# most of seven seeds each; in less than 0.43 elsewhere.
LAST_PLAYOUTS = 3000
LAST_FACTOR = 3
LAST_SHARE = 0.55


@dataclass(frozen=True)
class PlayerOptions(ThinkerOptions):
    """How a player plays; how it thinks, see ``ThinkerOptions``.

    seconds         time a move when no clock says otherwise and playouts is None
    patient         spend a clock's time by Baum's utility instead of in equal shares
    time_price      winning probability that one move's share of the time earns elsewhere
    seed            None: random
    capture_dead    capture all dead stones before passing, as CGOS counts
    resign_percent  resign after three own moves in a row below this win rate; None: never
    thinker         what thinks of the moves
    level           play at this level instead; an analysis stays the full engine's
    """

    seconds: float = 5.0
    patient: bool = False
    time_price: float = 0.012
    seed: int | None = None
    capture_dead: bool = False
    resign_percent: float | None = 4.0
    thinker: NewThinker = SearchThinker
    level: LevelOptions | None = None


@dataclass
class Player:
    """Chooses moves and judges final positions. Keeps a thinker, and counts hopeless moves.

    Raises BadSetup when the thinker lacks knowledge that it cannot do without.
    """

    options: PlayerOptions = field(default_factory=PlayerOptions)
    knowledge: Knowledge = field(default_factory=Knowledge)

    def __post_init__(self) -> None:
        seed = self.options.seed
        # Four bytes can be typed again: the log names the seed, for who wants a game once more.
        self.seed: int = int.from_bytes(os.urandom(4), "big") if seed is None else seed
        # No tree and nothing compiled yet: a session is there before its kernels are.
        self.thinker = self._new_thinker(self.options)
        self._hopeless = {BLACK: 0, WHITE: 0}
        self._tried_at: int | None = None  # after so many moves a last look found one more

    def set_options(self, options: PlayerOptions) -> None:
        """Go on with other options. What was found is kept unless another thinker has to be made.

        Raises BadSetup, and leaves all as it was, when that lacks knowledge.
        """
        # The limits come with each question; everything else is in what the thinker is made of.
        limits = {"playouts", "seconds", "resign_percent", "capture_dead", "patient", "time_price"}
        before, after = vars(self.options), vars(options)
        if any(after[name] != before[name] for name in after.keys() - limits):
            self.thinker = self._new_thinker(options)
        self.options = self.thinker.options = options

    def _new_thinker(self, options: PlayerOptions) -> Thinker:
        """Return who thinks with some options. Raises BadSetup when that lacks knowledge."""
        if options.level is not None:
            return LevelThinker(options.level, options, self.knowledge, self.seed)
        return options.thinker(options, self.knowledge, self.seed)

    def new_game(self) -> None:
        """Forget what was remembered of a game."""
        self.thinker.forget()
        self._hopeless = {BLACK: 0, WHITE: 0}
        self._tried_at = None

    # -- choosing a move ----------------------------------------------------------------------

    def choose(
        self,
        game: Game,
        color: int | None = None,
        allotment: Allotment | None = None,
        stop: threading.Event | None = None,
    ) -> Decision:
        """Return a move for a color, None: the side to move; the game stays as it is.

        allotment  time this move may take, from a clock; None: as the options say
        stop       ends the search early when set; the best move so far is the answer
        """
        thoughts = self.deliberate(game, color or game.to_play, allotment, stop)
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
        start = time.monotonic()  # judging the fates is on the clock, too
        moves = self._sensible_moves(game, color) - avoid
        status = self.status(game)
        dead = set()
        if capture_dead or self.options.capture_dead:
            dead = {p for p in status.dead_stones() if game.color_at(p) != color}
        # While dead stones are captured, moves inside settled ground are what is wanted.
        wasteful = moves & self._wasteful_moves(game, color, status) if not dead else frozenset()
        # A pass alone, or nothing: all legal points would fill own eyes, or were to be avoided.
        moves -= wasteful
        pointless = moves <= {PASS}
        limits = self._limits(game.size, allotment, start, stop)
        if pointless or (not dead and self._may_pass(game, color, status)):
            found = None if dead else self._last_look(game, color, status, limits, avoid)
            if found is not None:
                self._tried_at = len(game.moves)
            point = PASS if found is None else found.point
            report = report_of_fates(game, color, status, point)
            yield report
            reason = "no sensible move is left" if pointless else "the position is settled"
            if found is not None:
                reason = f"points are at stake: it wins them in {found.won:.0%} of the roll-outs"
            return Decision(point, False, reason, report.moves[0].win_rate, 0)
        if dead:
            moves = moves_to_capture(game, moves, dead, status)
        moves = self._without_losing_pass(game, color, moves, status)
        request = MoveRequest(
            game, color, moves, status.ownership, bool(dead), self._pass_ends(game, status)
        )
        decision = yield from self.thinker.think(request, limits, interval)
        # By area dame are points, and the roll-outs see them without help.
        if game.rules.scoring == "territory" and not dead:
            if passes_unlooked(decision) and request.moves != {PASS}:
                # Where nothing changes who wins, a search may take a pass for granted.
                request = request._replace(moves=request.moves - {PASS})
                limits = Limits(ASIDE_PLAYOUTS, None, math.inf, limits.stopped)
                aside = yield from self.thinker.think(request, limits, interval)
                decision = beside_pass(decision, aside)
            decision = rather_than_pass(decision, status.clear)
        if wasteful and isinstance(self.thinker, SearchThinker):
            # Roll-outs do not see what these moves cost, but may see that one of them is needed.
            in_time = limits._replace(deadline=math.inf)
            needed = self._short_search(game, color, wasteful, in_time, ASIDE_PLAYOUTS)
            decision = rather_than_lose(decision, needed)
        # Shares of roll-outs, on which the threshold was set; what is shown is surer of losses.
        won = {move.point: move.won for move in decision.candidates}
        return decision._replace(resign=self._gives_up(game, color, won[decision.point]))

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
        """Search without end, or up to a limit, as if a color were to move; report every so often.

        There is at least one report; the last one comes soon after ``stop`` is set. What was found
        serves later calls, ``choose`` among them. A position without a sensible move is reported
        once, without a search.
        interval  seconds between two reports
        avoid     moves that are not considered
        playouts  roll-outs to add; None: no limit
        seconds   to think, from now on
        """
        deadline = time.monotonic() + seconds
        moves = self._sensible_moves(game, color) - avoid
        pass_ends = True
        if game.rules.scoring == "territory":  # fates take hundreds of roll-outs: asked for last
            status = self.status(game)
            moves -= self._wasteful_moves(game, color, status)
            pass_ends = self._pass_ends(game, status)
        if moves <= {PASS}:
            yield report_of_fates(game, color, self.status(game))
        else:
            limits = Limits(playouts, None, deadline, stop.is_set)
            # Without ownership no sum of fights is asked: an analysis shows what the search thinks.
            request = MoveRequest(game, color, moves, pass_ends=pass_ends)
            yield from self.thinker.think(request, limits, interval)

    def _limits(
        self, size: int, allotment: Allotment | None, start: float, stop: threading.Event | None
    ) -> Limits:
        """Return what ends the thinking about a move that was asked for at ``start``."""
        options = self.options
        playouts = options.playouts
        if options.level is not None:
            most = options.level.playouts_on(size)
            playouts = min(most, playouts or most)  # a bound may only weaken it
        stopped = stop.is_set if stop is not None else lambda: False
        if allotment is None and playouts is None:
            allotment = Allotment(options.seconds, options.seconds)
        if allotment is None:
            return Limits(playouts, None, math.inf, stopped)
        share, end = allotment.share, start + allotment.longest(options.patient)
        if not allotment.most > share > 0.0:
            return Limits(playouts, share, end, stopped)
        if options.patient:
            return Limits(playouts, share, end, stopped, PricePatience(share, options.time_price))
        # Equal shares: what one move does not need is planned anew for the others.
        return Limits(playouts, share, end, stopped, LeadPatience(share))

    def _sensible_moves(self, game: Game, color: int) -> frozenset[int]:
        """Return the legal moves that do not fill an own eye; a pass goes with them."""
        legal = game.legal_points(color)
        points = [point for point in legal if is_playable(game.board, point, color)]
        return frozenset([*points, PASS]) if points else frozenset()

    def _without_losing_pass(
        self, game: Game, color: int, moves: frozenset[int], status: FinalStatus
    ) -> frozenset[int]:
        """Return moves without a pass that would end the game and not win it.

        A search that tries such a pass takes its certain result for the value of the whole
        position, and looks at nothing else.
        """
        loses = game.passes > 0 and _margin(game, color, status) <= 0
        return (moves - {PASS} or moves) if loses and self._pass_ends(game, status) else moves

    def _wasteful_moves(self, game: Game, color: int, status: FinalStatus) -> set[int]:
        """Return the moves that cost a point for nothing: inside settled ground, for territory.

        Roll-outs count area and do not see that. Own settled ground is always left alone; the
        opponent's when all fates are clear, unless a ko may ask for a threat.
        """
        if game.rules.scoring == "area":
            return set()
        wasteful = status.secure_ground(game, color)
        if status.clear and game.board[KO] == 0:
            wasteful |= status.secure_ground(game, 3 - color)
        return wasteful

    def _may_pass(self, game: Game, color: int, status: FinalStatus) -> bool:
        """Return whether passing loses nothing: all is settled, or the opponent passed and lost.

        What is counted as won by a fate in doubt may be counted otherwise by the opponent; who
        counts a point of territory where a ko is open has to fill it first; and what can be taken
        at once is taken, where it is not sure to be lost again.
        """
        if not status.settled:
            if not (game.passes > 0 and status.clear and _margin(game, color, status) > 0):
                return False
        if game.rules.scoring == "territory" and status.open_kos(game, color):
            return False
        return not status.open_captures(game, color)

    def _last_look(
        self, game: Game, color: int, status: FinalStatus, limits: Limits, avoid: Set[int]
    ) -> MoveBelief | None:
        """Return a move that gains points where all seems settled, or keeps the opponent from it,
        if a search is sure of one.

        Roll-outs that are sure who owns what may all miss what takes several right moves.
        """
        if not isinstance(self.thinker, SearchThinker):
            return None
        if game.passes > 0 and self._tried_at == len(game.moves) - 2:
            return None  # tried, and answered by a pass
        # By territory a try costs a point, where it is not answered.
        if game.rules.scoring == "area" or not 0 < _margin(game, color, status) < 2:
            won = game_for_points(game, color, status)
            gain = self._best_for_points(won, color, limits, avoid)
            if gain is not None and gain.won >= LAST_SHARE:
                return gain
        lost = game_for_points(game, 3 - color, status)
        passed = lost.copy()
        passed.play(color, PASS)
        threat = self._best_for_points(passed, 3 - color, limits)
        if threat is None or threat.won < LAST_SHARE:
            return None
        defense = self._best_for_points(lost, color, limits, avoid)
        return defense if defense is not None and defense.won >= 0.5 else None

    def _best_for_points(
        self, game: Game, color: int, limits: Limits, avoid: Set[int] = frozenset()
    ) -> MoveBelief | None:
        """Return the best move that is no pass; None where there is none."""
        moves = self._sensible_moves(game, color) - avoid - {PASS}
        playouts = min(LAST_PLAYOUTS, LAST_FACTOR * (limits.playouts or LAST_PLAYOUTS))
        return self._short_search(game, color, moves, limits, playouts)

    def _short_search(
        self, game: Game, color: int, moves: frozenset[int], limits: Limits, playouts: int
    ) -> MoveBelief | None:
        """Return the most visited of some moves; None where none was looked at."""
        if not moves:
            return None
        options = replace(self.options, threads=1, memory_mib=COMPARING_MIB)
        search = options.game_search(self.knowledge, self.seed)
        searcher = search.enter(game, color, moves)
        searcher.run(playouts, limits.deadline, limits.stopped)
        best = max(searcher.report().moves, key=lambda move: move.playouts)
        return best if best.playouts >= LEAST_PLAYOUTS else None

    def _pass_ends(self, game: Game, status: FinalStatus) -> bool:
        """Return whether a second pass ends the game for the search, all stones alive.

        Not under territory rules while a fate is in doubt: then who is right is found out by
        playing on, and the stones that the search takes for alive may be counted as dead.
        """
        return game.rules.scoring == "area" or status.clear

    def _gives_up(self, game: Game, color: int, won: float) -> bool:
        """Count hopeless moves; resign at the third in a row.

        Never in the first half of a game with handicap stones against the mover: it starts lost.
        """
        threshold = self.options.resign_percent
        if threshold is None or won * 100 >= threshold:
            self._hopeless[color] = 0
            return False
        self._hopeless[color] += 1
        early = len(game.moves) < game.size * game.size // 2
        if color == WHITE and game.handicap > 0 and early:
            return False
        return self._hopeless[color] >= 3

    def compare(self, game: Game, color: int, point: int, rival: int) -> list[str]:
        """Return what one move of a color brings that another one does not, in terms of Go.

        A short search after each of them says who owns what then; the game stays as it is.
        """
        # Trees of its own: those of the game go on to be of use.
        options = replace(self.options, threads=1, memory_mib=COMPARING_MIB)
        search = options.game_search(self.knowledge, self.seed)
        outlooks = []
        for move in (point, rival):
            after = game.copy()
            after.play(color, move)
            moves = self._sensible_moves(after, 3 - color) or frozenset({PASS})
            searcher = search.enter(after, 3 - color, moves)
            searcher.run(COMPARING_PLAYOUTS, None)
            outlooks.append(searcher.report().ownership)
        said = links(game, color)
        linked = [said[point]] if point in said and said[point] != said.get(rival) else []
        return linked + changes(game, color, *outlooks)

    # -- judging a position -------------------------------------------------------------------

    def status(self, game: Game) -> FinalStatus:
        """Return which chains are alive, dead or in seki; the same answer for the same position."""
        return judge_fates(game)

    def chain_facts(self, game: Game, stopped: Callable[[], bool]) -> list[ChainFacts]:
        """Return what is proved of the chains with few liberties."""
        return self.thinker.chain_facts(game, stopped)

    def read_chain(
        self, game: Game, stone: int, attacker_first: bool, nodes: int, seconds: float
    ) -> CaptureReading:
        """Return what reading one chain finds out, for one side moving first.

        nodes  of one search, at most
        """
        reader = CaptureReader("pns", nodes)
        return reader.read_chain(game.board, stone, attacker_first, seconds=seconds)

    def final_score(self, game: Game) -> float:
        """Return Black's margin under the game's rules, with the dead stones of ``status``."""
        status = self.status(game)
        return game.score(status.dead_stones(), status.seki_stones())

    def free_handicap(self, size: int, stones: int) -> list[int]:
        """Return points for a free handicap, fewer than ``stones`` only where there is no room.

        First the customary points, then each as far from the others as can be, no nearer to the
        edge than the third line. OGS expects all stones of a large handicap.
        Raises BadSetup when the size knows no handicap or fewer than two stones are asked for.
        """
        most = max_fixed_handicap(size)
        if stones < 2 or most == 0:
            raise BadSetup("invalid number of stones")
        points = fixed_handicap(size, min(stones, most))
        inner = range(3, size - 1)
        places = [(column, row) for column in inner for row in inner]
        while len(points) < min(stones, len(places)):
            placed = [to_column_row(point) for point in points]
            farthest = max(places, key=lambda place: min(math.dist(place, p) for p in placed))
            points.append(to_point(*farthest))
        return points


def _margin(game: Game, color: int, status: FinalStatus) -> float:
    """Return a color's margin [points] with the dead stones of a status."""
    margin = game.score(status.dead_stones(), status.seki_stones())
    return margin if color == BLACK else -margin
