"""Groups on a full board, and the questions whether they live; for problems see ``goal``.

A group is a set of chains of one color that share liberties. Its region consists of the points that
it reaches before its opponent, the points that it encloses, and one more ring. Its life may depend
on its surroundings: which friends and which empty points outside save it when it reaches them
(``ways_out``)? It may live on its own (``alone``), or be dead even if all of them saved it.

One thing is given in each question: attacking chains with a liberty outside are not captured
(``besiegers``). A group that wins a race against one of them has another fate than the one proved
(``races``).
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from engine.go.board import BLACK, COLOR, EMPTY, SIZE, WALL, WHITE, Board
from engine.go.chains import liberties_of
from engine.go.components import components, distances
from engine.go.geometry import AREA, board_points, neighbors
from engine.life.goal import (
    LifeQuestion,
    Stones,
    add_weak,
    build_question,
    chains_at,
    closed_question,
)

FEWEST_STONES = 4  # of a group that is asked about
# Distance from its stones that a region reaches, and rings around it; the first that fits.
_LAYOUTS = ((3, 1), (2, 1), (1, 1), (1, 0))
_REACH = max(reach for reach, _ in _LAYOUTS)
_MOST_ENCLOSED = 20  # points that a group encloses, stones on them included
_MOST_ELSEWHERE = 2  # liberties outside a region of a besieger that may fall to the group


def find_groups(board: Board) -> list[Stones]:
    """Return the groups of at least FEWEST_STONES, by their first points.

    board  uint16[BOARD_CELLS]
    """
    groups = joined(board, all_chains(board), 1)
    return [group for group in groups if len(group) >= FEWEST_STONES]


def questions_about(board: Board, group: Stones) -> Iterator[LifeQuestion]:
    """Yield the question whether a group lives; if it is too large, those about its parts.

    Parts are chains that share two liberties. Parts around which no region fits are left out.
    """
    whole = local_question(board, group)
    if whole is not None:
        yield whole
        return
    for part in joined(board, chains_at(board, group), 2):
        question = local_question(board, part) if FEWEST_STONES <= len(part) else None
        if question is not None:
            yield question


def all_chains(board: Board) -> list[Stones]:
    """Return all chains, by their first points."""
    points = board_points(int(board[SIZE]))
    return chains_at(board, (p for p in points if board[COLOR + p] in (BLACK, WHITE)))


def joined(board: Board, chains: list[Stones], shared: int) -> list[Stones]:
    """Return groups of a color's chains that share ``shared`` liberties, by their first points."""
    colors = [int(board[COLOR + min(chain)]) for chain in chains]
    liberties = [set(liberties_of(board, min(chain))) for chain in chains]

    def near(one: int) -> Iterator[int]:
        # Chain by chain: two chains do not touch each other because a third one is near both.
        for other, color in enumerate(colors):
            if color == colors[one] and len(liberties[one] & liberties[other]) >= shared:
                yield other

    groups = components(range(len(chains)), near)
    return sorted((frozenset[int]().union(*(chains[i] for i in one)) for one in groups), key=min)


def local_question(board: Board, stones: Iterable[int]) -> LifeQuestion | None:
    """Return the question whether some stones of a color live, None if no region fits.

    stones  whole chains
    """
    goal = set(stones)
    # A list: these walks take longer than a small reading, and arrays are slow to read from Python.
    colors = board[COLOR : COLOR + AREA].tolist()
    defender = colors[min(goal)]

    def is_empty(point: int) -> bool:
        return bool(colors[point] == EMPTY)

    near = distances(goal, is_empty, _REACH)
    around = distances(near, is_empty, _REACH)
    others = {n for p in around for n in neighbors(p) if colors[n] == 3 - defender}
    from_others = distances(others, is_empty, _REACH)
    enclosed = _enclosed(colors, goal) | _in_atari_beside(board, colors, goal)
    for reach, rings in _LAYOUTS:
        playable = goal | enclosed
        playable |= {p for p, far in near.items() if far <= min(from_others.get(p, reach), reach)}
        for _ in range(rings):
            playable |= {n for p in playable - goal for n in neighbors(p) if is_empty(n)}
        question = closed_question(board, colors, defender, playable)
        if question is not None:
            return question
    return None


def _enclosed(colors: list[int], goal: set[int]) -> set[int]:
    """Return all points, stones included, of the small places that some stones enclose."""
    enclosed: set[int] = set()
    visited: set[int] = set()
    for start in sorted({n for point in goal for n in neighbors(point)} - goal):
        if colors[start] == WALL or start in visited:
            continue
        place = {start}
        waiting = [start]
        while waiting and len(place) <= _MOST_ENCLOSED:
            news = {n for n in neighbors(waiting.pop()) if colors[n] != WALL} - goal - place
            place |= news
            waiting.extend(news)
        visited |= place
        if len(place) <= _MOST_ENCLOSED:
            enclosed |= place
    return enclosed


def _in_atari_beside(board: Board, colors: list[int], goal: set[int]) -> set[int]:
    """Return the stones and the liberty of the opposing chains in atari that touch some stones.

    Whether these can be taken and retaken decides over an eye: they are no fixed surroundings.
    """
    opponent = 3 - colors[min(goal)]
    beside = {n for point in goal for n in neighbors(point) if colors[n] == opponent}
    points: set[int] = set()
    for chain in chains_at(board, beside):
        liberties = liberties_of(board, min(chain))
        if len(liberties) == 1 and len(chain) <= _MOST_ENCLOSED:
            points |= chain.union(liberties)
    return points


def besiegers(board: Board, question: LifeQuestion) -> list[Stones]:
    """Return the opposing chains beside a region: no answer about it holds if they fall."""
    points, opponent = question.points, 3 - question.defender
    beside = {n for p in points for n in neighbors(p) if board[COLOR + n] == opponent} - points
    return chains_at(board, beside)


def with_weak_besiegers(board: Board, question: LifeQuestion) -> LifeQuestion | None:
    """Return a question with the besiegers in it that the group may capture.

    These share liberties with the group and have few elsewhere, such as a single eye. If the
    region is too large, stones of besiegers that touch nothing in it are left out. A besieger
    that falls then leaves less room than on the board.
    returns  None where there are none, or no region fits
    """
    goal = question.goal
    liberties = {p for chain in chains_at(board, goal) for p in liberties_of(board, min(chain))}
    playable = set(question.points)
    for chain in besiegers(board, question):
        around = set(liberties_of(board, min(chain)))
        if around & liberties and len(around - question.points) <= _MOST_ELSEWHERE:
            playable |= chain | around
    if playable == question.points:
        return None
    add_weak(board, board[COLOR : COLOR + AREA].tolist(), playable)
    wider = build_question(board, question.defender, playable)
    if wider is None:
        left_out = _touching_nothing(board, question, playable)
        wider = build_question(board, question.defender, playable - left_out, left_out)
    return wider and replace(wider, group=wider.bits_of(goal))


def seen_from_attackers(board: Board, question: LifeQuestion) -> LifeQuestion:
    """Return the question whether the attacking stones in a region live; the outside is open."""
    playable = set(question.points - question.left_out)
    turned = build_question(board, 3 - question.defender, playable, question.left_out)
    assert turned is not None  # the same points fit again
    return turned


def _touching_nothing(board: Board, question: LifeQuestion, playable: set[int]) -> Stones:
    """Return stones of besiegers that only touch their own chain there, the farthest first.

    The other stones of each chain stay connected.
    """
    away = distances(question.goal, lambda point: point in playable)
    left_out: set[int] = set()
    for chain in besiegers(board, question):
        if not chain <= playable:
            continue
        rest = set(chain)
        for stone in sorted(chain, key=lambda point: (-away.get(point, 0), point)):
            alone_there = not (set(neighbors(stone)) & playable) - chain
            if alone_there and len(components(rest - {stone})) == 1:
                rest.remove(stone)
        left_out |= chain - rest
    return frozenset(left_out)


def alone(question: LifeQuestion) -> LifeQuestion:
    """Return the question whether a group lives although no friend outside helps."""
    return question.with_outside(exits=())


def ways_out(board: Board, question: LifeQuestion, saves: Callable[[int], bool]) -> LifeQuestion:
    """Return the question whether a group lives or gets out to a point outside that saves it.

    saves  tells this of empty points outside, and of those with a stone of the group's color
    """

    def is_exit(point: int) -> bool:
        return board[COLOR + point] in (EMPTY, question.defender) and saves(point)

    return question.with_outside(points_beside(question, is_exit))


def ways_out_for_both(
    board: Board, question: LifeQuestion, saves: Callable[[int, int], bool]
) -> LifeQuestion:
    """Return the question in which the outside helps both sides alike.

    saves  returns, for a color and a point outside, whether a stone of the color that touches the
           point cannot be captured any more; the point is empty or has a stone of the color
    """

    def beside(color: int) -> set[int]:
        return points_beside(
            question, lambda n: board[COLOR + n] in (EMPTY, color) and saves(color, n)
        )

    return question.with_outside(beside(question.defender), beside(3 - question.defender))


def points_beside(question: LifeQuestion, counts: Callable[[int], bool]) -> set[int]:
    """Return the points of a region with a neighbor outside that counts."""
    points = question.points
    return {p for p in points if any(n not in points and counts(n) for n in neighbors(p))}
