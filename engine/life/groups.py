"""Groups on a full board, and the questions whether they live; for problems see ``goal``.

A group's region consists of the points that it reaches before its opponent, the points that it
encloses, and one more ring. Attacking chains with a liberty outside are given (``besiegers``): a
group that captures one has another fate than the one proved.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from engine.go.board import EMPTY, WALL
from engine.go.components import components, distances
from engine.go.geometry import neighbors
from engine.life.goal import LifeQuestion, add_weak, build_question, closed_question
from engine.picture.picture import Chain, Picture, Stones, join_chains


class LifeQuestionLimits(NamedTuple):
    """Limits of the questions about groups."""

    fewest_stones: int = 4  # of a group that is asked about
    # Distance from its stones that a region reaches, and rings around it; the first that fits.
    layouts: tuple[tuple[int, int], ...] = ((3, 1), (2, 1), (1, 1), (1, 0))
    most_enclosed: int = 20  # points that a group encloses, stones on them included
    # Liberties outside a region of a besieger that may fall to the group
    most_elsewhere: int = 2


ASKED_GROUPS = LifeQuestionLimits()

_REACH = max(reach for reach, _ in ASKED_GROUPS.layouts)


def find_groups(picture: Picture) -> list[Stones]:
    """Return the groups of at least fewest_stones, by their first points."""
    return [group for group in picture.groups if len(group) >= ASKED_GROUPS.fewest_stones]


def questions_about(picture: Picture, group: Stones) -> Iterator[LifeQuestion]:
    """Yield the question whether a group lives; if it is too large, those about its parts.

    Parts are chains that share two liberties. Parts around which no region fits are left out.
    """
    whole = local_question(picture, group)
    if whole is not None:
        yield whole
        return
    parts = join_chains(picture.chains_of(group), 2)
    large = (part for part in parts if ASKED_GROUPS.fewest_stones <= len(part))
    yield from filter(None, (local_question(picture, part) for part in large))


def local_question(picture: Picture, stones: Iterable[int]) -> LifeQuestion | None:
    """Return the question whether a color's whole chains live, None if no region fits."""
    goal, is_empty = set(stones), picture.is_empty
    defender = picture.colors[min(goal)]
    near = distances(goal, is_empty, _REACH)
    around = distances(near, is_empty, _REACH)
    from_others = distances(picture.around(around, 3 - defender), is_empty, _REACH)
    enclosed = _enclosed(picture, goal) | _in_atari_beside(picture, goal)
    for reach, rings in ASKED_GROUPS.layouts:
        playable = goal | enclosed
        playable |= {p for p, far in near.items() if far <= min(from_others.get(p, reach), reach)}
        for _ in range(rings):
            playable |= picture.around(playable - goal, EMPTY)
        question = closed_question(picture, defender, playable)
        if question is not None:
            return question
    return None


def _enclosed(picture: Picture, goal: set[int]) -> set[int]:
    """Return all points, stones included, of the small places that some stones enclose."""
    enclosed: set[int] = set()
    visited: set[int] = set()
    for start in sorted({n for point in goal for n in neighbors(point)} - goal):
        if picture.colors[start] == WALL or start in visited:
            continue
        place = {start}
        waiting = [start]
        while waiting and len(place) <= ASKED_GROUPS.most_enclosed:
            around = neighbors(waiting.pop())
            news = {n for n in around if picture.colors[n] != WALL} - goal - place
            place |= news
            waiting.extend(news)
        visited |= place
        if len(place) <= ASKED_GROUPS.most_enclosed:
            enclosed |= place
    return enclosed


def _in_atari_beside(picture: Picture, goal: set[int]) -> set[int]:
    """Return the opposing chains in atari that touch some stones, with their liberties."""
    # Whether these can be taken and retaken decides over an eye: they are no fixed surroundings.
    points: set[int] = set()
    for chain in picture.beside(goal, 3 - picture.colors[min(goal)]):
        if chain.in_atari and len(chain.stones) <= ASKED_GROUPS.most_enclosed:
            points |= chain.stones.union(chain.liberties)
    return points


def besiegers(picture: Picture, question: LifeQuestion) -> list[Chain]:
    """Return the opposing chains beside a region: no answer about it holds if they fall."""
    beside = picture.around(question.points, 3 - question.defender)
    return picture.chains_of(beside - question.points)


def with_weak_besiegers(picture: Picture, question: LifeQuestion) -> LifeQuestion | None:
    """Return a question with the besiegers in it that the group may capture.

    These share liberties with the group and have few elsewhere, such as a single eye. If the
    region is too large, stones of besiegers that touch nothing in it are left out. A besieger
    that falls then leaves less room than on the board.
    returns  None where there are none, or no region fits
    """
    goal = question.goal
    liberties = picture.liberties_of(goal)
    playable = set(question.points)
    for chain in besiegers(picture, question):
        around = set(chain.liberties)
        if around & liberties and len(around - question.points) <= ASKED_GROUPS.most_elsewhere:
            playable |= chain.stones | around
    if playable == question.points:
        return None
    add_weak(picture, playable)
    wider = build_question(picture, question.defender, playable)
    if wider is None:
        left_out = _touching_nothing(picture, question, playable)
        wider = build_question(picture, question.defender, playable - left_out, left_out)
    return wider and wider.about(goal)


def seen_from_attackers(picture: Picture, question: LifeQuestion) -> LifeQuestion:
    """Return the question whether the attacking stones in a region live; the outside is open."""
    playable = set(question.points - question.left_out)
    turned = build_question(picture, 3 - question.defender, playable, question.left_out)
    assert turned is not None  # the same points fit again
    return turned


def _touching_nothing(picture: Picture, question: LifeQuestion, playable: set[int]) -> Stones:
    """Return stones of besiegers that only touch their own chain, and are not needed in it."""
    away = distances(question.goal, lambda point: point in playable)
    left_out: set[int] = set()
    for chain in (besieger.stones for besieger in besiegers(picture, question)):
        if not chain <= playable:
            continue
        rest = set(chain)
        for stone in sorted(chain, key=lambda point: (-away.get(point, 0), point)):
            # The other stones of the chain stay connected.
            alone_there = not (set(neighbors(stone)) & playable) - chain
            if alone_there and len(components(rest - {stone})) == 1:
                rest.remove(stone)
        left_out |= chain - rest
    return frozenset(left_out)


def alone(question: LifeQuestion) -> LifeQuestion:
    """Return the question whether a group lives although no friend outside helps."""
    return question.with_outside(exits=())


def ways_out(
    picture: Picture, question: LifeQuestion, saves: Callable[[int], bool]
) -> LifeQuestion:
    """Return the question whether a group lives or reaches a point that saves it outside."""
    sides = (EMPTY, question.defender)
    return question.with_outside(
        points_beside(question, lambda n: picture.colors[n] in sides and saves(n))
    )


def ways_out_for_both(
    picture: Picture, question: LifeQuestion, saves: Callable[[int, int], bool]
) -> LifeQuestion:
    """Return the question in which the outside helps both sides alike.

    saves  returns, for a color and a point outside that is empty or the color's, whether a stone of
           the color that touches the point cannot be captured any more
    """

    def beside(color: int) -> set[int]:
        return points_beside(
            question, lambda n: picture.colors[n] in (EMPTY, color) and saves(color, n)
        )

    return question.with_outside(beside(question.defender), beside(3 - question.defender))


def points_beside(question: LifeQuestion, counts: Callable[[int], bool]) -> set[int]:
    """Return the points of a region with a neighbor outside that counts."""
    points = question.points
    return {p for p in points if any(n not in points and counts(n) for n in neighbors(p))}
