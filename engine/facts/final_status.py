"""The final status of each chain: alive, dead or in seki, by careful roll-outs and proofs.

The position itself seeds the random numbers, so the same position always gets the same verdict.
"""

from collections.abc import Iterator
from typing import Literal, NamedTuple

import numpy as np

from engine.facts.survey import SURVEY, Survey
from engine.go.board import BLACK, WALL, WHITE, Mask, Ownership
from engine.go.geometry import neighbors
from engine.go.played import Move
from engine.go.protection import points_to_fill
from engine.go.rules import Rules
from engine.go.scoring import NEUTRAL
from engine.picture.picture import Chain, Picture, Stones, join_chains


class StatusLimits(NamedTuple):
    """Net shares of roll-outs that decide the status of chains."""

    # A chain is alive or dead beyond doubt when its owner wins this share of the roll-outs, net.
    # This is twelve deviations.
    clear: float = 0.6
    # The same by area for owners of points where a search has the last word
    # (``engine.player.passing``). In 38 of 40 finished games on 9x9 the least share was above 0.3,
    # although random invasions often succeed.
    likely: float = 0.2
    # Neutral points, as a share of the lines, that do not touch both colors although people passed.
    # In 40 finished games on 19x19 there were 0 to 5, six plies earlier up to 40.
    unfinished: float = 0.3
    # The same as a share of the board's points, from which on nobody passes and proofs about groups
    # may wait. In 19 games on 19x19 proofs changed their number by at most 24, and mostly by none.
    open: float = 0.1
    # Fewer stones a line than this do not divide a board.
    least_stones: float = 1.5


STATUS = StatusLimits()


Basis = Literal["proof", "roll-outs"]
"""The basis of a fact."""
Chains = list[list[int]]
Words = dict[Chain, str]


class FinalStatus(NamedTuple):
    """The chains of a position by their final status, each a sorted list of points."""

    alive: Chains
    dead: Chains
    seki: Chains
    clear: bool  # whether every status is beyond doubt
    settled: bool  # whether in addition no point is left to fight for, dame included
    # Whether borders are closed, so that a count makes sense. By area every point that is not dame
    # has an owner who is likely, too
    closed: bool
    dame: frozenset[int]  # neutral points between both colors that are not part of a seki
    # Those of them where a side may still make territory: they touch one color at most
    unfinished: frozenset[int]
    captures: tuple[Move, ...]  # that nothing prevents, and that a count needs: color and point
    proved: Stones  # stones whose status rests on proofs; that of all others rests on roll-outs
    picture: Picture
    rules: Rules
    ownership: Ownership  # owner of each point in the roll-outs, or by proof

    @property
    def words(self) -> dict[int, tuple[str, Basis]]:
        """The status of each stone, in a word, and the basis of it."""
        dead, seki = self.dead_stones(), self.seki_stones()
        return {
            p: (
                "dead" if p in dead else "seki" if p in seki else "alive",
                "proof" if p in self.proved else "roll-outs",
            )
            for chain in self.alive + self.dead + self.seki
            for p in chain
        }

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

    @property
    def counted(self) -> tuple[set[int], set[int], tuple[Move, ...]]:
        """The dead stones, those in seki, and the captures: the arguments of ``Game.score``."""
        return self.dead_stones(), self.seki_stones(), self.captures

    @property
    def owner(self) -> Mask:
        """The owner of each point in a count without captures, as ``Picture.owners`` returns it."""
        return self.picture.owners(self.dead_stones())

    def free_moves(self, color: int) -> set[int]:
        """Return the moves that cost a color no point in a closed position, if they are legal."""
        return self.open_captures(color) | self.moves_required(color) | self.dame

    def moves_required(self, color: int) -> set[int]:
        """Return the points of its own that a color has to fill before the count.

        They connect chains that are left in atari when all dame are filled, or end a ko. By area a
        status beyond doubt needs none.
        """
        if self.rules.scoring == "area" and self.clear:
            return set()
        dead, seki = self.dead_stones(), self.seki_stones()
        to_fill = points_to_fill(self.picture.board, self.owner, dead, seki)
        return to_fill[color] | self.open_kos(color)

    def deviation(self) -> float:
        """Return the deviation of the counted margin [points]; 0: every status is beyond doubt.

        An upper bound: open points count as perfectly correlated, like the stones of one chain.
        """
        if self.clear:
            return 0.0
        owners = self.ownership[list(self.picture.points)]
        return float(np.sqrt(1.0 - owners[np.abs(owners) < STATUS.clear] ** 2).sum())

    def secure_ground(self, color: int) -> set[int]:
        """Return the empty points inside a color's territory that are beyond doubt."""
        picture, owner, sign = self.picture, self.owner, 1 if color == BLACK else -1
        own = {p for p in picture.points if owner[p] == color and picture.is_empty(p)}
        secure = {point for point in own if sign * self.ownership[point] >= SURVEY.secure}
        return secure - self.open_kos(color)

    def open_ground(self, color: int) -> int:
        """Return a color's empty points in a count that are not secure, less the other color's."""
        empty, owner = filter(self.picture.is_empty, self.picture.points), self.owner
        owners = [owner[point] for point in empty if abs(self.ownership[point]) < SURVEY.secure]
        return owners.count(color) - owners.count(3 - color)

    def open_captures(self, color: int) -> set[int]:
        """Return the points where a color takes stones that are uncertain in roll-outs, if legal.

        An example is a ko for the last points.
        """
        owner = self.owner
        return {
            chain.liberties[0]
            for chain in self._in_atari(self.alive + self.dead, 3 - color)
            if abs(self.ownership[chain.first]) < SURVEY.secure and owner[chain.first] != color
        }

    def open_kos(self, color: int) -> set[int]:
        """Return where the opponent can take a color's living stone in a ko: points to fill."""
        # Dead stones around the chain are taken off before the count: it is in no danger.
        in_atari, dead = self._in_atari(self.alive, color), self.dead_stones()
        return {
            chain.liberties[0]
            for chain in in_atari
            if _is_ko(self.picture, chain) and dead.isdisjoint(neighbors(chain.first))
        }

    def _in_atari(self, chains: Chains, color: int) -> Iterator[Chain]:
        """Yield the chains of a color that have one liberty."""
        for chain in (self.picture.chain_at(stones[0]) for stones in chains):
            if chain.color == color and chain.in_atari:
                yield chain


def _is_ko(picture: Picture, chain: Chain) -> bool:
    """Return whether the capture of a chain in atari could be retaken at once."""
    around = {picture.colors[near] for near in neighbors(chain.liberties[0])}
    return len(chain.stones) == 1 and around <= {chain.color, WALL}


def _won_kos(survey: Survey, words: Words) -> list[Chain]:
    """Return the lone stones in an open ko, which the winner fills, that link living chains."""
    living = {stone for chain, word in words.items() if word == "alive" for stone in chain.stones}
    return [
        chain
        for chain, word in words.items()
        if word == "dead" and chain.in_atari and _is_ko(survey.picture, chain)
        if survey.is_unsure(chain) and chain.first not in survey.proved.dead
        if survey.picture.around(chain.liberties, chain.color) - chain.stones <= living
    ]


def _drawn_into_seki(words: Words, with_eyes: Stones) -> list[Chain]:
    """Return the living chains, but those with eyes, that share liberties with a friend in seki."""
    seki = [chain for chain, word in words.items() if word == "seki"]
    if not seki:
        return []
    living = [chain for chain, word in words.items() if word != "dead"]
    groups = join_chains([chain for chain in living if not chain.stones & with_eyes])
    joined = [group for group in groups if any(chain.stones <= group for chain in seki)]
    return [chain for chain in living if any(chain.stones <= group for group in joined)]


def judge_open(survey: Survey, rules: Rules) -> FinalStatus | None:
    """Return the status by roll-outs alone if borders are wide open; None if proofs may matter."""
    status = status_of(survey, rules)
    is_open = len(status.unfinished) > STATUS.open * survey.picture.size**2
    return status if is_open or not is_divided(survey.picture) else None


def status_of(survey: Survey, rules: Rules) -> FinalStatus:
    """Return the status of each chain by the results of roll-outs and proofs."""
    picture, shares = survey.picture, [survey.share(chain) for chain in survey.picture.chains]
    words: Words = {
        chain: "dead" if share < 0 else "seki" if survey.is_seki(chain) else "alive"
        for chain, share in zip(picture.chains, shares, strict=True)
    }
    words.update(dict.fromkeys(_won_kos(survey, words), "alive"))
    words.update(dict.fromkeys(_drawn_into_seki(words, survey.proved.alive), "seki"))
    clear = all(abs(share) >= STATUS.clear for share in shares)
    alive, dead, seki = (
        [sorted(chain.stones) for chain in words if words[chain] == word]
        for word in ("alive", "dead", "seki")
    )
    owner = picture.owners([stone for chain in dead for stone in chain])
    neutral = (point for point in picture.points if owner[point] == NEUTRAL)
    dame = frozenset(point for point in neutral if not survey.is_neutral(point))
    unfinished = _unfinished(survey, owner, dame)
    is_closed = is_divided(picture) and len(unfinished) <= STATUS.unfinished * picture.size
    if rules.scoring == "area":
        is_closed = is_closed and _has_owners(survey, owner, STATUS.likely)
    proved = survey.proved.dead | survey.proved.alive | survey.proved.seki
    if rules.scoring == "territory":  # by area the roll-outs judge these
        proved |= survey.proved.critical
    return FinalStatus(
        alive=alive,
        dead=dead,
        seki=seki,
        clear=clear,
        settled=clear and not dame and is_closed and _has_owners(survey, owner, STATUS.clear),
        closed=is_closed,
        dame=dame,
        unfinished=unfinished,
        captures=tuple(
            Move(c.color, c.point) for c in survey.captures if owner[c.point] == NEUTRAL
        ),
        proved=proved,
        picture=picture,
        rules=rules,
        ownership=survey.ownership,
    )


def is_divided(picture: Picture) -> bool:
    """Return whether there are stones enough to divide the board."""
    stones = sum(len(chain.stones) for chain in picture.chains)
    return bool(stones >= STATUS.least_stones * picture.size)


def _unfinished(survey: Survey, owner: Mask, dame: frozenset[int]) -> frozenset[int]:
    """Return the dame that touch at most one living color, without captures to be counted."""
    # A border is not open where a count needs the capture of a dead stone.
    taken = {point for capture in survey.captures for point in (*capture.stones, capture.point)}
    return frozenset(
        point
        for point in dame - taken
        if not {BLACK, WHITE} <= {owner[near] for near in neighbors(point)}
    )


def _has_owners(survey: Survey, owner: Mask, share: float) -> bool:
    """Return whether each owner of a point has it in that net share of roll-outs."""
    points = list(survey.picture.points)
    owners, signs = survey.ownership[points], np.array([0, 1, -1, 0])[owner[points]]
    return bool(np.all((signs == 0) | (signs * owners >= share)))
