"""The reasons of a move that was chosen: its gains over the best other move, and what it overlooks.

They are worked out when somebody asks for them, and cost two short searches.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from engine.belief.game_search import GameSearch
from engine.belief.report import SearchReport
from engine.explain.effects import EFFECTS, effects_of
from engine.explain.kinds import STONE, Effect, Kind
from engine.explain.outcomes import READING_NODES
from engine.explain.shapes import shapes_of
from engine.facts.group_prover import ReadingBudget
from engine.facts.position_facts import Facts
from engine.go.geometry import PASS, lines_apart
from engine.go.history import Game
from engine.player.candidates import sensible_moves
from engine.player.decision import Decision


class ComparingLimits(NamedTuple):
    """Limits of a comparison of two moves."""

    playouts: int = 200  # a chain's share of lives deviates by at most 4 %
    least_effect: float = 1.0  # points of an effect that is a reason
    most_effects: int = 3
    clear: float = 0.25  # share of a search's roll-outs through a reply that is expected
    beside: int = 2  # lines from a move to the reply that it prevents, at most
    near: int = 3  # lines from a move to a local answer, at most
    far: int = 6  # lines from a move to an answer elsewhere, at least


COMPARING = ComparingLimits()


_BY_SEARCH = {Kind.PREFERRED, Kind.CAPTURES, Kind.SAVES}


def reasons_for(
    search: GameSearch, facts: Facts, game: Game, color: int, decision: Decision
) -> list[Effect]:
    """Return what speaks for the move of a decision, the largest first, and against its rival.

    Without a reason, it is that the search prefers the move.
    search  apart from that of the game
    facts   source of proofs about the positions
    game    before the move; it stays as it is
    """
    point, rival = decision.point, decision.rival
    shapes = shapes_of(game, color, point, facts)
    if not {effect.kind for effect in decision.why} <= _BY_SEARCH:
        is_explained = any(effect.kind.is_shape for effect in decision.why)
        return [*decision.why, *(() if is_explained else shapes)]
    effects: list[Effect] = []
    replies: list[Effect] = []
    if rival is not None:
        moves = point, rival.point
        first, second = (_search_after(search, game, color, move) for move in moves)
        owners = first.ownership, second.ownership
        effects = effects_of(game, color, moves, owners, facts, COMPARING.playouts)
        effects = [effect for effect in effects if effect.points >= COMPARING.least_effect]
        replies += _replies(color, moves, first, second)
    proved = [effect for effect in effects if not effect.kind.is_ground]
    ground = [effect for effect in effects if effect.kind.is_ground]
    if ground and shapes and shapes[-1].kind in (Kind.FIRST_LINE, Kind.SECOND_LINE):
        shapes[-1] = shapes[-1]._replace(numbers=(ground.pop().points,))
    advice = decision.advice.get(point, ())
    reasons = list(_once([*advice, *proved, *shapes, *ground]))
    # What the opponent plays otherwise is a reason where there is no better one; sente always is.
    reasons += [e for e in replies if not reasons or e.kind in (Kind.SENTE, Kind.KEEPS_SENTE)]
    chosen = [effect for effect in reasons if effect.kind.is_reason][: COMPARING.most_effects]
    against = [effect for effect in reasons if effect.kind.is_against_other][:1]
    return [*(chosen or decision.why), *against]


def _once(effects: Iterable[Effect]) -> Iterator[Effect]:
    """Yield effects, the first about each stone; several may be about no stone."""
    named: set[int] = set()
    for effect in effects:
        stones = effect.points_named if effect.kind.is_shape else effect.points_of_stones
        if not stones or not stones <= named:
            named |= stones
            yield effect


def _replies(
    color: int, moves: tuple[int, int], first: SearchReport, second: SearchReport
) -> Iterator[Effect]:
    """Yield what the best replies to a move and to its rival show, if the searches are clear.

    first, second  searches of the positions after the one and after the other
    """
    if PASS in moves:
        return
    clear = COMPARING.clear * COMPARING.playouts
    to_move, to_rival = (
        report.moves[0].point if report.moves[0].playouts >= clear else PASS
        for report in (first, second)
    )
    move, rival = moves
    effect = Effect(kind=Kind.KEY_POINT, points=0.0, color=color, moves=moves, places=(to_rival,))
    if to_rival == move:
        yield effect
    elif to_rival != PASS and lines_apart(to_rival, move) <= COMPARING.beside:
        yield effect._replace(kind=Kind.PREVENTS_REPLY)
    elif to_move != PASS and lines_apart(to_move, move) <= COMPARING.near:
        is_gote = to_rival != PASS and lines_apart(to_rival, rival) >= COMPARING.far
        kind = Kind.KEEPS_SENTE if is_gote else Kind.SENTE
        yield effect._replace(kind=kind, places=(to_move,))


def overlooked(facts: Facts, game: Game, color: int, move: int) -> list[Effect]:
    """Return the largest proved capture or rescue that a move overlooks; none if it does not."""
    budget = ReadingBudget(READING_NODES)
    after = game.copy()
    after.play(color, move)
    later = {stone: fact for fact in facts.chains(after.board, budget) for stone in fact.stones}
    effects = []
    for fact in facts.chains(game.board, budget):
        then = later.get(fact.stones[0])
        if len(fact.stones) < EFFECTS.fewest or not fact.attacks or then is None:
            continue
        if fact.color == color and then.attacks:
            effects.append((Kind.OVERLOOKS_LOSS, fact.stones, then.attacks[0]))
        elif fact.color != color and then.status in ("safe", "critical"):
            effects.append((Kind.OVERLOOKS_CAPTURE, fact.stones, fact.attacks[0]))
    effects.sort(key=lambda effect: -len(effect[1]))
    return [
        Effect(
            kind=kind,
            points=STONE * len(stones),
            stones=(stones,),
            color=color,
            moves=(move, PASS),
            places=(place,),
        )
        for kind, stones, place in effects[:1]
    ]


def _search_after(search: GameSearch, game: Game, color: int, move: int) -> SearchReport:
    """Return the findings of a short search after a move."""
    after = game.copy()
    after.play(color, move)
    moves = sensible_moves(after, 3 - color) or frozenset({PASS})
    searcher = search.enter(after, 3 - color, moves)
    searcher.run(COMPARING.playouts, None)
    return searcher.report()
