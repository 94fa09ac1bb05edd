"""The owners of a position's points by careful roll-outs, corrected by proofs about groups.

Roll-outs take some eye spaces that a large sacrifice kills for a seki, or for neutral points. The
solver of life and death is therefore asked about all uncertain chains, every seki, and groups with
few liberties. Its proofs take precedence (``group_proofs``).
"""

from typing import NamedTuple

import numpy as np

from engine.facts.group_proofs import ProvedFates, prove_fates
from engine.facts.sure_captures import SureCapture, sure_captures
from engine.go.board import BLACK, BOARD_CELLS, EMPTY, KO, WHITE, Ownership, Points
from engine.go.components import distances
from engine.go.geometry import AREA, neighbors
from engine.go.history import Game
from engine.go.scoring import point_owners
from engine.life.evidence import LifeWeights
from engine.picture.picture import Stones
from engine.rollout.careful import survey_fates


class SurveyLimits(NamedTuple):
    """The roll-outs of a survey."""

    # This many roll-outs give a net share a deviation of at most 0.05.
    rollouts: int = 400
    # Net share of roll-outs by which an empty point is no place to fight
    secure: float = 0.9


SURVEY = SurveyLimits()


class Survey(NamedTuple):
    """Results of careful roll-outs, as ``survey_fates`` counts them, and proofs.

    owned    int64[AREA], roll-outs in which a point was Black's less those in which it was White's
    neutral  int64[AREA], roll-outs in which it stayed empty and neutral
    captures  those that nothing prevents, and that were played before the roll-outs
    """

    owned: Points
    neutral: Points
    proved: ProvedFates
    captures: tuple[SureCapture, ...] = ()

    @property
    def ownership(self) -> Ownership:
        """Owner of each point: float64[AREA], -1 White .. 1 Black."""
        return self.owned / SURVEY.rollouts

    def share(self, game: Game, chain: list[int]) -> float:
        """Return the net share of roll-outs in which a chain lives, from -1 to 1."""
        sign = 1 if game.color_at(chain[0]) == BLACK else -1
        # Over all stones: a chain lives or dies as a whole.
        return sign * sum(int(self.owned[p]) for p in chain) / (len(chain) * SURVEY.rollouts)

    def is_neutral(self, point: int) -> bool:
        """Return whether a point stays empty and neutral in most roll-outs."""
        return bool(2 * self.neutral[point] > SURVEY.rollouts)

    def shares_liberties(self, game: Game, chain: list[int]) -> bool:
        """Return whether a liberty of a chain mostly stays empty and neutral, as in a seki."""
        # Careful play leaves a seki's liberties alone.
        return any(self.is_neutral(point) for point in game.liberties(chain[0]))

    def is_seki(self, game: Game, chain: list[int]) -> bool:
        """Return whether a chain that is not dead lives in seki."""
        if chain[0] in self.proved.alive:
            return False
        return chain[0] in self.proved.seki or self.shares_liberties(game, chain)

    def is_unsure(self, game: Game, chain: list[int]) -> bool:
        """Return whether roll-outs disagree about the life of a chain."""
        return abs(self.share(game, chain)) < SURVEY.secure

    def may_be_seki(self, game: Game, chain: list[int]) -> bool:
        """Return whether a chain lives in roll-outs as if in seki, which roll-outs misjudge."""
        return self.share(game, chain) > 0 and self.shares_liberties(game, chain)


def survey_of(game: Game, rollouts: int | None = None) -> Survey:
    """Return the results of roll-outs of a position, without proofs.

    rollouts  their number; None: SURVEY.rollouts, which the methods of ``Survey`` need
    """
    board = game.board.copy()
    board[KO] = 0
    survey = Survey(np.zeros(AREA, np.int64), np.zeros(AREA, np.int64), ProvedFates())
    # Never 0: xorshift cannot leave that state.
    rng = np.array([game.position_hash | 1], np.uint64)
    work = np.zeros(BOARD_CELLS, np.uint16)
    totals = np.zeros(AREA, np.int64)
    survey_fates(
        board, rollouts or SURVEY.rollouts, rng, totals, survey.owned, survey.neutral, work
    )
    return survey


def with_proofs(game: Game, survey: Survey, weights: LifeWeights | None, nodes: int) -> Survey:
    """Return a survey of a position, corrected by the proofs about its groups.

    Captures that nothing prevents come first where no proof decides, since stones in atari are no
    wall.
    nodes  of all readings of groups that a short one does not decide
    """
    survey = _proved(game, survey, weights, nodes)
    proved = survey.proved
    sure = proved.dead | proved.alive | proved.seki | proved.returning
    captures = sure_captures(game, survey.share, SURVEY.secure, sure)
    if captures:
        played = game.copy()
        for capture in captures:
            played.play(capture.color, capture.point, forced=True)
        survey = _proved(game, survey_of(played)._replace(captures=captures), weights, nodes)
        taken = frozenset[int]().union(*(capture.stones for capture in captures))
        survey = survey._replace(proved=survey.proved._replace(dead=survey.proved.dead | taken))
    doubtful, sharing = _doubtful(game, survey)
    _correct(game, survey, doubtful, sharing)
    return survey


def _doubtful(game: Game, survey: Survey) -> tuple[set[int], set[int]]:
    """Return the stones of all chains in doubt, and of those among them that may be in seki."""
    chains = game.chains()
    unsure = {p for chain in chains if survey.is_unsure(game, chain) for p in chain}
    sharing = {p for chain in chains if survey.may_be_seki(game, chain) for p in chain}
    return unsure | sharing, sharing


def _proved(game: Game, survey: Survey, weights: LifeWeights | None, nodes: int) -> Survey:
    """Return a survey with the proofs about the groups of its position; its counts do not change.

    nodes  as ``with_proofs`` takes them
    """
    doubtful, sharing = _doubtful(game, survey)
    board = game.board.copy()
    board[KO] = 0
    proved = prove_fates(board, doubtful, sharing, survey.ownership, weights, nodes)
    if game.rules.scoring == "territory":  # by area a capture and the return are played out
        proved = proved._replace(seki=proved.seki | proved.returning)
    return survey._replace(proved=proved)


def _correct(game: Game, survey: Survey, doubtful: set[int], sharing: set[int]) -> None:
    """Replace the counts of roll-outs by the results of the proofs.

    doubtful  stones of chains about which roll-outs are not sure, or that may live in seki
    sharing   stones of chains that may live in seki
    """
    proved = survey.proved
    # The first move decides. Under area rules the verdict of the roll-outs stands, but not beyond
    # doubt. Under territory rules all that the opponent can capture with the first move is dead.
    # This includes a ko that the opponent takes first, since it is not retaken (Japanese rules of
    # 1989, article 7). These stones count as dead, unless a move changes it.
    if game.rules.scoring == "territory":
        _kill(game, proved.critical - proved.kos, doubtful, survey, SURVEY.rollouts // 2)
        for stone in proved.kos:
            survey.owned[stone] = _all_for(game, stone) // 2
    else:
        survey.owned[list(proved.critical | proved.returning)] //= 2
        # A ko kills the group under area rules, too, if it costs nothing to start and the group has
        # no threat that wins it: bent four in the corner. A seki elsewhere is a lasting threat.
        if proved.won_kos and not _has_lasting_threat(game, proved, sharing):
            _kill(game, proved.won_kos, doubtful, survey, SURVEY.rollouts // 2)
    _kill(game, proved.dead, doubtful, survey, SURVEY.rollouts)
    for stone in proved.alive | proved.seki:
        # A threat may decide a seki that hangs on a ko: it is not beyond doubt.
        survey.owned[stone] = _all_for(game, stone) // (2 if stone in proved.kos else 1)
    shared = list(_shared_liberties(game, proved.seki))
    survey.owned[shared], survey.neutral[shared] = 0, SURVEY.rollouts


def _has_lasting_threat(game: Game, proved: ProvedFates, sharing: set[int]) -> bool:
    """Return whether there is a seki apart from the groups that die in a ko."""
    group = set(proved.won_kos)
    space = {near for stone in group for near in neighbors(stone)}
    reach = group | space | {near for point in space for near in neighbors(point)}
    return any(not set(game.chain(stone)) & reach for stone in sharing | proved.seki)


def _all_for(game: Game, stone: int) -> int:
    """Return the counts of a stone that lives in all roll-outs."""
    return SURVEY.rollouts if game.color_at(stone) == BLACK else -SURVEY.rollouts


def _kill(game: Game, dead: Stones, doubtful: set[int], survey: Survey, rollouts: int) -> None:
    """Count dead stones, and the points gained by them, for the opponent in some roll-outs."""
    for color, sign in ((BLACK, 1), (WHITE, -1)):
        killed = {point for point in dead if game.color_at(point) == 3 - color}
        if killed:
            gained = list(_gained_by_killing(game, color, killed, doubtful, survey))
            survey.owned[gained] = sign * rollouts
            survey.neutral[gained] = 0


def _shared_liberties(game: Game, seki: Stones) -> set[int]:
    """Return the empty points between stones of both colors that are in seki."""
    black, white = (
        {near for stone in seki if game.color_at(stone) == color for near in neighbors(stone)}
        for color in (BLACK, WHITE)
    )
    return {point for point in black & white if game.color_at(point) == EMPTY}


def _gained_by_killing(
    game: Game, color: int, killed: set[int], doubtful: set[int], survey: Survey
) -> set[int]:
    """Return the points that are surely a color's because it kills some stones.

    These are the killed stones and the empty points around them that no other stones of the
    opponent touch. They also include the color's own stones in doubt that touch a killed stone, or
    an empty point beside one.
    """
    chains = [set(chain) for chain in game.chains()]
    dead = [c for c in chains if not c & doubtful and survey.share(game, [*c]) < 0]
    gone = killed.union(*dead)
    owner = point_owners(game.board, gone)

    def is_gained(point: int) -> bool:
        return bool(owner[point] == color and (game.color_at(point) == EMPTY or point in gone))

    gained = set(distances(killed, is_gained))
    # No farther: connected empty points may cover all of a color's territory.
    close = gained & {near for stone in killed for near in neighbors(stone)} | killed
    beside = {near for point in close for near in neighbors(point)}
    freed = [c for c in chains if game.color_at(min(c)) == color and c & doubtful and c & beside]
    return gained.union(*freed)
