"""The final status of each chain: alive, dead or in seki, judged by careful roll-outs.

Roll-outs take some eye spaces that a large sacrifice kills for a seki, or for neutral points. The
solver of life and death is therefore asked about all uncertain chains, every seki, and groups with
few liberties. Its proofs take precedence (``group_proofs``).

The position itself seeds the random numbers, so the same position always gets the same verdict. A
dead list that changes when it is requested twice has lost games on servers.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from engine.facts.chain_facts import Basis
from engine.facts.group_proofs import ProvedFates, prove_fates
from engine.go.board import BLACK, BOARD_CELLS, EMPTY, KO, WALL, WHITE, Ownership, Points
from engine.go.components import distances
from engine.go.geometry import AREA, board_points, neighbors
from engine.go.history import Game
from engine.go.scoring import NEUTRAL, point_owners
from engine.life.evidence import LifeWeights
from engine.life.goal import Stones
from engine.life.groups import joined
from engine.rollout.careful import survey_fates

# This many roll-outs give a net share a deviation of at most 0.05: CLEAR is twelve deviations.
ROLLOUTS = 400
CLEAR = 0.6  # a chain is alive or dead beyond doubt when its owner wins this share, net
SECURE = 0.9  # net share of roll-outs by which an empty point is no place to fight

Chains = list[list[int]]


class FinalStatus(NamedTuple):
    """The chains of a position by their final status, each a sorted list of points.

    clear      whether every status is beyond doubt
    settled    whether in addition no point is left to fight for, dame included
    proved     stones whose status rests on proofs; that of all others rests on roll-outs
    ownership  float64[AREA], owner of each point in the roll-outs, or by proof: -1 White .. 1 Black
    """

    alive: Chains
    dead: Chains
    seki: Chains
    clear: bool
    settled: bool
    proved: Stones
    ownership: Ownership

    def basis(self, stone: int) -> Basis:
        """Return the basis of a stone's status."""
        return "proof" if stone in self.proved else "roll-outs"

    def dead_stones(self) -> set[int]:
        """Return all stones of dead chains."""
        return {point for chain in self.dead for point in chain}

    def seki_stones(self) -> set[int]:
        """Return all stones of chains alive in seki."""
        return {point for chain in self.seki for point in chain}

    def as_it_stands(self) -> "FinalStatus":
        """Return the status by rules that count every stone on a finished board as alive."""
        chains = sorted(self.alive + self.dead + self.seki)
        stones = frozenset(point for chain in chains for point in chain)
        return self._replace(alive=chains, dead=[], seki=[], clear=True, proved=stones)

    def deviation(self, game: Game) -> float:
        """Return the deviation of the counted margin [points]; 0: every status is beyond doubt.

        The open points count as if all of them fell together, as the stones of a chain do. This is
        an upper bound.
        game  the game whose position was judged
        """
        if self.clear:
            return 0.0
        owners = self.ownership[list(board_points(game.size))]
        return float(np.sqrt(1.0 - owners[np.abs(owners) < CLEAR] ** 2).sum())

    def secure_ground(self, game: Game, color: int) -> set[int]:
        """Return the empty points inside a color's territory that are beyond doubt.

        A move there, of either side, changes nothing unless it is a threat.
        game  the game whose position was judged
        """
        owner = point_owners(game.board, self.dead_stones())
        open_kos = self.open_kos(game, color)
        sign = 1 if color == BLACK else -1
        return {
            point
            for point in board_points(game.size)
            if owner[point] == color
            and game.color_at(point) == EMPTY
            and sign * self.ownership[point] >= SECURE
            and point not in open_kos
        }

    def open_ground(self, game: Game, color: int) -> int:
        """Return a color's empty points in a count that are not secure, less the other color's.

        A count gives empty points to the only color around them: the whole board to a first stone.
        game  the game whose position was judged
        """
        owner = point_owners(game.board, self.dead_stones())
        found = [
            owner[point]
            for point in board_points(game.size)
            if game.color_at(point) == EMPTY and abs(self.ownership[point]) < SECURE
        ]
        return found.count(color) - found.count(3 - color)

    def open_captures(self, game: Game, color: int) -> set[int]:
        """Return the points where a color can take stones that are uncertain in roll-outs.

        An example is a ko for the last points. A side that gives it up loses it, although it mostly
        lost it anyway.
        game  the game whose position was judged
        """
        in_atari = _in_atari(game, self.alive + self.dead, 3 - color)
        found = {at for chain, at in in_atari if abs(self.ownership[chain[0]]) < SECURE}
        return found.intersection(game.legal_points(color))

    def open_kos(self, game: Game, color: int) -> set[int]:
        """Return the points where the opponent can take a living stone of a color in a ko.

        Roll-outs see who wins the ko, but not that a move is needed for it. The winner has to fill
        the ko, which costs a point under territory rules.
        game  the game whose position was judged
        """
        # If the point has only friends around it, a capture there can be retaken.
        in_atari = _in_atari(game, self.alive, color)
        return {liberty for chain, liberty in in_atari if _is_ko(game, chain, liberty)}


def _is_ko(game: Game, chain: list[int], liberty: int) -> bool:
    """Return whether the capture of a chain in atari could be retaken at once."""
    color = game.color_at(chain[0])
    around = (game.color_at(near) for near in neighbors(liberty))
    return len(chain) == 1 and all(found in (color, WALL) for found in around)


def _in_atari(game: Game, chains: Chains, color: int) -> Iterator[tuple[list[int], int]]:
    """Yield the chains of a color that have one liberty, with the liberty."""
    for chain in chains:
        liberty, *others = game.liberties(chain[0])
        if game.color_at(chain[0]) == color and not others:
            yield chain, liberty


def _keep_won_kos(game: Game, alive: Chains, dead: Chains, found: "Survey") -> None:
    """Move lone stones in an open ko, where roll-outs are unsure of them, to the living chains.

    Both players passed, so the opponent does not take the ko. The winner fills it. The chains that
    the stone links must live. Both lists change in place.
    """
    living = {point for chain in alive for point in chain}
    for color in (BLACK, WHITE):
        for chain, liberty in list(_in_atari(game, dead, color)):
            links = {near for near in neighbors(liberty) if game.color_at(near) == color}
            unsure = found.is_unsure(game, chain) and chain[0] not in found.proved.dead
            if unsure and _is_ko(game, chain, liberty) and links - {chain[0]} <= living:
                dead.remove(chain)
                alive.append(chain)
    alive.sort()


def _spread_seki(game: Game, alive: Chains, seki: Chains, with_eyes: Stones) -> None:
    """Move living chains that share liberties with a friend in seki over to the chains in seki.

    Together they surround the eyes of a seki, which are no territory. Both lists change in place.
    with_eyes  stones that are not in seki, whatever surrounds them
    """
    if not seki:
        return
    chains = [frozenset(chain) for chain in alive + seki]
    groups = joined(game.board, [chain for chain in chains if not chain & with_eyes], 1)
    spread = {p for group in groups if any(c[0] in group for c in seki) for p in group}
    seki += [chain for chain in alive if chain[0] in spread]
    alive[:] = [chain for chain in alive if chain[0] not in spread]
    seki.sort()


class Survey(NamedTuple):
    """Results of careful roll-outs, as ``survey_fates`` counts them, and proofs."""

    owned: Points
    neutral: Points
    proved: ProvedFates

    @property
    def ownership(self) -> Ownership:
        """Owner of each point: float64[AREA], -1 White .. 1 Black."""
        return self.owned / ROLLOUTS

    def share(self, game: Game, chain: list[int]) -> float:
        """Return the net share of roll-outs in which a chain lives, from -1 to 1."""
        sign = 1 if game.color_at(chain[0]) == BLACK else -1
        # Over all stones: a chain lives or dies as a whole.
        return sign * sum(int(self.owned[p]) for p in chain) / (len(chain) * ROLLOUTS)

    def shares_liberties(self, game: Game, chain: list[int]) -> bool:
        """Return whether a liberty of a chain mostly stays empty and neutral, as in a seki."""
        # Careful play leaves a seki's liberties alone.
        return any(2 * self.neutral[p] > ROLLOUTS for p in game.liberties(chain[0]))

    def is_seki(self, game: Game, chain: list[int]) -> bool:
        """Return whether a chain that is not dead lives in seki."""
        if chain[0] in self.proved.alive:
            return False
        return chain[0] in self.proved.seki or self.shares_liberties(game, chain)

    def is_unsure(self, game: Game, chain: list[int]) -> bool:
        """Return whether roll-outs disagree about the life of a chain."""
        return abs(self.share(game, chain)) < SECURE

    def may_be_seki(self, game: Game, chain: list[int]) -> bool:
        """Return whether a chain lives in roll-outs as if in seki, which roll-outs misjudge."""
        return self.share(game, chain) > 0 and self.shares_liberties(game, chain)


def judge_fates(
    game: Game, weights: LifeWeights | None = None, survey: Survey | None = None
) -> FinalStatus:
    """Return which chains of the current position are alive, dead or in seki.

    A ko that may not be retaken yet is judged as if it could be, so that a pass changes no verdict.
    weights  learned weights of the solver of life and death; None: it does without
    survey   of the position, if there is one already; its counts change in place
    """
    return _status_of(game, _proved(game, survey or survey_of(game), weights))


def judge_open(game: Game, found: Survey) -> FinalStatus | None:
    """Return the status by roll-outs alone if many points are open; None if few are.

    found  the survey of the position, without proofs

    Proofs about groups cost most of the time of a status. In 225 of 243 positions of games on 9x9
    more points were open than half the number of lines, and proofs settled none of these.
    """
    is_open = (abs(found.owned) < CLEAR * ROLLOUTS) & (2 * found.neutral <= ROLLOUTS)
    count = sum(is_open[p] for p in board_points(game.size) if game.color_at(p) == EMPTY)
    return _status_of(game, found) if count > game.size // 2 else None


def _status_of(game: Game, found: Survey) -> FinalStatus:
    """Return the status of each chain by the results of roll-outs and proofs."""
    alive: Chains = []
    dead: Chains = []
    seki: Chains = []
    clear = True
    for chain in game.chains():
        share = found.share(game, chain)
        clear &= abs(share) >= CLEAR
        is_seki = found.is_seki(game, chain)
        (dead if share < 0 else seki if is_seki else alive).append(chain)
    _keep_won_kos(game, alive, dead, found)
    _spread_seki(game, alive, seki, found.proved.alive)
    settled = clear and _is_finished(game, dead, found.owned, found.neutral)
    proved = found.proved.dead | found.proved.alive | found.proved.seki
    if game.rules.scoring == "territory":  # by area the roll-outs judge these
        proved |= found.proved.critical
    return FinalStatus(alive, dead, seki, clear, settled, proved, found.ownership)


def survey_of(game: Game) -> Survey:
    """Return the results of roll-outs of a position, without proofs."""
    board = game.board.copy()
    board[KO] = 0
    found = Survey(np.zeros(AREA, np.int64), np.zeros(AREA, np.int64), ProvedFates())
    # Never 0: xorshift cannot leave that state.
    rng = np.array([game.position_hash | 1], np.uint64)
    work = np.zeros(BOARD_CELLS, np.uint16)
    totals = np.zeros(AREA, np.int64)
    survey_fates(board, ROLLOUTS, rng, totals, found.owned, found.neutral, work)
    return found


def _proved(game: Game, found: Survey, weights: LifeWeights | None) -> Survey:
    """Return a survey of a position, corrected by the proofs about its groups."""
    unsure = {p for chain in game.chains() if found.is_unsure(game, chain) for p in chain}
    sharing = {p for chain in game.chains() if found.may_be_seki(game, chain) for p in chain}
    board = game.board.copy()
    board[KO] = 0
    proved = prove_fates(board, unsure, sharing, found.ownership, weights)
    if game.rules.scoring == "territory":  # by area a capture and the return are played out
        proved = proved._replace(seki=proved.seki | proved.returning)
    found = found._replace(proved=proved)
    _correct(game, found, unsure | sharing, sharing)
    return found


def _correct(game: Game, found: Survey, doubtful: set[int], sharing: set[int]) -> None:
    """Replace the counts of roll-outs by the results of the proofs.

    doubtful  stones of chains about which roll-outs are not sure, or that may live in seki
    sharing   stones of chains that may live in seki
    """
    proved = found.proved
    # The first move decides. Under area rules the verdict of the roll-outs stands, but not beyond
    # doubt. Under territory rules all that the opponent can capture with the first move is dead.
    # This includes a ko that the opponent takes first, since it is not retaken (Japanese rules of
    # 1989, article 7). These stones count as dead, unless a move changes it.
    if game.rules.scoring == "territory":
        _kill(game, proved.critical - proved.kos, doubtful, found, ROLLOUTS // 2)
        for stone in proved.kos:
            found.owned[stone] = _all_for(game, stone) // 2
    else:
        found.owned[list(proved.critical | proved.returning)] //= 2
        # A ko kills the group under area rules, too, if it costs nothing to start and the group has
        # no threat that wins it: bent four in the corner. A seki elsewhere is a lasting threat.
        if proved.won_kos and not _has_lasting_threat(game, proved, sharing):
            _kill(game, proved.won_kos, doubtful, found, ROLLOUTS // 2)
    _kill(game, proved.dead, doubtful, found, ROLLOUTS)
    for stone in proved.alive | proved.seki:
        # A threat may decide a seki that hangs on a ko: it is not beyond doubt.
        found.owned[stone] = _all_for(game, stone) // (2 if stone in proved.kos else 1)
    shared = list(_shared_liberties(game, proved.seki))
    found.owned[shared], found.neutral[shared] = 0, ROLLOUTS


def _has_lasting_threat(game: Game, proved: ProvedFates, sharing: set[int]) -> bool:
    """Return whether there is a seki apart from the groups that die in a ko."""
    group = set(proved.won_kos)
    space = {near for stone in group for near in neighbors(stone)}
    reach = group | space | {near for point in space for near in neighbors(point)}
    return any(not set(game.chain(stone)) & reach for stone in sharing | proved.seki)


def _all_for(game: Game, stone: int) -> int:
    """Return the counts of a stone that lives in all roll-outs."""
    return ROLLOUTS if game.color_at(stone) == BLACK else -ROLLOUTS


def _kill(game: Game, dead: Stones, doubtful: set[int], found: Survey, rollouts: int) -> None:
    """Count dead stones, and the points gained by them, for the opponent in some roll-outs."""
    for color, sign in ((BLACK, 1), (WHITE, -1)):
        killed = {point for point in dead if game.color_at(point) == 3 - color}
        if killed:
            gained = list(_gained_by_killing(game, color, killed, doubtful, found))
            found.owned[gained] = sign * rollouts
            found.neutral[gained] = 0


def _shared_liberties(game: Game, seki: Stones) -> set[int]:
    """Return the empty points between stones of both colors that are in seki."""
    black, white = (
        {near for stone in seki if game.color_at(stone) == color for near in neighbors(stone)}
        for color in (BLACK, WHITE)
    )
    return {point for point in black & white if game.color_at(point) == EMPTY}


def _gained_by_killing(
    game: Game, color: int, killed: set[int], doubtful: set[int], found: Survey
) -> set[int]:
    """Return the points that are surely a color's because it kills some stones.

    These are the killed stones and the empty points around them that no other stones of the
    opponent touch. They also include the color's own stones in doubt that touch a killed stone, or
    an empty point beside one.
    """
    chains = [set(chain) for chain in game.chains()]
    dead = [c for c in chains if not c & doubtful and found.share(game, [*c]) < 0]
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


def _is_finished(game: Game, dead: Chains, owned: Points, neutral: Points) -> bool:
    """Return whether no point is worth a move any more, by the same standard under all rules.

    Territory has to be beyond doubt, as chains have: a lone stone does not own the board. Neutral
    points have to belong to a seki. Dame count as open even where they are worth nothing. An open
    boundary looks the same from afar, and filling dame costs nothing there.
    """
    owner = point_owners(game.board, [p for chain in dead for p in chain])
    for point in board_points(game.size):
        if owner[point] != NEUTRAL:
            sign = 1 if owner[point] == BLACK else -1
            if sign * owned[point] < CLEAR * ROLLOUTS:
                return False
        elif 2 * neutral[point] <= ROLLOUTS:
            return False
    return True
