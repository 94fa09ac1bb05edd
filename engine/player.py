"""The player: a position and a budget in, one move with its reasons out.

For now it chooses by flat Monte-Carlo over uniform roll-outs, honestly a placeholder for the
search. What stays is the frame around it: when to pass, when to resign, which stones are dead.
"""

import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from engine.errors import BadSetup
from engine.go.board import BLACK, BOARD_CELLS, WHITE, Points
from engine.go.geometry import AREA, PASS, board_points, fixed_handicap, max_fixed_handicap
from engine.go.history import Game
from engine.go.scoring import NEUTRAL, point_owners
from engine.jit import warm_up
from engine.rollout.careful import survey_fates
from engine.rollout.flat import FlatTally, flat_tally, sample_moves
from engine.rollout.uniform import is_playable

STATUS_ROLLOUTS = 400
CLEAR = 0.6  # a chain is alive or dead beyond doubt when its owner wins this share, net
BATCH_SECONDS = 0.02


@dataclass(frozen=True)
class PlayerOptions:
    """How a player thinks.

    playouts        new roll-outs a move; None: as many as the time allows
    seconds         time a move when no clock says otherwise and playouts is None
    threads         None: as many as there are cores, at most 4
    seed            None: random
    capture_dead    capture all dead stones before passing, as CGOS counts
    resign_percent  resign after three own moves in a row below this win rate; None: never
    """

    playouts: int | None = None
    seconds: float = 5.0
    threads: int | None = None
    seed: int | None = None
    capture_dead: bool = False
    resign_percent: float | None = 4.0


_Chains = list[list[int]]


class Candidate(NamedTuple):
    """One move that was looked at, the best first. Win rate and margin are the mover's."""

    point: int
    playouts: int
    win_rate: float
    margin: float
    reason: str


class Decision(NamedTuple):
    """A player's answer. ``resign`` stands beside the move that would have been played."""

    point: int
    resign: bool
    reason: str
    win_rate: float
    playouts: int
    candidates: tuple[Candidate, ...] = ()


class FinalStatus(NamedTuple):
    """The chains of a position by their fate, each a sorted list of points."""

    alive: list[list[int]]
    dead: list[list[int]]
    seki: list[list[int]]
    settled: bool
    """Whether every fate is beyond doubt and no point is left to fight for."""

    def dead_stones(self) -> set[int]:
        """Return all stones of dead chains."""
        return {point for chain in self.dead for point in chain}

    def seki_stones(self) -> set[int]:
        """Return all stones of chains alive in seki."""
        return {point for chain in self.seki for point in chain}


@dataclass
class Player:
    """Chooses moves and judges final positions. Keeps nothing of a game but its resign count."""

    options: PlayerOptions = field(default_factory=PlayerOptions)

    def __post_init__(self) -> None:
        seed = self.options.seed
        self.seed: int = int.from_bytes(os.urandom(4), "big") if seed is None else seed
        self.threads = self.options.threads or min(4, os.cpu_count() or 1)
        self._hopeless = {BLACK: 0, WHITE: 0}
        self._moves_chosen = 0

    def new_game(self) -> None:
        """Forget what was remembered of a game."""
        self._hopeless = {BLACK: 0, WHITE: 0}

    # -- choosing a move ----------------------------------------------------------------------

    def choose(
        self,
        game: Game,
        color: int,
        seconds: float | None = None,
        stop: threading.Event | None = None,
    ) -> Decision:
        """Return a move for a color; the game stays as it is.

        seconds  time this move may take, from a clock; None: as the options say
        stop     ends the search early when set; the best move so far is the answer
        """
        points = self._sensible_points(game, color)
        if not points:
            return Decision(PASS, False, "no sensible move is left", 0.5, 0)
        status = self.status(game)
        if self._may_pass(game, color, status):
            return Decision(PASS, False, "the position is settled", 0.5, 0)
        tally = self._sample(game, color, points, seconds, stop)
        candidates = _candidates(tally, color)
        best = candidates[0]
        playouts = sum(c.playouts for c in candidates)
        resign = self._gives_up(game, color, best.win_rate)
        return Decision(best.point, resign, best.reason, best.win_rate, playouts, candidates)

    def _sensible_points(self, game: Game, color: int) -> list[int]:
        """Return the legal moves that do not fill an own eye."""
        legal = game.legal_points(color)
        return [point for point in legal if is_playable(game.board, point, color)]

    def _may_pass(self, game: Game, color: int, status: FinalStatus) -> bool:
        """Return whether passing loses nothing: all is settled, or the opponent passed and lost."""
        dead = status.dead_stones()
        if self.options.capture_dead and any(game.color_at(p) == 3 - color for p in dead):
            return False
        margin = game.score(dead, status.seki_stones()) * (1 if color == BLACK else -1)
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

    def _sample(
        self,
        game: Game,
        color: int,
        points: list[int],
        seconds: float | None,
        stop: threading.Event | None,
    ) -> list[FlatTally]:
        """Run the roll-outs, one tally a thread."""
        self._moves_chosen += 1
        playouts = self.options.playouts
        if seconds is None and playouts is None:
            seconds = self.options.seconds
        deadline = None if seconds is None else time.monotonic() + seconds
        komi = game.komi + game.rules.compensation(game.handicap)
        tallies = [
            flat_tally(points, self.seed, self._moves_chosen, thread)
            for thread in range(self.threads)
        ]

        def work(thread: int) -> None:
            left = None
            if playouts is not None:
                left = playouts // self.threads + (thread < playouts % self.threads)
            batch = 16
            while left is None or left > 0:
                count = batch if left is None else min(batch, left)
                start = time.monotonic()
                sample_moves(game.board, color, float(komi), count, tallies[thread])
                now = time.monotonic()
                if left is not None:
                    left -= count
                if (stop is not None and stop.is_set()) or (
                    deadline is not None and now > deadline
                ):
                    return
                # Batches long enough to be cheap, short enough to stop in time.
                batch = max(1, int(count * BATCH_SECONDS / max(now - start, 1e-6)))

        with ThreadPoolExecutor(self.threads) as pool:
            list(pool.map(work, range(self.threads)))
        return tallies

    # -- judging a position -------------------------------------------------------------------

    def status(self, game: Game) -> FinalStatus:
        """Return which chains are alive, dead or in seki; the same answer for the same position.

        Judged by careful roll-outs whose random numbers come from the position itself.
        """
        owned = np.zeros(AREA, np.int64)
        neutral = np.zeros(AREA, np.int64)
        rng = np.array([game.position_hash | 1], np.uint64)
        work = np.zeros(BOARD_CELLS, np.uint16)
        survey_fates(game.board, STATUS_ROLLOUTS, rng, owned, neutral, work)
        fates: tuple[_Chains, _Chains, _Chains] = ([], [], [])
        clear = True
        for chain in game.chains():
            sign = 1 if game.color_at(chain[0]) == BLACK else -1
            share = sign * sum(int(owned[p]) for p in chain) / (len(chain) * STATUS_ROLLOUTS)
            clear &= abs(share) >= CLEAR
            shared = any(2 * neutral[p] > STATUS_ROLLOUTS for p in game.liberties(chain[0]))
            fates[1 if share < 0 else 2 if shared else 0].append(chain)
        settled = clear and not _has_open_points(game, fates[1], neutral)
        alive, dead, seki = fates
        return FinalStatus(alive, dead, seki, settled)

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


def _has_open_points(game: Game, dead: _Chains, neutral: Points) -> bool:
    """Return whether a point is still worth a move: under area rules dame, unless it is seki's."""
    if not game.moves:
        return True
    if game.rules.scoring == "territory":
        return False
    owner = point_owners(game.board, [p for chain in dead for p in chain])
    return any(
        owner[p] == NEUTRAL and 2 * neutral[p] <= STATUS_ROLLOUTS for p in board_points(game.size)
    )


def _candidates(tallies: list[FlatTally], color: int) -> tuple[Candidate, ...]:
    """Add up the threads' tallies and rank the moves by visits, then by win rate."""
    visits = np.sum([tally.visits for tally in tallies], axis=0)
    rates = np.sum([tally.wins for tally in tallies], axis=0) / np.maximum(visits, 1)
    margins = np.sum([tally.margins for tally in tallies], axis=0) / np.maximum(visits, 1)
    sign = 1 if color == BLACK else -1
    found = [
        Candidate(int(point), int(n), float(rate), sign * float(margin), _reason(rate, n))
        for point, n, rate, margin in zip(tallies[0].points, visits, rates, margins, strict=True)
    ]
    return tuple(sorted(found, key=lambda c: (-c.playouts, -c.win_rate, c.point)))


def _reason(rate: float, visits: int) -> str:
    return f"won {rate:.1%} of {visits} random games"


@warm_up("flat Monte-Carlo player")
def _warm_up() -> None:
    player = Player(PlayerOptions(playouts=4, threads=1, seed=1))
    game = Game(9)
    player.choose(game, BLACK)
    player.final_score(game)
