"""Effects of one move that another one does not have.

Proofs go first, about the positions after either move, with the opponent to move there. Roll-outs
after both moves show the rest.

Learned odds of a capture are no reason: a strong net kept most of the chains that they gave up.
"""

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from engine.explain.kinds import STONE, Effect, Kind
from engine.explain.outcomes import MovePair, Outcome, share_alive
from engine.facts.group_facts import GroupFacts
from engine.go.board import BLACK, EMPTY, KO, WALL, Ownership
from engine.go.components import components
from engine.go.geometry import PASS, board_points, lines_apart, neighbors
from engine.picture.picture import StoneList, picture_of


class EffectLimits(NamedTuple):
    """Thresholds of what one move brings and another one does not."""

    group: float = 2.0 * STONE  # points that a stone is worth which lives or dies with its ground
    # A chain counts as alive from this share of continuations on. Most chains that live in half of
    # the roll-outs live after both moves, or die after both.
    alive: float = 0.7
    dead: float = 0.3  # and as dead up to this one
    # A proof about stones takes their surroundings as given, and a small capture may be a
    # sacrifice. Roll-outs have to agree: the stones fare better after the one move in this share
    # more of them.
    agreed: float = 0.2
    # Stones of a chain about which more is told than its capture by the move.
    fewest: int = 2
    lives: float = 0.5  # share of continuations from which on stones without a proof against live
    settled: float = 0.95  # net share from which on the owner of a point is settled
    owned: float = 0.1  # least gain of a point that belongs to ground
    least: float = 1.0  # points of ground that are worth a word
    taken: float = 3.0  # points of ground that are named as changing hands
    reach: int = 4  # lines from the move to its ground, at most
    # Deviations of the difference of two searches from which on ground is no noise
    deviations: float = 2.5
    near: int = 1  # lines from a move to a local answer, at most
    far: int = 6  # lines from a move to an answer elsewhere, at least
    reply: float = 1.0  # points of a reason that the opponent's replies are


EFFECTS = EffectLimits()


def effects_of(choice: MovePair) -> list[Effect]:
    """Return what the first move of a choice brings and the second does not, the largest first."""
    # Proofs and roll-outs have to agree, so only stones that fare differently are read.
    differing = {p for s in choice.chains if choice.gain(s) >= EFFECTS.agreed for p in s}
    choice.first.about = choice.second.about = frozenset(differing)
    effects = _links(choice)
    proved: set[int] = set()  # stones with a proved effect
    for effect in (*_captures(choice), *(_groups(choice) if differing else ())):
        (stones,) = effect.stones
        if proved.isdisjoint(stones):
            proved.update(stones)
            effects.append(effect)
    effects += [*_fates(choice, proved), *_ground(choice), *_in_vain(choice, proved)]
    return sorted(effects, key=lambda effect: -effect.points)


def _links(choice: MovePair) -> list[Effect]:
    """Return the largest pair of chains that the one move links or cuts, by proof, if it lives."""
    game, color, first, second = choice
    is_alive = share_alive([first.move], color, first.owners) >= EFFECTS.lives
    if PASS in (first.move, second.move) or not is_alive:
        return []
    pairs = first.facts.links(game.board, first.move)
    for pair in sorted(pairs, key=lambda pair: -len(pair.one) - len(pair.other)):
        key = pair.link if pair.color == color else pair.cut
        if first.move == key != second.move:
            kind = Kind.LINKS if pair.color == color else Kind.CUTS
            points = STONE * min(len(pair.one), len(pair.other))
            return [choice.effect(kind, points, pair.one, pair.other)]
    return []


def _captures(choice: MovePair) -> Iterator[Effect]:
    """Yield a ko, and the chains that the choice takes or saves, by proofs and roll-outs."""
    game, color, first, second = choice
    ko = int(first.game.board[KO])
    if first.move != PASS and game.board[KO] != ko != 0:
        yield choice.effect(Kind.TAKES_KO, STONE, (ko,))
    for stones in choice.chains:
        is_own, points = game.color_at(stones[0]) == color, STONE * len(stones)
        here, there = (o.game.color_at(stones[0]) == EMPTY for o in (first, second))
        lives, _ = choice.shares(stones)
        if not is_own and here and not there:
            # The opponent does not take the place back. Dead stones count: others are saved.
            if lives <= EFFECTS.lives:
                yield choice.effect(Kind.CAPTURES, points, stones)
        elif len(stones) >= EFFECTS.fewest and choice.gain(stones) >= EFFECTS.agreed:
            (now, _), (then, attack) = first.status(stones), second.status(stones)
            if not is_own:
                if now == "dead" and then in ("safe", "critical"):
                    yield choice.effect(Kind.TRAPS, points, stones)
            elif now == "safe" and then == "dead" and lives >= EFFECTS.lives:
                yield choice.effect(Kind.SAVES, points, stones)
            elif now == "safe" and then in ("critical", "attackable"):
                yield choice.effect(Kind.PREVENTS_CAPTURE, points, stones, places=(attack,))


def _groups(choice: MovePair) -> Iterator[Effect]:
    """Yield the groups whose life hangs on the choice, as is proved; roll-outs have to agree."""
    game, color, first, second = choice

    def part(group: GroupFacts, owner: int, good: Outcome, bad: Outcome) -> StoneList:
        """Return a color's stones in a group that live after one move and die after the other."""
        stones = tuple(stone for stone in group.stones if game.color_at(stone) == owner)
        is_lost = group.status == "dead" or (group.attacks and owner == color)
        if not stones or not is_lost or (group.color == color) != (owner == color):
            return ()
        lives = share_alive(stones, owner, good.owners) >= EFFECTS.lives
        dies = share_alive(stones, owner, bad.owners) <= EFFECTS.dead / 2  # solvers guess walls
        return stones if lives and dies else ()

    for group in second.groups:  # own ones, in danger after the other move only
        stones = part(group, color, first, second)
        if not stones or first.has_group(stones):
            continue
        life = "unknown" if group.rival else first.facts.life_of(first.game.board, stones[0])
        if group.rival:
            kind = Kind.PREVENTS_LOST_RACE
        elif life == "seki":
            kind = Kind.LIVES_IN_SEKI
        elif group.status == "dead":
            kind = Kind.LIVES if life == "alive" else Kind.PREVENTS_DEATH
        else:
            kind = Kind.PREVENTS_KILL
        yield choice.effect(kind, STONE * len(stones), stones, places=group.attacks[:1])
    for group in first.groups:  # the opponent's, dead after the one move only
        stones = part(group, 3 - color, second, first)
        if stones and not second.has_group(stones, dead=True):
            kind = Kind.WINS_RACE if group.rival else Kind.KILLS
            yield choice.effect(kind, STONE * len(stones), stones)


def _fates(choice: MovePair, proved: set[int]) -> Iterator[Effect]:
    """Yield the chains that live after one move only, by clear roll-outs without a counterproof."""
    game, color = choice.game, choice.color
    # Chains with the same shares share an effect: most of them are one group.
    alike: dict[tuple[bool, float, float], list[StoneList]] = {}
    for stones in choice.chains:
        if len(stones) < EFFECTS.fewest or not proved.isdisjoint(stones):
            continue
        is_own, shares = game.color_at(stones[0]) == color, choice.shares(stones)
        high, low = shares if is_own else shares[::-1]
        if high >= EFFECTS.alive and low <= EFFECTS.dead and not is_refuted(choice, stones):
            key = is_own, round(shares[0], 2), round(shares[1], 2)
            alike.setdefault(key, []).append(stones)
    for (is_own, lives, lived), chains in alike.items():
        points = EFFECTS.group * abs(lives - lived) * sum(map(len, chains))
        kind = Kind.OWN_LIVE if is_own else Kind.RIVALS_DIE
        yield choice.effect(kind, points, *sorted(chains), numbers=(lives, lived))


def is_refuted(choice: MovePair, stones: StoneList) -> bool:
    """Return whether proofs let a chain die after the move that its color needs.

    That is the first move for the mover's chains, of which those in danger die, too.
    """
    is_own = choice.game.color_at(stones[0]) == choice.color
    outcome = choice.first if is_own else choice.second
    status, _ = outcome.status(stones)
    lost = ("gone", "dead", "critical", "attackable") if is_own else ("gone", "dead")
    return status in lost or outcome.has_group(stones, dead=not is_own)


def _ground(choice: MovePair) -> Iterator[Effect]:
    """Yield the largest ground that the first move brings, and the one it gives up for that."""
    first, second = choice.first, choice.second
    sign = 1.0 if choice.color == BLACK else -1.0
    mine, others = sign * first.owners, sign * second.owners
    gained = mine - others
    won, middle = largest_ground(choice, first.move, gained)
    lost, other_middle = largest_ground(choice, second.move, -gained)
    if won <= max(2.0 * lost, 0.0):  # else it is an exchange
        return
    kind = Kind.GROUND
    # Points that are rather the mover's after the one move, and not after the other.
    changed = np.where((mine > 0.0) & (others < 0.0), gained, 0.0)
    taken, center = largest_ground(choice, first.move, changed)
    if taken >= max(EFFECTS.taken, 2.0 * lost):
        won, middle, kind = taken, center, Kind.TAKES_GROUND
    places, points = ((middle, other_middle), (won, lost)) if lost else ((middle,), (won,))
    yield choice.effect(kind, won - lost, places=places, numbers=points)


def largest_ground(choice: MovePair, move: int, gained: Ownership) -> tuple[float, int]:
    """Return the points of the largest ground that a move gains, and where it gains most of it.

    gained  float64[AREA], by how much more the mover of the gain owns each point, -2 to 2
    """
    parts = components(
        point
        for point in (board_points(choice.game.size) if move != PASS else ())
        if not choice.game.color_at(point)
        and gained[point] >= EFFECTS.owned
        and lines_apart(point, move) <= EFFECTS.reach
    )
    sizes = [(float(gained[part].sum()), part) for part in parts]
    points, ground = max(sizes, key=lambda pair: pair[0], default=(0.0, []))
    # The owners of one part are taken as perfectly correlated.
    errors = (
        float(np.sqrt(np.maximum(1.0 - outcome.owners[ground] ** 2, 0.0)).sum())
        / math.sqrt(outcome.rollouts)
        for outcome in (choice.first, choice.second)
    )
    if points < max(EFFECTS.least, EFFECTS.deviations * math.hypot(*errors)):
        return 0.0, PASS
    return points, max(ground, key=lambda point: float(gained[point]))


def _in_vain(choice: MovePair, proved: set[int]) -> Iterator[Effect]:
    """Yield that the other move is in settled ground, or lost by proof and roll-outs."""
    game, color, first, second = choice
    if second.move == PASS:
        return
    near = [second.move, *(p for p in neighbors(second.move) if game.color_at(p) != WALL)]
    owners = np.array([outcome.owners[near] for outcome in (first, second)])
    if abs(owners).min() >= EFFECTS.settled and abs(owners.mean()) >= EFFECTS.settled:
        if (owners[0, 0] > 0) != (color == BLACK):
            yield choice.effect(Kind.OTHER_IN_RIVALS_GROUND, 1.0)
        elif not any(second.game.color_at(p) == EMPTY for p in game.stones(3 - color)):
            yield choice.effect(Kind.OTHER_IN_OWN_GROUND, 1.0)
        return
    # After suicide there is no chain.
    for chain in picture_of(second.game.board).chains_of([second.move]):
        stones = tuple(sorted(chain.stones))
        lives = share_alive(stones, color, second.owners)
        if proved.isdisjoint(stones) and lives <= EFFECTS.dead:
            status, attack = second.status(stones)
            if status == "dead":
                yield choice.effect(Kind.OTHER_IS_LOST, STONE, stones)
            elif attack != PASS:
                yield choice.effect(Kind.OTHER_IS_CAPTURED, STONE, stones, places=(attack,))


def replies(choice: MovePair) -> Iterator[Effect]:
    """Yield what the expected replies to both moves show."""
    first, second = choice.first, choice.second
    if PASS in (first.move, second.move):
        return
    here, there = (outcome.line[0] if outcome.line else PASS for outcome in (first, second))
    if there == first.move:
        yield choice.effect(Kind.KEY_POINT, EFFECTS.reply)
    elif PASS != here != second.move and lines_apart(here, first.move) <= EFFECTS.near:
        is_gote = there != PASS and lines_apart(there, second.move) >= EFFECTS.far
        kind = Kind.KEEPS_SENTE if is_gote else Kind.SENTE
        yield choice.effect(kind, EFFECTS.reply, places=(here,))
