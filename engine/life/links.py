"""Links on a full board: which chains of a color are one move from being linked, or cut apart?

The region of two chains contains the points on short ways from one to the other, a ring around
these, the weak chains there, and the chains that share liberties with both. Nothing is played
outside, as in a race (``races``): a stone that touches an empty point there is not captured.
"""

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from engine.go.board import EMPTY, Board
from engine.go.components import distances
from engine.go.geometry import PASS, lines_apart
from engine.life.goal import LifeQuestion, closed_question
from engine.life.groups import ways_out_for_both
from engine.life.reader import LifeReader
from engine.picture.picture import Picture, Stones, picture_of


class LinkLayout(NamedTuple):
    """Limits of the questions about links."""

    farthest: int = 3  # steps from one chain to the other
    detour: int = 2  # steps by which a way may be longer than the shortest
    rings: tuple[int, ...] = (1, 0)  # around the ways; the largest number that fits
    fewest: int = 2  # stones of the smaller chain
    nodes: int = 300  # of one search


LAYOUT = LinkLayout()


class LinkFacts(NamedTuple):
    """Two chains of a color, sorted, that the first move links or cuts apart, by proof."""

    one: tuple[int, ...]
    other: tuple[int, ...]
    color: int
    cut: int  # the opponent's move that keeps them apart, or captures one
    link: int  # the owner's move that links them


def survey_links(board: Board, move: int = PASS) -> Iterator[LinkFacts]:
    """Yield the pairs of chains that are linked or cut apart by the first move.

    move  only pairs with this point on the ways between them, or beside; PASS: all pairs
    """
    reader = LifeReader("pns", LAYOUT.nodes)
    for one, other, question in link_questions(picture_of(board), LAYOUT.fewest, move):
        color = question.defender
        cut = reader.read_group(board, question, 3 - color, aim="link")
        if cut.status != "dead" or cut.move in (None, PASS):
            continue
        link = reader.read_group(board, question, color, aim="link")
        if link.status == "alive" and link.move not in (None, PASS):
            yield LinkFacts(tuple(sorted(one)), tuple(sorted(other)), color, cut.move, link.move)


def link_questions(
    picture: Picture, fewest: int, move: int = PASS
) -> Iterator[tuple[Stones, Stones, LifeQuestion]]:
    """Yield pairs of chains near each other and the question whether they get linked."""
    chains = [chain.stones for chain in picture.chains]
    reach = LAYOUT.farthest + LAYOUT.detour
    near: list[dict[int, int]] = [
        distances(chain, picture.is_empty, reach)
        if move == PASS or min(lines_apart(move, stone) for stone in chain) <= reach
        else {}
        for chain in chains
    ]
    liberties = [frozenset(chain.liberties) for chain in picture.chains]
    for i, j in combinations(range(len(chains)), 2):
        color = picture.chains[i].color
        if color != picture.chains[j].color or min(len(chains[i]), len(chains[j])) < fewest:
            continue
        ways = {p: near[i][p] + near[j][p] for p in near[i].keys() & near[j].keys()}
        if not ways or min(ways.values()) > LAYOUT.farthest:
            continue
        most = min(ways.values()) + LAYOUT.detour
        # A ring around the ways adds a step from either chain.
        if move != PASS and ways.get(move, most + 3) > most + 2:
            continue
        between = {point for point, steps in ways.items() if steps <= most}
        # A third chain that shares liberties with both may link them.
        for k, chain in enumerate(chains):
            shared = [liberties[k] & liberties[i], liberties[k] & liberties[j]]
            if k not in (i, j) and picture.chains[k].color == color and all(shared):
                between |= chain.union(*shared)
        question = _question(picture, chains[i] | chains[j], between)
        if question is not None:
            yield chains[i], chains[j], question


def _question(picture: Picture, pair: Stones, between: set[int]) -> LifeQuestion | None:
    """Return the question whether two chains get linked by points between; None: no region fits."""
    color = picture.colors[min(pair)]
    for rings in LAYOUT.rings:
        playable = set(between)
        for _ in range(rings):
            empty = {p for p in playable if picture.is_empty(p)}
            playable |= picture.around(empty, EMPTY)
        playable |= pair
        question = closed_question(picture, color, playable)
        if question is not None:
            return ways_out_for_both(picture, question, lambda side, point: True).about(pair)
    return None
