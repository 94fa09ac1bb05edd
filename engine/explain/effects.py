"""Effects of one move that another one does not have, as sentences for a player.

The one explainer: ``yomi-explain`` asks it why a move was preferred, a review why a move was a
mistake. Proofs go first: stones that are captured or saved, groups that live or die, links and
cuts. Proofs are about the positions after either move, with the opponent to move there. Roll-outs
after both moves tell the rest: the chains that live after the one and not after the other, and the
ground that changes its owner.

Learned odds of a capture are no reason. They foretell a longer reading well, but not the fate of
the chain: a strong net kept most of the chains that they gave up with 40 to 80 %. Shares of
roll-outs came true (compared with the net's owners of the points).
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from engine.explain.outcomes import Outcome, outcome_of, status_after
from engine.explain.territory import largest_gain, open_elsewhere, territory_taken
from engine.explain.wording import (
    ChainFate,
    chain_fates,
    color_name,
    share_alive,
    the_chain,
    the_group,
)
from engine.facts.position_facts import Facts
from engine.go.board import BLACK, EMPTY, KO, WALL, Ownership
from engine.go.geometry import PASS, format_vertex, neighbors
from engine.go.history import Game


class EffectLimits(NamedTuple):
    """Worth of effects [points], and shares of continuations that decide about them."""

    stone: float = 2.0  # points that a captured or saved stone is worth
    # Points that a stone is worth which lives or dies with its ground
    group: float = 2.0 * stone
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
    # Share of continuations from which on stones without a proof against them live
    lives: float = 0.5
    # Share of continuations in which a chain lives or dies, so that it is in no doubt
    sure: float = 0.9
    settled: float = 0.95  # net share from which on the owner of a point is settled
    # Points that the last big point gains at least, and that are open elsewhere at most
    big: float = 4.0
    taken: float = 3.0  # points from which on ground that changes hands is told as such


EFFECTS = EffectLimits()


class Effect(NamedTuple):
    """One thing that a move brings and another one does not.

    points    it is worth, about
    concrete  whether it names stones, and not ground alone
    territory whether its points are those of territory
    """

    points: float
    sentence: str
    concrete: bool = True
    territory: bool = False


def effects_of(
    game: Game,
    color: int,
    moves: tuple[int, int],
    owners: tuple[Ownership, Ownership],
    facts: Facts,
) -> list[Effect]:
    """Return what one move of a color brings and another one does not, the largest first.

    game    before either move
    moves   the one, and the other one
    owners  after the one, and after the other one; float64[AREA], -1 White .. 1 Black
    """
    first, second = (
        outcome_of(game, color, move, owned, facts)
        for move, owned in zip(moves, owners, strict=True)
    )
    effects = [*_ko(game, color, first), *_links(game, color, first, second, facts)]
    named: set[int] = set()  # stones that a proof has told of
    for stones, effect in (
        *_captures(game, color, first, second),
        *_groups(game, color, first, second, facts),
    ):
        if not named & set(stones):
            named |= set(stones)
            effects.append(effect)
    effects += _fates(game, color, first, second, named)
    effects += _ground(game, color, first, second)
    effects += _in_vain(game, color, first, second, named)
    return sorted(effects, key=lambda effect: -effect.points)


def _ko(game: Game, color: int, first: Outcome) -> Iterator[Effect]:
    if first.move != PASS and game.board[KO] != first.game.board[KO] != 0:
        rival = color_name(3 - color)
        move = format_vertex(first.move)
        yield Effect(EFFECTS.stone, f"{move} takes the ko, so {rival} needs the first threat.")


def _links(game: Game, color: int, first: Outcome, second: Outcome, facts: Facts) -> list[Effect]:
    """Return the largest pair of chains that the one move links or cuts, as is proved.

    Roll-outs have to agree that the move itself lives.
    """
    if (
        PASS in (first.move, second.move)
        or share_alive([first.move], color, first.owners) < EFFECTS.lives
    ):
        return []
    # The largest pair comes first, and is told.
    for pair in sorted(facts.links(game.board), key=lambda pair: -len(pair.one) - len(pair.other)):
        key = pair.link if pair.color == color else pair.cut
        if first.move != key or second.move == key:
            continue
        one, other = the_chain(pair.one), the_chain(pair.other)
        verb = "links" if pair.color == color else "cuts"
        joint = "with" if pair.color == color else "off from"
        size = min(len(pair.one), len(pair.other))
        sentence = f"{format_vertex(first.move)} {verb} {one} {joint} {other}."
        return [Effect(EFFECTS.stone * size, sentence)]
    return []


def _captures(
    game: Game, color: int, first: Outcome, second: Outcome
) -> Iterator[tuple[Sequence[int], Effect]]:
    """Yield the chains whose capture or rescue hangs on the choice, as is proved, with stones.

    Proofs and roll-outs have to agree. A capture by the move itself is a reason if the place stays
    captured: stones may be dead anyway, and their capture saves others.
    """
    rival = color_name(3 - color)
    one, other = format_vertex(first.move), format_vertex(second.move)
    for chain in sorted(game.chains(), key=lambda stones: -len(stones)):
        stones, points = list(chain), EFFECTS.stone * len(chain)
        name = the_chain(stones)
        here, _ = status_after(stones, first)
        there, why = status_after(stones, second)
        owner = game.color_at(stones[0])
        lives, lived = (share_alive(stones, owner, o.owners) for o in (first, second))
        if owner != color and here == "gone" and there != "gone":
            if lives <= EFFECTS.lives:  # the opponent does not take the place back
                yield stones, Effect(points, f"{one} captures {name}.")
            continue
        gain = lives - lived if owner == color else lived - lives
        if len(stones) < EFFECTS.fewest or gain < EFFECTS.agreed:
            continue
        if owner != color:
            if here == "dead" and there in ("safe", "critical"):
                yield stones, Effect(points, f"After {one}, {name} cannot escape any more.")
        elif here == "safe" and there == "dead" and lives >= EFFECTS.lives:
            yield stones, Effect(points, f"{one} saves {name}; after {other} they are lost.")
        elif here == "safe" and there in ("critical", "attackable") and why is not None:
            attack = format_vertex(why.attacks[0])
            yield stones, Effect(points, f"After {other}, {rival} captures {name} with {attack}.")


def _groups(
    game: Game, color: int, first: Outcome, second: Outcome, facts: Facts
) -> Iterator[tuple[Sequence[int], Effect]]:
    """Yield the groups whose life hangs on the choice, as is proved, with their stones.

    Proofs and roll-outs have to agree.
    """
    rival = color_name(3 - color)
    one, other = format_vertex(first.move), format_vertex(second.move)
    for group in second.groups:  # own ones, in danger after the other move only
        stones = [stone for stone in group.stones if game.color_at(stone) == color]
        lost = group.status == "dead" or group.attacks
        if group.color != color or not stones or not lost or _listed(stones, first):
            continue
        saved = share_alive(stones, color, first.owners)
        if saved < EFFECTS.lives or share_alive(stones, color, second.owners) > EFFECTS.dead:
            continue
        points = EFFECTS.stone * len(stones)
        life = "unknown" if group.rival else facts.life_of(first.game.board, stones[0])
        if group.rival:
            sentence = f"After {other}, {rival} wins the race against {the_group(stones)}."
        elif life == "seki" or (life == "alive" and group.status == "dead"):
            lives = "live in seki" if life == "seki" else "live"
            sentence = f"{one} makes {the_group(stones)} {lives}; after {other} it dies."
        elif group.status == "dead":
            sentence = f"After {other}, {the_group(stones)} dies."
        else:
            attack = format_vertex(group.attacks[0])
            sentence = f"After {other}, {rival} kills {the_group(stones)} with {attack}."
        yield stones, Effect(points, sentence)
    for group in first.groups:  # the opponent's, dead after the one move only
        stones = [stone for stone in group.stones if game.color_at(stone) == 3 - color]
        if group.color == color or group.status != "dead" or not stones:
            continue
        if any(stones[0] in g.stones and g.status == "dead" for g in second.groups):
            continue
        spared = share_alive(stones, 3 - color, second.owners)
        if spared < EFFECTS.lives or share_alive(stones, 3 - color, first.owners) > EFFECTS.dead:
            continue
        verb = "wins the race against" if group.rival else "kills"
        yield stones, Effect(EFFECTS.stone * len(stones), f"{one} {verb} {the_group(stones)}.")


def _listed(stones: Sequence[int], outcome: Outcome) -> bool:
    return any(stones[0] in group.stones for group in outcome.groups)


def _fates(
    game: Game, color: int, first: Outcome, second: Outcome, named: set[int]
) -> Iterator[Effect]:
    """Yield the chains that live after one move and not after the other, by roll-outs.

    Roll-outs are clear about both, and the solvers do not contradict them. Chains with the same
    shares share a sentence: most of them are one group.
    """
    one, other = format_vertex(first.move), format_vertex(second.move)
    alike: dict[tuple[int, str, str], list[ChainFate]] = {}
    for fate in chain_fates(game, first.owners, second.owners):
        if len(fate.stones) < EFFECTS.fewest or named & set(fate.stones):
            continue
        mine = fate.color == color
        (high, alive), (low, _) = ((fate.lives, first), (fate.lived, second))[:: 1 if mine else -1]
        if high < EFFECTS.alive or low > EFFECTS.dead or _lost(fate.stones, color, alive):
            continue
        key = fate.color, f"{100 * fate.lives:.0f} %", f"{100 * fate.lived:.0f} %"
        alike.setdefault(key, []).append(fate)
    for (owner, lives, lived), fates in alike.items():
        names = " and ".join(the_chain(fate.stones).removeprefix("the ") for fate in fates)
        yield Effect(
            sum(EFFECTS.group * abs(fate.lives - fate.lived) * len(fate.stones) for fate in fates),
            f"{color_name(owner)}'s {names} live in {lives} of continuations after {one},"
            f" in {lived} after {other}.",
        )


def _lost(stones: Sequence[int], color: int, outcome: Outcome) -> bool:
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


def _ground(game: Game, color: int, first: Outcome, second: Outcome) -> Iterator[Effect]:
    """Yield the largest ground that the one move brings, and the one it gives up for that."""
    sign = 1.0 if color == BLACK else -1.0
    mine, others = sign * first.owners, sign * second.owners
    won, lost = largest_gain(game, mine - others), largest_gain(game, others - mine)
    cost = lost.points if lost is not None else 0.0
    if won is None or won.points <= cost:
        return
    move, whose, joined = format_vertex(first.move), "", " and"
    last = won.points - cost >= EFFECTS.big and _is_last(game, first, second)
    taken = territory_taken(game, mine, others)
    changes = not last and taken is not None and taken.points >= max(EFFECTS.taken, cost)
    if changes and taken is not None:
        won, joined = taken, ", and"
        whose = f" that {format_vertex(second.move)} leaves to {color_name(3 - color)}"
    begin = f"{move} is the last big point: it gains" if last else f"{move} gains"
    sentence = f"{begin} {about(won.points)} around {format_vertex(won.middle)}{whose}"
    if lost is not None and round(lost.points) > 0:
        sentence += f"{joined} gives up about {lost.points:.0f} around {format_vertex(lost.middle)}"
    yield Effect(won.points - cost, f"{sentence}.", concrete=last or changes, territory=True)


def about(points: float) -> str:
    """Return a number of points in a sentence, as "about 3 points"."""
    return f"about {points:.0f} point{'' if round(points) == 1 else 's'}"


def _is_last(game: Game, first: Outcome, second: Outcome) -> bool:
    """Return whether little is open but the ground between two moves, and no chain is in doubt."""
    if open_elsewhere(game, first.owners, second.owners) >= EFFECTS.big:
        return False
    shares = [
        (fate.lives, fate.lived)
        for fate in chain_fates(game, first.owners, second.owners)
        if len(fate.stones) >= EFFECTS.fewest
    ]
    return all(min(pair) >= EFFECTS.sure or max(pair) <= 1.0 - EFFECTS.sure for pair in shares)


def _in_vain(
    game: Game, color: int, first: Outcome, second: Outcome, named: set[int]
) -> Iterator[Effect]:
    """Yield that the other move changes nothing, or is lost.

    The ground around it is settled in any case; or its chain can be captured, as is proved, and
    roll-outs agree.
    """
    if second.move == PASS:
        return
    near = [second.move, *(p for p in neighbors(second.move) if game.color_at(p) != WALL)]
    owners = np.array([outcome.owners[near] for outcome in (first, second)])
    move, rival = format_vertex(second.move), color_name(3 - color)
    if (abs(owners) >= EFFECTS.settled).all() and abs(
        owners.sum()
    ) >= EFFECTS.settled * owners.size:
        if (owners[0, 0] > 0) != (color == BLACK):
            yield Effect(1.0, f"{move} is inside {rival}'s settled ground, where it dies.")
        elif not _took(game, color, second):
            yield Effect(1.0, f"{move} is inside {color_name(color)}'s own settled ground.")
        return
    chain = second.game.chain(second.move)
    # After suicide there is no chain.
    if (
        chain
        and not named & set(chain)
        and share_alive(chain, color, second.owners) <= EFFECTS.dead
    ):
        status, why = status_after([second.move], second)
        if status == "dead":
            yield Effect(EFFECTS.stone, f"After {move}, {the_chain(chain)} cannot escape.")
        elif why is not None:
            attack = format_vertex(why.attacks[0])
            yield Effect(
                EFFECTS.stone, f"After {move}, {rival} captures {the_chain(chain)} with {attack}."
            )


def _took(game: Game, color: int, outcome: Outcome) -> bool:
    """Return whether a move captured something."""
    return any(
        outcome.game.color_at(stone) == EMPTY
        for chain in game.chains()
        for stone in chain
        if game.color_at(stone) == 3 - color
    )


def sentences_of(effects: Iterable[Effect], least: float, most: int) -> list[str]:
    """Return the sentences of the largest effects, as far as they are worth some points.

    least  points; a smaller effect is told only if there is no other
    most   sentences
    """
    every = list(effects)
    return [e.sentence for n, e in enumerate(every) if n < most and (n == 0 or e.points >= least)]
