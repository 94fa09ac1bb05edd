"""Effects of one move that another one does not have.

The one explainer: ``yomi-explain`` asks it why a move was preferred, a review why a move was a
mistake. Proofs go first: stones that are captured or saved, groups that live or die, links and
cuts. Proofs are about the positions after either move, with the opponent to move there. Roll-outs
after both moves show the rest: the chains that live after the one and not after the other, and the
ground that changes its owner. ``words`` turns effects into sentences.

Learned odds of a capture are no reason. They foretell a longer reading well, but not the fate of
the chain: a strong net kept most of the chains that they gave up with 40 to 80 %. Shares of
roll-outs came true (compared with the net's owners of the points).
"""

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from engine.explain.kinds import STONE, Effect, Kind, StoneList
from engine.explain.outcomes import Outcome, outcome_of, share_alive, status_after
from engine.explain.territory import Reach, taken_points
from engine.facts.position_facts import Facts
from engine.go.board import BLACK, EMPTY, KO, WALL, Ownership
from engine.go.geometry import PASS, neighbors
from engine.go.history import Game
from engine.picture.picture import picture_of


class EffectLimits(NamedTuple):
    """Thresholds of what one move brings and another one does not."""

    group: float = 2.0 * STONE  # points that a stone is worth which lives or dies with its ground
    # Shares of continuations from which on a chain lives, and up to which it dies. Of chains that
    # roll-outs see half alive, most live after both moves, or die after both.
    alive: float = 0.7
    dead: float = 0.3
    # A proof about stones takes their surroundings as given, and a small capture may be a
    # sacrifice. Roll-outs have to agree: the stones fare better after the one move in this share
    # more of them.
    agreed: float = 0.2
    # Stones of a chain about which more is told than its capture by the move. A single one is given
    # up.
    fewest: int = 2
    lives: float = 0.5  # share of continuations from which on stones without a proof against live
    settled: float = 0.95  # net share from which on the owner of a point is settled
    taken: float = 3.0  # points from which on ground that changes hands is told as such


EFFECTS = EffectLimits()


class _MovePair(NamedTuple):
    """A choice between two moves of a color.

    game  before either move
    """

    game: Game
    color: int
    first: Outcome
    second: Outcome

    def effect(
        self,
        kind: Kind,
        points: float,
        *stones: StoneList,
        places: tuple[int, ...] = (),
        numbers: tuple[float, ...] = (),
    ) -> Effect:
        """Return an effect of the choice."""
        return Effect(
            kind=kind,
            points=points,
            stones=stones,
            color=self.color,
            moves=(self.first.move, self.second.move),
            places=places,
            numbers=numbers,
        )


def effects_of(
    game: Game,
    color: int,
    moves: tuple[int, int],
    owners: tuple[Ownership, Ownership],
    facts: Facts,
    rollouts: float = math.inf,
) -> list[Effect]:
    """Return what one move of a color brings and another one does not, the largest first.

    game      before either move
    moves     the one, and the other one
    owners    after the one, and after the other one; float64[AREA], -1 White .. 1 Black
    rollouts  of each of the two searches that found the owners
    """
    first, second = (
        outcome_of(game, color, move, owned, facts)
        for move, owned in zip(moves, owners, strict=True)
    )
    choice = _MovePair(game, color, first, second)
    effects = [*_ko(choice), *_links(choice, facts)]
    proved: set[int] = set()  # stones with a proved effect
    for effect in (*_captures(choice), *_groups(choice, facts)):
        (stones,) = effect.stones
        if proved.isdisjoint(stones):
            proved.update(stones)
            effects.append(effect)
    effects += [*_fates(choice, proved), *_ground(choice, rollouts), *_in_vain(choice, proved)]
    return sorted(effects, key=lambda effect: -effect.points)


def _ko(choice: _MovePair) -> Iterator[Effect]:
    first = choice.first
    if first.move != PASS and choice.game.board[KO] != first.game.board[KO] != 0:
        yield choice.effect(Kind.TAKES_KO, STONE)


def _links(choice: _MovePair, facts: Facts) -> list[Effect]:
    """Return the largest pair of chains that the one move links or cuts, as is proved.

    Roll-outs have to agree that the move itself lives.
    """
    game, color, first, second = choice
    if (
        PASS in (first.move, second.move)
        or share_alive([first.move], color, first.owners) < EFFECTS.lives
    ):
        return []
    # The largest pair comes first.
    for pair in sorted(facts.links(game.board), key=lambda pair: -len(pair.one) - len(pair.other)):
        key = pair.link if pair.color == color else pair.cut
        if first.move != key or second.move == key:
            continue
        kind = Kind.LINKS if pair.color == color else Kind.CUTS
        points = STONE * min(len(pair.one), len(pair.other))
        return [choice.effect(kind, points, tuple(pair.one), tuple(pair.other))]
    return []


def _captures(choice: _MovePair) -> Iterator[Effect]:
    """Yield the chains whose capture or rescue hangs on the choice, as is proved.

    Proofs and roll-outs have to agree. A capture by the move itself is a reason if the place stays
    captured: stones may be dead anyway, and their capture saves others.
    """
    game, color, first, second = choice
    for chain in sorted(picture_of(game.board).chains, key=lambda chain: -len(chain.stones)):
        owner, stones = chain.color, tuple(sorted(chain.stones))
        points = STONE * len(stones)
        here, _ = status_after(stones, first)
        there, reading = status_after(stones, second)
        lives, lived = (share_alive(stones, owner, o.owners) for o in (first, second))
        if owner != color and here == "gone" and there != "gone":
            if lives <= EFFECTS.lives:  # the opponent does not take the place back
                yield choice.effect(Kind.CAPTURES, points, stones)
            continue
        gain = lives - lived if owner == color else lived - lives
        if len(stones) < EFFECTS.fewest or gain < EFFECTS.agreed:
            continue
        if owner != color:
            if here == "dead" and there in ("safe", "critical"):
                yield choice.effect(Kind.TRAPS, points, stones)
        elif here == "safe" and there == "dead" and lives >= EFFECTS.lives:
            yield choice.effect(Kind.SAVES, points, stones)
        elif here == "safe" and there in ("critical", "attackable") and reading is not None:
            yield choice.effect(Kind.PREVENTS_CAPTURE, points, stones, places=reading.attacks[:1])


def _groups(choice: _MovePair, facts: Facts) -> Iterator[Effect]:
    """Yield the groups whose life hangs on the choice, as is proved.

    Proofs and roll-outs have to agree.
    """
    game, color, first, second = choice
    for group in second.groups:  # own ones, in danger after the other move only
        stones = tuple(stone for stone in group.stones if game.color_at(stone) == color)
        lost = group.status == "dead" or group.attacks
        if group.color != color or not stones or not lost or _listed(stones, first):
            continue
        saved = share_alive(stones, color, first.owners)
        if saved < EFFECTS.lives or share_alive(stones, color, second.owners) > EFFECTS.dead:
            continue
        life = "unknown" if group.rival else facts.life_of(first.game.board, stones[0])
        attack = group.attacks[:1]
        if group.rival:
            kind = Kind.PREVENTS_LOST_RACE
        elif life == "seki":
            kind = Kind.LIVES_IN_SEKI
        elif group.status == "dead":
            kind = Kind.LIVES if life == "alive" else Kind.PREVENTS_DEATH
        else:
            kind = Kind.PREVENTS_KILL
        yield choice.effect(kind, STONE * len(stones), stones, places=attack)
    for group in first.groups:  # the opponent's, dead after the one move only
        stones = tuple(stone for stone in group.stones if game.color_at(stone) == 3 - color)
        if group.color == color or group.status != "dead" or not stones:
            continue
        if any(stones[0] in g.stones and g.status == "dead" for g in second.groups):
            continue
        spared = share_alive(stones, 3 - color, second.owners)
        if spared < EFFECTS.lives or share_alive(stones, 3 - color, first.owners) > EFFECTS.dead:
            continue
        kind = Kind.WINS_RACE if group.rival else Kind.KILLS
        yield choice.effect(kind, STONE * len(stones), stones)


def _listed(stones: StoneList, outcome: Outcome) -> bool:
    return any(stones[0] in group.stones for group in outcome.groups)


def _fates(choice: _MovePair, proved: set[int]) -> Iterator[Effect]:
    """Yield the chains that live after one move and not after the other, by roll-outs.

    Roll-outs are clear about both, and the solvers do not contradict them. Chains with the same
    shares share an effect: most of them are one group.
    """
    game, color, first, second = choice
    alike: dict[tuple[int, float, float], list[StoneList]] = {}
    for chain in picture_of(game.board).chains:
        owner, stones = chain.color, tuple(sorted(chain.stones))
        if len(stones) < EFFECTS.fewest or not proved.isdisjoint(stones):
            continue
        lives, lived = (share_alive(stones, owner, o.owners) for o in (first, second))
        high, low, alive = (lives, lived, first) if owner == color else (lived, lives, second)
        if high >= EFFECTS.alive and low <= EFFECTS.dead and not _lost(stones, color, alive):
            alike.setdefault((owner, round(lives, 2), round(lived, 2)), []).append(stones)
    for (owner, *shares), chains in alike.items():
        points = EFFECTS.group * abs(shares[0] - shares[1]) * sum(map(len, chains))
        kind = Kind.OWN_LIVE if owner == color else Kind.RIVALS_DIE
        yield choice.effect(kind, points, *chains, numbers=tuple(shares))


def _lost(stones: StoneList, color: int, outcome: Outcome) -> bool:
    """Return whether a chain is proved to die after a color's move.

    The opponent is to move, so the color's own chains and groups in danger are lost.
    """
    status, _ = status_after(stones, outcome)
    mine = outcome.game.color_at(stones[0]) == color
    groups = (group for group in outcome.groups if group.status == "dead" or group.color == color)
    return (
        status in ("gone", "dead")
        or (mine and status in ("critical", "attackable"))
        or any(stones[0] in group.stones for group in groups)
    )


def _ground(choice: _MovePair, rollouts: float) -> Iterator[Effect]:
    """Yield the largest ground that the one move brings, and the one it gives up for that.

    Both are within reach of their moves, and larger than the noise of the searches.
    """
    game, color, first, second = choice
    sign = 1.0 if color == BLACK else -1.0
    mine, others = sign * first.owners, sign * second.owners
    here = Reach(first.move, mine, others, rollouts)
    there = Reach(second.move, others, mine, rollouts)
    won, lost = here.largest(game, mine - others), there.largest(game, others - mine)
    given_up = lost.points if lost is not None else 0.0
    if won is None or won.points <= 2.0 * given_up:  # else it is an exchange, and no gain
        return
    gain, kind = won.points - given_up, Kind.GROUND
    taken = here.largest(game, taken_points(mine, others))
    if taken is not None and taken.points >= max(EFFECTS.taken, 2.0 * given_up):
        won, gain, kind = taken, taken.points - given_up, Kind.TAKES_GROUND
    grounds = [won] if lost is None else [won, lost]
    yield choice.effect(
        kind,
        gain,
        places=tuple(ground.middle for ground in grounds),
        numbers=tuple(ground.points for ground in grounds),
    )


def _in_vain(choice: _MovePair, proved: set[int]) -> Iterator[Effect]:
    """Yield that the other move changes nothing, or is lost.

    The ground around it is settled in any case; or its chain can be captured, as is proved, and
    roll-outs agree.
    """
    game, color, first, second = choice
    if second.move == PASS:
        return
    near = [second.move, *(p for p in neighbors(second.move) if game.color_at(p) != WALL)]
    owners = np.array([outcome.owners[near] for outcome in (first, second)])
    if (abs(owners) >= EFFECTS.settled).all() and abs(
        owners.sum()
    ) >= EFFECTS.settled * owners.size:
        if (owners[0, 0] > 0) != (color == BLACK):
            yield choice.effect(Kind.OTHER_IN_RIVALS_GROUND, 1.0)
        elif not any(second.game.color_at(p) == EMPTY for p in game.stones(3 - color)):
            yield choice.effect(Kind.OTHER_IN_OWN_GROUND, 1.0)
        return
    for chain in second.picture.chains_of([second.move]):  # after suicide there is none
        stones = tuple(sorted(chain.stones))
        lives = share_alive(stones, color, second.owners)
        if proved.isdisjoint(stones) and lives <= EFFECTS.dead:
            status, reading = status_after([second.move], second)
            if status == "dead":
                yield choice.effect(Kind.OTHER_IS_LOST, STONE, stones)
            elif reading is not None:
                attack = reading.attacks[:1]
                yield choice.effect(Kind.OTHER_IS_CAPTURED, STONE, stones, places=attack)
