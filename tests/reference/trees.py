"""Slow twin of engine.patterns.contender_facts and .trees. Points are (column, row) from 1."""

from math import exp
from typing import NamedTuple

from sgfmill.boards import Board

from tests.reference.context import FEW, Moves, fewest, fight
from tests.reference.patterns import (
    OTHER,
    Point,
    chain_of,
    chains_beside,
    color_at,
    in_atari,
    liberties_of,
    neighbors,
    play,
)

MANY = 4
CLASSES = ("contact", "capture", "extension", "self-atari", "atari", "links", "ko")


class Candidate(NamedTuple):
    """A legal move and what the ranking model has about it: means, and classes by group."""

    point: Point
    value: float
    template: int
    mean: float
    log_variance: int
    evidence: list[float]
    context: list[float]
    classes: dict[str, int]


def contenders(candidates: list[Candidate], most: int) -> list[Candidate]:
    """Return the best candidates, without those that equal one after the last place."""
    ordered = sorted(candidates, key=lambda one: -one.value)
    return [one for one in ordered if len(ordered) <= most or one.value > ordered[most].value]


def steps(value: float) -> int:
    return round(min(max(value * 256.0, -32767), 32767))


def offset(one: Point | None, other: Point | None) -> list[int]:
    """Return the larger and the smaller distance along the lines; 31: there is none."""
    if one is None or other is None:
        return [31, 31]
    sides = [abs(one[0] - other[0]), abs(one[1] - other[1])]
    return [max(sides), min(sides)]


def order_facts(one: Candidate, best: list[Candidate]) -> list[int]:
    """Return the facts of the order; ``best`` are all contenders, the best value first."""
    weight = {other.point: steps(exp(other.value - best[0].value)) for other in best}
    apart = {p: offset(p, one.point)[0] for p in weight if p != one.point}
    return [
        steps(best[0].value - one.value),
        sum(other.value > one.value for other in best),
        steps(best[0].value - best[min(1, len(best) - 1)].value),
        sum(weight.values()),
        *(sum(weight[p] for p in apart if apart[p] <= reach) for reach in (1, 2, 3)),
        *offset(one.point, best[0].point),
    ]


def belief_facts(one: Candidate) -> list[int]:
    """Return the facts of the pattern, the evidence, the context and the classes."""
    return [
        one.template,
        steps(one.mean),
        one.log_variance,
        *map(steps, one.evidence),
        steps(sum(one.evidence)),
        *map(steps, one.context),
        steps(sum(one.context)),
        *(one.classes[name] for name in CLASSES),
    ]


def place_facts(board: Board, point: Point, player: str, moves: Moves) -> list[int]:
    """Return the facts of the place and of the position."""
    size = board.side
    edges = sorted(min(x, size + 1 - x) for x in point)
    liberties, weakest = fight(board, player, moves.last)
    length = len(chain_of(board, moves.last)) if liberties else 0
    if liberties == MANY:  # the twin of the context counts up to four
        liberties = min(len(liberties_of(board, chain_of(board, moves.last))), FEW)
    return [
        *edges,
        *(x for move in moves for x in offset(point, move)),
        *offset(moves.last, moves.before),
        len(board.list_occupied_points()),
        size,
        liberties,
        length,
        weakest,
    ]


def beside_facts(board: Board, point: Point, player: str) -> list[int]:
    """Return the fewest liberties and the most stones of the chains beside a move."""
    found = []
    for color in (player, OTHER[player]):
        stones = [p for p in neighbors(point) if color_at(board, p) == color]
        found.append(fewest(board, stones, FEW) if stones else FEW + 1)
        found.append(max((len(chain_of(board, p)) for p in stones), default=0))
    return found


def effect_facts(board: Board, point: Point, player: str) -> list[int]:
    """Return the effects of a move on chains."""
    own = chains_beside(board, [point], player)
    others = chains_beside(board, [point], OTHER[player])
    after = play(board, point, player)
    chain = chain_of(after, point)
    left = [len(liberties_of(board, other)) - 1 for other in others]
    held = [
        rescued
        for other, count in zip(others, left, strict=True)
        if count == 0
        for rescued in chains_beside(board, other, player)
        if in_atari(board, rescued) and point not in liberties_of(board, rescued)
    ]
    threatened = [len(o) for o, count in zip(others, left, strict=True) if count == 1]
    return [
        min(len(liberties_of(after, chain)), MANY),
        min([MANY, *left]),
        sum(len(o) for o, count in zip(others, left, strict=True) if count == 0),
        int(bool(held)),
        sum(len(c) for c in own if in_atari(board, c)),
        sum(threatened),
        len(threatened),
        1 + sum(map(len, own)),
        len(own),
        len(others),
    ]


def stone_facts(board: Board, point: Point, player: str) -> list[int]:
    """Return the stones of either side within one to four lines."""
    return [
        sum(
            color_at(board, (point[0] + dx, point[1] + dy)) == color
            for dx in range(-reach, reach + 1)
            for dy in range(-reach, reach + 1)
        )
        for reach in range(1, 5)
        for color in (player, OTHER[player])
    ]


def facts(
    board: Board, player: str, moves: Moves, one: Candidate, best: list[Candidate]
) -> list[int]:
    """Return all facts about one of the contenders."""
    return [
        *order_facts(one, best),
        *belief_facts(one),
        *place_facts(board, one.point, player, moves),
        *beside_facts(board, one.point, player),
        *effect_facts(board, one.point, player),
        *stone_facts(board, one.point, player),
    ]


def leaf(questions: list[tuple[int, int]], found: list[int]) -> int:
    """Return the leaf of a tree: the answers are the bits of its number."""
    answers = [found[fact] > threshold for fact, threshold in questions]
    return sum(answer << level for level, answer in enumerate(answers))
