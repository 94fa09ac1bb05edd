"""What becomes of each chain: alive, dead or in seki, judged by careful roll-outs.

Roll-outs take some eye spaces that a large sacrifice kills for a seki, or for anybody's. So what
they are not sure of, and every seki, is asked again of the solver of life and death, whose proofs
go first (``group_proofs``).

The random numbers come from the position itself, so the same position always gets the same
verdict: a dead list that changes when it is asked for twice has lost games on servers.
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
from engine.life.goal import Stones
from engine.life.groups import joined
from engine.rollout.careful import survey_fates

# With so many a net share deviates by 0.05 at most: CLEAR is twelve deviations from even.
ROLLOUTS = 400
CLEAR = 0.6  # a chain is alive or dead beyond doubt when its owner wins this share, net
SECURE = 0.9  # net share of roll-outs by which an empty point is no place to fight

Chains = list[list[int]]


class FinalStatus(NamedTuple):
    """The chains of a position by their fate, each a sorted list of points.

    clear      whether every fate is beyond doubt
    settled    whether that is so and no point is left to fight for, dame included
    proved     stones whose status rests on proofs; all others' rests on roll-outs
    ownership  float64[AREA], who owned each point in the roll-outs, or does as is proved: -1 White
               .. 1 Black
    """

    alive: Chains
    dead: Chains
    seki: Chains
    clear: bool
    settled: bool
    proved: Stones
    ownership: Ownership

    def basis(self, stone: int) -> Basis:
        """Return on what the status of a stone rests."""
        return "proof" if stone in self.proved else "roll-outs"

    def dead_stones(self) -> set[int]:
        """Return all stones of dead chains."""
        return {point for chain in self.dead for point in chain}

    def seki_stones(self) -> set[int]:
        """Return all stones of chains alive in seki."""
        return {point for chain in self.seki for point in chain}

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

    def open_captures(self, game: Game, color: int) -> set[int]:
        """Return the points where a color can take stones that roll-outs are not sure of.

        As in a ko for the last points: who gives it up loses it, though he mostly lost it anyway.
        game  the game whose position was judged
        """
        in_atari = _in_atari(game, self.alive + self.dead, 3 - color)
        found = {at for chain, at in in_atari if abs(self.ownership[chain[0]]) < SECURE}
        return found.intersection(game.legal_points(color))

    def open_kos(self, game: Game, color: int) -> set[int]:
        """Return the points where the opponent can take a living stone of a color in a ko.

        Roll-outs see who wins it, and not that a move is needed for that: who has won the ko has to
        fill it, which costs a point under territory rules.
        game  the game whose position was judged
        """
        # With nothing but friends around it, what takes there can be taken back.
        return {
            liberty
            for chain, liberty in _in_atari(game, self.alive, color)
            if len(chain) == 1
            and all(game.color_at(near) in (color, WALL) for near in neighbors(liberty))
        }


def _in_atari(game: Game, chains: Chains, color: int) -> Iterator[tuple[list[int], int]]:
    """Yield those of some chains that are a color's and have one liberty, with the liberty."""
    for chain in chains:
        liberty, *others = game.liberties(chain[0])
        if game.color_at(chain[0]) == color and not others:
            yield chain, liberty


def _spread_seki(game: Game, alive: Chains, seki: Chains, with_eyes: Stones) -> None:
    """Move living chains that share liberties with a friend in seki over to those in seki.

    Together they surround the eyes of a seki, which are no territory. Both lists change in place.
    with_eyes  stones that are not in seki, whatever is around
    """
    if not seki:
        return
    chains = [frozenset(chain) for chain in alive + seki]
    groups = joined(game.board, [chain for chain in chains if not chain & with_eyes], 1)
    spread = {p for group in groups if any(c[0] in group for c in seki) for p in group}
    seki += [chain for chain in alive if chain[0] in spread]
    alive[:] = [chain for chain in alive if chain[0] not in spread]
    seki.sort()


class _Survey(NamedTuple):
    """How careful roll-outs ended, as ``survey_fates`` counts it, and what is proved."""

    owned: Points
    neutral: Points
    proved: ProvedFates

    @property
    def ownership(self) -> Ownership:
        """Who owned each point: float64[AREA], -1 White .. 1 Black."""
        return self.owned / ROLLOUTS

    def share(self, game: Game, chain: list[int]) -> float:
        """Return the net share of roll-outs in which a chain lives, from -1 to 1."""
        sign = 1 if game.color_at(chain[0]) == BLACK else -1
        # Over all stones: a chain lives or dies as one.
        return sign * sum(int(self.owned[p]) for p in chain) / (len(chain) * ROLLOUTS)

    def shares_liberties(self, game: Game, chain: list[int]) -> bool:
        """Return whether a liberty of a chain mostly stays empty and nobody's, as in a seki."""
        # Careful play leaves a seki's liberties alone.
        return any(2 * self.neutral[p] > ROLLOUTS for p in game.liberties(chain[0]))

    def is_seki(self, game: Game, chain: list[int]) -> bool:
        """Return whether a chain that is not dead lives in seki."""
        if chain[0] in self.proved.alive:
            return False
        return chain[0] in self.proved.seki or self.shares_liberties(game, chain)

    def is_unsure(self, game: Game, chain: list[int]) -> bool:
        """Return whether roll-outs do not agree whether a chain lives."""
        return abs(self.share(game, chain)) < SECURE

    def may_be_seki(self, game: Game, chain: list[int]) -> bool:
        """Return whether a chain lives in roll-outs, and as if in seki: they are no judge of it."""
        return self.share(game, chain) > 0 and self.shares_liberties(game, chain)


def judge_fates(game: Game) -> FinalStatus:
    """Return which chains of the current position are alive, dead or in seki.

    A ko that may not be retaken yet is judged as if it could be: a pass changes no verdict.
    """
    found = _survey(game)
    alive: Chains = []
    dead: Chains = []
    seki: Chains = []
    clear = True
    for chain in game.chains():
        share = found.share(game, chain)
        clear &= abs(share) >= CLEAR
        is_seki = found.is_seki(game, chain)
        (dead if share < 0 else seki if is_seki else alive).append(chain)
    _spread_seki(game, alive, seki, found.proved.alive)
    settled = clear and _is_finished(game, dead, found.owned, found.neutral)
    proved = found.proved.dead | found.proved.alive | found.proved.seki
    if game.rules.scoring == "territory":  # by area roll-outs say what who moves first decides
        proved |= found.proved.critical
    return FinalStatus(alive, dead, seki, clear, settled, proved, found.ownership)


def _survey(game: Game) -> _Survey:
    """Return how roll-outs of a position end, corrected by what is proved of its groups."""
    board = game.board.copy()
    board[KO] = 0
    found = _Survey(np.zeros(AREA, np.int64), np.zeros(AREA, np.int64), ProvedFates())
    # Never 0, which xorshift does not leave.
    rng = np.array([game.position_hash | 1], np.uint64)
    work = np.zeros(BOARD_CELLS, np.uint16)
    totals = np.zeros(AREA, np.int64)
    survey_fates(board, ROLLOUTS, rng, totals, found.owned, found.neutral, work)
    unsure = {p for chain in game.chains() if found.is_unsure(game, chain) for p in chain}
    sharing = {p for chain in game.chains() if found.may_be_seki(game, chain) for p in chain}
    doubtful = unsure | sharing
    if doubtful:
        proved = prove_fates(board, unsure, sharing, found.ownership)
        found = found._replace(proved=proved)
        # Who moves first decides. By area the roll-outs' verdict stands, but not beyond doubt. By
        # territory what the opponent can capture, moving first, is dead, in a ko as well if it
        # is he who takes that first, since it is not retaken (Japanese rules of 1989, article 7):
        # so it is counted, unless a move changes it.
        if game.rules.scoring == "territory":
            _kill(game, proved.critical - proved.kos, doubtful, found, ROLLOUTS // 2)
            for stone in proved.kos:
                found.owned[stone] = _all_for(game, stone) // 2
        else:
            found.owned[list(proved.critical)] //= 2
            # A ko that costs nothing to start, and that no threat wins for the group, kills it by
            # area, too: bent four in the corner. A seki elsewhere is a threat that stays.
            if proved.won_kos and not _has_lasting_threat(game, proved, sharing):
                _kill(game, proved.won_kos, doubtful, found, ROLLOUTS // 2)
        _kill(game, proved.dead, doubtful, found, ROLLOUTS)
        for stone in proved.alive | proved.seki:
            # A threat may decide a seki that hangs on a ko: it is not beyond doubt.
            found.owned[stone] = _all_for(game, stone) // (2 if stone in proved.kos else 1)
        shared = list(_shared_liberties(game, proved.seki))
        found.owned[shared], found.neutral[shared] = 0, ROLLOUTS
    return found


def _has_lasting_threat(game: Game, proved: ProvedFates, sharing: set[int]) -> bool:
    """Return whether there is a seki apart from the groups that die in a ko."""
    group = set(proved.won_kos)
    space = {near for stone in group for near in neighbors(stone)}
    reach = group | space | {near for point in space for near in neighbors(point)}
    return any(not set(game.chain(stone)) & reach for stone in sharing | proved.seki)


def _all_for(game: Game, stone: int) -> int:
    """Return what is counted for a stone that lives in all roll-outs."""
    return ROLLOUTS if game.color_at(stone) == BLACK else -ROLLOUTS


def _kill(game: Game, dead: Stones, doubtful: set[int], found: _Survey, rollouts: int) -> None:
    """Count dead stones, and what is surely their opponent's thereby, as his in some roll-outs."""
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
    game: Game, color: int, killed: set[int], doubtful: set[int], found: _Survey
) -> set[int]:
    """Return the points that are surely a color's because it kills some stones.

    These are the killed stones, the empty points around them that nobody else's stones touch, and
    the color's own stones in doubt that touch a killed stone, or an empty point beside one.
    """
    chains = [set(chain) for chain in game.chains()]
    dead = [c for c in chains if not c & doubtful and found.share(game, [*c]) < 0]
    gone = killed.union(*dead)
    owner = point_owners(game.board, gone)

    def is_gained(point: int) -> bool:
        return bool(owner[point] == color and (game.color_at(point) == EMPTY or point in gone))

    gained = set(distances(killed, is_gained))
    # No farther: the empty points may lead all over a color's ground.
    close = gained & {near for stone in killed for near in neighbors(stone)} | killed
    beside = {near for point in close for near in neighbors(point)}
    freed = [c for c in chains if game.color_at(min(c)) == color and c & doubtful and c & beside]
    return gained.union(*freed)


def _is_finished(game: Game, dead: Chains, owned: Points, neutral: Points) -> bool:
    """Return whether no point is worth a move any more, by the same standard under all rules.

    Territory has to be beyond doubt like chains (a lone stone does not own the board), and what
    belongs to nobody has to be a seki's. Dame count as open where they are worth nothing, too:
    an open boundary looks the same from afar, and filling dame costs nothing there.
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
