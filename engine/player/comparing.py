"""The reasons of a move that was chosen: its gains over the best other move, and what it overlooks.

They rest on the search that chose the move, and on proofs where its roll-outs see a difference.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from engine.explain.effects import EFFECTS, effects_of, replies
from engine.explain.kinds import STONE, Effect, Kind
from engine.explain.outcomes import MovePair, Outcome
from engine.explain.scene import Scene
from engine.explain.shapes import shapes_of
from engine.facts.group_prover import ReadingBudget
from engine.facts.position_facts import Facts
from engine.go.geometry import AREA, PASS
from engine.go.history import Game
from engine.player.decision import Decision


class ComparingLimits(NamedTuple):
    """Limits of the reasons of a move."""

    least_effect: float = 1.0  # points of an effect that is a reason
    most_effects: int = 3
    # Points of ground, at most, as a multiple of the lead that the move gains over its rival: the
    # roll-outs of a rival that was hardly tried differ by more.
    most_ground: float = 2.0
    chain_nodes: int = 2_000  # of the solver, in the position before a level's move
    # A reply is expected that has this share of a move's roll-outs, and at least so many.
    clear: float = 0.5
    clear_rollouts: int = 12


COMPARING = ComparingLimits()
_BY_SEARCH = {Kind.PREFERRED, Kind.CAPTURES, Kind.TRAPS, Kind.SAVES}


def reasons_for(facts: Facts, game: Game, color: int, decision: Decision) -> list[Effect]:
    """Return what speaks for the move of a decision, the largest first, and against its rival.

    game  before the move
    """
    shapes = shapes_of(Scene(game, color, decision.point), facts)
    if not {effect.kind for effect in decision.why} <= _BY_SEARCH:
        is_explained = any(effect.kind.is_shape for effect in decision.why)
        return [*decision.why, *(() if is_explained else shapes)]
    effects, expected = [], []
    first, second = (_outcome(facts, game, color, decision, rank) for rank in (0, 1))
    if first is not None and second is not None:
        choice = MovePair(game, color, first, second)
        effects = [e for e in effects_of(choice) if e.points >= COMPARING.least_effect]
        expected = list(replies(choice))
    # Nobody can check shares of roll-outs.
    proved = [e for e in effects if not e.kind.is_ground and "{shares}" not in e.kind.value]
    most = COMPARING.most_ground * decision.gap
    ground = [effect for effect in effects if effect.kind.is_ground and effect.points <= most]
    if shapes and shapes[0].kind in (Kind.FIRST_LINE, Kind.SECOND_LINE):
        worth = (ground.pop().points,) if ground else ()
        shapes = [shapes[0]._replace(numbers=worth)] if not proved else []
    advice = decision.advice.get(decision.point, ())
    # A ko is more than the capture in it.
    stones = sorted([*advice, *proved, *shapes], key=lambda effect: effect.kind != Kind.TAKES_KO)
    reasons = list(_once(stones or ground))
    # What the opponent plays otherwise is a reason where there is no better one; sente always is.
    reasons += [e for e in expected if not reasons or e.kind in (Kind.SENTE, Kind.KEEPS_SENTE)]
    chosen = [effect for effect in reasons if effect.kind.is_reason][: COMPARING.most_effects]
    against = [effect for effect in reasons if effect.kind.is_against_other][:1]
    return [*(chosen or decision.why), *against]


def _outcome(facts: Facts, game: Game, color: int, decision: Decision, rank: int) -> Outcome | None:
    """Return what the search estimates after the move (rank 0) or its rival (1), if it tried it."""
    move = decision.rival if rank else decision.candidate
    if move is None or move.point not in decision.owners:
        return None
    owners, rollouts = decision.owners[move.point]
    all_visits, visits = (*move.line_visits, 0, 0)[:2]
    is_clear = visits >= max(COMPARING.clear * all_visits, COMPARING.clear_rollouts)
    line = move.line[1:] if is_clear else ()
    owned = np.frombuffer(owners)
    return Outcome(game, color, move.point, owned, facts, line=line, rollouts=rollouts)


def _once(effects: Iterable[Effect]) -> Iterator[Effect]:
    """Yield effects, the first about each stone; several may be about no stone."""
    named: set[int] = set()
    for effect in effects:
        shown = effect if effect.kind.is_shape else effect._replace(places=())
        stones = shown.points_named
        if not stones or not stones <= named:
            named |= stones
            yield effect


def overlooked(facts: Facts, game: Game, color: int, move: int) -> list[Effect]:
    """Return the largest proved capture or rescue that a move overlooks; none if it does not."""
    after = Outcome(game, color, move, np.zeros(AREA), facts)
    effects = []
    for fact in facts.chains(game.board, ReadingBudget(COMPARING.chain_nodes)):
        if len(fact.stones) < EFFECTS.fewest or not fact.attacks:
            continue
        status, place = after.status(fact.stones)
        kind = Kind.OVERLOOKS_LOSS if fact.color == color and place != PASS else None
        if fact.color != color and status in ("safe", "critical"):
            kind, place = Kind.OVERLOOKS_CAPTURE, fact.attacks[0]
        if kind is not None:
            points = STONE * len(fact.stones)
            effect = Effect(kind, points, (fact.stones,), color, (move, PASS))
            effects.append(effect._replace(places=(place,)))
    return sorted(effects, key=lambda effect: -effect.points)[:1]
