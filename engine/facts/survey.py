"""The owners of a position's points by careful roll-outs, corrected by proofs about groups.

Roll-outs mistake some eye spaces that a large sacrifice kills for a seki, or for neutral points.
The solver of life and death is asked about all uncertain chains, every seki, and groups with few
liberties. Its proofs take precedence (``group_prover``).
"""

from collections.abc import Set
from typing import NamedTuple

import numpy as np

from engine.captures.reader import CaptureReader
from engine.facts.chain_facts import limit_for
from engine.facts.group_prover import ProvedFates, ReadingBudget, prove_fates
from engine.go.board import BLACK, BOARD_CELLS, EMPTY, KO, WHITE, Board, Ownership, Points, place
from engine.go.components import distances
from engine.go.geometry import AREA, neighbors
from engine.go.history import Game
from engine.life.priors import LifeWeights
from engine.picture.picture import Chain, Picture, Stones, picture_of
from engine.rollout.careful import survey_fates


class SurveyLimits(NamedTuple):
    """The roll-outs of a survey."""

    # This many roll-outs give a net share a deviation of at most 0.05.
    rollouts: int = 400
    # These few show that a board is wide open: 64 give a net share a deviation of at most 0.13.
    first_rollouts: int = 64
    # Net share of roll-outs by which an empty point is no place to fight
    secure: float = 0.9
    capture_nodes: int = 600  # of reading a chain in atari, which takes few


SURVEY = SurveyLimits()

COLORS = (BLACK, WHITE)


class SureCapture(NamedTuple):
    """A color's capture at a point that works even if the owner of the chains moves first."""

    stones: frozenset[int]  # of the captured chains: one move may take several
    color: int
    point: int


class Survey(NamedTuple):
    """Results of careful roll-outs, as ``survey_fates`` counts them, and proofs."""

    picture: Picture
    # int64[AREA], roll-outs in which a point was Black's less those in which it was White's
    owned: Points
    neutral: Points  # int64[AREA], roll-outs in which it stayed empty and neutral
    rollouts: int = SURVEY.rollouts
    proved: ProvedFates = ProvedFates()
    # That nothing prevents; they were played before the roll-outs
    captures: tuple[SureCapture, ...] = ()

    @property
    def ownership(self) -> Ownership:
        """Owner of each point: float64[AREA], -1 White .. 1 Black."""
        return self.owned / self.rollouts

    def share(self, chain: Chain) -> float:
        """Return the net share of roll-outs in which a chain lives, from -1 to 1."""
        # Over all stones: a chain lives or dies as a whole.
        wins = sum(int(self.owned[point]) for point in chain.stones)
        return (1 if chain.color == BLACK else -1) * wins / (len(chain.stones) * self.rollouts)

    def is_neutral(self, point: int) -> bool:
        """Return whether a point stays empty and neutral in most roll-outs."""
        return bool(2 * self.neutral[point] > self.rollouts)

    def shares_liberties(self, chain: Chain) -> bool:
        """Return whether a liberty of a chain mostly stays empty and neutral, as in a seki."""
        # Careful play leaves a seki's liberties alone.
        return any(self.is_neutral(point) for point in chain.liberties)

    def is_seki(self, chain: Chain) -> bool:
        """Return whether a chain that is not dead lives in seki."""
        if chain.first in self.proved.alive:
            return False
        return chain.first in self.proved.seki or self.shares_liberties(chain)

    def is_unsure(self, chain: Chain) -> bool:
        """Return whether roll-outs disagree about the life of a chain."""
        return abs(self.share(chain)) < SURVEY.secure

    def may_need_captures(self) -> bool:
        """Return whether a chain in atari is in doubt, or beside a chain in doubt."""
        return any(
            any(map(self.is_unsure, (chain, *self.picture.opponents_of(chain))))
            for chain in self.picture.chains
            if chain.in_atari
        )

    @property
    def sharing(self) -> set[int]:
        """The stones that live in roll-outs as if in seki, which roll-outs misjudge."""
        chains = self.picture.chains
        seki = (c for c in chains if self.share(c) > 0 and self.shares_liberties(c))
        return {stone for chain in seki for stone in chain.stones}

    @property
    def doubtful(self) -> set[int]:
        """The stones of all chains in doubt, ``sharing`` included."""
        unsure = (chain for chain in self.picture.chains if self.is_unsure(chain))
        return self.sharing.union(stone for chain in unsure for stone in chain.stones)


def survey_of(game: Game, rollouts: int = SURVEY.rollouts) -> Survey:
    """Return the results of roll-outs of a position, without proofs."""
    board = game.board.copy()
    board[KO] = 0
    owned, neutral = np.zeros((2, AREA), np.int64)
    # Never 0: xorshift cannot leave that state.
    rng = np.array([game.position_hash | 1], np.uint64)
    work = np.zeros(BOARD_CELLS, np.uint16)
    totals = np.zeros(AREA, np.int64)
    survey_fates(board, rollouts, rng, totals, owned, neutral, work)
    return Survey(picture_of(board), owned, neutral, rollouts)


def sure_captures(board: Board, counts: Survey, proved: Set[int]) -> tuple[SureCapture, ...]:
    """Return the captures that nothing prevents and that matter: such stones are no wall.

    Roll-outs capture them at a random time, and mostly too late for the groups that they cut off.
    A capture matters to a chain in doubt, or beside one. A captor must live beyond doubt without
    it, or the chain may be a sacrifice inside the eye space of a group that dies.
    board  without a ko
    """
    picture = counts.picture

    def matters(chain: Chain) -> bool:
        captors = picture.opponents_of(chain)
        shares = [1.0 if captor.first in proved else counts.share(captor) for captor in captors]
        if not any(share >= SURVEY.secure for share in shares):
            return False
        return counts.is_unsure(chain) or any(share < SURVEY.secure for share in shares)

    sure: dict[int, SureCapture] = {}
    for chain in picture.chains:
        if chain.in_atari and not chain.stones & proved and matters(chain):
            point, captor = chain.liberties[0], 3 - chain.color
            capture = sure.get(point, SureCapture(frozenset(), captor, point))
            if capture.color == captor and _is_sure(board, chain):
                sure[point] = capture._replace(stones=capture.stones | chain.stones)
    return tuple(sure.values())


def _is_sure(board: Board, chain: Chain) -> bool:
    """Return whether a capture is proved, with the owner of the chain to move first."""
    captor, point = 3 - chain.color, chain.liberties[0]
    after = board.copy()
    place(after, point, captor)
    capturing = picture_of(after).chain_at(point)
    is_ko = len(chain.stones) == len(capturing.stones) == 1
    # The capturing stones must not be taken at once, except in a ko.
    if capturing.in_atari and not is_ko:
        return False
    reader = CaptureReader("pns", SURVEY.capture_nodes)
    return reader.read_chain(board, chain.first, False, limit_for(chain)).value == "captured"


def with_proofs(
    game: Game, counts: Survey, weights: LifeWeights | None, budget: ReadingBudget
) -> Survey:
    """Return a survey of a position, its counts corrected in place by proofs about groups."""
    board, by_territory = game.board.copy(), game.rules.scoring == "territory"
    board[KO] = 0

    def proved(counts: Survey, budget: ReadingBudget) -> ProvedFates:
        fates = prove_fates(
            board, counts.doubtful, counts.sharing, counts.ownership, weights, budget
        )
        # By area a capture and the return are played out.
        return fates._replace(seki=fates.seki | fates.returning) if by_territory else fates

    captures: tuple[SureCapture, ...] = ()
    if counts.may_need_captures():
        decided = proved(counts, budget._replace(nodes=0)).in_no_doubt
        captures = sure_captures(board, counts, decided)
    if captures:
        played = game.copy()
        for capture in captures:
            played.play(capture.color, capture.point, forced=True)
        counts = survey_of(played)._replace(picture=counts.picture, captures=captures)
    fates = proved(counts, budget)
    taken = fates.dead.union(*(capture.stones for capture in captures))
    counts = counts._replace(proved=fates._replace(dead=taken))
    _Correction(counts).run(by_territory)
    return counts


class _Correction:
    """Replaces the counts of roll-outs by the results of the proofs, in place; it runs once."""

    def __init__(self, counts: Survey) -> None:
        self._counts, self._proved, self._picture = counts, counts.proved, counts.picture
        # By the roll-outs alone, so before any count changes.
        self._doubtful, self._sharing = counts.doubtful, counts.sharing

    def run(self, by_territory: bool) -> None:
        """Correct the counts under rules that count by territory, or by area."""
        counts, proved = self._counts, self._proved
        # The first move decides. By area the verdict of the roll-outs stands, but not beyond doubt.
        # By territory all that the opponent can capture with the first move is dead, also in a ko,
        # since it is not retaken (Japanese rules of 1989, article 7).
        if by_territory:
            self._kill(proved.critical - proved.kos, counts.rollouts // 2)
            self._save(proved.kos, counts.rollouts // 2)
        else:
            counts.owned[list(proved.critical | proved.returning)] //= 2
            # A ko kills by area, too, if it costs nothing to start and the group has no threat that
            # wins it: bent four in the corner. A seki elsewhere is a lasting threat.
            if proved.won_kos and not self._has_lasting_threat():
                self._kill(proved.won_kos, counts.rollouts // 2)
        self._kill(proved.dead, counts.rollouts)
        self._save((proved.alive | proved.seki) - proved.kos, counts.rollouts)
        # A threat may decide a seki that hangs on a ko: it is not beyond doubt.
        self._save((proved.alive | proved.seki) & proved.kos, counts.rollouts // 2)
        black, white = ({s for s in proved.seki if self._picture.colors[s] == c} for c in COLORS)
        shared = self._picture.around(black, EMPTY) & self._picture.around(white, EMPTY)
        counts.owned[list(shared)], counts.neutral[list(shared)] = 0, counts.rollouts

    def _has_lasting_threat(self) -> bool:
        """Return whether there is a seki apart from the groups that die in a ko."""
        group = set(self._proved.won_kos)
        space = {near for stone in group for near in neighbors(stone)}
        reach = group | space | {near for point in space for near in neighbors(point)}
        in_seki = self._picture.chains_of(self._sharing | self._proved.seki)
        return any(not chain.stones & reach for chain in in_seki)

    def _save(self, living: Stones, rollouts: int) -> None:
        """Count stones for their owners in some roll-outs."""
        for stone in living:
            sign = 1 if self._picture.colors[stone] == BLACK else -1
            self._counts.owned[stone] = sign * rollouts

    def _kill(self, dead: Stones, rollouts: int) -> None:
        """Count dead stones, and the points gained by them, for the opponent in some roll-outs."""
        for color, sign in zip(COLORS, (1, -1), strict=True):
            killed = {point for point in dead if self._picture.colors[point] == 3 - color}
            if killed:
                gained = list(self._gained_by_killing(color, killed))
                self._counts.owned[gained] = sign * rollouts
                self._counts.neutral[gained] = 0

    def _gained_by_killing(self, color: int, killed: set[int]) -> set[int]:
        """Return killed stones, the empty points won around them, and own stones saved beside."""
        picture, doubtful = self._picture, self._doubtful
        sure = [chain for chain in picture.chains if not chain.stones & doubtful]
        gone = killed.union(*(chain.stones for chain in sure if self._counts.share(chain) < 0))
        owner = picture.owners(gone)

        def is_gained(point: int) -> bool:
            return bool(owner[point] == color and (picture.is_empty(point) or point in gone))

        gained = set(distances(killed, is_gained))
        # No farther: connected empty points may cover all of a color's territory.
        close = gained & {near for stone in killed for near in neighbors(stone)} | killed
        beside = picture.beside(close, color)
        return gained.union(*(chain.stones for chain in beside if chain.stones & doubtful))
