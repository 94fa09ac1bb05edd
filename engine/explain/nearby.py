"""The effects of a move on the stones beside it, and what it answers, from two pictures.

They need no search and no proof: captures, rescues from atari, atari, ko, connections and cuts.
"""

from collections.abc import Iterator

from engine.errors import MoveCode
from engine.explain.kinds import STONE, Effect, Kind, StoneList
from engine.go.board import EMPTY, KO
from engine.go.geometry import PASS, lines_apart, neighbors
from engine.go.history import Game
from engine.picture.picture import Chain, Picture, picture_of

# Lines, at most: from the last move to its answer, and from a stone to a move that extends from it
# or comes near it.
ANSWER, EXTENSION, APPROACH = 2, 4, 5


def nearby_effects(game: Game, color: int, move: int) -> list[Effect]:
    """Return the effects of a legal move on the stones beside it, the most urgent first."""
    if move == PASS:
        return []
    before = picture_of(game.board)
    after_game = game.copy()
    after_game.play(color, move)
    after = picture_of(after_game.board)
    own, rivals = (
        before.beside([move], side) if before.is_empty(move) else [] for side in (color, 3 - color)
    )
    pairs: list[tuple[Kind, list[Chain]]] = []
    taken = [chain for chain in rivals if chain.in_atari]
    if after_game.board[KO] != EMPTY and taken:
        pairs.append((Kind.TAKES_KO, taken))
    elif taken:
        pairs.append((Kind.CAPTURES, taken))
    escapes = [c for c in after.chains_of([move]) if not c.in_atari]
    rescued = [chain for chain in own if chain.in_atari]
    if escapes and rescued:
        pairs.append((Kind.RESCUES, rescued))
    threatened = [chain for chain in rivals if len(chain.liberties) == 2]
    if escapes and threatened:
        kind = Kind.ATARI if len(threatened) == 1 else Kind.DOUBLE_ATARI
        pairs.append((kind, threatened))
    if (pair := _joined_here(own)) and not rescued:
        pairs.append((Kind.CONNECTS, pair))
    if (pair := _joined_here([chain for chain in rivals if chain not in taken])) and escapes:
        pairs.append((Kind.SEPARATES, pair[:2]))
    effects = [_effect(kind, color, move, chains) for kind, chains in pairs]
    if eyes := _new_eyes(before, after, color, move):
        effects.append(_effect(Kind.MAKES_EYE, color, move, [])._replace(places=eyes))
    if escapes and rivals:
        other = game.copy()
        if other.legality(3 - color, move) == MoveCode.LEGAL:
            other.play(3 - color, move, forced=True)
            if _new_eyes(before, picture_of(other.board), 3 - color, move):
                effects.append(_effect(Kind.TAKES_EYE, color, move, rivals))
    return effects


def _new_eyes(before: Picture, after: Picture, color: int, move: int) -> tuple[int, ...]:
    """Return the points beside a move that it makes eyes of its color."""
    return tuple(
        p for p in neighbors(move) if after.is_eye(p, color) and not before.is_eye(p, color)
    )


def _joined_here(chains: list[Chain]) -> list[Chain]:
    """Return chains that share no liberty but the point where they meet; none if they do."""
    for one in chains:
        for other in chains:
            if one != other and len(set(one.liberties) & set(other.liberties)) == 1:
                return [one, other]
    return []


def idea_of(game: Game, color: int, move: int) -> Effect:
    """Return why a move comes to mind: what it does beside it, what it answers, or its place."""
    for effect in nearby_effects(game, color, move):
        return effect
    last = game.last_point
    if last != PASS and game.color_at(last) == 3 - color and lines_apart(last, move) <= ANSWER:
        return Effect(
            kind=Kind.ANSWERS, points=0.0, color=color, moves=(move, PASS), places=(last,)
        )
    for kind, side, reach in (
        (Kind.PRESSES, 3 - color, 1),
        (Kind.EXTENDS, color, EXTENSION),
        (Kind.FACES, 3 - color, APPROACH),
    ):
        for stone in _nearest(game, side, move, reach):
            if kind != Kind.PRESSES or stone in neighbors(move):
                return _effect(kind, color, move, [picture_of(game.board).chain_at(stone)])
    return Effect(
        kind=Kind.TAKES_AREA, points=0.0, color=color, moves=(move, PASS), numbers=(game.size,)
    )


def _nearest(game: Game, color: int, move: int, reach: int) -> Iterator[int]:
    """Yield the stones of a color within some lines of a move, the nearest first."""
    stones = [p for p in game.stones(color) if lines_apart(p, move) <= reach]
    yield from sorted(stones, key=lambda stone: (lines_apart(stone, move), stone))


def _effect(kind: Kind, color: int, move: int, chains: list[Chain]) -> Effect:
    stones: tuple[StoneList, ...] = tuple(tuple(sorted(chain.stones)) for chain in chains)
    points = STONE * sum(map(len, stones))
    return Effect(kind=kind, points=points, stones=stones, color=color, moves=(move, PASS))
