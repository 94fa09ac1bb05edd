"""Races on a full board: which of two opposing groups is captured first (semeai)?

A race is two questions, each for the same side to move first: is the one captured before the
other, and the other before the one? If neither is, both live, in seki, with eyes, or because they
got out. Each is a search over life and death with a rival (``life_search``), so all legal moves of
a region are considered: the stones of both groups, their liberties, empty points around these as
far as they fit, and all chains that have no liberty elsewhere. Outside nothing is played. So a
stone that touches an empty point outside, or a friend there, cannot be captured any more; which of
these points count, for either side alike, the caller may say.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from engine.go.board import COLOR, EMPTY, Board
from engine.go.geometry import AREA, neighbors
from engine.tactics.board_groups import Stones, add_weak, chains_at
from engine.tactics.eyespace import MASK_EXIT, MASK_FIRM
from engine.tactics.groups import Question, build_question
from engine.tactics.life import LifeReader, LifeReading

_RINGS = (2, 1, 0)  # of empty points around the liberties; the most that fits

Captured = Literal["one", "other", "neither", "ko", "unknown"]
Saves = Callable[[int, int], bool]


@dataclass(frozen=True)
class RaceReading:
    """What reading a race found out, one side moving first.

    captured  which of the two groups is captured before the other; "ko": it depends on kos
    move      the first move of the side to move that captures, or that keeps its group from being
              captured; None: nothing does, or it is not known
    """

    captured: Captured
    move: int | None
    nodes: int
    seconds: float


def race_question(board: Board, one: Stones, other: Stones, saves: Saves) -> Question | None:
    """Return the question whether one group is captured before an opposing one.

    one, other  whole chains
    saves       tells of a color and a point outside, empty or with its stone, whether a stone of
                the color that touches it cannot be captured any more
    returns     None if no region fits
    """
    defender = int(board[COLOR + min(one)])
    for rings in _RINGS:
        question = build_question(board, defender, _points(board, one | other, rings))
        if question is not None:
            return _with_outside(board, question, one, other, saves)
    return None


def _points(board: Board, stones: Stones, rings: int) -> set[int]:
    """Return the region of a race between some stones, whole chains of both colors."""
    colors = board[COLOR : COLOR + AREA].tolist()
    points = set(stones)
    for _ in range(rings + 1):
        points |= {n for p in points for n in neighbors(p) if colors[n] == EMPTY}
    for color in {colors[point] for point in stones}:
        add_weak(board, colors, points, color)
    return points


def _with_outside(
    board: Board, question: Question, one: Stones, other: Stones, saves: Saves
) -> Question:
    """Return a question as one about a race, with what is outside as it counts there."""
    points = question.points
    firm = exits = group = rival = 0
    for bit, point in enumerate(question.region.points.tolist()):
        if not point:
            continue
        around = [n for n in neighbors(point) if n not in points]
        for color in (question.defender, 3 - question.defender):
            if any(board[COLOR + n] in (EMPTY, color) and saves(color, n) for n in around):
                if color == question.defender:
                    exits |= 1 << bit
                else:
                    firm |= 1 << bit
        group |= (point in one) << bit
        rival |= (point in other) << bit
    masks = question.region.masks.copy()
    masks[MASK_FIRM], masks[MASK_EXIT] = np.uint64(firm), np.uint64(exits)
    region = question.region._replace(masks=masks)
    return replace(question, region=region, group=group, rival=rival)


def _essential(board: Board, one: Stones, other: Stones) -> Stones:
    """Return the chains of a group that touch another group."""
    touching = {n for point in other for n in neighbors(point)} & one
    return frozenset().union(*chains_at(board, touching))


def rivals_of(board: Board, group: Stones, chains: Iterable[Stones]) -> list[Stones]:
    """Return those of some opposing chains that touch a group, so that it may race with them."""
    return [chain for chain in chains if _essential(board, group, chain)]


def read_race(
    reader: LifeReader,
    board: Board,
    one: Stones,
    other: Stones,
    to_move: int,
    saves: Saves,
) -> RaceReading:
    """Read which of two groups is captured first; arguments as in ``race_question``.

    Where no region fits around both, only the chains of ``one`` that touch the other are meant.
    """
    if race_question(board, one, other, saves) is None:
        one = _essential(board, one, other)
    first, second = (one, other), (other, one)
    # First what the side to move gains: then most races need no second question.
    questions = (second, first) if board[COLOR + min(one)] == to_move else (first, second)
    readings: list[LifeReading] = []
    for group, rival in questions:
        question = race_question(board, group, rival, saves)
        if question is None:
            return RaceReading("unknown", None, 0, 0.0)
        readings.append(reader.read_group(board, question, to_move))
        if readings[-1].status == "dead":
            break
    nodes, seconds = sum(r.nodes for r in readings), sum(r.seconds for r in readings)
    last = readings[-1]
    captured: Captured = "neither"
    if last.status == "dead":
        captured = "one" if questions[len(readings) - 1] == first else "other"
    elif {reading.status for reading in readings} != {"alive"}:
        captured = "unknown" if any(r.status == "unknown" for r in readings) else "ko"
    move = None if captured in ("unknown", "ko") else last.move
    return RaceReading(captured, move, nodes, seconds)
