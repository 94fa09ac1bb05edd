"""The final status of each chain: alive, dead or in seki, by careful roll-outs and proofs.

The position itself seeds the random numbers, so the same position always gets the same verdict. A
dead list that changes when it is requested twice has lost games on servers.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from engine.facts.chain_facts import Basis
from engine.facts.group_prover import PROVER
from engine.facts.survey import SURVEY, Survey, survey_of, with_proofs
from engine.go.board import BLACK, EMPTY, WALL, WHITE, Mask, Ownership
from engine.go.geometry import board_points, neighbors
from engine.go.history import Game
from engine.go.played import Move
from engine.go.protection import points_to_fill
from engine.go.scoring import NEUTRAL, point_owners
from engine.life.evidence import LifeWeights
from engine.picture.picture import Stones, join_chains, picture_of


class StatusLimits(NamedTuple):
    """Net shares of roll-outs that decide the status of chains."""

    # A chain is alive or dead beyond doubt when its owner wins this share of the roll-outs, net.
    # This is twelve deviations.
    clear: float = 0.6
    # The same for owners of points where a search has the last word (``engine.player.passing``). In
    # 38 of 40 finished games on 9x9 the least share was above 0.3, although random invasions often
    # succeed.
    likely: float = 0.2
    # Fewer stones a line than this do not divide a board.
    least_stones: float = 1.5


STATUS = StatusLimits()


Chains = list[list[int]]


class FinalStatus(NamedTuple):
    """The chains of a position by their final status, each a sorted list of points.

    clear      whether every status is beyond doubt
    settled    whether in addition no point is left to fight for, dame included
    closed     whether borders are closed: every empty point is dame, or has an owner who is likely
    dame       neutral points between both colors that are not part of a seki
    captures   captures that nothing prevents, and that a count needs: color and point
    proved     stones whose status rests on proofs; that of all others rests on roll-outs
    ownership  float64[AREA], owner of each point in the roll-outs, or by proof: -1 White .. 1 Black
    """

    alive: Chains
    dead: Chains
    seki: Chains
    clear: bool
    settled: bool
    closed: bool
    dame: frozenset[int]
    captures: tuple[Move, ...]
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
        return self._replace(alive=chains, dead=[], seki=[], clear=True, captures=(), proved=stones)

    def margin(self, game: Game) -> float:
        """Return Black's margin under the game's rules, komi and handicap compensation included.

        game  the game whose position was judged
        """
        dead = self.dead_stones()
        if self.captures:
            game = game.copy()
            for color, point in self.captures:
                game.play(color, point, forced=True)
            dead = {stone for stone in dead if game.color_at(stone) != EMPTY}
        return game.score(dead, self.seki_stones())

    def free_moves(self, game: Game, color: int) -> set[int]:
        """Return the moves that cost a color no point in a closed position.

        These are dame, captures of uncertain stones, and moves that the count requires
        (``moves_required``). Every other move fills territory, or is lost inside of it.
        game  the game whose position was judged
        """
        return self.open_captures(game, color) | self.moves_required(game, color) | self.dame

    def moves_required(self, game: Game, color: int) -> set[int]:
        """Return the points of its own that a color has to fill before the count, by territory.

        They connect chains that are left in atari when all dame are filled, or end a ko.
        game  the game whose position was judged
        """
        if game.rules.scoring == "area":
            return set()
        to_fill = points_to_fill(game.board, self.dead_stones(), self.seki_stones())
        return to_fill[color] | self.open_kos(game, color)

    def deviation(self, game: Game) -> float:
        """Return the deviation of the counted margin [points]; 0: every status is beyond doubt.

        The open points count as if all of them fell together, as the stones of a chain do. This is
        an upper bound.
        game  the game whose position was judged
        """
        if self.clear:
            return 0.0
        owners = self.ownership[list(board_points(game.size))]
        return float(np.sqrt(1.0 - owners[np.abs(owners) < STATUS.clear] ** 2).sum())

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
            and sign * self.ownership[point] >= SURVEY.secure
            and point not in open_kos
        }

    def open_ground(self, game: Game, color: int) -> int:
        """Return a color's empty points in a count that are not secure, less the other color's.

        A count gives empty points to the only color around them: the whole board to a first stone.
        game  the game whose position was judged
        """
        owner = point_owners(game.board, self.dead_stones())
        owners = [
            owner[point]
            for point in board_points(game.size)
            if game.color_at(point) == EMPTY and abs(self.ownership[point]) < SURVEY.secure
        ]
        return owners.count(color) - owners.count(3 - color)

    def open_captures(self, game: Game, color: int) -> set[int]:
        """Return the points where a color can take stones that are uncertain in roll-outs.

        An example is a ko for the last points. A side that gives it up loses it, although it mostly
        lost it anyway. Stones that die in their opponent's territory are left there.
        game  the game whose position was judged
        """
        owner = point_owners(game.board, self.dead_stones())
        in_atari = _in_atari(game, self.alive + self.dead, 3 - color)
        liberties = {
            at
            for chain, at in in_atari
            if abs(self.ownership[chain[0]]) < SURVEY.secure and owner[chain[0]] != color
        }
        return liberties.intersection(game.legal_points(color))

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
    return len(chain) == 1 and all(owner in (color, WALL) for owner in around)


def _in_atari(game: Game, chains: Chains, color: int) -> Iterator[tuple[list[int], int]]:
    """Yield the chains of a color that have one liberty, with the liberty."""
    for chain in chains:
        liberty, *others = game.liberties(chain[0])
        if game.color_at(chain[0]) == color and not others:
            yield chain, liberty


def _keep_won_kos(game: Game, alive: Chains, dead: Chains, survey: Survey) -> None:
    """Move lone stones in an open ko, where roll-outs are unsure of them, to the living chains.

    Both players passed, so the opponent does not take the ko. The winner fills it. The chains that
    the stone links must live. Both lists change in place.
    """
    living = {point for chain in alive for point in chain}
    for color in (BLACK, WHITE):
        for chain, liberty in list(_in_atari(game, dead, color)):
            links = {near for near in neighbors(liberty) if game.color_at(near) == color}
            unsure = survey.is_unsure(game, chain) and chain[0] not in survey.proved.dead
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
    chains = picture_of(game.board).chains_of(point for chain in alive + seki for point in chain)
    groups = join_chains([chain for chain in chains if not chain.stones & with_eyes])
    spread = {p for group in groups if any(c[0] in group for c in seki) for p in group}
    seki += [chain for chain in alive if chain[0] in spread]
    alive[:] = [chain for chain in alive if chain[0] not in spread]
    seki.sort()


def judge_fates(
    game: Game,
    weights: LifeWeights | None = None,
    survey: Survey | None = None,
    nodes: int = PROVER.longer_nodes,
) -> FinalStatus:
    """Return which chains of the current position are alive, dead or in seki.

    A ko that may not be retaken yet is judged as if it could be, so that a pass changes no verdict.
    weights  learned weights of the solver of life and death; None: it does without
    survey   of the position, if there is one already; its counts change in place
    nodes    of all readings of groups that a short one does not decide
    """
    return _status_of(game, with_proofs(game, survey or survey_of(game), weights, nodes))


def judge_open(game: Game, survey: Survey) -> FinalStatus | None:
    """Return the status by roll-outs alone if many points are open; None if few are.

    survey  the survey of the position, without proofs

    Proofs about groups cost most of the time of a status. In 225 of 243 positions of games on 9x9
    more points were open than half the number of lines, and proofs settled none of these.
    """
    is_open = np.abs(survey.ownership) < STATUS.clear
    empty = (point for point in board_points(game.size) if game.color_at(point) == EMPTY)
    count = sum(bool(is_open[point]) and not survey.is_neutral(point) for point in empty)
    return _status_of(game, survey) if count > game.size // 2 else None


def _status_of(game: Game, survey: Survey) -> FinalStatus:
    """Return the status of each chain by the results of roll-outs and proofs."""
    alive: Chains = []
    dead: Chains = []
    seki: Chains = []
    clear = True
    for chain in game.chains():
        share = survey.share(game, chain)
        clear &= abs(share) >= STATUS.clear
        is_seki = survey.is_seki(game, chain)
        (dead if share < 0 else seki if is_seki else alive).append(chain)
    _keep_won_kos(game, alive, dead, survey)
    _spread_seki(game, alive, seki, survey.proved.alive)
    owner = point_owners(game.board, [point for chain in dead for point in chain])
    dame = _dame(game, owner, survey)
    is_closed = _is_closed(game, owner, dame, survey)
    settled = clear and not dame and is_closed and _has_owners(game, owner, survey, STATUS.clear)
    proved = survey.proved.dead | survey.proved.alive | survey.proved.seki
    if game.rules.scoring == "territory":  # by area the roll-outs judge these
        proved |= survey.proved.critical
    return FinalStatus(
        alive=alive,
        dead=dead,
        seki=seki,
        clear=clear,
        settled=settled,
        closed=is_closed and _has_owners(game, owner, survey, STATUS.likely),
        dame=dame,
        captures=tuple(
            Move(c.color, c.point) for c in survey.captures if owner[c.point] == NEUTRAL
        ),
        proved=proved,
        ownership=survey.ownership,
    )


def _dame(game: Game, owner: Mask, survey: Survey) -> frozenset[int]:
    """Return the empty neutral points that do not belong to a seki.

    Dame count as open even where they are worth nothing. An open boundary looks the same from
    afar, and filling dame costs nothing there.
    owner  uint8[AREA], of each point as ``point_owners`` returns it
    """
    return frozenset(
        point
        for point in board_points(game.size)
        if owner[point] == NEUTRAL and not survey.is_neutral(point)
    )


def _is_closed(game: Game, owner: Mask, dame: frozenset[int], survey: Survey) -> bool:
    """Return whether all dame touch living stones of both colors: nobody can make territory there.

    A border is not open where a count needs the capture of a dead stone.
    """
    taken = {point for capture in survey.captures for point in (*capture.stones, capture.point)}

    def touches(point: int, color: int) -> bool:
        return any(game.color_at(near) == color == owner[near] for near in neighbors(point))

    stones = len(game.stones(BLACK)) + len(game.stones(WHITE))
    return stones >= STATUS.least_stones * game.size and all(
        touches(point, BLACK) and touches(point, WHITE) for point in dame - taken
    )


def _has_owners(game: Game, owner: Mask, survey: Survey, share: float) -> bool:
    """Return whether the owner of each point has it in that net share of roll-outs.

    A lone stone does not own the board. Neutral points have no owner.
    """
    for point in board_points(game.size):
        sign = {BLACK: 1, WHITE: -1}.get(int(owner[point]), 0)
        if sign != 0 and sign * survey.ownership[point] < share:
            return False
    return True
