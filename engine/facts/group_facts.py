"""Proved facts of the groups of a position whose life is in doubt and worth a reading.

Source of the order: Baum & Smith (1997), A Bayesian approach to relevance in game playing: the
points at stake times the uncertainty of their owner in roll-outs come first. A chain around it that
shares its few liberties with the group belongs to the fight. If exactly one chain around it may
fall, by the roll-outs, the race with that chain is read instead. If more may fall, or one that does
not touch it, it is not read.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from engine.go.board import BLACK, Board, Ownership
from engine.life.goal import LifeQuestion
from engine.life.groups import (
    besiegers,
    find_groups,
    questions_about,
    ways_out,
    with_weak_besiegers,
)
from engine.life.priors import LifeWeights
from engine.life.races import race_questions, rivals_of, saved_above
from engine.life.reader import LifeReader, LifeReading, LifeStatus
from engine.picture.picture import Picture, Stones, picture_of


class GroupLimits(NamedTuple):
    """The readings of groups."""

    # Nodes of one search: all groups are read shortly before any is read longer. Most kills show
    # within 100 nodes, and most safe groups within 200.
    budgets: tuple[int, int] = (200, 2000)
    # Net share of roll-outs in which a group lives or dies; from here on it is not read.
    sure: float = 0.9
    # Net share in which its surroundings live; from here on they count as alive.
    firm: float = 0.4


GROUPS = GroupLimits()


@dataclass(frozen=True)
class GroupFacts:
    """The proved facts of one group; its stones are sorted."""

    stones: tuple[int, ...]
    color: int
    # "critical": the first move decides whether it lives, gets to safety, or wins its race; "dead":
    # it dies anyway
    status: Literal["critical", "dead"]
    # The opponent's first move that is proved to prevent that, if it is "critical"
    attacks: tuple[int, ...]
    # The owner's first move that is proved to reach it, if it is "critical"
    defenses: tuple[int, ...]
    rival: tuple[int, ...] = ()  # sorted stones of the chain that it races with; empty: it does not


class GroupSurveyor:
    """Reads the groups of a position, within bounds; without weights all moves are even."""

    def __init__(self, weights: LifeWeights | None = None) -> None:
        self._reader = LifeReader("pns", max(GROUPS.budgets), weights)

    def survey(
        self,
        board: Board,
        ownership: Ownership,
        nodes: int,
        stopped: Callable[[], bool] = lambda: False,
        about: Stones = frozenset(),
    ) -> list[GroupFacts]:
        """Return the proved facts of the groups in doubt, the most relevant first.

        nodes    for all readings together, exceeded by at most one group's
        stopped  asked between groups; True ends the survey with the facts so far
        about    only groups with one of these stones; empty: all groups
        """
        self._board, self._picture = board, picture_of(board)
        self._ownership, self._nodes = ownership, 0
        groups: list[GroupFacts] = []
        waiting = _questions_in_doubt(self._picture, ownership, about)
        for most in GROUPS.budgets:
            self._reader.max_nodes = min(most, nodes)
            later = []
            for question, rival in waiting:
                if self._nodes >= nodes or stopped():
                    return groups
                status, facts = self._read_race(question, rival) if rival else self._read(question)
                if status == "unknown":
                    later.append((question, rival))
                if facts is not None:
                    groups.append(facts)
            waiting = iter(later)
        return groups

    def life_of(self, board: Board, stone: int) -> LifeStatus:
        """Return the proved status of the group of a stone, its opponent to move."""
        picture = picture_of(board)
        rival = 3 - picture.colors[stone]
        self._reader.max_nodes = max(GROUPS.budgets)
        for group in find_groups(picture):
            for question in questions_about(picture, group) if stone in group else ():
                if stone in question.goal:
                    reading = self._reader.read_group(board, question, rival)
                    return self._reader.tell_seki(board, reading, rival).status
        return "unknown"

    def _read(self, question: LifeQuestion) -> tuple[LifeStatus, GroupFacts | None]:
        """Return the result of the reading that decided about a group, and its useful facts."""
        picture, ownership, color = self._picture, self._ownership, question.defender
        sign = 1.0 if color == BLACK else -1.0
        safely = ways_out(picture, question, lambda point: sign * ownership[point] >= GROUPS.firm)
        attack = self._read_one(safely, 3 - color)
        if attack.status != "dead":
            return attack.status, None
        defense = self._read_one(safely, color)
        if defense.status == "alive" and attack.move is not None and defense.works:
            return "alive", _facts(question, attack, defense)
        if defense.status == "dead":
            # Dead only if it cannot even reach a point that is not surely the opponent's.
            anywhere = ways_out(picture, question, lambda p: sign * ownership[p] > -GROUPS.firm)
            defense = self._read_one(anywhere, color)
            if defense.status == "dead":
                return "dead", _facts(question)
        return defense.status, None

    def _read_race(
        self, question: LifeQuestion, rival: Stones
    ) -> tuple[LifeStatus, GroupFacts | None]:
        """Return the result of the last reading of a race, and its useful facts."""
        color, saved = question.defender, saved_above(self._ownership, -GROUPS.firm)
        questions = race_questions(self._picture, frozenset(question.goal), rival, saved)
        if questions is None:
            return "alive", None
        theirs, ours = questions
        # The side captured first is dead: the group by its opponent's move, the rival by its own.
        attack = self._read_one(theirs, 3 - color)
        if attack.status != "dead" or attack.move is None:
            return attack.status, None
        defense = self._read_one(ours, color)
        if defense.status != "dead" or defense.move is None:
            return defense.status, None
        return "dead", _facts(question, attack, defense, rival=rival)

    def _read_one(self, question: LifeQuestion, to_move: int) -> LifeReading:
        reading = self._reader.read_group(self._board, question, to_move)
        self._nodes += reading.nodes
        return reading


def _facts(question: LifeQuestion, *moves: LifeReading, rival: Stones = frozenset()) -> GroupFacts:
    """Return the facts of a group that the moves of an attack and a defense decide, or nothing."""
    attacks, defenses = [(r.move,) for r in moves if r.move is not None] if moves else [(), ()]
    return GroupFacts(
        stones=tuple(question.goal),
        color=question.defender,
        status="critical" if moves else "dead",
        attacks=attacks,
        defenses=defenses,
        rival=tuple(sorted(rival)),
    )


def _questions_in_doubt(
    picture: Picture, ownership: Ownership, about: Stones
) -> Iterator[tuple[LifeQuestion, Stones]]:
    """Yield questions about groups in doubt, the most relevant first, with the rival of a race."""
    groups = [(_share(picture, group, ownership), group) for group in find_groups(picture)]
    relevant = [
        (-len(group) * (1.0 - share * share), group)
        for share, group in groups
        if abs(share) < GROUPS.sure and (not about or about & group)
    ]
    for _, group in sorted(relevant, key=lambda item: (item[0], min(item[1]))):
        for question in questions_about(picture, group):
            around = [chain.stones for chain in besiegers(picture, question)]
            weak = [chain for chain in around if _share(picture, chain, ownership) < GROUPS.firm]
            if not weak:
                # A besieger whose few liberties are the group's, too, may fall to it.
                yield with_weak_besiegers(picture, question) or question, frozenset()
            elif len(weak) == 1 and rivals_of(picture, frozenset(question.goal), weak):
                yield question, weak[0]


def _share(picture: Picture, stones: Iterable[int], ownership: Ownership) -> float:
    """Return the net share of roll-outs in which stones of one color live, from -1 to 1."""
    points = list(stones)
    sign = 1.0 if picture.colors[points[0]] == BLACK else -1.0
    return sign * float(ownership[points].mean())
