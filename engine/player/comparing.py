"""The reasons of a move that was chosen: its gains over the best other move, and what it overlooks.

They are worked out when somebody asks for them, and cost two short searches.
"""

from collections.abc import Iterable, Iterator

from engine.belief.game_search import GameSearch
from engine.explain.effects import FEWEST, STONE, Effect, Kind, effects_of
from engine.explain.nearby import nearby_effects
from engine.explain.outcomes import READING_NODES
from engine.facts.position_facts import Facts, ReadingBudget
from engine.go.board import Ownership
from engine.go.geometry import PASS, lines_apart
from engine.go.history import Game
from engine.player.candidates import sensible_moves
from engine.player.decision import Decision

# Roll-outs for a comparison: a chain's share of lives deviates by at most 4 %.
COMPARING_PLAYOUTS = 200
LEAST_EFFECT, MOST_EFFECTS = 1.0, 3  # points of an effect that is a reason, and how many are
LEAST_VISITS = 8  # roll-outs through an answer that is expected
NEAR, FAR = 3, 6  # lines from a move to a local answer at most, and to one elsewhere at least
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
    if not {effect.kind for effect in decision.why} <= _BY_SEARCH:
        return list(decision.why)
    point, rival = decision.point, decision.rival
    effects: list[Effect] = []
    if rival is not None:
        moves = point, rival.point
        owners = tuple(_owners_after(search, game, color, move) for move in moves)
        effects = effects_of(game, color, moves, (owners[0], owners[1]), facts, COMPARING_PLAYOUTS)
        effects = [effect for effect in effects if effect.points >= LEAST_EFFECT]
    known = decision.known.get(point, ())
    reasons = _once([*known, *effects, *nearby_effects(game, color, point)])
    chosen = [effect for effect in reasons if effect.kind.is_reason][:MOST_EFFECTS]
    if not chosen:
        chosen = list(_from_lines(color, decision)) or list(decision.why)
    return chosen + [effect for effect in reasons if effect.kind.is_against_other][:1]


def _once(effects: Iterable[Effect]) -> Iterator[Effect]:
    """Yield effects, the first about each stone; several may be about no stone."""
    told: set[int] = set()
    for effect in effects:
        stones = {stone for chain in effect.stones for stone in chain}
        if not stones or not stones <= told:
            told |= stones
            yield effect


def _from_lines(color: int, decision: Decision) -> Iterator[Effect]:
    """Yield what the expected answers to the move and to its rival show."""
    best = next((move for move in decision.candidates if move.point == decision.point), None)
    rival = decision.rival
    if best is None or rival is None or PASS in (best.point, rival.point):
        return
    answers = [
        move.line[1] if len(move.line) > 1 and move.line_visits[1] >= LEAST_VISITS else None
        for move in (best, rival)
    ]
    to_best, to_rival = answers
    effect = Effect(Kind.KEY_POINT, 0.0, (), color, (best.point, rival.point))
    if to_rival == best.point:
        yield effect
    elif to_best and to_rival and lines_apart(to_best, best.point) <= NEAR:
        if lines_apart(to_rival, rival.point) >= FAR:
            yield effect._replace(kind=Kind.KEEPS_SENTE, places=(to_best,))


def overlooked(facts: Facts, game: Game, color: int, move: int) -> list[Effect]:
    """Return the largest proved capture or rescue that a move overlooks; none if it does not."""
    budget = ReadingBudget(READING_NODES)
    after = game.copy()
    after.play(color, move)
    later = {stone: fact for fact in facts.chains(after.board, budget) for stone in fact.stones}
    effects = []
    for fact in facts.chains(game.board, budget):
        then = later.get(fact.stones[0])
        if len(fact.stones) < FEWEST or not fact.attacks or then is None:
            continue
        if fact.color == color and then.attacks:
            effects.append((Kind.OVERLOOKS_LOSS, fact.stones, then.attacks[0]))
        elif fact.color != color and then.status in ("safe", "critical"):
            effects.append((Kind.OVERLOOKS_CAPTURE, fact.stones, fact.attacks[0]))
    effects.sort(key=lambda effect: -len(effect[1]))
    return [
        Effect(kind, STONE * len(stones), (stones,), color, (move, PASS), (place,))
        for kind, stones, place in effects[:1]
    ]


def _owners_after(search: GameSearch, game: Game, color: int, move: int) -> Ownership:
    """Return who owns each point after a move, by a short search."""
    after = game.copy()
    after.play(color, move)
    moves = sensible_moves(after, 3 - color) or frozenset({PASS})
    searcher = search.enter(after, 3 - color, moves)
    searcher.run(COMPARING_PLAYOUTS, None)
    return searcher.report().ownership
